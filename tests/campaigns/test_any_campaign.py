"""Whatever a campaign has, its dump is its file: the examples, and any that can be made up."""

import io
import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.actions import load_campaign
from campaigns.calendar import DATES
from campaigns.campaign_file.calendar_settings import TIME_ZONE
from campaigns.campaign_file.campaign_settings import CONTEXT_MESSAGE, SETTINGS, TABLES, settings_of
from campaigns.campaign_file.dumping import file_of
from campaigns.campaign_file.reader import ROLES, read_campaign_file
from campaigns.campaign_file.setting import Setting
from campaigns.models import Campaign
from participants.adapters import PROTOCOLS
from reading.kinds import BothTexts, Choice, Flag, ListOf, TableOf, Whole, WholeOr
from reading.toml_text import toml_of
from rubrics.presets import CriterionPreset, RubricPreset
from rubrics.rubric_table import rubric_document
from rubrics.scales import Point

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples" / "campaigns").glob("*.toml"))
FORMATS = ("toml", "json")
JUDGING = {*ROLES} - {"organizer", "participant"}
# `make fuzz` makes up 200.
MADE_UP = int(os.environ.get("FUZZ_CAMPAIGNS", "40"))
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20)
SOME_TEXTS = TEXTS.filter(str.strip)
SLUGS = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,8}", fullmatch=True)
BOTH = st.fixed_dictionaries({"zh": SOME_TEXTS, "en": SOME_TEXTS})


def values(setting: Setting) -> st.SearchStrategy[Any]:
    if setting.kind is CONTEXT_MESSAGE:
        return TEXTS.map(lambda text: f"{text}{{context}}")
    if setting.kind is TIME_ZONE:
        return st.sampled_from(["Asia/Shanghai", "America/St_Johns", "UTC"])
    match setting.kind:
        case WholeOr():
            return st.just(setting.kind.word) | st.integers(*setting.limits)
        case Whole():
            return st.integers(*setting.limits)
        case Choice():
            return st.sampled_from(list(setting.kind.choices))
        case Flag():
            return st.booleans()
        case ListOf():
            return st.lists(TEXTS, max_size=3)
        case TableOf():
            return st.dictionaries(SLUGS, st.integers(1, 9), max_size=3)
        case BothTexts():
            return BOTH
    raise AssertionError(f"no values for {setting.kind}")


@st.composite
def heads(draw) -> dict[str, dict[str, Any]]:
    """Some of the settings of each table, made to fit each other."""
    said = {
        name: {one.key_in_file: draw(values(one)) for one in settings_of(name).values() if draw(st.booleans())}
        for name in TABLES
        if name not in {"ranking", "calendar"}
    }
    campaign, plan, reviewing = said["campaign"], said["plan"], said["reviewing"]
    campaign["name"] = draw(BOTH)
    campaign.pop("turn_cap", None)
    campaign["cap_per"] = draw(st.sampled_from(["subtask", "dialogue"]))
    if campaign["cap_per"] == "dialogue":
        campaign["turn_cap"] = max(draw(values(SETTINGS["turn_cap"])), 3)
    if plan.get("kind") == "free":
        campaign.pop("free_choice", None)
    plan["dialogues_per_bot"] = draw(st.integers(1, 9))
    plan["quota"] = draw(st.dictionaries(SLUGS, st.integers(1, 9), min_size=1, max_size=2))
    if "counted" in reviewing:
        reviewing["by"] = "nobody" if reviewing["counted"] == "nobody" else "both"
    return {
        "campaign": {"slug": "any"} | campaign,
        "calendar": draw(calendars()),
        "plan": plan,
        "reviewing": reviewing,
    }


@st.composite
def calendars(draw) -> dict[str, Any]:
    """Some of the dates, each on clocks of its own, in the order that they must have."""
    names = [name for name in DATES if draw(st.booleans())]
    seconds = draw(st.sets(st.integers(0, 10**8), min_size=len(names), max_size=len(names)))
    clocks = [timezone(timedelta(minutes=draw(st.integers(-12, 14)) * 60)) for _ in names]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    moments = [
        (start + timedelta(seconds=n)).astimezone(clock) for n, clock in zip(sorted(seconds), clocks, strict=True)
    ]
    said = dict(zip(names, moments, strict=True)) | {name: "none" for name in DATES if name not in names}
    zone = {"time_zone": draw(values(SETTINGS["time_zone"]))} if draw(st.booleans()) else {}
    return zone | {name: value for name, value in said.items() if value != "none" or draw(st.booleans())}


