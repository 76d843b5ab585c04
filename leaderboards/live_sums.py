"""What the figures of a live campaign are means of, added up by the database per bot and scenario.

`records.py` says the same record by record; it is the specification, and a test holds both against each other.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from django.db import connection

from accounts.models import Person
from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from leaderboards.models import ImportedRecord
from measures.live import AlikeSums, LiveSums, record_of
from rubrics.models import Criterion

IMPORTED_AT_ONCE = 1_000

# Entry id, and what it is grouped by: the scenario's key, or the user name of a tester or reviewer.
Cell = tuple[int, str]

# One row per counted review of a closed dialogue that is not void: its shares, all shares of the dialogue, and the columns that
# the sums need, so that no row is looked up twice. A decision has one share for each review of the panel that it replaces (`weights` in
# `reviews/counting_rules.py`).
COUNTED = """
counted AS MATERIALIZED (
    SELECT
        review_id, dialogue_id, entry_id, group_id, turn_cap, shares, SUM(shares) OVER (PARTITION BY dialogue_id) AS all_shares
    FROM (
        SELECT review.id AS review_id, review.dialogue_id, assignment.entry_id, {group} AS group_id, dialogue.turn_cap,
            CASE WHEN review.part = 'adjudication' THEN COALESCE(NULLIF((
            SELECT COUNT(*) FROM reviews_review replaced
            JOIN accounts_person replacer ON replacer.id = replaced.reviewer_id
            JOIN campaigns_campaign contest ON contest.id = assignment.campaign_id
            WHERE replaced.dialogue_id = review.dialogue_id AND replaced.part = 'panel' AND replaced.is_submitted
                AND NOT replaced.is_counted AND (replacer.kind = 'person' OR contest.judges = 'count')
        ), 0), 1) ELSE 1 END AS shares
        FROM reviews_review review
        JOIN dialogues_dialogue dialogue ON dialogue.id = review.dialogue_id
        JOIN campaigns_assignment assignment ON assignment.id = dialogue.assignment_id
        WHERE review.is_counted AND assignment.campaign_id = %s AND dialogue.status IN ('completed', 'unfinished'){left_in}
    ) AS shared
)"""

# `told` has one row per record: the number of subtasks, how many of them are finished, the answered turns of all, and the charged
# turns where each subtask has its own cap. `RECORDS` and `SCORES` read it, so it is materialized: 300,000 reviews take a second.
TOLD = """
told AS MATERIALIZED (
    SELECT
        counted.review_id,
        MIN(counted.shares) AS shares,
        MIN(counted.all_shares) AS all_shares,
        MIN(counted.entry_id) AS entry_id,
        MIN(counted.group_id) AS group_id,
        MIN({dialogue_cap}) AS dialogue_cap,
        COUNT(subtask.id) AS n_subtasks,
        COUNT(CASE WHEN {is_finished} THEN 1 END) AS n_finished,
        COALESCE(SUM({turns}), 0) AS turns,
        COALESCE(
            SUM(CASE WHEN {is_finished} THEN {turns} ELSE COALESCE({subtask_cap}, 0) END), 0
        ) AS charged_by_subtask
    FROM counted
    LEFT JOIN dialogues_dialoguesubtask subtask ON subtask.dialogue_id = counted.dialogue_id
    {verdicts}
    {opened}
    {failed}
    GROUP BY counted.review_id
)"""

# One row per bot, scenario and weight with the sums over its records.
RECORDS = """
SELECT
    entry_id,
    group_id,
    shares,
    all_shares,
    NULL AS criterion_id,
    COUNT(*),
    SUM(CASE WHEN n_subtasks > 0 AND n_finished = n_subtasks THEN 1 ELSE 0 END),
    SUM(
        CASE
            WHEN dialogue_cap IS NULL THEN charged_by_subtask
            WHEN n_subtasks > 0 AND n_finished = n_subtasks THEN turns
            ELSE dialogue_cap
        END
    )
