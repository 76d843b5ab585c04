"""The sums that the database adds up give exactly the figures of the records, whatever was scored by whom."""

import uuid
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Person
from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Assignment
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue, DialogueSubtask
from dialogues.turn_policy import turn_policy_of
from leaderboards.live_board import named
from leaderboards.live_sums import ledger_sums_by_cell, sums_by_cell, sums_by_entry
from leaderboards.models import ImportedRecord
from leaderboards.records import Charging, counted_lines, in_turns
from leaderboards.statistics import sums_of
from measures.live import LiveFigures, SubtaskOutcome, charged_turns, completion, weight_in
from reviews.models import Rating, Review, SubtaskVerdict
from tests.leaderboards.played import records_by_entry
from tests.measures.figures_by_record import live_figures
from tests.publication.conftest import bundles, scored

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
CRITERIA = ["satisfaction", "fluency", "guidance"]
PER_TURN = ["politeness", "nugget"]
HALF = Fraction(1, 2)

# Answered turns, the cap, how it closed, and whose fault each failed turn was.
FAULTS = st.lists(st.sampled_from(["bot", "platform", "nobody"]), max_size=2)
SUBTASK = st.tuples(
    st.integers(0, 4), st.sampled_from([4, 7, None]), st.sampled_from(["given_up", "finished", "failed"]), FAULTS
)
# What a reviewer gives per turn: scores of a scale, and labels, which have no mean.
PLACES = st.lists(st.tuples(st.integers(0, 1), st.sampled_from([None, 1, 2])), max_size=4)
REVIEW = st.fixed_dictionaries(
    {
        "is_counted": st.booleans(),
        "part": st.sampled_from(["self", "panel", "panel", "adjudication"]),
        "places": PLACES,
        "verdicts": st.lists(st.sampled_from([True, False, None]), min_size=3, max_size=3),
        "scores": st.lists(st.sampled_from([None, 0, 1]), min_size=3, max_size=3),
    }
)
DIALOGUE = st.fixed_dictionaries(
    {
        "bot": st.integers(0, 2),
        "scenario": st.integers(0, 1),
        "status": st.sampled_from(["open", "completed", "unfinished", "void"]),
        "turn_cap": st.sampled_from([None, None, 12]),
        "opening": st.sampled_from([None, "answered", "failed"]),
        "subtasks": st.lists(SUBTASK, max_size=3),
        "reviews": st.lists(REVIEW, max_size=3),
    }
)
IMPORTED = st.tuples(
    st.integers(0, 2),
    st.sampled_from(["s", "second"]),
    st.booleans(),
    st.integers(0, 4),
    st.sampled_from([None, 0, 1, 1.0]),
    st.sampled_from([5, "high"]),
    st.sampled_from(["", "", "d"]),
    st.sampled_from([None, None, 0.25, 1 / 3]),
)


@pytest.fixture
def cast(campaign):
    """Three bots and three reviewers, and beside the rubric's criteria one scale and one label per turn."""
    rubric = campaign.rubric
    rubric.criteria.create(position=8, key="politeness", letter="P", scope="turn")
    rubric.criteria.create(position=9, key="nugget", letter="N", scope="turn", kind="label")
    (first,) = campaign.entries.all()
    entries = [first]
    for number in (1, 2):
        bot = first.bot.team.bots.create(name=f"bot {number}")
        entries.append(campaign.entries.create(bot=bot, key=f"b{number}", alias=f"B{number}"))
    return entries, [Person.objects.create_user(f"panel-{number}") for number in range(3)]


def scenario_of(campaign, number):
    """The fixture's scenario, or a second one."""
    if number == 0:
        return campaign.scenarios.earliest("pk")
    return campaign.scenarios.get_or_create(key="second", defaults={"position": 99})[0]


