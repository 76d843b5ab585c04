import hashlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.chain import START, TEXTS, Chained, Line, breaks_in, digest_of_text, hash_of

AT = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)


SALTS = {name: f"salt of {name}" for name in TEXTS}


def line(number, **said):
    content = {
        "at": AT, "person_id": 7, "person": "organizer", "act": "bot.paused", "campaign": "small", "about": "K7",
        "because": "slow", "details": {"n": number},
    }  # fmt: skip
    return Line(number=number, **content | said)


def chain(n):
    lines, previous = [], START
    for number in range(1, n + 1):
        own = line(number)
        lines.append(Chained(own, previous, hash_of(own, previous, SALTS), SALTS))
        previous = lines[-1].hash
    return lines


def breaks(lines, n_lines, head):
    return [(one.number, one.sentence) for one in breaks_in(lines, n_lines=n_lines, head=head)]


def test_an_untouched_chain_holds():
    lines = chain(3)
    assert breaks(lines, 3, lines[-1].hash) == []


def test_an_empty_trail_holds():
    assert breaks([], 0, START) == []


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_hash_is_that_of_the_documented_json():
    # SHA-256 computed by hand over the JSON that docs/audit-trail.md shows.
    text = (
        '{"about": "'
        + digest('["salt of about", "K7"]')
        + '", "act": "bot.paused", "at": "2026-11-22T08:00:00.000000+00:00", '
        '"because": "' + digest('["salt of because", "slow"]') + '", "campaign": "small", '
        '"details": "' + digest('["salt of details", {"n": 1}]') + '", "number": 1, '
        '"person": "' + digest('["salt of person", "organizer"]') + '", "person_id": 7, "previous": "' + "0" * 64 + '"}'
    )
    assert hash_of(line(1), START, SALTS) == digest(text)


def test_a_time_means_the_same_in_any_zone():
    china = timezone(timedelta(hours=8))
    assert hash_of(line(1), START, SALTS) == hash_of(line(1, at=AT.astimezone(china)), START, SALTS)


@pytest.mark.parametrize(
    "changed",
    [
        {"at": AT + timedelta(microseconds=1)}, {"person_id": 8}, {"person": "organizes"}, {"act": "bot.passed"},
        {"campaign": "smalls"}, {"about": "K8"}, {"because": "slew"}, {"details": {"n": 3}},
    ],
)  # fmt: skip
def test_one_changed_byte_is_found_in_its_line(changed):
    lines = chain(3)
    lines[1] = replace(lines[1], line=replace(lines[1].line, **changed))
    assert breaks(lines, 3, lines[-1].hash) == [(2, "Its content is not what was recorded.")]


def test_a_changed_line_with_a_new_hash_breaks_the_next():
    lines = chain(3)
    changed = replace(lines[1].line, because="other")
    lines[1] = Chained(changed, lines[1].previous, hash_of(changed, lines[1].previous, SALTS), SALTS)
    assert breaks(lines, 3, lines[-1].hash) == [(3, "It does not follow the line before.")]


def erased(stored, name, text, by):
    """The line without what it said there: its digest in the place of it and of its salt."""
    left = {other: salt for other, salt in SALTS.items() if other != name}
    gone = {name: digest_of_text(SALTS[name], getattr(stored.line, name))}
    return replace(stored, line=replace(stored.line, **{name: text}), salts=left, gone=gone, erased_by=by)


def with_erasing_act(n):
    lines = chain(n)
    last = line(n + 1, act="erased.person")
    return [*lines, Chained(last, lines[-1].hash, hash_of(last, lines[-1].hash, SALTS), SALTS)]


def test_a_text_can_go_and_the_chain_holds():
    lines = with_erasing_act(3)
    lines[1] = erased(lines[1], "person", "erased-7", by=4)
    assert breaks(lines, 4, lines[-1].hash) == []


@pytest.mark.parametrize("by", [None, 2, 3, 9])
def test_a_text_that_went_without_an_act_of_erasing_is_found(by):
    lines = with_erasing_act(3)
    lines[1] = erased(lines[1], "because", "", by=by)
    found = (2, "Its texts are gone, and no later line says that they were erased.")
    assert breaks(lines, 4, lines[-1].hash) == [found]


def test_what_was_not_erased_is_still_covered_and_so_is_the_digest():
    lines = with_erasing_act(3)
    lines[1] = erased(lines[1], "person", "erased-7", by=4)
    for changed in (
        replace(lines[1], line=replace(lines[1].line, about="K8")),
        replace(lines[1], gone={"person": "0" * 64}),
    ):
        told = breaks([lines[0], changed, *lines[2:]], 4, lines[-1].hash)
        assert told == [(2, "Its content is not what was recorded.")]


def test_a_removed_line_is_missed():
    lines = chain(4)
    assert breaks([lines[0], *lines[3:]], 4, lines[-1].hash) == [(2, "Lines 2 to 3 are missing.")]


def test_a_trail_cut_at_its_end_is_missed():
    lines = chain(3)
    assert breaks(lines[:2], 3, lines[-1].hash) == [(3, "The trail ends at line 2; the head says 3.")]


def test_another_head_is_found():
    assert breaks(chain(2), 2, "f" * 64) == [(2, "The head has another hash than the last line.")]


@pytest.mark.long
@given(st.text(), st.text(), st.dictionaries(st.text(), st.integers() | st.text()))
def test_whatever_people_write_can_be_hashed(about, because, details):
    try:
        (about + because + "".join(map(str, details.items()))).encode()
    except UnicodeEncodeError:
        return
    assert len(hash_of(line(1, about=about, because=because, details=details), START, SALTS)) == 64
