"""Loads a campaign file: settings and rubric; its bots, scenarios and people are loaded by the modules beside."""

import hashlib
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import (
    IN_ONE_TRANSACTION,
    PreviewIsOld,
    draw_after_commit,
    ground_over,
    plan_of,
    standing_of,
    store_drawing,
)
from campaigns.actions.changing import (
    DatesOutOfOrder,
    FixedByDialogues,
    columns_of,
    compare_settings,
    is_staff,
    needs_staff,
    write_settings,
)
from campaigns.actions.describing import changed_parts, store_version
from campaigns.actions.entering import enter_bots
from campaigns.actions.load_report import LoadReport
from campaigns.actions.loading_people import interests_to_be, load_people, name_of_team
from campaigns.actions.loading_scenarios import load_scenarios
from campaigns.actions.teams import FileTeams
from campaigns.calendar import Doing, NotNow, check_open
from campaigns.campaign_file.campaign_settings import MOST_DRAWN, SETTINGS
from campaigns.campaign_file.dumping import document_of
from campaigns.campaign_file.file_parts import PARTS
from campaigns.campaign_file.reader import CampaignSpec, check_who_counts
from campaigns.campaign_file.setting import Changeable
from campaigns.models import Campaign, CampaignRole, Role
from campaigns.planning.hidden_orders import plan_seed
from campaigns.planning.plan_sizes import PlanTooLarge, check_size
from campaigns.planning.plans import Ground
from campaigns.planning.redrawing import Standing, changes_of
from campaigns.presets import PRESETS
from campaigns.trail_acts import CAMPAIGN_CREATED, CAMPAIGN_LOADED
from reading.checking import BadFile
from reading.findings import FILE, Finding
from rubrics.actions import rubric_from_preset, rubric_to_be

ONLY_STAFF = gettext_noop("only staff of the platform let a plan have more than %(most)s assignments")
KEEPS = gettext_noop("campaign keeps %(name)s %(own)s; a new campaign gets %(value)s")
CLASH = gettext_noop("cannot be loaded at this moment: somebody else stored the same; load it again")
NOBODY_OF_THAT_NAME = gettext_noop("is neither in the file nor stored")
RULE_PLACES = {"rubric": "[rubric]", "ranking_rule": "[ranking] keys"}