def store(campaign, cast, number, told):
    entries, people = cast
    tester = told.get("tester", people[0])
    assignment = Assignment.objects.create(
        campaign=campaign, tester=tester, entry=entries[told["bot"]], scenario=scenario_of(campaign, told.get("scenario", 0)),
        repetition=number + 1, position=number,
    )  # fmt: skip
    dialogue = Dialogue.objects.create(
        id=uuid.UUID(int=number), assignment=assignment, tester=tester, status=told["status"], turn_cap=told["turn_cap"],
        opened_at=told.get("opened_at", NOON), closed_at=None if told["status"] == "open" else NOON,
        origin=told.get("origin", "live"),
    )  # fmt: skip
    if told.get("opening"):
        dialogue.turns.create(
            number=0, subtask=1, spent=0, turn_cap=4, key="", text="", status=told["opening"], seq=1, outcome_seq=2,
            asked_at=NOON, owner="",
        )  # fmt: skip
    for index, (turns, cap, *ending) in enumerate(told["subtasks"], start=1):
        status, faults = ending or ("given_up", [])
        DialogueSubtask.objects.create(
            dialogue=dialogue, index=index, kind="flight", status=status, turn_cap=cap, turns_used=turns, answered_turns=turns,
        )  # fmt: skip
        for fault in faults:
            store_failed_turn(dialogue, index, fault)
    if told.get("opening") == "failed":
        fail(dialogue.turns.get(number=0), "bot")
    for person, review in zip(people, told["reviews"], strict=False):
        store_review(campaign, dialogue, person, review)


def store_failed_turn(dialogue, subtask, fault):
    number = dialogue.turns.filter(number__gt=0).count() + 1
    turn = dialogue.turns.create(
        number=number, subtask=subtask, spent=1, turn_cap=9, key=f"k{number}", text="?", status="failed",
        seq=2 * number + 1, outcome_seq=2 * number + 2, asked_at=NOON, owner="",
    )  # fmt: skip
    # An earlier attempt of the same turn, whose fault does not count any more.
    turn.attempts.create(number=1, outcome="failure", is_current=False, fault="bot", ended_at=NOON)
    fail(turn, fault)


def fail(turn, fault):
    turn.attempts.create(number=2, outcome="failure", fault=fault, ended_at=NOON)


def store_review(campaign, dialogue, person, told):
    review = Review.objects.create(
        dialogue=dialogue, reviewer=person, is_submitted=True, submitted_at=NOON, is_counted=told["is_counted"],
        part=told.get("part", "panel"),
    )  # fmt: skip
    for index, is_finished in enumerate(told["verdicts"], start=1):
        if is_finished is not None:
            SubtaskVerdict.objects.create(review=review, subtask=index, is_finished=is_finished)
    criteria = {criterion.key: criterion for criterion in campaign.rubric.criteria.all()}
    for key, score in zip(CRITERIA, told["scores"], strict=True):
        if score is not None:
            Rating.objects.create(review=review, criterion=criteria[key], score=score, lowest=0, highest=1)
    for turn, scores in enumerate(told["places"]):
        for key, score in zip(PER_TURN, scores, strict=True):
            if score is not None:
                Rating.objects.create(
                    review=review, criterion=criteria[key], place=f"@{turn}.bot", score=score, lowest=0, highest=2
                )


def store_imported(campaign, cast, number, told):
    bot, scenario, is_completed, turns, score, other, dialogue, weight = told
    subtasks = [{"kind": "flight", "completed": is_completed, "turns": turns, "cap": 4}]
    content = {"team": "t", "scenario": scenario, "reviewer": "r", "subtasks": subtasks, "weight": weight}
    ImportedRecord.objects.create(
        campaign=campaign, entry=cast[0][bot], scenario=scenario, reviewer=f"r{number}", dialogue=dialogue,
        content=content | {"ratings": {"fluency": score, "other": other}},
    )  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.long
@given(
    dialogues=st.lists(DIALOGUE, max_size=6),
    imported=st.lists(IMPORTED, max_size=5),
    turns_are=st.sampled_from(["exchanges", "utterances"]),
    opened_by=st.sampled_from(["tester", "bot"]),
    broken_dialogues=st.sampled_from(["counted", "left_out"]),
    failed_turns=st.sampled_from(["free", "charged"]),
)
def test_the_sums_of_the_database_give_the_figures_of_the_records(
    campaign, cast, dialogues, imported, turns_are, opened_by, broken_dialogues, failed_turns
):
    campaign.turns_are, campaign.opened_by = turns_are, opened_by
    campaign.broken_dialogues, campaign.failed_turns = broken_dialogues, failed_turns
    with transaction.atomic():
        for number, told in enumerate(dialogues):
            store(campaign, cast, number, told)
        for number, told in enumerate(imported):
            store_imported(campaign, cast, number, told)
        criteria = [*CRITERIA, *PER_TURN]
        sums = {entry: named(own.figures(criteria)) for entry, own in sums_by_entry(campaign, criteria).items()}
        specified = {entry: live_figures(own, criteria) for entry, own in records_by_entry(campaign).items() if own}
        assert sums == {entry: pytest.approx(named(figures), abs=1e-12) for entry, figures in specified.items()}
        shares = Counter()
        for line in counted_lines(campaign, Dialogue.objects.of_campaign(campaign)):
            shares[line.dialogue] += weight_in(line.content)
        assert set(shares.values()) <= {1}
        cells = sums_by_cell(campaign, criteria)
        by_hand = {cell: live_figures(own, criteria) for cell, own in by_cell(records_by_entry(campaign)).items()}
        assert {cell: named(own.figures(criteria)) for cell, own in cells.items()} == {
            cell: pytest.approx(named(figures), abs=1e-12) for cell, figures in by_hand.items()
        }
        transaction.set_rollback(True)


