"""Judges' scores beside those of people: no human figure moves, and where they count each row says so."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from accounts.models import Person
from audit.models import TrailLine
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, Turn
from judging.actions.declaring import CannotDeclare, seat_judge
from judging.actions.judgements import draw_for_judge
from judging.models import JudgeReview
from leaderboards.actions import refresh_leaderboard
from leaderboards.board_now import live_answer
from leaderboards.exports import EXPORTS
from leaderboards.live_board import stored_board
from publication.bundle.documents import campaign_document
from publication.bundle.rows import texts_of
from publication.bundle.writing import bundle_pieces, names_of
from reviews.actions.closing import close_panel
from reviews.actions.guide import add_example
from reviews.actions.placing import draw_review_places
from reviews.actions.tending import tend_reviewing
from reviews.agreement import agreement_of
from reviews.models import Dispute, GuideExample, Review, ReviewPlace
from reviews.panel_gaps import Gap, lacking_panels, short_panels
from reviews.views import panel_contents
from rubrics.models import ScalePoint
from tests.judging.conftest import NOON, Script, judge_of, judged, run, seated
from tests.reviews.conftest import SCORES, closed_dialogues, panel, person, submit
from tests.verification.tampering import document, files_of, rows_in, with_new_hashes, zipped
from tests.world import client_of
from verification.bundle_format import ASSIGNMENTS, COLUMNS
from verification.verifying import verify

pytestmark = pytest.mark.django_db(transaction=True)


def human_figures(campaign):
    """Every board, export, file of a bundle and agreement of the campaign, as bytes."""
    refresh_leaderboard(campaign=campaign, at=NOON)
    told = {"board": stored_board(campaign).rows, "agreement": agreement_of(campaign)}
    for name, export in EXPORTS.items():
        # The number of the scores' version counts changes; it is no figure.
        kept = [place for place, column in enumerate(export.columns(campaign)) if column != "scores_version"]
        told[f"export {name}"] = [[str(row[place]) for place in kept] for row in export.rows(campaign)]
    for file in COLUMNS.keys() - {ASSIGNMENTS}:
        told[f"bundle {file}"] = [
            text for text, _n in texts_of(file, campaign, names_of(campaign, hides_teams=False, at=NOON))
        ]
    return {name: json.dumps(value, sort_keys=True, default=str, ensure_ascii=False) for name, value in told.items()}


@pytest.fixture
def contest(campaign, tester):
    """Three people score six dialogues."""
    people = panel(campaign)
    dialogues = closed_dialogues(campaign, tester, 6)
    draw_review_places(campaign=campaign, at=NOON)
    for number, dialogue in enumerate(dialogues):
        for one in people:
            submit(dialogue, one, ratings=SCORES | {"satisfaction": number % 3})
    return people, dialogues


def test_with_judges_reviews_every_human_figure_stays_byte_for_byte(campaign, contest):
    before = human_figures(campaign)
    assert len(before) > 15
    for key, rule in (("low", min), ("high", max)):
        judged(
            judge_of(campaign, key=key), Script(lambda told, rule=rule: told.answer(lambda _key, points: rule(points)))
        )
    assert JudgeReview.objects.filter(state="done").count() == 12
    draw_review_places(campaign=campaign, at=NOON)
    tend_reviewing(at=NOON, seen={})
    after = human_figures(campaign)
    assert [name for name in before if before[name] != after[name]] == []


def test_where_judges_count_places_are_drawn_for_them_and_their_scores_are_handed_in(campaign, contest):
    judge = seated(campaign)
    assert judge.account.is_program
    judged(judge, Script())
    reviews = Review.objects.filter(reviewer=judge.account)
    assert reviews.count() == 6
    assert set(reviews.values_list("is_counted", "part")) == {(True, "panel")}
    assert ReviewPlace.objects.filter(reviewer=judge.account, done_at=None).count() == 0
    assert JudgeReview.objects.filter(is_submitted=True, review__in=reviews).count() == 6
    acts = list(TrailLine.objects.values_list("act", flat=True))
    assert acts.count("scores.handed_in") == 24
    assert {"judge.drawn", "judge.seated"} <= set(acts)


def test_every_board_and_its_bundle_say_that_programs_count(campaign, contest, tmp_path):
    judge = seated(campaign)
    judged(judge, Script())
    refresh_leaderboard(campaign=campaign, at=NOON)
    assert live_answer(campaign)["n_of_programs"] == 6
    (row,) = EXPORTS["leaderboard"].rows(campaign)
    assert dict(zip(EXPORTS["leaderboard"].columns(campaign), row, strict=True))["n_of_programs"] == 6
    files = files_of(b"".join(bundle_pieces(campaign, hides_teams=True, at=NOON)))
    told, reviewers = json.loads(files["campaign.json"]), {row["reviewer"] for row in rows_in(files["reviews.jsonl"])}
    assert len(reviewers) == 4
    assert len(told["program_reviewers"]) == 1
    assert set(told["program_reviewers"]) < reviewers

    def wrong(**changed):
        settings = told["settings"] | changed.pop("settings", {})
        rewritten = files | {"campaign.json": document(told | {"settings": settings} | changed)}
        path = tmp_path / "bundle.zip"
        path.write_bytes(zipped(with_new_hashes(rewritten)))
        return [one for one in verify(path).findings if one.figure == "program_reviewers"]

    assert wrong() == []
    assert wrong(settings={"judges": "apart"})
    assert wrong(program_reviewers=["nobody"])
    assert wrong(program_reviewers=told["program_reviewers"] * 2)


def test_no_board_tells_of_programs_where_none_counts(campaign, contest):
    judged(judge_of(campaign), Script())
    assert "n_of_programs" not in live_answer(campaign)
    assert "n_of_programs" not in EXPORTS["leaderboard"].columns(campaign)
    assert "program_reviewers" not in campaign_document(campaign, names_of(campaign, hides_teams=False, at=NOON))


# Lines of a record file say only what the import reads.
UNMARKED = {"records"}


def test_the_rows_of_a_program_are_marked(campaign, contest):
    judge = seated(campaign)
    judged(judge, Script())
    of_reviewers = {name for name, export in EXPORTS.items() if "reviewer" in export.columns(campaign)}
    assert of_reviewers == {"reviews", "ratings", "changes"} | UNMARKED
    for name in of_reviewers - UNMARKED:
        columns = list(EXPORTS[name].columns(campaign))
        rows = [dict(zip(columns, row, strict=True)) for row in EXPORTS[name].rows(campaign)]
        kinds = {(row["reviewer"] == judge.account.username, row["reviewer_kind"]) for row in rows}
        assert kinds == {(True, "program"), (False, "person")}


def test_what_was_judged_before_judges_counted_is_handed_in_by_the_next_run(campaign, contest):
    judge = judge_of(campaign)
    judged(judge, Script())
    judge = seated(campaign)
    script = Script()
    judged(judge, script)
    assert script.prompts == []
    assert JudgeReview.objects.filter(is_submitted=True).count() == 6
    assert not ReviewPlace.objects.filter(reviewer=judge.account).to_do().exists()


def test_scores_without_a_place_cost_a_run_no_queries(campaign, contest):
    judged(judge_of(campaign), Script())
    judge = seated(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(reviewers_per_dialogue=3)
    judge.campaign.refresh_from_db()
    draw_for_judge(judge=judge, at=NOON)
    n_queries = []
    for n_more in (3, 0):
        with CaptureQueriesContext(connection) as asked:
            draw_for_judge(judge=judge, at=NOON)
        n_queries.append(len(asked))
        JudgeReview.objects.filter(position__gt=n_more).delete()
    assert n_queries[0] == n_queries[1]
    assert not ReviewPlace.objects.filter(reviewer=judge.account).exists()


def test_scores_wait_while_reviewing_is_closed(campaign, contest):
    judge = seated(campaign)
    draw_for_judge(judge=judge, at=NOON)
    Campaign.objects.filter(pk=campaign.pk).update(review_until=NOON - timedelta(hours=1))
    assert run(judge, Script()).n_done == 6
    assert not JudgeReview.objects.filter(is_submitted=True).exists()
    Campaign.objects.filter(pk=campaign.pk).update(review_until=None)
    judge.campaign.refresh_from_db()
    draw_for_judge(judge=judge, at=NOON)
    assert JudgeReview.objects.filter(is_submitted=True).count() == 6


def test_once_judges_stand_apart_again_their_reviews_count_nowhere(campaign, contest):
    before = human_figures(campaign)
    judge = seated(campaign)
    judged(judge, Script())
    assert human_figures(campaign)["board"] != before["board"]
    Campaign.objects.filter(pk=campaign.pk).update(judges="apart", reviewers_per_dialogue=3)
    campaign.refresh_from_db()
    tend_reviewing(at=NOON, seen={})
    after = human_figures(campaign)
    changed = {name for name in before if before[name] != after[name]}
    # What was handed in stays in the trail and the exports of it, marked; no figure holds it.
    assert changed <= {"export reviews", "export ratings", "export changes"}
    assert not Review.objects.filter(reviewer=judge.account, is_counted=True).exists()


def test_once_judges_stand_apart_again_nobody_decides_or_closes_by_their_scores(campaign, contest):
    judge = seated(campaign)
    judged(judge, Script())
    _people, dialogues = contest
    dialogue = Dialogue.objects.with_names().get(pk=dialogues[0].pk)
    assert len(panel_contents(dialogue)) == 4
    Campaign.objects.filter(pk=campaign.pk).update(judges="apart")
    dialogue = Dialogue.objects.with_names().get(pk=dialogue.pk)
    assert len(panel_contents(dialogue)) == 3
    organizer = Person.objects.get(username="organizer")
    closed = close_panel(dialogue=dialogue, organizer=organizer, because="three of four people", at=NOON)
    assert closed.n_reviews == 3


def test_once_judges_stand_apart_again_people_fill_their_places(campaign, contest):
    judge = seated(campaign)
    judged(judge, Script())
    assert lacking_panels(campaign, NOON) == []
    Campaign.objects.filter(pk=campaign.pk).update(judges="apart", adjudicated_over=1)
    campaign.refresh_from_db()
    lacking = short_panels(campaign, NOON)
    assert [one.gap for one in lacking] == [Gap(n_needed=4, n_scored=3, n_at_work=0, n_to_draw=0, n_short=1)] * 6
    with override("en"):
        assert "your decision to count it with 3 reviews" in lacking[0].ways
    newcomer = person(campaign, "newcomer", Role.REVIEWER)
    assert {one.gap.n_to_draw for one in lacking_panels(campaign, NOON)} == {1}
    assert draw_review_places(campaign=campaign, at=NOON) == 6
    dialogue = Dialogue.objects.with_names().get(pk=contest[1][0].pk)
    assert not Dispute.objects.exists()
    submit(dialogue, newcomer, ratings=SCORES | {"satisfaction": 2})
    assert Dispute.objects.get().dialogue == dialogue


def test_an_example_waits_for_the_people_who_take_the_places_of_judges(campaign, contest, organizer):
    judge = seated(campaign)
    judged(judge, Script())
    before, after = Dialogue.objects.with_names().order_by("pk")[:2]
    point = ScalePoint.objects.get(criterion__rubric=campaign.rubric, criterion__key="fluency", score=-1)
    said = {"point": point, "turn": None, "reason": "It stops.", "by": organizer, "at": NOON}
    add_example(dialogue=before, **said)
    Campaign.objects.filter(pk=campaign.pk).update(judges="apart")
    campaign.refresh_from_db()
    add_example(dialogue=Dialogue.objects.with_names().get(pk=after.pk), **said)
    person(campaign, "newcomer", Role.REVIEWER)
    # Reviewers may have read the first while the judge counted.
    assert GuideExample.objects.maybe_read().get().dialogue_id == before.pk
    assert draw_review_places(campaign=campaign, at=NOON) == 5
    submit(after, Person.objects.get(username="newcomer"))
    assert GuideExample.objects.maybe_read().count() == 2


def test_the_organizers_page_of_a_dialogue_says_whose_scores_are_a_programs(campaign, contest):
    judge = seated(campaign)
    judged(judge, Script())
    _people, dialogues = contest
    Turn.objects.update(settled_at=NOON)
    client = client_of(Person.objects.get(username="organizer"))
    where = f"/campaigns/small/dialogues/{dialogues[0].pk}/"
    page = client.get(where, headers={"Accept-Language": "en"}).content.decode()
    assert judge.account.username in page
    # Once above the column of scores and once beside the comment.
    assert page.count("an account of a program") == 2


def test_no_place_is_drawn_for_a_program_where_judges_stand_apart(campaign, tester):
    panel(campaign)
    robot = Person.objects.create_user("robot", kind=Person.Kind.PROGRAM)
    campaign.roles.create(person=robot, role="reviewer")
    closed_dialogues(campaign, tester, 3)
    draw_review_places(campaign=campaign, at=NOON)
    assert ReviewPlace.objects.exists()
    assert not ReviewPlace.objects.filter(reviewer=robot).exists()


def test_no_judge_is_seated_where_judges_stand_apart(campaign, judge):
    with pytest.raises(CannotDeclare):
        seat_judge(judge=judge, at=NOON)


def test_a_share_of_nothing_is_nothing(campaign, judge):
    assert draw_for_judge(judge=judge, at=NOON) == 0
    assert run(judge, Script()).n_all == 0
