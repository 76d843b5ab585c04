"""Every scored dialogue weighs one, whether a panel, a part of it or an adjudicator scored it."""

import io
import json
import random
from fractions import Fraction

import pytest
from django.db.models import F
from django.utils import timezone, translation

from campaigns.actions import change_settings
from campaigns.models import Role
from dialogues.models import Dialogue, DialogueSubtask
from leaderboards.actions import import_records, refresh_leaderboard
from leaderboards.diagnostics.slices import severity_adjusted
from leaderboards.exports import EXPORTS
from leaderboards.live_board import computed_rows, named
from leaderboards.record_files import read_record_lines
from leaderboards.statistics import sums_of
from publication.bundle import bundle_pieces
from publication.bundle.documents import drawn_statistics
from publication.readiness import preflight
from reviews.actions.closing import close_panel
from reviews.actions.placing import draw_review_places
from reviews.actions.tending import recount_by_policy
from reviews.models import Dispute
from tests.leaderboards.played import records_by_entry
from tests.measures.figures_by_record import live_figures
from tests.reviews.conftest import NOON, SCORES, closed_dialogues, panel, person, submit
from verification.verifying import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed(campaign, tester):
    """Of two dialogues with their panels of three the first is a dispute, (−1, 2, 2), which the adjudicator decides as 0; the other is (1, 1, 1)."""
    people = panel(campaign, 3, adjudicated_over=2)
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    first, second = closed_dialogues(campaign, tester, 2)
    DialogueSubtask.objects.update(answered_turns=F("turns_used"))
    draw_review_places(campaign=campaign, at=NOON)
    for reviewer, scores in zip(people, ((-1, 1), (2, 1), (2, 1)), strict=True):
        for dialogue, score in zip((first, second), scores, strict=True):
            submit(dialogue, reviewer, ratings=SCORES | {"satisfaction": score}, verdicts={"1": True})
    submit(first, adjudicator, ratings=SCORES | {"satisfaction": 0}, verdicts={"1": False})
    return campaign


def figures(campaign):
    (row,) = computed_rows(campaign).values()
    return row["figures"]["satisfaction"], row["figures"]["completion"], row["n"], row["weight"]


def test_a_decision_weighs_as_much_as_the_panel_that_it_replaces(disputed):
    """By hand: (0 + 1)/2 and (0 + 1)/2; as one of four records it would be 3/4."""
    assert figures(disputed) == (0.5, 0.5, 4, 2.0)


def test_a_decision_may_count_as_one_more_record_of_its_dialogue(disputed):
    """By hand: of the first dialogue (−1 + 2 + 2 + 0)/4 and 3/4, of the second 1 and 1."""
    recount_by_policy(campaign=disputed, at=NOON)
    change_settings(campaign=disputed, changes={"decisions_count": "one_more"}, at=NOON)
    disputed.refresh_from_db()
    version = disputed.scores_version
    assert recount_by_policy(campaign=disputed, at=NOON)
    disputed.refresh_from_db()
    assert disputed.scores_version > version
    assert figures(disputed) == (0.875, 0.875, 7, 2.0)


@pytest.mark.parametrize("decisions_count", ["as_panel", "one_more"])
def test_a_bundle_with_decisions_verifies_and_says_what_each_record_weighs(disputed, tmp_path, decisions_count):
    change_settings(campaign=disputed, changes={"decisions_count": decisions_count}, at=NOON)
    disputed.refresh_from_db()
    recount_by_policy(campaign=disputed, at=NOON)
    for hides_teams in (False, True):
        with (tmp_path / "b.zip").open("wb") as file:
            file.writelines(
                bundle_pieces(disputed, hides_teams=hides_teams, at=timezone.now(), statistics_of=drawn_statistics)
            )
        # These dialogues were not talked, so the ledger misses them.
        found = [str(one) for one in verify(tmp_path / "b.zip", draws=True).findings]
        of_scores = ("reviews.jsonl", "records.jsonl", "leaderboard.json", "statistics.json")
        assert [one for one in found if one.startswith(of_scores)] == []
    weights = sorted(line["weight"] for line in EXPORTS["records"].objects(disputed))
    assert weights == ([1 / 3] * 3 + [1.0] if decisions_count == "as_panel" else [0.25] * 4 + [1 / 3] * 3)
    assert sorted(row[-2] for row in EXPORTS["records"].rows(disputed)) == weights


