"""The rows of a reviewer's rubric and the keys of labels, worked out from a sheet by hand."""

from django.utils import translation

from reviews.review_page import label_sets, rubric_rows

SATISFACTION = {
    "key": "satisfaction", "letter": "Sa", "name": "Satisfaction", "question": "", "kind": "scale", "scope": "dialogue",
    "required": True, "evidence_below": 0, "places": [""],
    "points": [{"score": score, "key": "", "label": str(score), "speaker": ""} for score in (-1, 0, 1)],
}  # fmt: skip
NUGGET = {
    "key": "nugget", "letter": "N", "name": "Nugget", "question": "", "kind": "label", "scope": "turn", "required": True,
    "evidence_below": None, "places": ["@1.tester", "@1.bot", "@2.tester"],
    "points": [
        {"score": 0, "key": "CNUG0", "label": "trigger", "speaker": "tester"},
        {"score": 1, "key": "CNaN", "label": "none", "speaker": "tester"},
        {"score": 2, "key": "HNUG", "label": "regular", "speaker": "bot"},
    ],
}  # fmt: skip


def sheet(*criteria, subtasks=(), asks_for_verdicts=True):
    return {"criteria": list(criteria), "subtasks": list(subtasks), "asks_for_verdicts": asks_for_verdicts}


def part(index, status="finished"):
    return {
        "index": index,
        "kind": "flight",
        "status": status,
        "turns_used": 0 if status == "pending" else 3,
        "turn_cap": 5,
    }


def test_verdicts_come_first_and_a_score_stands_in_the_column_of_its_value():
    with translation.override("en"):
        first, second = rubric_rows(sheet(SATISFACTION, subtasks=[part(1)]))
    assert (first.letter, first.verdict, first.name) == ("C", 1, "1 Flight")
    assert [(point.digit, point.column) for point in first.points] == [(1, 1), (0, 2)]
    assert [(point.value, point.shown, point.column) for point in second.points] == [
        ("1", "1", 1),
        ("0", "0", 2),
        ("-1", "−1", 3),
    ]
    assert (second.rating, second.evidence_below, second.n_columns) == ("satisfaction", 0, 3)


def test_a_part_that_never_began_cannot_be_finished():
    begun, pending = rubric_rows(sheet(subtasks=[part(1), part(2, "pending")]))
    assert [point.is_possible for point in begun.points] == [True, True]
    assert [(point.digit, point.is_possible) for point in pending.points] == [(1, False), (0, True)]


def test_a_criterion_of_parts_has_a_row_per_part():
    of_parts = SATISFACTION | {"scope": "subtask", "places": ["#1", "#2"]}
    rows = rubric_rows(sheet(of_parts, subtasks=[part(1), part(2)], asks_for_verdicts=False))
    with translation.override("en"):
        assert [row.rating for row in rows] == ["satisfaction#1", "satisfaction#2"]
    assert all(not row.verdict for row in rows)


def test_labels_of_a_dialogue_are_chosen_by_their_numbers():
    outcome = NUGGET | {"scope": "dialogue", "places": [""]}
    (row,) = rubric_rows(sheet(outcome))
    assert [(point.value, point.digit, point.column) for point in row.points] == [
        ("CNUG0", 0, 1),
        ("CNaN", 1, 2),
        ("HNUG", 2, 3),
    ]


def test_turn_labels_take_the_upper_row_for_the_tester_and_the_middle_row_for_the_system():
    sets = label_sets(sheet(SATISFACTION, NUGGET))
    assert [one.rating for one in sets] == ["nugget@1.tester", "nugget@1.bot", "nugget@2.tester"]
    assert [(label.value, label.shortcut) for label in sets[0].labels] == [("CNUG0", "q"), ("CNaN", "w")]
    assert [(label.value, label.shortcut) for label in sets[1].labels] == [("HNUG", "a")]
    assert sets[2].labels == sets[0].labels


def test_no_key_is_given_twice_and_labels_beyond_the_keyboard_have_none():
    many = [{"score": n, "key": f"L{n}", "label": str(n), "speaker": ""} for n in range(14)]
    sets = label_sets(sheet(NUGGET | {"points": many, "places": ["@1.tester", "@1.bot"]}))
    keys = [label.shortcut for one in sets for label in one.labels]
    given = [key for key in keys if key]
    assert len(given) == len(set(given)) == 21
    assert keys.count("") == 7
    assert not set(given) & set("cejkn")