def load_campaign(
    *,
    spec: CampaignSpec,
    void: Collection[int] = (),
    prunes: bool = False,
    takes_over: bool = False,
    by: Person | None = None,
    at: datetime | None = None,
) -> tuple[Campaign, list[str]]:
    """As `load_file`; gives the campaign with one sentence per change (none: the file said nothing new)."""
    loaded = load_file(spec=spec, void=void, prunes=prunes, takes_over=takes_over, by=by, at=at)
    return loaded.campaign, loaded.report.changes


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did, or would do; `digest` is the same for the same change of the same campaign."""

    campaign: Campaign
    report: LoadReport
    digest: str


def preview_load(
    *,
    spec: CampaignSpec,
    void: Collection[int] = (),
    prunes: bool = False,
    takes_over: bool = False,
    by: Person | None = None,
    at: datetime | None = None,
) -> Loaded:
    """What `load_file` would do now: read and compared, without a transaction. Errors: `BadFile`."""
    report, at = LoadReport(prunes=prunes, takes_over=takes_over), at or timezone.now()
    stored = Campaign.objects.filter(slug=spec.slug).first()
    return _compared(stored, spec, report, void, by, at)


@transaction.atomic
def load_file(
    *,
    spec: CampaignSpec,
    void: Collection[int] = (),
    prunes: bool = False,
    takes_over: bool = False,
    previewed: str = "",
    by: Person | None = None,
    at: datetime | None = None,
) -> Loaded:
    """Creates or updates the campaign. Only rows that came from a file are changed (`Origin.FILE`).

    What the file no longer holds leaves only where it `prunes`; a row that was made in the browser becomes the file's only
    where it `takes_over`, and is a problem where the file says something else of it. What has begun (an assignment of it
    has a dialogue) keeps its rules: such a change is refused. `void` as for `draw_assignments`; `previewed` is the digest
    of the change that somebody has agreed to.
    Errors: `BadFile`, `PreviewIsOld`; then nothing is changed.
    """
    report, at = LoadReport(prunes=prunes, takes_over=takes_over), at or timezone.now()
    stored = Campaign.objects.select_for_update().filter(slug=spec.slug).first()
    loaded = _compared(stored, spec, report, void, by, at)
    if previewed and loaded.digest != previewed:
        raise PreviewIsOld
    try:
        # A savepoint: PostgreSQL answers nothing more in a transaction that hit a constraint.
        with transaction.atomic():
            report.store()
    except IntegrityError as clash:
        raise BadFile([Finding(FILE, CLASH)]) from clash
    if report.changes:
        act = CAMPAIGN_LOADED if stored else CAMPAIGN_CREATED
        slug = loaded.campaign.slug
        record(act, by=by, campaign=slug, about=slug, details={"changes": report.changes})
    return loaded


def _compared(
    stored: Campaign | None,
    spec: CampaignSpec,
    report: LoadReport,
    void: Collection[int],
    by: Person | None,
    at: datetime,
) -> Loaded:
    """Reads and compares; the report knows what is to be written. Errors: `BadFile`."""
    before = _state(stored)
    loading = _Loading(spec, report, by, at)
    campaign = loading.load(stored)
    if stored is not None and report.changes:
        _refuse_what_is_over(campaign, report, at)
    report.refuse()
    loading.draw(campaign, void)
    # The order of a set differs between processes.
    said = replace(spec, said=frozenset())
    digest = hashlib.sha256(repr((before, said, sorted(spec.said), report.changes)).encode()).hexdigest()
    return Loaded(campaign, report, digest)


def _refuse_what_is_over(campaign: Campaign, report: LoadReport, at: datetime) -> None:
    """By the dates as the file leaves them, so that a file can extend a campaign and change it at once."""
    try:
        check_open(campaign, Doing.ORGANIZE, at)
    except NotNow as over:
        report.note_over(over)


def _state(campaign: Campaign | None) -> object:
    """All that a load may change or depends on, in one order."""
    if campaign is None:
        return None
    origins = [
        list(rows.order_by("pk").values_list("pk", "origin"))
        for rows in (campaign.entries, campaign.scenarios, campaign.roles, campaign.team_members)
    ]
    return origins, document_of(campaign, with_secrets=True)


def compare_drawing(
    campaign: Campaign, ground: Ground, standing: Sequence[Standing], report: LoadReport, void: Collection[int]
) -> None:
    """Counts the plan over this ground and tells what drawing it changes; it is drawn later. Errors: `PlanTooLarge`."""
    plan = plan_of(campaign)
    n = check_size(plan, ground, campaign.plan_limit)
    if n > IN_ONE_TRANSACTION:
        if report.changes:
            report.add_change(gettext_noop("up to %(n)s assignments are drawn after this is stored"), n=n)
            report.later(lambda: draw_after_commit(campaign, void))
        return
    drawn = changes_of(plan, ground, standing, seed=plan_seed(campaign))
    if drawn.add:
        report.add_change(gettext_noop("%(n)s assignments drawn"), n=len(drawn.add))
    if drawn.take_away:
        report.add_change(gettext_noop("%(n)s assignments taken away that had not begun"), n=len(drawn.take_away))
    report.later(lambda: store_drawing(campaign, drawn))


class _Loading:
    """One file compared with what is stored; the report says what comes of it, and knows what is to be written."""

    def __init__(self, spec: CampaignSpec, report: LoadReport, by: Person | None, at: datetime) -> None:
        self.spec = spec
        self.report = report
        self.by = by
        self.at = at

    def load(self, campaign: Campaign | None) -> Campaign:
        limit = MOST_DRAWN if campaign is None else campaign.plan_limit
        if needs_staff(limit, self.spec.settings) and not is_staff(self.by):
            self.report.note(SETTINGS["plan_limit"].place, ONLY_STAFF, most=f"{MOST_DRAWN:,}")
        campaign = self.create() if campaign is None else self.change(campaign)
        # What is stored decides: a file may say whose scores count, and leave who scores as it is.
        check_who_counts(campaign.reviewed_by, campaign.counted_reviews, self.report)
        self.describe(campaign)
        teams = FileTeams(campaign, self.report)
        self.entered = enter_bots(campaign, self.spec.bots, teams, self.report)
        self.scenarios = load_scenarios(campaign, self.spec.scenarios, self.report, default_cap=self.spec.subtask_cap)
        self.people = load_people(campaign, self.spec.people, teams, self.entered.entries, self.report)
        self.set_hours(campaign)
        for part in PARTS.values():
            part.compare(campaign, getattr(self.spec, part.name), self.report, self.by, self.at)
        return campaign

    def describe(self, campaign: Campaign) -> None:
        said = self.spec.description.said() if self.spec.description else {}
        changed = changed_parts(campaign.descriptions.first() if campaign.pk else None, said)
        if changed:
            self.report.add_change(gettext_noop("description: %(names)s changed"), names=", ".join(changed))
            self.report.later(lambda: store_version(campaign, changed, self.by, self.at))

    def set_hours(self, campaign: Campaign) -> None:
        """Of those that there will be; a bot or tester that nobody knows is a problem."""
        bots = {entry.key: entry.hours for entry in self.entered.entries}
        held = campaign.roles.filter(role=Role.TESTER) if campaign.pk else CampaignRole.objects.none()
        testers = dict.fromkeys(self.people.of_role({Role.TESTER}), "")
        testers |= dict(held.values_list("person__username", "hours"))
        asked = (
            ("bots", "key", self.spec.hours.bots, bots),
            ("testers", "person__username", self.spec.hours.testers, testers),
        )
        for table, column, said, stored in asked:
            for name, hours in said.items():
                if name not in stored:
                    self.report.note(f"[hours] {table} {name}", NOBODY_OF_THAT_NAME)
                elif hours != stored[name]:
                    self.report.add_change(gettext_noop("hours of %(name)s changed"), name=name)
                    self.report.later(partial(self.store_hours, campaign, column, name, hours))

    def store_hours(self, campaign: Campaign, column: str, name: str, hours: str) -> None:
        rows: Any = campaign.entries if column == "key" else campaign.roles.filter(role=Role.TESTER)
        rows.filter(**{column: name}).update(hours=hours)

    def draw(self, campaign: Campaign, void: Collection[int]) -> None:
        """Compares the plan over what there will be with what is assigned. Errors: `BadFile`."""
        if campaign.free_choice:
            return
        try:
            compare_drawing(campaign, self.ground(campaign), self.standing(campaign, void), self.report, void)
        except PlanTooLarge as large:
            raise BadFile([large.finding]) from large

    def ground(self, campaign: Campaign) -> Ground:
        """What the plan is drawn over once the file is loaded: `ground_of`, of rows that are not stored yet."""
        testers = {name: name for name in sorted(self.people.testers(campaign))}
        drawn = campaign.assignments.filter(is_drawn=True).values_list("entry", flat=True) if campaign.pk else ()
        has_drawn = set(drawn) - self.entered.emptied if campaign.green_report_hours else set()
        bots = {
            entry.key: (entry.alias, name_of_team(entry.bot.team))
            for entry in self.entered.entries
            if entry.takes_part and (entry.has_fresh_report(campaign, self.at) or entry.pk in has_drawn)
        }
        skills = {one.key: one.skill for one in self.scenarios if not one.is_practice}
        interests = interests_to_be(campaign, self.entered.entries, self.people)
        return ground_over(campaign, testers, bots, dict(sorted(skills.items())), interests)

    def standing(self, campaign: Campaign, void: Collection[int]) -> list[Standing]:
        """What is assigned and stays so: nothing of a bot or scenario that leaves or loses its address."""
        if campaign.pk is None:
            return []
        emptied = set(campaign.entries.filter(pk__in=self.entered.emptied).values_list("key", flat=True))
        kept = {one.key for one in self.scenarios}
        return [row for row in standing_of(campaign, void) if row.bot not in emptied and row.scenario in kept]

    def create(self) -> Campaign:
        self.report.add_change(gettext_noop("campaign %(slug)s created"), slug=self.spec.slug)
        campaign = Campaign(
            slug=self.spec.slug,
            ranking_rule=list(self.spec.ranking_rule),
            drawing_seed=secrets.randbits(48),
            **columns_of(self.spec.settings_when_new),
        )
        self.report.later(partial(self.store_new, campaign))
        return campaign

    def change(self, campaign: Campaign) -> Campaign:
        changes = self.of_another_preset(campaign) | dict(self.spec.settings)
        if campaign.was_published or not changes.get("is_published"):
            # A file publishes where nothing was published yet; it withdraws nothing, and publishes nothing withdrawn again.
            changes.pop("is_published", None)
        for name in self.kept_from_preset(campaign):
            setting, value = SETTINGS[name], changes.pop(name)
            own = setting.value_in(campaign)
            self.report.add_change(KEEPS, name=setting.key_in_file, own=str(own), value=str(value))
        try:
            changed = compare_settings(campaign, changes, self.at)
        except FixedByDialogues as fixed:
            for setting in fixed.settings:
                self.report.note_begun(setting.place)
            return campaign
        except DatesOutOfOrder as wrong:
            # A date of the file, beside others that are stored.
            for one in wrong.wrong:
                self.report.note(SETTINGS[one.later].place, one.text, earlier=one.earlier)
            return campaign
        except NotNow as over:
            self.report.note_over(over)
            return campaign
        self.report.later(lambda: write_settings(campaign, changed))
        if changed:
            names = ", ".join(setting.key_in_file for setting, _before, _after in changed)
            self.report.add_change(gettext_noop("campaign: %(names)s changed"), names=names)
        self.follow_rule(campaign)
        return campaign

    def of_another_preset(self, campaign: Campaign) -> dict[str, Any]:
        """Where the preset changes, what the two presets say differently goes with it."""
        before, after = PRESETS.get(campaign.preset), self.spec.preset
        if before is None or before.key == after.key:
            return {}
        names = before.settings.keys() | after.settings.keys()
        return {name: after.value_of(name) for name in names if before.value_of(name) != after.value_of(name)}

    def kept_from_preset(self, campaign: Campaign) -> list[str]:
        """Rules of dialogues that a preset has changed since the campaign began, of which the file says nothing."""
        if campaign.preset != self.spec.preset.key or not campaign.has_begun():
            return []
        return [
            name
            for name, value in self.spec.settings.items()
            if name in self.spec.preset.settings
            and name not in self.spec.said
            and SETTINGS[name].changeable is Changeable.BEFORE_DIALOGUES
            and SETTINGS[name].value_in(campaign) != value
        ]

    def follow_rule(self, campaign: Campaign) -> None:
        """Rubric and ranking rule: the file's, or the preset's, which may have changed since.

        Campaigns with dialogues or records keep what they were begun with. Both stay or go together: the rule ranks by the
        rubric's criteria.
        """
        wanted = {"rubric": rubric_to_be(self.spec.rubric), "ranking_rule": list(self.spec.ranking_rule)}
        said = {"rubric": self.spec.own_rubric, "ranking_rule": self.spec.own_ranking}
        keeps_own = campaign.has_begun() or campaign.entries.filter(has_imported_records=True).exists()
        for name, value in wanted.items():
            own, word = getattr(campaign, name), name.replace("_", " ")
            if own == value:
                continue
            if keeps_own and said[name] is not None:
                self.report.note_begun(RULE_PLACES[name])
            elif keeps_own:
                self.report.add_change(KEEPS, name=word, own=_said(own), value=_said(value))
            else:
                self.report.later(partial(self.store_rule, campaign, name))
                text = gettext_noop("campaign: %(name)s %(own)s → %(value)s")
                self.report.add_change(text, name=word, own=_said(own), value=_said(value))

    def store_new(self, campaign: Campaign) -> None:
        campaign.rubric = rubric_from_preset(self.spec.rubric)
        campaign.save(force_insert=True)

    def store_rule(self, campaign: Campaign, name: str) -> None:
        campaign.rubric = rubric_from_preset(self.spec.rubric) if name == "rubric" else campaign.rubric
        campaign.ranking_rule = list(self.spec.ranking_rule) if name == "ranking_rule" else campaign.ranking_rule
        campaign.save(update_fields=[name])


def _said(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
