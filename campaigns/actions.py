"""What can be done with campaigns: load one from its file, draw its plan, give it tokens and passwords."""

import secrets
from collections.abc import Iterable, Mapping

from django.db import transaction
from knox.models import AuthToken

from campaigns.campaign_file import (
    BadCampaignFile,
    BotSpec,
    CampaignSpec,
    PersonSpec,
    ScenarioSpec,
)
from campaigns.drawing import draw_aliases, draw_plan
from campaigns.models import Assignment, Campaign, CampaignRole, Entry, Role, Scenario, Subtask
from campaigns.presets import PRESETS
from campaigns.table_reader import Problem
from participants.models import Bot, Person, Team, TeamMember
from rubrics.actions import rubric_from_preset


@transaction.atomic
def load_campaign(*, spec: CampaignSpec) -> tuple[Campaign, list[str]]:
    """Creates or updates the campaign; gives it with one sentence per change (none: the file said nothing new).

    What has begun (an assignment of it has a dialogue) keeps its rules: such a change is refused.
    Errors: `BadCampaignFile`; then nothing is changed.
    """
    campaign = Campaign.objects.select_for_update().filter(slug=spec.slug).first()
    loading = _Loading(spec, campaign)
    loading.load()
    if loading.problems:
        raise BadCampaignFile(loading.problems)
    assert loading.campaign is not None
    return loading.campaign, loading.changes