def test_a_whole_plan_with_a_decision_is_not_unequal(disputed, tester):
    """Both systems have two scored dialogues, though one has four records and the other six."""
    entry = disputed.entries.get()
    bot = entry.bot.team.bots.create(name="second")
    second = disputed.entries.create(bot=bot, key="second", alias="Second")
    disputed.entries.exclude(pk=entry.pk).update(admitted_at=NOON)
    people = [person(disputed, name) for name in ("reviewer", "reviewer-2", "reviewer-3")]
    for dialogue in closed_dialogues(disputed, tester, 2, first=2000):
        type(dialogue.assignment).objects.filter(pk=dialogue.assignment_id).update(entry=second)
        draw_review_places(campaign=disputed, at=NOON)
        for reviewer in people:
            submit(dialogue, reviewer, verdicts={"1": True})
    refresh_leaderboard(campaign=disputed, at=NOON)
    rows = computed_rows(disputed)
    assert sorted((row["n"], row["weight"]) for row in rows.values()) == [(4, 2.0), (6, 2.0)]
    assert "unequal" not in {one.key for one in preflight(disputed)}


def test_severity_is_taken_off_the_same_means(disputed):
    found = severity_adjusted(disputed, disputed.rubric.criteria.get(key="satisfaction"))
    ((plain, _),) = found["rows"].values()
    assert plain == pytest.approx(figures(disputed)[0])


def line(reviewer, dialogue, score, **more):
    subtasks = [{"kind": "flight", "completed": True, "turns": 3, "cap": 9}]
    told = {"team": "A", "scenario": "s", "reviewer": reviewer, "subtasks": subtasks}
    told |= {"dialogue": dialogue} if dialogue else {}
    return json.dumps(told | {"ratings": {"satisfaction": score}} | more).encode()


def test_imported_records_of_one_dialogue_share_its_weight_and_a_line_may_say_its_own(campaign, tmp_path):
    """By hand: (2 + 0)/2 of the first dialogue, −1 of the second, and a quarter of the third, 2: (1 − 1 + 0.5)/2.25."""
    lines = [line("r1", "1", 2), line("r2", "1", 0), line("r1", "2", -1), line("r1", "3", 2, weight=0.25)]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))
    assert figures(campaign) == (0.5 / 2.25, 1.0, 4, 2.25)
    (records,) = (own for own in records_by_entry(campaign).values() if own)
    assert [one.weight for one in records] == [Fraction(1, 2), Fraction(1, 2), 1, Fraction(1, 4)]
    assert [row[-2] for row in EXPORTS["records"].rows(campaign)] == [0.5, 0.5, 1.0, 0.25]
    for hides_teams in (False, True):
        out = io.BytesIO()
        out.writelines(bundle_pieces(campaign, hides_teams=hides_teams, at=timezone.now()))
        (tmp_path / "b.zip").write_bytes(out.getvalue())
        assert [str(one) for one in verify(tmp_path / "b.zip", draws=True).findings] == []


def test_the_page_behind_a_figure_says_what_each_record_weighs(disputed, client, organizer):
    refresh_leaderboard(campaign=disputed, at=NOON)
    client.force_login(organizer)
    with translation.override("en"):
        address = f"/campaigns/small/leaderboard/records/{disputed.entries.get().pk}/satisfaction/"
        page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert page.count('<td class="number">1/3</td>') == 3


