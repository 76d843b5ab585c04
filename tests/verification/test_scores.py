"""One review of one dialogue, by hand; then each way in which its scores and trail can disagree."""

import copy

import pytest

from reviews.trail import digest_of
from tests.linear_time import assert_linear
from verification.bundle_format import line_of_trail
from verification.findings import Findings
from verification.scores import Rubric, Scores

CAMPAIGN = {
    "rubric": {
        "criteria": [
            {
                "key": "fluency",
                "kind": "scale",
                "scope": "dialogue",
                "points": [{"score": score, "key": "", "speaker": ""} for score in (-1, 0, 1)],
            },
            {
                "key": "nugget",
                "kind": "label",
                "scope": "turn",
                "points": [
                    {"score": 0, "key": "CNUG", "speaker": "tester"},
                    {"score": 1, "key": "CNUG*", "speaker": "tester"},
                ],
            },
        ]
    }
}
SETTINGS = {"counted_reviews": "panel", "experts_per_dialogue": 0, "adjudicated_over": 2}
DIALOGUE = {"dialogue": "d", "status": "completed"}
REVIEW = {
    "reviewer": "p",
    "verdicts": {"1": True},
    "comment": "fine",
    "version": 2,
    "submitted_at": "2026-01-01",
    "part": "panel",
    "is_counted": True,
}
RATINGS = [
    {"reviewer": "p", "criterion": "fluency", "score": 1, "place": "", "label": None, "evidence_turn": 2, "part": "panel", "is_counted": True},
    {"reviewer": "p", "criterion": "nugget", "score": 1, "place": "@1.tester", "label": "CNUG*", "evidence_turn": None, "part": "panel", "is_counted": True},
]  # fmt: skip
AFTER = {
    "ratings": {"fluency": 1, "nugget@1.tester": "CNUG*"}, "evidence": {"fluency": 2}, "verdicts": {"1": True},
    "comment": "fine",
}  # fmt: skip
FIRST = AFTER | {"ratings": {"fluency": 0, "nugget@1.tester": "CNUG"}}


def chained(*contents, changed_by="p"):
    """The trail of those contents, its digests by the rule that the platform uses."""
    changes, before, digest = [], None, ""
    for version, after in enumerate(contents, start=1):
        change = {
            "reviewer": "p", "version": version, "kind": "handed_in", "changed_by": changed_by, "at": "2026-01-01",
            "before": before, "after": after, "reason": "",
        }  # fmt: skip
        digest = digest_of(line_of_trail(change | {"dialogue": "d"}), digest)
        changes.append(change | {"digest": digest})
        before = after
    return changes


CHANGES = chained(FIRST, AFTER)


def numbered(rows):
    return list(enumerate(rows, start=1))


def found(
    reviews=(REVIEW,), ratings=RATINGS, changes=CHANGES, disputes=(), vettings=(), settings=SETTINGS, status="completed"
):
    findings = Findings()
    parts = map(numbered, (reviews, ratings, changes, disputes, vettings))
    Scores(DIALOGUE | {"status": status}, *parts).check(Rubric(CAMPAIGN), settings, findings)
    return list(map(str, findings))


def changed(rows, at, /, **values):
    rows = copy.deepcopy(list(rows))
    rows[at] |= values
    return rows


def test_scores_that_agree_have_nothing_to_say():
    assert found() == []


def test_reviews_and_changes_of_one_dialogue_are_compared_in_linear_time():
    def of_many(n):
        people = [{"reviewer": f"p{number}"} for number in range(n)]
        return [REVIEW | one for one in people], [CHANGES[0] | one for one in people]

    def compare(many):
        reviews, changes = many
        return found(reviews=reviews, ratings=(), changes=changes)

    assert_linear(compare, of_many, sizes=(500, 1000, 2000, 4000))


def votes(*are_accepted):
    return [{"expert": f"e{number}", "is_accepted": vote} for number, vote in enumerate(are_accepted)]