def by_cell(records):
    cells = defaultdict(list)
    for entry, own in records.items():
        for record in own:
            cells[entry, record.scenario].append(record)
    return cells


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    dialogues=st.lists(
        st.tuples(DIALOGUE, st.sampled_from(["live", "program", "imported", "practice"]), st.booleans()), max_size=8
    ),
    turns_are=st.sampled_from(["exchanges", "utterances"]),
    opened_by=st.sampled_from(["tester", "bot"]),
    broken_dialogues=st.sampled_from(["counted", "left_out"]),
    failed_turns=st.sampled_from(["free", "charged"]),
    has_begun=st.booleans(),
)
def test_the_sums_by_the_ledger_are_those_of_the_dialogues(
    campaign, cast, dialogues, turns_are, opened_by, broken_dialogues, failed_turns, has_begun
):
    campaign.turns_are, campaign.opened_by = turns_are, opened_by
    campaign.broken_dialogues, campaign.failed_turns = broken_dialogues, failed_turns
    campaign.testing_from = NOON if has_begun else None
    program, _is_new = Person.objects.get_or_create(username="model-a", defaults={"kind": "program"})
    with transaction.atomic():
        for number, (told, origin, is_early) in enumerate(dialogues):
            tester = program if origin == "program" else cast[1][0]
            opened_at = NOON - timedelta(minutes=int(is_early))
            store(
                campaign,
                cast,
                number,
                told | {"reviews": [], "tester": tester, "origin": origin, "opened_at": opened_at},
            )
        for kind in Person.Kind:
            found = ledger_sums_by_cell(campaign, kind)
            assert {cell: (one.n_records, one.n_complete, one.charged_turns) for cell, one in found.items()} == (
                added_up(campaign, kind)
            )
        transaction.set_rollback(True)


def added_up(campaign, kind):
    """Dialogue by dialogue: how many, how many completed, and their charged turns."""
    policy, faults = turn_policy_of(campaign), fault_policy_of(campaign)
    had = Dialogue.with_programs.reviewable().under(faults).exclude(origin="imported").filter(tester__kind=kind)
    if campaign.testing_from:
        had = had.filter(opened_at__gte=campaign.testing_from)
    charging, sums = Charging([one.pk for one in had], policy, faults), defaultdict(lambda: (0, 0, 0))
    for one in had.select_related("assignment"):
        parts = [
            SubtaskOutcome(
                "", part.status == "finished", charging.turns(one.pk, part.index, part.answered_turns),
                charging.cap(part.index, part.turn_cap),
            )
            for part in one.subtasks.all()
        ]  # fmt: skip
        cell = one.assignment.entry_id, one.assignment.scenario_id
        told = 1, completion(parts), charged_turns(parts, in_turns(policy, one.turn_cap))
        sums[cell] = tuple(map(sum, zip(sums[cell], told, strict=True)))
    return dict(sums)


REVIEWED = {"is_counted": True, "verdicts": [True, False, None], "scores": [1, 0, None], "places": []}