def contest(campaign, tester, organizer, rng):
    """Panels of three that are whole, short, closed early or in dispute, and lines from elsewhere."""
    both = rng.random() < 0.5
    counted = "both" if both else "panel"
    people = panel(campaign, 3, adjudicated_over=2, counted_reviews=counted, reviewed_by=counted)
    change_settings(campaign=campaign, changes={"decisions_count": rng.choice(["as_panel", "one_more"])}, at=NOON)
    campaign.refresh_from_db()
    adjudicator = person(campaign, "adjudicator", Role.ADJUDICATOR)
    dialogues = closed_dialogues(campaign, tester, 8)
    DialogueSubtask.objects.update(answered_turns=F("turns_used"))
    draw_review_places(campaign=campaign, at=NOON)

    def score(dialogue, reviewer):
        scores = SCORES | {"satisfaction": rng.randint(-2, 2), "fluency": rng.randint(-1, 1)}
        submit(dialogue, reviewer, ratings=scores, verdicts={"1": rng.random() < 0.5})

    for dialogue in dialogues:
        n_reviews = rng.choice([0, 1, 2, 3, 3, 3])
        for reviewer in rng.sample(people, n_reviews):
            score(dialogue, reviewer)
        if both and rng.random() < 0.7:
            score(dialogue, tester)
        if n_reviews in (1, 2) and rng.random() < 0.5:
            dialogue.review_places.filter(done_at=None).update(released_at=NOON, released_because="cannot_judge")
            close_panel(dialogue=dialogue, organizer=organizer, because="left", at=NOON)
        if Dispute.objects.filter(dialogue=dialogue, settled_at=None).exists() and rng.random() < 0.7:
            score(dialogue, adjudicator)
    lines = [
        line(f"r{number}", rng.choice(["", "1", "2"]), rng.randint(-2, 2), **rng.choice([{}, {}, {"weight": 0.25}]))
        for number in range(rng.randint(0, 5))
    ]
    import_records(campaign=campaign, lines=read_record_lines(lines, {}))


def by_hand(campaign, key):
    """The mean of the live entry over its dialogues, each of which weighs one; None where nothing counts."""
    means = []
    for dialogue in Dialogue.objects.of_campaign(campaign):
        given = [
            (review.part, review.ratings.get(criterion__key=key).score)
            for review in dialogue.reviews.filter(is_submitted=True)
        ]
        of_panel = [score for part, score in given if part == "panel"]
        decided = [score for part, score in given if part == "adjudication"]
        own = [score for part, score in given if part == "self" and campaign.counted_reviews == "both"]
        if decided and campaign.decisions_count == "as_panel":
            counted = own + decided * len(of_panel)
        elif Dispute.objects.filter(dialogue=dialogue, settled_at=None).exists():
            counted = own
        else:
            counted = own + of_panel + decided
        if counted:
            means.append(Fraction(sum(counted), len(counted)))
    return float(sum(means) / len(means)) if means else None


@pytest.mark.parametrize("seed", range(5))
def test_sql_python_and_verification_agree_on_contests_made_up_at_random(seed, campaign, tester, organizer, tmp_path):
    contest(campaign, tester, organizer, random.Random(seed))
    rows = computed_rows(campaign)
    criteria = ["satisfaction", "fluency", "guidance"]
    records = {str(entry): own for entry, own in records_by_entry(campaign).items() if own}
    assert {entry: row["figures"] for entry, row in rows.items()} == {
        entry: named(live_figures(own, criteria)) for entry, own in records.items()
    }
    assert {entry: row["weight"] for entry, row in rows.items()} == {
        entry: float(sum(one.weight for one in own)) for entry, own in records.items()
    }
    live = str(campaign.entries.earliest("pk").pk)
    assert [rows[live]["figures"][key] for key in criteria[:2]] == [by_hand(campaign, key) for key in criteria[:2]]
    sums = sums_of(campaign)
    for place, entry in enumerate(sums.entries):
        totals = sums.cells[:, place].sum(axis=0)
        means = {key.figure: sums_ / n if n else None for key, (sums_, n) in zip(sums.keys, totals, strict=True)}
        assert means == {name: pytest.approx(value) for name, value in rows[str(entry)]["figures"].items()}
    with (tmp_path / "b.zip").open("wb") as file:
        file.writelines(bundle_pieces(campaign, hides_teams=False, at=timezone.now(), statistics_of=drawn_statistics))
    # These dialogues were not talked, so the ledger misses them.
    found = [str(one) for one in verify(tmp_path / "b.zip", draws=True).findings]
    of_scores = ("reviews.jsonl", "records.jsonl", "leaderboard.json", "statistics.json")
    assert [one for one in found if one.startswith(of_scores)] == []