UNCOUNTED = {
    "reviews": changed([REVIEW], 0, is_counted=False),
    "ratings": [one | {"is_counted": False} for one in RATINGS],
}
OPEN = {"criteria": {}, "settled_at": None, "settled_by": None}


@pytest.mark.parametrize(
    "rows",
    [
        {"settings": SETTINGS | {"counted_reviews": "self"}},
        {"status": "void"},
        {"disputes": [OPEN]},
        {"disputes": [OPEN | {"settled_at": "then", "settled_by": "q"}]},
        {"settings": SETTINGS | {"experts_per_dialogue": 3}},
        {
            "settings": SETTINGS | {"experts_per_dialogue": 3},
            "vettings": votes(True, True),
        },
    ],
)
def test_a_review_that_should_not_count_is_named(rows):
    def of_reviews(found):
        return [one for one in found if one.startswith("reviews.jsonl")]

    assert of_reviews(found(**rows)) == [
        "reviews.jsonl, line 1: the review of p on dialogue d counts; by the campaign's settings it is the other way round"
    ]
    assert of_reviews(found(**(rows | UNCOUNTED))) == []


def test_scores_that_another_person_changed_are_named_even_where_the_digests_were_made_again():
    said = "changes.jsonl, line 1: scores of p on dialogue d were changed by q, which nobody but the reviewer does"
    assert said in found(changes=chained(FIRST, AFTER, changed_by="q"))


def test_a_review_that_should_count_is_named():
    assert "does not count; by the campaign's settings" in found(**UNCOUNTED)[0]
    accepted = {
        "settings": SETTINGS | {"experts_per_dialogue": 3},
        "vettings": votes(True, True, False),
    }
    assert found(**accepted) == []


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"ratings": changed(RATINGS, 0, place="#1")}, "ratings.jsonl, line 1: fluency is scored at #1, where the rubric does not ask for it"),
        ({"ratings": changed(RATINGS, 1, place="@1.bot")}, "ratings.jsonl, line 2: nugget is scored at @1.bot, where the rubric does not ask for it"),
        ({"reviews": changed([REVIEW], 0, submitted_at="2026-01-02")}, "reviews.jsonl, line 1: the review of p on dialogue d was handed in at another time than changes.jsonl says"),
        ({"ratings": changed(RATINGS, 0, score=0)}, "ratings.jsonl, line 1: ratings of p on dialogue d: fluency is 0; the last change (changes.jsonl, line 2) says 1"),
        ({"ratings": changed(RATINGS, 0, score=7)}, "ratings.jsonl, line 1: fluency is 7, which is not a point of the rubric"),
        ({"ratings": changed(RATINGS, 0, criterion="beauty")}, "ratings.jsonl, line 1: is on beauty, which the rubric does not have"),
        ({"ratings": changed(RATINGS, 1, label="CNUG")}, "ratings.jsonl, line 2: nugget is labelled CNUG; the rubric says CNUG*"),
        ({"ratings": changed(RATINGS, 0, evidence_turn=1)}, "ratings.jsonl, line 1: evidence of p on dialogue d: fluency is 1; the last change (changes.jsonl, line 2) says 2"),
        ({"ratings": [*RATINGS, RATINGS[1]]}, "ratings.jsonl, line 3: ('p', 'nugget', '@1.tester') appears twice on dialogue d"),
        ({"ratings": changed(RATINGS, 1, reviewer="q")}, "ratings.jsonl, line 2: is by q, who has no review of dialogue d in reviews.jsonl"),
        ({"ratings": changed(RATINGS, 1, part="self")}, "ratings.jsonl, line 2: says another part or counting than reviews.jsonl"),
        ({"ratings": RATINGS[:1]}, "ratings.jsonl: ratings of p on dialogue d: nugget@1.tester is None; the last change (changes.jsonl, line 2) says CNUG*"),
        ({"reviews": changed([REVIEW], 0, comment="bad")}, "reviews.jsonl, line 1: comment of p on dialogue d: bad; the last change (changes.jsonl, line 2) says fine"),
        ({"reviews": changed([REVIEW], 0, verdicts={"1": False})}, "reviews.jsonl, line 1: verdicts of p on dialogue d: 1 is False; the last change (changes.jsonl, line 2) says True"),
        ({"reviews": changed([REVIEW], 0, version=3)}, "reviews.jsonl, line 1: is version 3; the last line of its trail is version 2"),
        ({"reviews": [REVIEW, REVIEW]}, "reviews.jsonl, line 2: p appears twice on dialogue d"),
        ({"reviews": [], "ratings": []}, "changes.jsonl, line 2: p handed in scores of dialogue d, which reviews.jsonl does not have"),
        ({"changes": []}, "reviews.jsonl, line 1: the review of p on dialogue d is in no line of changes.jsonl"),
        ({"changes": CHANGES[1:]}, "changes.jsonl, line 1: version 1 of the review of p on dialogue d is missing"),
        ({"changes": changed(CHANGES, 0, reason="x")}, "changes.jsonl, line 1: the trail of p on dialogue d breaks: its digest is not that of what it says"),
    ],
)  # fmt: skip
def test_rows_that_disagree_are_named(rows, said):
    assert said in found(**rows)