class _Loading:
    """One load of one file: what changed, and what could not be changed."""

    def __init__(self, spec: CampaignSpec, campaign: Campaign | None) -> None:
        self.spec = spec
        self.campaign = campaign
        self.changes: list[str] = []
        self.problems: list[Problem] = []

    def load(self) -> None:
        self.campaign = self.load_head()
        for place, bot_spec in enumerate(self.spec.bots, start=1):
            self.load_bot(self.campaign, bot_spec, f"[[bots]] {place}")
        for place, scenario_spec in enumerate(self.spec.scenarios, start=1):
            self.load_scenario(self.campaign, scenario_spec, place)
        for person_spec in self.spec.people:
            self.load_person(self.campaign, person_spec)
        self.remove_what_is_gone(self.campaign)
        if not self.campaign.free_choice and not self.problems:
            n_drawn = draw_assignments(campaign=self.campaign)
            if n_drawn:
                self.changes.append(f"{n_drawn} assignments drawn")

    def load_head(self) -> Campaign:
        spec, preset = self.spec, PRESETS[self.spec.preset]
        fixed = {"preset": spec.preset, "cap_per": spec.cap_per, "turn_cap": spec.turn_cap}
        movable = {
            "name_zh": spec.name.zh,
            "name_en": spec.name.en,
            "free_choice": spec.free_choice,
            "reply_deadline_s": spec.reply_deadline_s,
            "open_dialogues_per_tester": spec.open_dialogues_per_tester,
            "is_published": spec.is_published,
            "masked_words": list(spec.masked_words),
        }
        if self.campaign is None:
            self.changes.append(f"campaign {spec.slug} created")
            return Campaign.objects.create(
                slug=spec.slug,
                rubric=rubric_from_preset(preset.rubric),
                ranking_rule=preset.ranking_rule,
                drawing_seed=secrets.randbits(48),
                **fixed,
                **movable,
            )
        if self.campaign.has_begun():
            for name, wanted in fixed.items():
                if getattr(self.campaign, name) != wanted:
                    self.refuse(f"[campaign] {name}", "the campaign")
        self.apply(self.campaign, fixed | movable, "campaign")
        return self.campaign

    def load_bot(self, campaign: Campaign, spec: BotSpec, place: str) -> None:
        entry = campaign.entries.filter(key=spec.key).select_related("bot__team").first()
        team, _ = Team.objects.get_or_create(name=spec.team)
        wanted = {
            "protocol": spec.protocol,
            "url": spec.url,
            "secret": spec.secret,
            "options": dict(spec.options),
        }
        if entry is None:
            bot, _ = Bot.objects.get_or_create(team=team, name=spec.name)
            if campaign.entries.filter(bot=bot).exists():
                self.problems.append(Problem(place, f"{spec.team} has entered {spec.name!r} already"))
                return
            taken = list(campaign.entries.values_list("alias", flat=True))
            (alias,) = draw_aliases(1, taken=taken, seed=campaign.drawing_seed)
            entry = Entry.objects.create(campaign=campaign, bot=bot, key=spec.key, alias=alias)
            self.changes.append(f"bot {spec.key} entered")
            for name, value in wanted.items():
                setattr(bot, name, value)
            bot.save()
            return
        if entry.bot.team != team or entry.bot.name != spec.name:
            if entry.assignments.filter(started_at__isnull=False).exists():
                self.refuse(f"{place} team", f"bot {spec.key}")
                return
            entry.bot, _ = Bot.objects.get_or_create(team=team, name=spec.name)
            entry.save(update_fields=["bot"])
            self.changes.append(f"bot {spec.key}: team and name changed")
        self.apply(entry.bot, wanted, f"bot {spec.key}")

    def load_scenario(self, campaign: Campaign, spec: ScenarioSpec, position: int) -> None:
        scenario = campaign.scenarios.filter(key=spec.key).first()
        wanted_subtasks = [(subtask.kind, subtask.turn_cap) for subtask in spec.subtasks]
        shown = {
            "position": position,
            "title_zh": spec.title.zh,
            "title_en": spec.title.en,
            "opening_en": spec.opening_en,
            "instructions_zh": spec.instructions.zh,
            "instructions_en": spec.instructions.en,
        }
        ruling = {"opening": spec.opening, "facts": dict(spec.facts), "context": dict(spec.context)}
        if scenario is None:
            scenario = Scenario.objects.create(campaign=campaign, key=spec.key, **shown, **ruling)
            self.write_subtasks(scenario, wanted_subtasks)
            self.changes.append(f"scenario {spec.key} added")
            return
        subtasks = [(subtask.kind, subtask.turn_cap) for subtask in scenario.subtasks.all()]
        is_changed = subtasks != wanted_subtasks or any(
            getattr(scenario, name) != value for name, value in ruling.items()
        )
        if is_changed and scenario.assignments.filter(started_at__isnull=False).exists():
            self.refuse(f"[[scenarios]] {position}", f"scenario {spec.key}")
            return
        self.apply(scenario, shown | ruling, f"scenario {spec.key}")
        if subtasks != wanted_subtasks:
            scenario.subtasks.all().delete()
            self.write_subtasks(scenario, wanted_subtasks)
            self.changes.append(f"scenario {spec.key}: subtasks changed")

    @staticmethod
    def write_subtasks(scenario: Scenario, wanted: Iterable[tuple[str, int | None]]) -> None:
        Subtask.objects.bulk_create(
            Subtask(scenario=scenario, position=position, kind=kind, turn_cap=cap)
            for position, (kind, cap) in enumerate(wanted, start=1)
        )

    def load_person(self, campaign: Campaign, spec: PersonSpec) -> None:
        person = Person.objects.filter(username=spec.username).first()
        if person is None:
            person = Person(username=spec.username)
            person.set_unusable_password()
            person.save()
            self.changes.append(f"person {spec.username} created")
        for role in spec.roles:
            _, is_new = CampaignRole.objects.get_or_create(campaign=campaign, person=person, role=role)
            if is_new:
                self.changes.append(f"person {spec.username}: {role}")
        gone = campaign.roles.filter(person=person).exclude(role__in=spec.roles)
        if gone.exists():
            gone.delete()
            self.changes.append(f"person {spec.username}: roles taken back")
        if spec.team:
            team, _ = Team.objects.get_or_create(name=spec.team)
            TeamMember.objects.get_or_create(team=team, person=person)

    def remove_what_is_gone(self, campaign: Campaign) -> None:
        """Bots, scenarios and people that the file no longer holds leave, unless a dialogue needs them."""
        started = Assignment.objects.filter(campaign=campaign, started_at__isnull=False)
        bots_gone = campaign.entries.exclude(key__in=[bot.key for bot in self.spec.bots])
        scenarios_gone = campaign.scenarios.exclude(key__in=[row.key for row in self.spec.scenarios])
        for entry in bots_gone:
            if started.filter(entry=entry).exists():
                self.refuse(f"[[bots]] {entry.key} is gone, but it", f"bot {entry.key}")
                continue
            entry.assignments.all().delete()
            entry.delete()
            self.changes.append(f"bot {entry.key} withdrawn")
        for scenario in scenarios_gone:
            if started.filter(scenario=scenario).exists():
                self.refuse(f"[[scenarios]] {scenario.key} is gone, but it", f"scenario {scenario.key}")
                continue
            scenario.assignments.all().delete()
            scenario.delete()
            self.changes.append(f"scenario {scenario.key} removed")
        names = [person.username for person in self.spec.people]
        roles_gone = campaign.roles.exclude(person__username__in=names)
        if roles_gone.exists():
            roles_gone.delete()
            self.changes.append("roles of people who are no longer listed taken back")

    def apply(self, row: Campaign | Bot | Scenario, wanted: Mapping[str, object], what: str) -> None:
        changed = [name for name, value in wanted.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, wanted[name])
        if changed:
            row.save(update_fields=changed)
            self.changes.append(f"{what}: {', '.join(changed)} changed")

    def refuse(self, place: str, what: str) -> None:
        self.problems.append(
            Problem(place, f"{what} has begun and cannot be changed; make a new campaign for a new rule")
        )