FROM told
GROUP BY entry_id, group_id, shares, all_shares"""

# And one per criterion with the sums over its scores.
SCORES = """
SELECT told.entry_id, told.group_id, told.shares, told.all_shares, rating.criterion_id, COUNT(*), SUM(rating.score), 0
FROM told
JOIN reviews_rating rating ON rating.review_id = told.review_id AND rating.place = ''
GROUP BY told.entry_id, told.group_id, told.shares, told.all_shares, rating.criterion_id
"""

# Each closed dialogue that is neither void nor of a rehearsal as a record of its own, in which a subtask is finished where its tester closed it so.
BY_LEDGER = """
counted AS MATERIALIZED (
    SELECT
        dialogue.id AS review_id, dialogue.id AS dialogue_id, assignment.entry_id, assignment.scenario_id AS group_id,
        dialogue.turn_cap, 1 AS shares, 1 AS all_shares
    FROM dialogues_dialogue dialogue
    JOIN campaigns_assignment assignment ON assignment.id = dialogue.assignment_id
    JOIN accounts_person tester ON tester.id = dialogue.tester_id
    WHERE assignment.campaign_id = %s AND dialogue.status IN ('completed', 'unfinished')
        AND dialogue.origin IN ('live', 'program') AND NOT assignment.is_rehearsal AND tester.kind = %s{left_in}
)"""

# Where criteria are scored per subtask or turn, each record has a mean of its own. Records that have it of equally many
# places are added up as whole numbers, so that no order of rows changes a figure in its last digit.
SUMS_OVER_PLACES = """
WITH {counted}
SELECT entry_id, group_id, shares, all_shares, criterion_id, n_places, COUNT(*), SUM(total)
FROM (
    SELECT
        counted.entry_id,
        MIN(counted.group_id) AS group_id,
        MIN(counted.shares) AS shares,
        MIN(counted.all_shares) AS all_shares,
        rating.criterion_id,
        COUNT(*) AS n_places,
        SUM(rating.score) AS total
    FROM counted
    JOIN reviews_rating rating ON rating.review_id = counted.review_id AND rating.place <> ''
    GROUP BY counted.review_id, counted.entry_id, rating.criterion_id
) AS scored
GROUP BY entry_id, group_id, shares, all_shares, criterion_id, n_places
"""


_VERDICTS = """LEFT JOIN reviews_subtaskverdict verdict
        ON verdict.review_id = counted.review_id AND verdict.subtask = subtask."index" """

_OPENED = """LEFT JOIN dialogues_turn opened
        ON opened.dialogue_id = counted.dialogue_id AND opened.number = 0 AND opened.status = 'answered'"""


# The turns that the bot failed to answer. Attempts with a fault are few; turns are many.
_FAILED = """LEFT JOIN (
        SELECT turn.dialogue_id, turn.subtask, COUNT(*) AS n_turns
        FROM dialogues_attempt attempt
        JOIN dialogues_turn turn ON turn.id = attempt.turn_id
        WHERE attempt.is_current AND attempt.fault = 'bot' AND turn.status = 'failed' AND turn.number > 0
        GROUP BY turn.dialogue_id, turn.subtask
    ) AS failed ON failed.subtask = subtask."index" AND failed.dialogue_id = counted.dialogue_id"""

_LEFT_IN = """
        AND NOT EXISTS (
            SELECT 1 FROM dialogues_dialoguesubtask broken
            WHERE broken.dialogue_id = dialogue.id AND broken.status = 'failed'
        )"""


# Imported dialogues that name no scenario have one in common and nothing else: each is a scenario of its own, by the number of
# its assignment, below 0.
_SCENARIO = "assignment.scenario_id"
_OF_IMPORTED = "CASE WHEN assignment.scenario_id = {imported} THEN -assignment.id ELSE assignment.scenario_id END"


def scenario_of(imported: int | None) -> str:
    """What stands for the scenario; `imported` is the row of those that name none, where the campaign has one."""
    return _SCENARIO if imported is None else _OF_IMPORTED.format(imported=imported)


def sums_statement(policy: TurnPolicy, faults: FaultPolicy, group: str = _SCENARIO) -> str:
    """Of counted reviews, in the turns that the campaign counts and by what failures cost there; the same as in `records.py`."""
    told = _told(policy, faults, is_finished="verdict.is_finished", verdicts=_VERDICTS)
    return f"WITH {counted_reviews(faults, group)}, {told} {RECORDS} UNION ALL {SCORES}"


def _told(policy: TurnPolicy, faults: FaultPolicy, *, is_finished: str, verdicts: str) -> str:
    n, opening = policy.per_exchange, policy.opening
    answered = ' + CASE WHEN subtask."index" = 1 AND opened.id IS NOT NULL THEN 1 ELSE 0 END' if opening else ""
    reserved = ' + CASE WHEN subtask."index" = 1 THEN 1 ELSE 0 END' if opening else ""
    failed = f" + {n} * COALESCE(failed.n_turns, 0)" if faults.charges_failed_turns else ""
    return TOLD.format(
        is_finished=is_finished,
        turns=f"{n} * subtask.answered_turns{answered}{failed}",
        subtask_cap=f"{n} * subtask.turn_cap{reserved}",
        dialogue_cap=f"{n} * counted.turn_cap + {opening}",
        verdicts=verdicts,
        opened=_OPENED if opening else "",
        failed=_FAILED if failed else "",
    )


def sums_over_places_statement(faults: FaultPolicy, group: str = _SCENARIO) -> str:
    return SUMS_OVER_PLACES.format(counted=counted_reviews(faults, group))


def counted_reviews(faults: FaultPolicy, group: str) -> str:
    return COUNTED.format(group=group, left_in=_LEFT_IN if faults.leaves_out_broken else "")


def sums_by_entry(campaign: Campaign, criteria: Collection[str]) -> Mapping[int, LiveSums]:
    """The sums of every bot that has a record, by the id of its entry: those of its cells."""
    sums: dict[int, LiveSums] = defaultdict(LiveSums)
    for (entry_id, _), cell in sums_by_cell(campaign, criteria).items():
        sums[entry_id].add(cell)
    return sums


def alone_as(assignment: int) -> str:
    """What the scenario of an imported dialogue that names none is called."""
    return f"{IMPORTED_SCENARIO} {assignment}"


class Scenarios:
    """Groups records by scenario; `imported_as` names the column of imported records that says theirs."""

    imported_as = "scenario"

    def __init__(self, campaign: Campaign) -> None:
        self._keys = dict(campaign.scenarios.values_list("pk", "key"))
        # The one that imported dialogues have in common, if there is one.
        imported = next((pk for pk, key in self._keys.items() if key == IMPORTED_SCENARIO), None)
        self.column = scenario_of(imported)

    def name_of(self, number: int) -> str:
        return alone_as(-number) if number < 0 else self._keys[number]


class People:
    """Groups records by the user names of people: testers, whom imported records do not name, or reviewers."""

    def __init__(self, column: str, imported_as: str) -> None:
        self.column, self.imported_as = column, imported_as
        self._names = dict(Person.objects.values_list("pk", "username"))

    def name_of(self, number: int) -> str:
        return self._names[number]

    @classmethod
    def testers(cls, campaign: Campaign) -> "People":
        return cls("dialogue.tester_id", "")

    @classmethod
    def reviewers(cls, campaign: Campaign) -> "People":
        return cls("review.reviewer_id", "reviewer")


def sums_by_cell(
    campaign: Campaign, criteria: Collection[str], grouped: Callable[[Campaign], Scenarios | People] = Scenarios
) -> Mapping[Cell, LiveSums]:
    """The sums of every bot on every scenario that it has a record on; an imported record's scenario is its file's text.

    Imported dialogues that name no scenario count as one each: nothing is known that they share. `grouped` takes another
    thing in place of scenarios.

    Four queries at most, and one pass over imported records. Sums are whole numbers or fractions of them, so that no
    order of addition changes a figure in its last digit.
    """
    sums: dict[Cell, LiveSums] = defaultdict(LiveSums)
    scales = list(Criterion.objects.filter(key__in=criteria, kind=Criterion.Kind.SCALE))
    keys = {criterion.pk: criterion.key for criterion in scales}
    groups, faults = grouped(campaign), fault_policy_of(campaign)
    told = _rows(sums_statement(turn_policy_of(campaign), faults, groups.column), campaign)
    # PostgreSQL gives sums of whole numbers as decimals.
    for entry_id, group_id, shares, all_shares, criterion_id, n, total, charged in told:
        # A cell that has scores has records.
        cell = sums[entry_id, groups.name_of(group_id)].alike(Fraction(int(shares), int(all_shares)))
        if criterion_id is None:
            cell.add(AlikeSums(n, int(total), int(charged)))
        elif criterion_id in keys:
            cell.add_scores(keys[criterion_id], n, int(total))
    if any(criterion.scope != Criterion.Scope.DIALOGUE for criterion in scales):
        over_places = _rows(sums_over_places_statement(faults, groups.column), campaign)
        for entry_id, group_id, shares, all_shares, criterion_id, n_places, n, total in over_places:
            if criterion_id in keys:
                cell = sums[entry_id, groups.name_of(group_id)].alike(Fraction(int(shares), int(all_shares)))
                cell.add_scores(keys[criterion_id], n, Fraction(int(total), n_places))
    if groups.imported_as:
        imported = ImportedRecord.objects.filter(campaign=campaign).with_shares().order_by("pk")
        told_elsewhere = imported.values_list("entry_id", groups.imported_as, "content", "n_sharing")
        for entry_id, name, content, n_sharing in told_elsewhere.iterator(IMPORTED_AT_ONCE):
            sums[entry_id, name].add_record(record_of(content, n_sharing), criteria)
    return sums


def ledger_sums_by_cell(campaign: Campaign, kind: Person.Kind) -> dict[tuple[int, int], AlikeSums]:
    """Each system in each scenario, by their ids: of the dialogues that testers of that kind had since testing began. One query."""
    policy, faults = turn_policy_of(campaign), fault_policy_of(campaign)
    left_in = _LEFT_IN if faults.leaves_out_broken else ""
    asked: list[Any] = [kind.value]
    if campaign.testing_from is not None:
        since = connection.ops.adapt_datetimefield_value(campaign.testing_from)
        left_in, asked = f"{left_in} AND dialogue.opened_at >= %s", [*asked, since]
    told = _told(policy, faults, is_finished="subtask.status = 'finished'", verdicts="")
    rows = _rows(f"WITH {BY_LEDGER.format(left_in=left_in)}, {told} {RECORDS}", campaign, *asked)
    return {
        (entry_id, scenario_id): AlikeSums(n, int(total), int(charged))
        for entry_id, scenario_id, *_weight, n, total, charged in rows
    }


def _rows(statement: str, campaign: Campaign, *asked: Any) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [campaign.pk, *asked])
        yield from cursor.fetchall()