@st.composite
def criteria(draw, key: str) -> CriterionPreset:
    is_scale = draw(st.booleans())
    named = {
        "key": key,
        "letter": draw(SOME_TEXTS)[:10].strip() or "x",
        "name_zh": draw(SOME_TEXTS),
        "name_en": draw(SOME_TEXTS),
    }
    named |= {"skills": tuple(draw(st.lists(SLUGS, max_size=2, unique=True))), "is_required": draw(st.booleans())}
    named |= {"question_zh": draw(TEXTS), "better": draw(st.sampled_from(["higher", "lower"]))}
    if not is_scale:
        keys = draw(st.lists(SOME_TEXTS, min_size=2, max_size=4, unique=True))
        speakers = st.sampled_from(["", "tester", "bot"])
        labels = [Point(n, draw(SOME_TEXTS), draw(SOME_TEXTS), one, draw(speakers)) for n, one in enumerate(keys, 1)]
        return CriterionPreset(**named, kind="label", scope="turn", points=tuple(labels))
    scores = sorted(draw(st.sets(st.integers(-100, 100), min_size=2, max_size=5)))
    evidence = draw(st.none() | st.sampled_from(scores[1:]))
    points = tuple(Point(score, draw(SOME_TEXTS), draw(SOME_TEXTS)) for score in scores)
    scope = draw(st.sampled_from(["dialogue", "subtask"]))
    return CriterionPreset(**named, scope=scope, points=points, evidence_below=evidence)


