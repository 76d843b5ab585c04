"""Loads a campaign file: its head, bots, scenarios and people, and removes what it no longer holds."""

import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.actions import create_person
from accounts.models import Person
from audit.actions import record
from campaigns.actions.assigning import redraw
from campaigns.actions.changing import DatesOutOfOrder, FixedByDialogues, columns_of, store_settings
from campaigns.actions.entering import enter_bots
from campaigns.actions.load_report import LoadReport
from campaigns.acts import CAMPAIGN_CREATED, CAMPAIGN_LOADED
from campaigns.calendar import Doing, NotNow, check_open
from campaigns.campaign_file import CampaignSpec, PersonSpec, ScenarioSpec
from campaigns.campaign_settings import SETTINGS
from campaigns.file_settings import check_who_counts
from campaigns.models import Campaign, CampaignRole, Scenario, Subtask, TeamMember
from campaigns.presets import PRESETS
from campaigns.setting import Changeable
from participants.models import Team
from rubrics.actions import rubric_from_preset
from scoring.strict_json import are_same

Parts = Sequence[tuple[str, int | None]]
RULE_PLACES = {"rubric": "[rubric]", "ranking_rule": "[ranking] keys"}


@transaction.atomic
def load_campaign(
    *, spec: CampaignSpec, void: Collection[int] = (), by: Person | None = None, at: datetime | None = None
) -> tuple[Campaign, list[str]]:
    """Creates or updates the campaign; gives it with one sentence per change (none: the file said nothing new).

    What has begun (an assignment of it has a dialogue) keeps its rules: such a change is refused. `void` as for
    `draw_assignments`.
    Errors: `BadFile`; then nothing is changed.
    """
    report, at = LoadReport(), at or timezone.now()
    stored = Campaign.objects.select_for_update().filter(slug=spec.slug).first()
    campaign = _Loading(spec, report, at).load(stored)
    if stored is not None and report.changes:
        _refuse_what_is_over(campaign, report, at)
    report.refuse()
    if not campaign.free_choice:
        drawn = redraw(campaign, void)
        if drawn.add:
            report.add_change(f"{len(drawn.add)} assignments drawn")
        if drawn.take_away:
            report.add_change(f"{len(drawn.take_away)} assignments taken away that had not begun")
    if report.changes:
        act = CAMPAIGN_LOADED if stored else CAMPAIGN_CREATED
        record(act, by=by, campaign=campaign.slug, about=campaign.slug, details={"changes": report.changes})
    return campaign, report.changes


def _refuse_what_is_over(campaign: Campaign, report: LoadReport, at: datetime) -> None:
    """By the dates as the file leaves them, so that a file can extend a campaign and change it at once."""
    try:
        check_open(campaign, Doing.ORGANIZE, at)
    except NotNow as over:
        report.note_over(over)


