"""Whatever settings, rubric and scenarios a campaign has, its dump is its file."""

import io
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.actions import load_campaign
from campaigns.calendar import DATES
from campaigns.calendar_settings import TIME_ZONE
from campaigns.campaign_settings import CONTEXT_MESSAGE, SETTINGS, TABLES, settings_of
from campaigns.setting import Setting
from rubrics.presets import CriterionPreset, RubricPreset
from rubrics.rubric_table import rubric_document
from rubrics.scales import Point
from scoring.kinds import BothTexts, Choice, Flag, ListOf, TableOf, Whole, WholeOr
from scoring.toml_text import toml_of
from tests.conftest import spec_of

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
    return document | {"rubric": rubric_document(rubric)}


@pytest.mark.django_db
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(documents())
def test_loading_and_dumping_any_campaign_gives_the_same_bytes(document):
    with transaction.atomic():
        load_campaign(spec=spec_of(toml_of(document)))
        first = dump()
        assert load_campaign(spec=spec_of(toml_of(document)))[1] == []
        assert load_campaign(spec=spec_of(first))[1] == []
        assert dump() == first
        transaction.set_rollback(True)


def dump() -> str:
    out = io.StringIO()
    call_command("dump_campaign", "any", stdout=out)
    return out.getvalue()
