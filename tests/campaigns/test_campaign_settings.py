"""Each setting is declared once, and whatever shows, reads or stores settings goes by that."""

import re
from pathlib import Path

import pytest
from django.utils import translation

from campaigns.campaign_settings import SETTINGS, Changeable, in_words, shown_settings
from campaigns.models import Campaign
from scoring.kinds import BothTexts, Choice, Flag, ListOf, Texts, Whole
from scoring.tables import NEEDED
from tests.conftest import SMALL_CAMPAIGN, spec_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "campaign-file.md"
# Columns of a campaign that no file sets.
OWN = {"id", "slug", "rubric", "ranking_rule", "drawing_seed", "created_at"}
IN_THE_DOCUMENT = {Changeable.ALWAYS: "at any time", Changeable.BEFORE_DIALOGUES: "until the first dialogue"}


def values_of(kind) -> str:
    match kind:
        case Whole():
            return f"{kind.lowest}…{kind.highest:,}"
        case Choice():
            return " or ".join(f'`"{choice}"`' for choice in kind.choices)
        case Flag():
            return "`true`, `false`"
        case ListOf():
            return "list of texts"
        case BothTexts():
            return f"text or `{{zh, en}}`, at most {kind.limit} characters"
    raise AssertionError(f"The document has no words for {kind}")


def default_of(setting) -> str:
    if setting.default is NEEDED:
        return "must be given"
    match setting.default:
        case None | Texts("", ""):
            return "none"
        case bool():
            return f"`{str(setting.default).lower()}`"
        case str():
            return f'`"{setting.default}"`'
        case ():
            return "`[]`"
    return f"`{setting.default}`"


def row_of(setting) -> str:
    when = IN_THE_DOCUMENT[setting.changeable]
    about = setting.about.replace("“", '"').replace("”", '"')
    return f"| `{setting.key_in_file}` | {values_of(setting.kind)} | {default_of(setting)} | {when} | {about} |"


def test_the_document_has_the_declared_settings_in_their_order():
    listed = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert listed == [row_of(setting) for setting in SETTINGS.values()], "\n" + "\n".join(
        map(row_of, SETTINGS.values())
    )


def test_every_setting_has_its_columns_and_every_column_is_a_setting():
    columns = {column for setting in SETTINGS.values() for column in setting.columns(sample(setting))}
    assert {field.name for field in Campaign._meta.concrete_fields} - {"scores_version"} == columns | OWN


def sample(setting):
    return Texts("名", "name") if isinstance(setting.kind, BothTexts) else setting.default


def test_the_columns_have_the_declared_defaults():
    fresh = Campaign()
    for setting in SETTINGS.values():
        if setting.default is not NEEDED and setting.name != "preset":
            assert setting.value_in(fresh) == setting.default, setting.name


def test_a_file_that_says_nothing_gives_the_rules_of_dialogues_and_leaves_the_rest_as_it_is():
    text = SMALL_CAMPAIGN
    for line in ("free_choice = true\n", "reply_deadline_s = 5\n", "open_dialogues_per_tester = 1000\n"):
        text = text.replace(line, "")
    fixed = {name: one.default for name, one in SETTINGS.items() if one.changeable is Changeable.BEFORE_DIALOGUES}
    assert {"preset": "smp2018", "cap_per": "subtask", "turn_cap": None}.items() <= fixed.items()
    assert spec_of(text).settings == fixed | {"name": Texts("小评测", "Small")}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"),
        (False, "no"),
        (None, "–"),
        ((), "–"),
        (("A", "B"), "A, B"),
        (Texts("甲", "A"), "甲 / A"),
        (30, "30"),
    ],
)
def test_a_value_is_shown_in_words(value, words):
    with translation.override("en"):
        assert in_words(value) == words


@pytest.mark.django_db
def test_the_organizers_page_shows_every_setting_and_when_it_may_change(client, campaign, organizer):
    client.force_login(organizer)
    with translation.override("en"):
        page = client.get("/campaigns/small/organize/", headers={"Accept-Language": "en"}).content.decode()
        assert len(shown_settings(campaign)) == len(SETTINGS)
        for setting in shown_settings(campaign):
            assert setting.label in page
            assert setting.about in page
            assert setting.changeable in page
    assert "小评测 / Small" in page


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_has_its_words_in_both_languages(setting):
    with translation.override("zh-hans"):
        for words in (setting.label, setting.about, setting.changeable.value):
            assert re.search(r"[\u4e00-\u9fff]", translation.gettext(words)), words