class _Loading:
    """One load of one file, inside the caller's transaction; the report says what came of it."""

    def __init__(self, spec: CampaignSpec, report: LoadReport, at: datetime) -> None:
        self.spec = spec
        self.report = report
        self.at = at

    def load(self, campaign: Campaign | None) -> Campaign:
        campaign = self.create() if campaign is None else self.change(campaign)
        # What is stored decides: a file may say whose scores count, and leave who scores as it is.
        check_who_counts(campaign.reviewed_by, campaign.counted_reviews, self.report)
        enter_bots(campaign, self.spec.bots, self.report)
        for position, scenario_spec in enumerate(self.spec.scenarios, start=1):
            self.load_scenario(campaign, scenario_spec, position)
        self.remove_scenarios_that_are_gone(campaign)
        for person_spec in self.spec.people:
            self.load_person(campaign, person_spec)
        self.dismiss_people_who_are_gone(campaign)
        return campaign

    def create(self) -> Campaign:
        self.report.add_change(f"campaign {self.spec.slug} created")
        return Campaign.objects.create(
            slug=self.spec.slug,
            rubric=rubric_from_preset(self.spec.rubric),
            ranking_rule=list(self.spec.ranking_rule),
            drawing_seed=secrets.randbits(48),
            **columns_of(self.spec.settings_when_new),
        )

    def change(self, campaign: Campaign) -> Campaign:
        changes = self.of_another_preset(campaign) | dict(self.spec.settings)
        if campaign.was_published or not changes.get("is_published"):
            # A file publishes where nothing was published yet; it withdraws nothing, and publishes nothing withdrawn again.
            changes.pop("is_published", None)
        for name in self.kept_from_preset(campaign):
            setting, value = SETTINGS[name], changes.pop(name)
            own = setting.value_in(campaign)
            self.report.add_change(f"campaign keeps {setting.key_in_file} {own}; a new campaign gets {value}")
        try:
            changed = store_settings(campaign, changes, self.at)
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
        if changed:
            names = ", ".join(setting.key_in_file for setting, _before, _after in changed)
            self.report.add_change(f"campaign: {names} changed")
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
        wanted = {"rubric": rubric_from_preset(self.spec.rubric), "ranking_rule": list(self.spec.ranking_rule)}
        said = {"rubric": self.spec.own_rubric, "ranking_rule": self.spec.own_ranking}
        keeps_own = campaign.has_begun() or campaign.entries.filter(has_imported_records=True).exists()
        for name, value in wanted.items():
            own, word = getattr(campaign, name), name.replace("_", " ")
            if own == value:
                continue
            if keeps_own and said[name] is not None:
                self.report.note_begun(RULE_PLACES[name])
            elif keeps_own:
                self.report.add_change(f"campaign keeps {word} {_said(own)}; a new campaign gets {_said(value)}")
            else:
                setattr(campaign, name, value)
                campaign.save(update_fields=[name])
                self.report.add_change(f"campaign: {word} {_said(own)} → {_said(value)}")

    def load_scenario(self, campaign: Campaign, spec: ScenarioSpec, position: int) -> None:
        scenario = campaign.scenarios.filter(key=spec.key).first()
        wanted_subtasks: Parts = [
            (subtask.kind, subtask.turn_cap or self.spec.subtask_cap) for subtask in spec.subtasks
        ]
        shown = {
            "position": position,
            "title_zh": spec.title.zh,
            "title_en": spec.title.en,
            "opening_en": spec.opening_en,
            "instructions_zh": spec.instructions.zh,
            "instructions_en": spec.instructions.en,
        }
        ruling = {
            "opening": spec.opening,
            "skill": spec.skill,
            "items": list(spec.items),
            "facts": dict(spec.facts),
            "context": dict(spec.context),
        }
        if scenario is None:
            scenario = Scenario.objects.create(campaign=campaign, key=spec.key, **shown, **ruling)
            self.write_subtasks(scenario, wanted_subtasks)
            self.report.add_change(f"scenario {spec.key} added")
            return
        subtasks = [(subtask.kind, subtask.turn_cap) for subtask in scenario.subtasks.all()]
        if campaign.has_begun():
            wanted_subtasks = self.with_kept_caps(spec, subtasks, wanted_subtasks)
        is_changed = subtasks != wanted_subtasks or any(
            not are_same(getattr(scenario, name), value) for name, value in ruling.items()
        )
        if is_changed and scenario.has_begun():
            self.report.note_begun(f"[[scenarios]] {position}")
            return
        self.report.apply(scenario, shown | ruling, f"scenario {spec.key}")
        if subtasks != wanted_subtasks:
            scenario.subtasks.all().delete()
            self.write_subtasks(scenario, wanted_subtasks)
            self.report.add_change(f"scenario {spec.key}: subtasks changed")

    def with_kept_caps(self, spec: ScenarioSpec, stored: Parts, wanted: Parts) -> Parts:
        """A cap that the file does not say is the preset's, which may have changed since: the campaign keeps its own."""
        if [kind for kind, _ in stored] != [kind for kind, _ in wanted]:
            return wanted
        pairs = zip(spec.subtasks, stored, strict=True)
        kept = [(kind, own if said.turn_cap is None else said.turn_cap) for said, (kind, own) in pairs]
        if kept != wanted:
            text = f"scenario {spec.key} keeps its turn caps; in a new campaign they are {self.spec.subtask_cap}"
            self.report.add_change(text)
        return kept

    @staticmethod
    def write_subtasks(scenario: Scenario, wanted: Iterable[tuple[str, int | None]]) -> None:
        Subtask.objects.bulk_create(
            Subtask(scenario=scenario, position=position, kind=kind, turn_cap=cap)
            for position, (kind, cap) in enumerate(wanted, start=1)
        )

    def remove_scenarios_that_are_gone(self, campaign: Campaign) -> None:
        """A scenario that the file no longer holds leaves, unless a dialogue needs it."""
        for scenario in campaign.scenarios.declared().exclude(key__in=[spec.key for spec in self.spec.scenarios]):
            if scenario.has_begun():
                self.report.note_gone(f"[[scenarios]] {scenario.key}")
                continue
            scenario.assignments.all().delete()
            scenario.delete()
            self.report.add_change(f"scenario {scenario.key} removed")

    def load_person(self, campaign: Campaign, spec: PersonSpec) -> None:
        person = Person.objects.filter(username=spec.username).first()
        if person is None:
            person = create_person(username=spec.username)
            self.report.add_change(f"person {spec.username} created")
        for role in spec.roles:
            _, is_new = CampaignRole.objects.get_or_create(campaign=campaign, person=person, role=role)
            if is_new:
                self.report.add_change(f"person {spec.username}: {role}")
        gone = campaign.roles.filter(person=person).exclude(role__in=spec.roles)
        if gone.exists():
            gone.delete()
            self.report.add_change(f"person {spec.username}: roles taken back")
        self.set_team(campaign, person, spec.team)

    def set_team(self, campaign: Campaign, person: Person, name: str) -> None:
        """A person takes part for one team per campaign; this file says nothing about other campaigns."""
        place = campaign.team_members.filter(person=person).select_related("team").first()
        before = place.team.name if place else ""
        if name == before:
            return
        if place is not None:
            place.delete()
        if name:
            team, _ = Team.objects.get_or_create(name=name)
            TeamMember.objects.create(campaign=campaign, team=team, person=person)
        self.report.add_change(f"person {person.username}: team {before or 'none'} → {name or 'none'}")

    def dismiss_people_who_are_gone(self, campaign: Campaign) -> None:
        names = [person.username for person in self.spec.people]
        roles_gone = campaign.roles.exclude(person__username__in=names)
        members_gone = campaign.team_members.exclude(person__username__in=names)
        if roles_gone.exists() or members_gone.exists():
            roles_gone.delete()
            members_gone.delete()
            self.report.add_change("roles and teams of people who are no longer listed taken back")


def _said(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
