import pytest
from django.utils import translation

from reading.findings import Finding, in_words, item, place_in_words, under

PLACES = ["[3].quality.A", "resultsList[7]", "line", "line x", "documents 7", "batch 2x", "…", ""]


@pytest.mark.parametrize("place", PLACES)
def test_a_path_or_a_name_is_shown_as_it_is(place):
    with translation.override("zh-hans"):
        assert place_in_words(place) == place


@pytest.mark.parametrize(
    "place",
    ["file", "line 7", "line 7, column 3", "byte 4", "batch 2", "batch 2, sentence 9", "line 7, label", "dialogue d 1"],
)
def test_a_place_in_english_is_the_place_that_is_stored(place):
    assert place_in_words(place) == place


def test_a_stored_finding_comes_back_as_it_was():
    finding = Finding("line 7, label", "“%(label)s” is not a declared class", {"label": "trâin"})
    assert Finding.from_json(finding.to_json()) == finding
    assert str(finding) == "line 7, label: “trâin” is not a declared class"


def test_a_finding_without_a_place_is_its_sentence():
    assert str(Finding("", "is missing")) == "is missing"


def test_a_percent_sign_in_a_sentence_without_values_is_left_alone():
    assert Finding("", "100 % is too much").message == "100 % is too much"
    assert Finding("", "%(name)s is too much", {"name": "100 %(x)s"}).message == "100 %(x)s is too much"


def test_several_findings_are_one_text():
    assert in_words([Finding("file", "is missing"), Finding("", "is late")]) == "file: is missing\nis late"
    assert in_words([]) == ""


@pytest.mark.parametrize(
    ("finding", "said"),
    [
        (Finding("[0].A", "must be a list, not %(kind)s", {"kind": "a text"}), "[0].A: 必须是列表，不能是文本"),
        (Finding("line 3", "is not UTF-8"), "第 3 行: 不是 UTF-8"),
        (Finding("line 3, column 4", "is not JSON: %(reason)s", {"reason": "Extra data"}), "第 3 行第 4 列: 不是 JSON：后面有多余的内容"),
        (Finding("batch 2, sentence 9", "is missing"), "第 2 批第 9 句: 缺失"),
        (Finding("batch 2, line 1, column 9", "is missing"), "第 2 批, 第 1 行第 9 列: 缺失"),
        (Finding("[[tasks]] 2 gold, line 7, label", "is missing"), "[[tasks]] 2 gold, 第 7 行, label: 缺失"),
        (Finding("dialogue d 1", "is missing"), "对话 d 1: 缺失"),
        (
            Finding("line 9, id", "“%(name)s” already appears at %(place_before)s", {"name": "5", "place_before": "line 4"}),
            "第 9 行, id: “5”在 第 4 行 已经出现过",
        ),
    ],
)  # fmt: skip
def test_words_and_places_are_translated_with_the_sentence(finding, said):
    with translation.override("zh-hans"):
        assert str(finding) == said


def test_what_a_program_said_is_no_part_of_the_sentence():
    finding = Finding("batch 2", "is late (%(failure)s)", {"failure": "cancelled", "detail": "No such host."})
    assert str(finding) == "batch 2: is late (cancelled)"
    assert finding.detail == "No such host."
    assert finding.in_full == "batch 2: is late (cancelled) [No such host.]"
    assert (Finding("", "is late").detail, Finding("", "is late").in_full) == ("", "is late")


@pytest.mark.parametrize("name", ["label", "name", "value"])
def test_what_others_wrote_is_never_translated(name):
    with translation.override("zh-hans"):
        assert Finding("", f"%({name})s", {name: "a text"}).message == "a text"


def test_a_place_within_a_place():
    assert [under("", "a"), under("a", "b"), under("[3]", "id"), under("line 7", "id"), under("a", "")] == [
        "a", "a.b", "[3].id", "line 7, id", "a",
    ]  # fmt: skip
    assert [under("file", "a"), under("[campaign]", "name"), under("[[bots]] 2", "url")] == [
        "file a", "[campaign] name", "[[bots]] 2 url",
    ]  # fmt: skip
    assert under("line 7, subtasks[0]", "cap") == "line 7, subtasks[0].cap"


def test_a_name_that_is_as_long_as_a_file_is_cut_off_in_a_place():
    assert under("line 7", "n" * 10**6) == f"line 7, {200 * 'n'}…"
    assert under("", "n" * 200) == 200 * "n"


def test_items_are_counted_from_zero_and_in_declared_files_from_one():
    assert [item("", 0), item("a", 0), item("line 7, a", 0)] == ["[0]", "a[0]", "line 7, a[0]"]
    assert item("[[bots]] 2 a", 0) == "[[bots]] 2 a[1]"
