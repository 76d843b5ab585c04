"""What the figures of a live campaign are means of, added up by the database.

`records.py` says the same record by record; it is the specification, and a test holds both against each other.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db import connection

from campaigns.models import Campaign
from leaderboards.models import ImportedRecord
from leaderboards.record_files import record_of
from measures.live import LiveSums
from rubrics.models import Criterion
from testing_console.turn_policy import TurnPolicy, turn_policy_of

IMPORTED_AT_ONCE = 1_000

# One row per bot with the sums over its records, and one per bot and criterion with the sums over its scores. `told` has
# one row per review that counts, of a dialogue that is closed and not void: of how many subtasks, how many of them the
# reviewer holds for finished, the answered turns of all, and what is charged where each subtask has its own cap. It is
# materialized, since both halves read it, and 300,000 reviews take a second.
SUMS = """
WITH told AS MATERIALIZED (
    SELECT
        review.id AS review_id,
        MIN(assignment.entry_id) AS entry_id,
        MIN({dialogue_cap}) AS dialogue_cap,
        COUNT(subtask.id) AS n_subtasks,
        COUNT(CASE WHEN verdict.is_finished THEN 1 END) AS n_finished,
        COALESCE(SUM({turns}), 0) AS turns,
        COALESCE(
            SUM(CASE WHEN verdict.is_finished THEN {turns} ELSE COALESCE({subtask_cap}, 0) END), 0
        ) AS charged_by_subtask
    FROM reviews_review review
    JOIN testing_console_dialogue dialogue ON dialogue.id = review.dialogue_id
    JOIN campaigns_assignment assignment ON assignment.id = dialogue.assignment_id
    LEFT JOIN testing_console_dialoguesubtask subtask ON subtask.dialogue_id = dialogue.id
    LEFT JOIN reviews_subtaskverdict verdict ON verdict.review_id = review.id AND verdict.subtask = subtask."index"
    {opened}
    WHERE review.is_counted AND assignment.campaign_id = %s AND dialogue.status IN ('completed', 'unfinished')
    GROUP BY review.id
)
SELECT
    entry_id,
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
GROUP BY entry_id
UNION ALL
SELECT told.entry_id, rating.criterion_id, COUNT(*), SUM(rating.score), 0
FROM told
JOIN reviews_rating rating ON rating.review_id = told.review_id AND rating.place = ''
GROUP BY told.entry_id, rating.criterion_id
"""

# Where criteria are scored per subtask or turn, each record has a mean of its own. Records that have it of equally many
# places are added up as whole numbers, so that no order of rows changes a figure in its last digit.
SUMS_OVER_PLACES = """
SELECT entry_id, criterion_id, n_places, COUNT(*), SUM(total)
FROM (
    SELECT assignment.entry_id, rating.criterion_id, COUNT(*) AS n_places, SUM(rating.score) AS total
    FROM reviews_review review
    JOIN testing_console_dialogue dialogue ON dialogue.id = review.dialogue_id
    JOIN campaigns_assignment assignment ON assignment.id = dialogue.assignment_id
    JOIN reviews_rating rating ON rating.review_id = review.id AND rating.place <> ''
    WHERE review.is_counted AND assignment.campaign_id = %s AND dialogue.status IN ('completed', 'unfinished')
    GROUP BY review.id, assignment.entry_id, rating.criterion_id
) AS scored
GROUP BY entry_id, criterion_id, n_places
ORDER BY entry_id, criterion_id, n_places
"""


_OPENED = """LEFT JOIN testing_console_turn opened
        ON opened.dialogue_id = dialogue.id AND opened.number = 0 AND opened.status = 'answered'"""


def sums_statement(policy: TurnPolicy) -> str:
    """`SUMS` in the turns that the campaign counts; the same as in `records.py`, whose words are those of `TurnPolicy`."""
    n, opening = policy.per_exchange, policy.opening
    answered = ' + CASE WHEN subtask."index" = 1 AND opened.id IS NOT NULL THEN 1 ELSE 0 END' if opening else ""
    reserved = ' + CASE WHEN subtask."index" = 1 THEN 1 ELSE 0 END' if opening else ""
    return SUMS.format(
        turns=f"{n} * subtask.answered_turns{answered}",
        subtask_cap=f"{n} * subtask.turn_cap{reserved}",
        dialogue_cap=f"{n} * dialogue.turn_cap + {opening}",
        opened=_OPENED if opening else "",
    )


def sums_by_entry(campaign: Campaign, criteria: Collection[str]) -> Mapping[int, LiveSums]:
    """The sums of every bot that has a record, by the id of its entry: three queries at most and one pass over imported records."""
    sums: dict[int, LiveSums] = defaultdict(LiveSums)
    scales = list(Criterion.objects.filter(key__in=criteria, kind=Criterion.Kind.SCALE))
    keys = {criterion.pk: criterion.key for criterion in scales}
    with connection.cursor() as cursor:
        cursor.execute(sums_statement(turn_policy_of(campaign)), [campaign.pk])
        # PostgreSQL gives sums of whole numbers as decimals.
        for entry_id, criterion_id, n, total, charged in cursor.fetchall():
            if criterion_id is None:
                sums[entry_id].n_records = n
                sums[entry_id].n_complete, sums[entry_id].charged_turns = int(total), int(charged)
            elif criterion_id in keys:
                sums[entry_id].add_scores(keys[criterion_id], n, int(total))
        if any(criterion.scope != Criterion.Scope.DIALOGUE for criterion in scales):
            cursor.execute(SUMS_OVER_PLACES, [campaign.pk])
            for entry_id, criterion_id, n_places, n, total in cursor.fetchall():
                if criterion_id in keys:
                    sums[entry_id].add_scores(keys[criterion_id], n, int(total) / n_places)
    imported = ImportedRecord.objects.filter(campaign=campaign).order_by("pk").values_list("entry_id", "content")
    for entry_id, content in imported.iterator(IMPORTED_AT_ONCE):
        sums[entry_id].add_record(record_of(content), criteria)
    return sums
