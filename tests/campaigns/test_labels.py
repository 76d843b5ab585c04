import tomllib
from pathlib import Path

import pytest
from django.utils import translation

from campaigns.labels import CONTEXTS, KINDS, SKILLS, context_label, fact_label, kind_label, skill_label

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = [*ROOT.glob("campaigns/presets/*.toml"), *ROOT.glob("examples/**/*.toml"), ROOT / "demo" / "campaign.toml"]


def test_known_kinds_and_facts_are_called_by_their_names():
    with translation.override("en"):
        assert (kind_label("flight"), fact_label("from")) == ("Flight", "From")
    with translation.override("zh-hans"):
        assert kind_label("flight") == "机票"


def test_a_group_of_facts_is_called_as_its_kind():
    with translation.override("en"):
        assert fact_label("hotel") == "Hotel"
        assert fact_label("hotels") == "Hotels"


def test_what_is_not_known_is_shown_as_it_stands():
    assert (kind_label("spaceship"), fact_label("orbit")) == ("spaceship", "orbit")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: "/".join(path.parts[-2:]))
def test_whatever_a_shipped_file_names_has_a_word(path):
    shipped = tomllib.loads(path.read_text(encoding="utf-8"))
    scenarios = shipped.get("scenarios", [])
    criteria = shipped.get("rubric", {}).get("criteria", [])
    skills = {one.get("skill", "") for one in scenarios} | {
        skill for one in criteria for skill in one.get("skills", [])
    }
    assert {part["kind"] for one in scenarios for part in one.get("subtasks", [])} <= KINDS.keys()
    assert skills - {""} <= SKILLS.keys()
    assert {key for one in scenarios for key in one.get("context", {})} <= CONTEXTS.keys()


def test_the_shipped_files_name_something():
    scenarios = [
        one for path in SHIPPED for one in tomllib.loads(path.read_text(encoding="utf-8")).get("scenarios", [])
    ]
    assert {part["kind"] for one in scenarios for part in one.get("subtasks", [])} >= {"flight", "chat", "inquiry"}


def test_skills_and_contexts_are_called_by_their_names():
    with translation.override("en"):
        assert (skill_label("chit-chat"), context_label("kb"), kind_label("chat")) == (
            "Chit-chat",
            "Knowledge base",
            "Chat",
        )
    assert (skill_label("juggling"), context_label("menu")) == ("juggling", "menu")
