import pytest
from django.utils import translation

from campaigns.campaign_file.campaign_settings import SETTINGS
from organizing.setting_up.settings_form import ELSEWHERE, as_json, check_together, control_of, read_settings, typed_of
from reading.kinds import Texts


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def sent(name, value):
    """What the controls of the page send for a value."""
    if control_of(SETTINGS[name]) == "both":
        return {f"{name}_zh": value.zh, f"{name}_en": value.en}
    if control_of(SETTINGS[name]) == "ranking":
        return {f"{name}_{place}": figure for place, figure in enumerate(value, start=1)}
    return {name: typed_of(value)}


VALUES = {
    "name": Texts("名", "name"), "ranking_rule": ("completion", "mean_turns"), "quota": {"chat": 2, "a b": 1},
    "masked_words": ("Acme", "two words"), "context_message": "Know:\n{context}", "turn_cap": 12,
    "adjudicated_over": "never", "preset": "msde",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in SETTINGS if name not in ELSEWHERE])
def test_what_the_page_shows_is_read_back_as_the_same_value(name):
    value = VALUES.get(name, SETTINGS[name].default)
    if name == "quota":
        value = {"chat": 2}
    assert read_settings(sent(name, value)) == ({name: value}, {})


def test_lists_have_a_line_per_entry_and_numbers_may_be_left_out():
    read, wrong = read_settings({"masked_words": " Acme \r\n\r\n two words", "quota": "chat 2\nchit 3", "turn_cap": ""})
    assert (read, wrong) == (
        {"masked_words": ("Acme", "two words"), "quota": {"chat": 2, "chit": 3}, "turn_cap": None},
        {},
    )


@pytest.mark.parametrize(
    ("name", "typed"),
    [("reply_deadline_s", "0"), ("reply_deadline_s", "٣"), ("reply_deadline_s", "soon"), ("quota", "chat"),
     ("context_message", "none"), ("free_choice", "maybe"), ("plan", "free?"), ("silence_limit_min", "")],
)  # fmt: skip
def test_what_no_file_could_say_no_form_can(name, typed):
    read, wrong = read_settings({name: typed})
    assert (read, list(wrong)) == ({}, [name])


def test_a_field_whose_name_ends_in_any_number_of_digits_is_passed_over():
    assert read_settings({f"seed_{'9' * 5000}": "1", "ranking_rule_1": "fluency"}) == (
        {"ranking_rule": ("fluency",)},
        {},
    )


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_has_a_page_of_its_own_is_not_read_here(name):
    assert read_settings(sent(name, SETTINGS[name].default)) == ({}, {})


SOUND = {name: setting.default for name, setting in SETTINGS.items()} | {"ranking_rule": ("completion",)}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, []),
        ({"cap_per": "dialogue"}, ["turn_cap"]),
        ({"cap_per": "dialogue", "turn_cap": 9}, []),
        ({"turn_cap": 9}, ["turn_cap"]),
        ({"cap_per": "dialogue", "turn_cap": 2, "turns_are": "utterances", "opened_by": "bot"}, ["turn_cap"]),
        ({"reviewed_by": "panel"}, ["counted_reviews"]),
        ({"plan": "quota"}, ["quota"]),
        ({"plan": "random_goals"}, ["dialogues_per_bot"]),
        ({"ranking_rule": ()}, ["ranking_rule"]),
        ({"ranking_rule": ("completion", "completion")}, ["ranking_rule"]),
    ],
)
def test_what_depends_on_each_other_must_fit(changes, wrong):
    assert list(check_together(SOUND | changes, SOUND, has_scenarios=False)) == wrong


def test_with_scenarios_the_rule_of_their_caps_stays():
    changed = SOUND | {"cap_per": "dialogue", "turn_cap": 9}
    assert list(check_together(changed, SOUND, has_scenarios=True)) == ["cap_per"]
    assert list(check_together(SOUND | {"turns_are": "utterances"}, SOUND, has_scenarios=True)) == ["turns_are"]


def test_programs_get_what_files_say():
    assert as_json(Texts("名", "name")) == {"zh": "名", "en": "name"}
    assert as_json(("a",)) == ["a"]