def test_a_record_scored_per_turn_weighs_as_much_as_any_other_and_labels_have_no_mean(campaign, cast):
    """By hand: one review says 0, 0, 1 of three turns, another 1 of one: (1/3 + 1)/2, where the mean of all scores is 1/2."""
    long, short = [(0, 1), (0, 2), (1, 1)], [(1, 2)]
    reviews = [REVIEWED | {"places": long}, REVIEWED | {"places": short}, REVIEWED]
    store(
        campaign, cast, 0,
        {"bot": 1, "status": "completed", "turn_cap": None, "subtasks": [(3, 4)], "reviews": reviews},
    )  # fmt: skip
    (sums,) = sums_by_entry(campaign, PER_TURN).values()
    assert sums.figures(PER_TURN).ratings == {"politeness": pytest.approx(2 / 3), "nugget": None}


@pytest.mark.parametrize(
    ("cap", "figures"),
    [(None, LiveFigures(1, 0.0, 10.0, {"satisfaction": 1.0, "fluency": 0.0, "guidance": None})),
     (12, LiveFigures(1, 0.0, 12.0, {"satisfaction": 1.0, "fluency": 0.0, "guidance": None}))],
)  # fmt: skip
def test_an_unfinished_subtask_is_charged_its_cap_or_that_of_the_dialogue(campaign, cast, cap, figures):
    """By hand: 3 turns of the finished subtask and the cap 7 of the other; or the cap 12 of the whole dialogue."""
    told = {"bot": 1, "status": "unfinished", "turn_cap": cap, "subtasks": [(3, 4), (2, 7)], "reviews": [REVIEWED]}
    store(campaign, cast, 0, told)
    sums = sums_by_entry(campaign, CRITERIA)
    assert {entry: own.figures(CRITERIA) for entry, own in sums.items()} == {cast[0][1].pk: figures}


@pytest.mark.parametrize(
    ("opening", "cap", "verdicts", "turns"),
    [
        ("answered", None, [True, False], 21.0),  # 2 × 3 and the opening; the cap of 2 × 7
        ("failed", None, [True, False], 20.0),  # an opening that failed is not charged
        ("answered", None, [False, True], 13.0),  # the cap of 1 + 2 × 4; 2 × 2
        ("answered", 12, [True, False], 25.0),  # the cap of 1 + 2 × 12
        ("answered", 12, [True, True], 11.0),  # 1 + 2 × 3 + 2 × 2
    ],
)
def test_a_campaign_that_counts_utterances_is_charged_in_utterances(campaign, cast, opening, cap, verdicts, turns):
    campaign.turns_are, campaign.opened_by = "utterances", "bot"
    told = {
        "bot": 1, "status": "unfinished", "turn_cap": cap, "subtasks": [(3, 4), (2, 7)], "opening": opening,
        "reviews": [REVIEWED | {"verdicts": verdicts}],
    }  # fmt: skip
    store(campaign, cast, 0, told)
    (sums,) = sums_by_entry(campaign, CRITERIA).values()
    ((record,),) = [own for own in records_by_entry(campaign).values() if own]
    assert sums.figures(CRITERIA).mean_turns == turns
    assert live_figures([record], CRITERIA).mean_turns == turns


@pytest.mark.parametrize(("status", "is_counted"), [("open", True), ("void", True), ("completed", False)])
def test_reviews_that_do_not_count_are_no_records(campaign, cast, status, is_counted):
    review = REVIEWED | {"is_counted": is_counted}
    store(
        campaign, cast, 0,
        {"bot": 0, "status": status, "turn_cap": None, "subtasks": [(1, 4)], "reviews": [review]},
    )  # fmt: skip
    assert sums_by_entry(campaign, CRITERIA) == {}
    assert not records_by_entry(campaign)


def test_the_number_of_queries_does_not_grow_with_the_records(campaign, cast, django_assert_num_queries):
    for number in range(6):
        with django_assert_num_queries(5):
            sums_by_entry(campaign, [*CRITERIA, *PER_TURN])
        told = {"bot": 1, "status": "completed", "turn_cap": None, "subtasks": [(3, 4)], "reviews": [REVIEWED] * 3}
        store(campaign, cast, number, told)


def test_the_board_is_the_exact_sum_of_its_cells_in_any_order(campaign, cast):
    """By hand: records with means of 1/3, 1 and 2/3, the second on another scenario: sums of 1 and 1, in all 2."""
    thirds = [[(0, None), (0, None), (1, None)], [(1, None)], [(1, None), (1, None), (0, None)]]
    for number, places in enumerate(thirds):
        told = {"bot": 1, "scenario": number % 2, "status": "completed", "turn_cap": None, "subtasks": [(3, 4)]}
        store(campaign, cast, number, told | {"reviews": [REVIEWED | {"places": places}]})
    cells = sums_by_cell(campaign, PER_TURN)
    entry = cast[0][1].pk
    scores = {scenario: cell.by_weight[1].scores["politeness"] for (_, scenario), cell in cells.items()}
    assert scores == {campaign.scenarios.earliest("pk").key: (2, 1), "second": (1, 1)}
    assert sums_by_entry(campaign, PER_TURN)[entry].by_weight[1].scores["politeness"] == (3, 2)


