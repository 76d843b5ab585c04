"""Whatever was loaded, imported and made in the browser before, a load changes only what files brought, or names its problems."""

from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import Person
from campaigns.actions import load_file, preview_load
from campaigns.actions.entering import new_entry
from campaigns.actions.loading import CLASH, _state
from campaigns.actions.teams import team_called
from campaigns.models import Assignment, Campaign
from campaigns.origins import Origin
from campaigns.presets import PRESETS
from leaderboards.actions import campaign_of_records, import_records
from leaderboards.record_files import read_record_lines
from participants.models import Bot
from reading.checking import BadFile
from reading.toml_text import toml_of
from tests.campaigns.test_entering import record
from tests.conftest import spec_of

# Few of each, so that they meet.
KEYS, NAMES, PEOPLE = st.sampled_from("abc"), st.sampled_from("xy"), st.sampled_from(["p", "q"])
TEAMS, URLS = st.sampled_from(["One", "Two"]), st.sampled_from(["http://127.0.0.1:9/", "http://127.0.0.1:8/", ""])
ROLES = st.sampled_from(["tester", "reviewer", "participant"])


def rows(key, values, **fields):
    return st.lists(st.fixed_dictionaries({key: values} | fields), max_size=3, unique_by=lambda row: row[key])


BOTS = rows("key", KEYS, team=TEAMS, name=NAMES, url=URLS, secret=st.just(""))
SCENARIOS = rows("key", KEYS, opening=NAMES, subtasks=st.just([{"kind": "flight"}]))
MEMBERS = rows("username", PEOPLE, roles=st.lists(ROLES, max_size=2), team=TEAMS | st.just(""))
LOADS = st.tuples(
    st.just("load"),
    st.fixed_dictionaries({"bots": BOTS, "scenarios": SCENARIOS, "people": MEMBERS, "free": st.booleans()}),
    st.booleans(),
    st.booleans(),
)
STEPS = st.lists(
    LOADS
    | st.tuples(st.just("record"), TEAMS, NAMES)
    | st.tuples(st.just("bot"), KEYS, TEAMS, NAMES)
    | st.tuples(st.just("scenario"), KEYS, NAMES)
    | st.tuples(st.just("person"), PEOPLE, ROLES, TEAMS)
    | st.tuples(st.just("begin")),
    min_size=1,
    max_size=6,
)


class AnyLoad(TestCase):
    @settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
    @given(STEPS, LOADS)
    def test_a_load_ends_in_the_files_rows_or_in_named_problems(self, steps, last):
        for step in [*steps, last]:
            STEP_OF[step[0]](*step[1:])


def do_load(said, prunes, takes_over):
    head = {"slug": "any", "name": "any", "free_choice": said["free"]}
    spec = spec_of(toml_of({"campaign": head} | {name: said[name] for name in ("bots", "scenarios", "people")}))
    asked = {"prunes": prunes, "takes_over": takes_over}
    before = state()
    of_pages = {} if takes_over else rows_of_pages()
    seen, problems = previewed(spec, asked)
    assert state() == before, "a preview stores something"
    assert all(problem.place and problem.text != CLASH for problem in problems)
    if seen is None:
        return
    loaded = load_file(spec=spec, **asked)
    assert (loaded.report.changes, loaded.report.left_alone) == (seen.report.changes, seen.report.left_alone)
    assert rows_of_pages().items() >= of_pages.items()
    assert load_file(spec=spec, **asked).report.changes == []
    assert load_file(spec=spec).report.changes == []


def previewed(spec, asked):
    try:
        return preview_load(spec=spec, **asked), []
    except BadFile as bad:
        return None, bad.problems


def state():
    campaign = stored()
    return _state(campaign), campaign and list(campaign.assignments.order_by("pk").values_list())


def stored():
    return Campaign.objects.filter(slug="any").first()


def rows_of_pages():
    campaign = stored()
    if campaign is None:
        return {}
    kept = {}
    for rows in (campaign.entries, campaign.scenarios, campaign.roles, campaign.team_members):
        for row in rows.filter(origin=Origin.PAGE).values():
            kept[rows.model, row["id"]] = {name: value for name, value in row.items() if name != "position"}
    return kept


def existing():
    return campaign_of_records(slug="any", preset=PRESETS["smp2018"])


def do_record(team, name):
    import_records(campaign=existing(), lines=read_record_lines([record(team, name)], {}))


def do_bot(key, team, name):
    campaign = existing()
    owner = team_called(campaign, team)
    bot, _ = Bot.objects.get_or_create(team=owner, name=name)
    if not campaign.entries.filter(key=key).exists() and not campaign.entries.filter(bot=bot).exists():
        new_entry(campaign, bot, key=key, protocol="huace/1", url="http://127.0.0.1:7/")


def do_scenario(key, opening):
    made, is_new = existing().scenarios.get_or_create(key=key, defaults={"opening": opening, "position": 1})
    if is_new:
        made.subtasks.create(position=1, kind="flight", turn_cap=20)


def do_person(name, role, team):
    campaign = existing()
    person, _ = Person.objects.get_or_create(username=name)
    campaign.roles.get_or_create(person=person, role=role)
    owner = team_called(campaign, team)
    campaign.team_members.get_or_create(person=person, defaults={"team": owner})


def do_begin():
    first = Assignment.objects.filter(campaign__slug="any").order_by("pk").first()
    if first is not None:
        with transaction.atomic():
            Assignment.objects.filter(pk=first.pk).update(started_at=timezone.now())


STEP_OF = {name.removeprefix("do_"): step for name, step in list(globals().items()) if name.startswith("do_")}