def test_a_review_that_was_taken_back_leaves_its_trail_alone():
    assert found(reviews=[], ratings=[], changes=chained(AFTER, None)) == []


def test_scores_taken_back_and_handed_in_again_agree():
    assert found(reviews=changed([REVIEW], 0, version=3), changes=chained(FIRST, None, AFTER)) == []


def test_a_dialogue_that_was_returned_was_accepted_by_half_of_its_experts_at_most():
    def of_votes(*are_accepted, status="returned"):
        return [one for one in found(status=status, vettings=votes(*are_accepted), **UNCOUNTED) if "vettings" in one]

    assert of_votes(True, False) == of_votes(True, status="void") == []
    assert of_votes(True, True, False) == [
        "vettings.jsonl, line 1: what experts say of dialogue d is not what returned it, or one says it twice"
    ]
    twice = votes(True, True)
    twice[1]["expert"] = "e0"
    assert any("says it twice" in one for one in found(vettings=twice))


SAID = "disputes.jsonl, line 1: the dispute on dialogue d is not what the scores of its panel and adjudicator give"


def test_an_open_dispute_is_about_the_ratings_on_which_the_panel_differs():
    other = [REVIEW | {"reviewer": "q"}]
    other_ratings = [RATINGS[0] | {"reviewer": "q", "score": -1}, RATINGS[1] | {"reviewer": "q"}]
    rows = {
        "reviews": [REVIEW, *other],
        "ratings": [*RATINGS, *other_ratings],
        "settings": SETTINGS | {"adjudicated_over": 1},
    }
    assert SAID not in found(**rows, disputes=[OPEN | {"criteria": {"fluency": 2}}])
    assert SAID in found(**rows, disputes=[OPEN | {"criteria": {"fluency": 3}}])
    # Points are compared, and not the numbers of labels.
    assert SAID in found(**rows, disputes=[OPEN | {"criteria": {"fluency": 2, "nugget@1.tester": 1}}])


def test_who_settled_a_dispute_adjudicated_when_it_was_settled():
    adjudicated = {"reviews": [REVIEW | {"part": "adjudication"}]}
    at = CHANGES[-1]["at"]
    assert SAID not in found(**adjudicated, disputes=[OPEN | {"settled_at": at, "settled_by": "p"}])
    assert SAID in found(**adjudicated, disputes=[OPEN | {"settled_at": "2026-01-02", "settled_by": "p"}])
    assert SAID in found(disputes=[OPEN | {"settled_at": at, "settled_by": "p"}])
