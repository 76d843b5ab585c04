"""Each setting is declared once, and whatever shows, reads or stores settings goes by that."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from campaigns.campaign_file.calendar_settings import TIME_ZONE, MomentOr
from campaigns.campaign_file.campaign_settings import CONTEXT_MESSAGE, SETTINGS, TABLES, settings_of
from campaigns.campaign_file.reviewing_settings import REVIEWING
from campaigns.campaign_file.setting import NOT_SAID, OF_PRESET, Changeable
from campaigns.models import Campaign
from reading.kinds import BothTexts, Choice, Flag, ListOf, TableOf, Texts, Whole, WholeOr
from reading.tables import NEEDED
from tests.conftest import SELF_SCORED, SMALL_CAMPAIGN, spec_of

PAGE = Path(__file__).resolve().parents[3] / "docs" / "campaign-settings.md"
# Columns of a campaign that no file sets.
OWN = {"id", "slug", "rubric", "drawing_seed", "created_at"}
IN_THE_DOCUMENT = {Changeable.ALWAYS: "at any time", Changeable.BEFORE_DIALOGUES: "until the first dialogue"}


def values_of(kind) -> str:
    if kind is CONTEXT_MESSAGE:
        return "text that holds `{context}`, or empty"
    if kind is TIME_ZONE:
        return "IANA name"
    match kind:
        case MomentOr():
            return f'date with time and offset, or `"{kind.word}"`'
        case WholeOr():
            return f'{kind.lowest}…{kind.highest:,} or `"{kind.word}"`'
        case Whole():
            return f"{kind.lowest}…{kind.highest:,}"
        case Choice():
            return " or ".join(f'`"{choice}"`' for choice in kind.choices)
        case Flag():
            return "`true`, `false`"
        case ListOf():
            return "list of texts"
        case TableOf():
            return f"table of skills with {kind.kind.lowest}…{kind.kind.highest:,}"
        case BothTexts():
            return f"text or `{{zh, en}}`, at most {kind.limit} characters"
    raise AssertionError(f"The document has no words for {kind}")


def default_of(setting) -> str:
    if setting.default is NEEDED:
        return "must be given"
    if setting.default is OF_PRESET:
        return "the preset's"
    match setting.default:
        case None | Texts("", ""):
            return "none"
        case bool():
            return f"`{str(setting.default).lower()}`"
        case str():
            return f'`"{setting.default}"`'
        case ():
            return "`[]`"
        case {}:
            return "`{}`"
    return f"`{setting.default}`"


def row_of(setting) -> str:
    when = IN_THE_DOCUMENT[setting.changeable]
    about = setting.about
    return f"| `{setting.key_in_file}` | {values_of(setting.kind)} | {default_of(setting)} | {when} | {about} |"


@pytest.mark.parametrize("table", TABLES)
def test_the_document_has_the_declared_settings_in_their_order(table):
    section = PAGE.read_text().partition(f"| setting of `[{table}]` |")[2].partition("\n\n")[0]
    listed = [line for line in section.splitlines() if line.startswith("| `")]
    assert listed == [row_of(setting) for setting in settings_of(table).values()], "\n" + "\n".join(
        map(row_of, settings_of(table).values())
    )


def test_every_setting_has_its_columns_and_every_column_is_a_setting():
    columns = {column for setting in SETTINGS.values() for column in setting.columns(sample(setting))}
    assert {field.name for field in Campaign._meta.concrete_fields} - {
        "scores_version",
        "was_published",
        "texts_gone_at",
    } == columns | OWN


def sample(setting):
    return Texts("名", "name") if isinstance(setting.kind, BothTexts) else setting.default


def test_the_columns_have_the_declared_defaults():
    fresh = Campaign()
    for setting in SETTINGS.values():
        if setting.default not in (NEEDED, OF_PRESET) and setting.name != "preset":
            assert setting.value_in(fresh) == setting.default, setting.name


def test_a_file_that_says_nothing_gives_the_rules_of_dialogues_and_leaves_the_rest_as_it_is():
    text = SMALL_CAMPAIGN.replace(SELF_SCORED, "")
    for line in ("free_choice = true\n", "reply_deadline_s = 5\n", "open_dialogues_per_tester = 1000\n"):
        text = text.replace(line, "")
    fixed = {name: one.default for name, one in SETTINGS.items() if one.changeable is Changeable.BEFORE_DIALOGUES}
    del fixed["ranking_rule"]
    assert {"preset": "smp2018", "cap_per": "subtask", "turn_cap": None}.items() <= fixed.items()
    assert spec_of(text).settings == fixed | {"name": Texts("小评测", "Small")}


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_has_its_words_in_both_languages(setting):
    with translation.override("zh-hans"):
        for words in (setting.label, setting.about, setting.changeable.value, *setting.words.values()):
            assert re.search(r"[\u4e00-\u9fff]", translation.gettext(words)), words


@pytest.mark.parametrize("table", TABLES)
def test_the_database_keeps_the_limits_and_choices_of_the_list(campaign, table):
    for name, setting in settings_of(table).items():
        beyond = [setting.limits[0] - 1, setting.limits[1] + 1] if setting.limits else []
        beyond += ["?"] if setting.stored_choices and name != "preset" else []
        beyond += list(setting.only_in_files)
        for value in beyond:
            with pytest.raises(IntegrityError), transaction.atomic():
                Campaign.objects.update(**{name: value})


def test_no_words_of_settings_have_curly_quotes():
    """They name what is typed into a file, where the quotes are straight."""
    said = [words for one in SETTINGS.values() for words in (one.label, one.about)]
    assert [words for words in said if re.search("[“”‘’]", words)] == []


@pytest.mark.parametrize(
    ("name", "value", "columns"),
    [
        ("name", Texts("名", "Name"), {"name_zh": "名", "name_en": "Name"}),
        ("masked_words", ("Acme",), {"masked_words": ["Acme"]}),
        ("quota", {"chat": 2}, {"quota": {"chat": 2}}),
        ("adjudicated_over", "never", {"adjudicated_over": None}),
        ("adjudicated_over", 0, {"adjudicated_over": 0}),
        ("training_pass_percent", "off", {"training_pass_percent": None}),
        ("context_message", "", {"context_message": ""}),
        ("turn_cap", None, {"turn_cap": None}),
        ("is_published", True, {"is_published": True}),
    ],
)
def test_a_value_is_read_from_its_columns_as_it_was_stored(name, value, columns):
    setting = SETTINGS[name]
    assert setting.columns(value) == columns
    assert setting.value_in(SimpleNamespace(**columns)) == value


def test_the_place_of_a_setting_is_its_key_in_its_table():
    assert SETTINGS["reviewed_by"].place == "[reviewing] by"
    assert SETTINGS["is_published"].place == "[campaign] published"
    assert SETTINGS["quota"].place == "[plan] quota"


def test_a_file_that_does_not_say_a_setting_leaves_it_open_unless_it_must_be_given():
    assert SETTINGS["name"].field.default is NEEDED
    assert SETTINGS["turn_cap"].field.default is NOT_SAID


def test_limits_and_choices_are_those_of_the_column():
    assert (SETTINGS["adjudicated_over"].limits, SETTINGS["name"].limits) == ((0, 200), None)
    assert SETTINGS["plan"].stored_choices == ["full", "per_cell", "random_goals", "quota"]
    assert SETTINGS["masked_words"].stored_choices == []


def test_they_are_all_that_stand_in_their_table():
    assert list(settings_of("reviewing").values()) == list(REVIEWING)


def test_whoever_may_score_may_count():
    assert SETTINGS["reviewed_by"].kind == SETTINGS["counted_reviews"].kind