# What facts, contexts and options may hold and TOML can say: any number that JSON has, and lines of any kind.
# Beyond 1e16 PostgreSQL gives a number without a fraction back as a whole one.
NUMBERS = st.integers(-(10**40), 10**40) | st.floats(-1e15, 1e15)
ANYTHING = st.recursive(
    st.booleans() | NUMBERS | TEXTS | st.just("") | st.just("two\r\nlines\n"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
# The one protocol whose options are checked, and the one that has no URL.
MAPPING = {
    "protocol": "mapping",
    "url": "http://127.0.0.1:9/",
    "options": {"request": '{"said": "{{text}}"}', "reply": "heard"},
}
DIAL_OUT = {"protocol": "dial-out", "url": ""}
TABLES_OF_ANYTHING = st.dictionaries(TEXTS, ANYTHING, max_size=2)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


@st.composite
def bots(draw) -> list[dict[str, Any]]:
    """Bots of teams; two of them may share a team, and none its name in it."""
    keys = draw(st.lists(SLUGS, max_size=3, unique=True))
    address = some(
        protocol=st.sampled_from([one for one in PROTOCOLS if one not in {"mapping", "dial-out"}]), secret=st.sampled_from(["", "hush"]), options=TABLES_OF_ANYTHING,
        parallel=st.integers(1, 1000),
        url=st.sampled_from(["", "http://127.0.0.1:9/", "https://bots.example.org:8443/v1?x=%20"]),
    ) | st.sampled_from([MAPPING, DIAL_OUT])  # fmt: skip
    return [{"key": key, "team": draw(SOME_TEXTS), "name": f"{key} {draw(TEXTS)}"} | draw(address) for key in keys]


@st.composite
def scenarios(draw, *, cap_per: str, skills: list[str]) -> list[dict[str, Any]]:
    """Scenarios that have all skills that anything asks for."""
    keys = draw(st.lists(SLUGS.filter(lambda key: key != "imported"), max_size=3, unique=True))
    texts = some(
        title=BOTH, opening=TEXTS, opening_en=TEXTS, instructions=BOTH, items=st.lists(SOME_TEXTS, max_size=2),
        facts=TABLES_OF_ANYTHING, context=TABLES_OF_ANYTHING,
    )  # fmt: skip
    part = {"kind": SOME_TEXTS}
    more = {"turn_cap": st.integers(3, 1000)} if cap_per == "subtask" else {}
    parts = st.lists(st.fixed_dictionaries(part, optional=more), min_size=1, max_size=3)
    made = [{"key": f"s-{key}", "subtasks": draw(parts)} | draw(texts) for key in keys]
    of_skills = [{"key": f"of-{skill}", "skill": skill, "subtasks": draw(parts)} for skill in skills]
    return [*made, *of_skills] if made else []


@st.composite
def people(draw, *, may_judge: bool) -> list[dict[str, Any]]:
    names = draw(st.lists(st.from_regex(r"[\w.@+-]{1,12}", fullmatch=True), max_size=4, unique=True))
    place = some(roles=st.lists(st.sampled_from(ROLES), max_size=3), team=SOME_TEXTS)
    drawn = [{"username": name} | draw(place) for name in names]
    # Members of teams hold no role that judges, unless the campaign lets them judge others.
    return [
        row if may_judge or not row.get("team") or not set(row.get("roles", ())) & JUDGING else row | {"team": ""}
        for row in drawn
    ]


@st.composite
def rows(draw, document: dict[str, Any], asked: set[str]) -> dict[str, Any]:
    """The lists of a file; a part of the file that comes later has its strategy here."""
    skills = sorted(asked | document["plan"]["quota"].keys())
    cap_per = document["campaign"]["cap_per"]
    may_judge = document["campaign"].get("members_may_judge") == "others"
    return {
        "bots": draw(bots()), "scenarios": draw(scenarios(cap_per=cap_per, skills=skills)), "people": draw(people(may_judge=may_judge)),
    }  # fmt: skip


@st.composite
def documents(draw) -> dict[str, Any]:
    document = draw(heads())
    keys = draw(st.lists(SLUGS.map(lambda text: f"c-{text}"), min_size=1, max_size=3, unique=True))
    rubric = RubricPreset(
        draw(SLUGS), draw(SOME_TEXTS), draw(SOME_TEXTS), draw(st.booleans()),
        tuple(draw(criteria(key)) for key in keys), shows_latency=draw(st.booleans()),
    )  # fmt: skip
    known = ["completion", "mean_turns", *(one.key for one in rubric.criteria if one.is_scale)]
    document["ranking"] = {"keys": draw(st.permutations(known))[: draw(st.integers(1, len(known)))]}
    asked = {skill for criterion in rubric.criteria for skill in criterion.skills}
    return document | {"rubric": rubric_document(rubric)} | draw(rows(document, asked))


@pytest.mark.django_db
@settings(max_examples=MADE_UP, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_loading_and_dumping_any_campaign_gives_the_same_bytes(document):
    with transaction.atomic():
        goes_round(read_campaign_file("any.toml", toml_of(document).encode(), PROTOCOLS))
        transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_loading_and_dumping_an_example_gives_the_same_bytes_by_the_command_too(path):
    spec = read_campaign_file(path.name, path.read_bytes(), PROTOCOLS)
    goes_round(spec)
    printed = []
    for format in FORMATS:
        out = io.StringIO()
        call_command("dump_campaign", spec.slug, format=format, with_secrets=True, stdout=out)
        printed.append(out.getvalue())
    assert printed == dumps(spec.slug)


def goes_round(spec):
    """Load, load the same, load the dump, load the dump into nothing: each time the dump is the same, in both formats."""
    campaign, _ = load_campaign(spec=spec)
    first = dumps(spec.slug)
    assert load_campaign(spec=spec)[1] == []
    for format, text in zip(FORMATS, first, strict=True):
        dumped = read_campaign_file(f"dumped.{format}", text.encode(), PROTOCOLS)
        assert load_campaign(spec=dumped, prunes=True)[1] == []
        assert dumps(spec.slug) == first
    campaign.assignments.all().delete()
    campaign.delete()
    load_campaign(spec=dumped)
    assert dumps(spec.slug) == first


def dumps(slug: str) -> list[str]:
    """Not by the command: its parser would cost more than the dump."""
    campaign = Campaign.objects.get(slug=slug)
    return [file_of(campaign, format, with_secrets=True) for format in FORMATS]