@transaction.atomic
def draw_assignments(*, campaign: Campaign) -> int:
    """Draws the full plan and adds what is missing of it; before the first dialogue the plan is drawn anew.

    Gives the number of assignments added.
    """
    testers = list(
        campaign.roles.filter(role=Role.TESTER).order_by("person__username").values_list("person__username", flat=True)
    )
    entries = {entry.key: entry for entry in campaign.entries.order_by("key")}
    scenarios = {scenario.key: scenario for scenario in campaign.scenarios.order_by("key")}
    people = {person.username: person for person in Person.objects.filter(username__in=testers)}
    plan = draw_plan(testers, list(entries), list(scenarios), seed=campaign.drawing_seed)
    drawn = campaign.assignments.filter(is_drawn=True)
    planned = {(row.tester, row.bot, row.scenario) for row in plan}
    there = set(drawn.values_list("tester__username", "entry__key", "scenario__key"))
    if there == planned:
        return 0
    if not campaign.has_begun():
        drawn.delete()
        there = set()
    missing = [row for row in plan if (row.tester, row.bot, row.scenario) not in there]
    Assignment.objects.bulk_create(
        Assignment(
            campaign=campaign,
            tester=people[row.tester],
            entry=entries[row.bot],
            scenario=scenarios[row.scenario],
            position=row.position,
        )
        for row in missing
    )
    return len(missing)


def issue_tokens(*, campaign: Campaign) -> dict[str, str]:
    """A new API token for each person of the campaign, by user name. Only its hash is kept."""
    return {person.username: AuthToken.objects.create(user=person)[1] for person in people_of(campaign)}


def issue_passwords(*, campaign: Campaign) -> dict[str, str]:
    """A password for each person of the campaign who has none yet, by user name."""
    issued: dict[str, str] = {}
    for person in people_of(campaign):
        if not person.has_usable_password():
            issued[person.username] = secrets.token_urlsafe(9)
            person.set_password(issued[person.username])
            person.save(update_fields=["password"])
    return issued


def people_of(campaign: Campaign) -> Iterable[Person]:
    return Person.objects.filter(campaign_roles__campaign=campaign).distinct().order_by("username")