@pytest.mark.parametrize(
    ("turns_are", "broken_dialogues", "failed_turns", "mean_turns"),
    [
        # Finished with 3 answered turns; given up, charged the cap of 7; the same in the whole one.
        ("exchanges", "counted", "free", (10 + 3) / 2),
        # Of the three failed turns in the finished subtask one is the bot's.
        ("exchanges", "counted", "charged", (11 + 3) / 2),
        ("exchanges", "left_out", "charged", 3.0),
        ("exchanges", "left_out", "free", 3.0),
        ("utterances", "counted", "charged", (2 * 11 + 2 * 3) / 2),
    ],
)
def test_what_failures_of_the_bot_cost(campaign, cast, turns_are, broken_dialogues, failed_turns, mean_turns):
    campaign.turns_are = turns_are
    campaign.broken_dialogues, campaign.failed_turns = broken_dialogues, failed_turns
    finished, failed = (3, 4, "given_up", ["bot", "platform", "nobody"]), (2, 7, "failed", ["bot"])
    broken = {"bot": 1, "status": "unfinished", "turn_cap": None, "subtasks": [finished, failed], "reviews": [REVIEWED]}
    store(campaign, cast, 0, broken)
    store(campaign, cast, 1, broken | {"status": "completed", "subtasks": [(3, 4)]})
    (sums,) = sums_by_entry(campaign, CRITERIA).values()
    assert sums.figures(CRITERIA).mean_turns == mean_turns
    (records,) = [own for own in records_by_entry(campaign).values() if own]
    assert live_figures(records, CRITERIA).mean_turns == mean_turns


def test_a_broken_dialogue_that_is_left_out_takes_its_scores_by_place_along(campaign, cast):
    campaign.broken_dialogues = "left_out"
    broken = {"bot": 1, "status": "unfinished", "turn_cap": None, "subtasks": [(2, 7, "failed", [])]}
    store(campaign, cast, 0, broken | {"reviews": [REVIEWED | {"places": [(1, 2)]}]})
    assert sums_by_entry(campaign, PER_TURN) == {}


def test_imported_dialogues_that_name_no_scenario_are_one_each(campaign, cast):
    """Nothing is known that they share, so statistics draw them one by one."""
    campaign.scenarios.create(key=IMPORTED_SCENARIO, position=50)
    for number in range(3):
        told = {"bot": 1, "status": "completed", "turn_cap": None, "subtasks": [(number, 4)]}
        store(campaign, cast, number, told | {"reviews": [REVIEWED | {"places": [(1, None)]}] * 2})
    Assignment.objects.filter(repetition__gt=1).update(scenario=campaign.scenarios.get(key=IMPORTED_SCENARIO))
    cells = sums_by_cell(campaign, PER_TURN)
    alike = [cell.by_weight[HALF] for cell in cells.values()]
    assert sorted((cell.n_records, cell.charged_turns, cell.scores["politeness"]) for cell in alike) == [
        (2, 0, (2, 2)), (2, 2, (2, 2)), (2, 4, (2, 2)),
    ]  # fmt: skip
    (sums,) = sums_by_entry(campaign, PER_TURN).values()
    own = sums.by_weight[HALF]
    assert (own.n_records, own.charged_turns, own.scores["politeness"]) == (6, 6, (6, 6))


__all__ = ["bundles", "scored"]


def test_entries_come_in_the_order_of_their_keys_which_a_bundle_has_too(scored):
    beta, gamma = (scored.entries.get(bot__name=f"Team {name}'s bot") for name in ("Beta", "Gamma"))
    scored.entries.filter(pk=beta.pk).update(key="z")
    assert sums_of(scored).entries == (gamma.pk, beta.pk)
    assert sums_of(scored).cells.shape == (4, 2, 5, 2)
    assert sums_of(scored, only={beta.pk}).entries == (beta.pk,)
