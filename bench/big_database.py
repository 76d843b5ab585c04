"""A campaign of any size, written in bulk: the same sizes and seed give the same dialogues, turns and scores.

The small tables come from a campaign file, the large ones from one `INSERT … SELECT` each, on SQLite and PostgreSQL.
"""

import random
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from django.db import connection, models, transaction
from django.utils import timezone

SLUG = "size"
N_SUBTASKS, SUBTASK_CAP = 2, 10
OPEN_SHARE = VOID_SHARE = 100
TRAIL_AT_ONCE = 2_000
FIRST_DAY = datetime(2026, 3, 1, 1, tzinfo=UTC)
SAID = "帮我订一张后天上午从成都到北京的商务舱机票，再订一间离会场近的酒店，住两晚，每晚不超过四百元，谢谢您了。" * 4

CAMPAIGN = """
[campaign]
slug = "{slug}"
name = "A large contest"
preset = "smp2018"
free_choice = true

[reviewing]
by = "self"

"""
BOT = '[[bots]]\nkey = "bot-{0}"\nteam = "Team {0}"\nurl = "http://127.0.0.1:9/"\n'
SCENARIO = '[[scenarios]]\nkey = "case-{0}"\nsubtasks = [{{kind = "flight", turn_cap = {1}}}, {{kind = "hotel", turn_cap = {1}}}]\n'
PERSON = '[[people]]\nusername = "{0}-{1}"\nroles = ["{0}"]\n'


@dataclass(frozen=True)
class Size:
    """How large: every hundredth dialogue is void and another open (since just now), those come on top."""

    dialogues: int = 100_000
    turns_per_dialogue: int = 20
    reviewers: int = 3
    bots: int = 20
    scenarios: int = 50
    seed: int = 16

    @property
    def all_dialogues(self) -> int:
        return self.dialogues + self.dialogues // OPEN_SHARE + self.dialogues // VOID_SHARE

    @property
    def testers(self) -> int:
        return -(-self.all_dialogues // (self.bots * self.scenarios))


def make(size: Size) -> Any:
    """The campaign, everything committed; the database must be migrated and empty of it."""
    from campaigns.actions import note_changed_scores
    from reviews.actions.tending import recount_by_policy

    campaign = load(size)
    # A server that finds no policy by which reviews were counted counts all of them.
    recount_by_policy(campaign=campaign, at=FIRST_DAY)
    with transaction.atomic():
        open_dialogues(campaign, size)
        write_turns(size)
        write_ledger(size)
        write_reviews(size)
        write_trail()
        note_changed_scores(campaign=campaign)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    campaign.refresh_from_db()
    return campaign


def load(size: Size) -> Any:
    from campaigns.actions import load_campaign
    from campaigns.campaign_file.reader import read_campaign_file
    from participants.adapters import PROTOCOLS

    parts = [CAMPAIGN.format(slug=SLUG)]
    parts += [BOT.format(n) for n in range(size.bots)]
    parts += [SCENARIO.format(n, SUBTASK_CAP) for n in range(size.scenarios)]
    parts += [PERSON.format("tester", n) for n in range(size.testers)]
    parts += [PERSON.format("reviewer", n) for n in range(size.reviewers)]
    parts.append(PERSON.format("organizer", 0))
    spec = read_campaign_file("campaign.toml", "\n".join(parts).encode(), PROTOCOLS)
    return load_campaign(spec=spec)[0]


def open_dialogues(campaign: Any, size: Size) -> None:
    """Assignments and their dialogues, in the order in which they were opened: fifty testers at a time."""
    from campaigns.models import Assignment
    from dialogues.models import Dialogue

    rng = random.Random(size.seed)
    testers = campaign.roles.filter(role="tester").order_by("pk").values_list("person_id", flat=True)
    entries, scenarios = list(campaign.entries.order_by("pk")), list(campaign.scenarios.order_by("pk"))
    places = [(tester, entry, scenario) for entry in entries for scenario in scenarios for tester in testers]
    assignments = Assignment.objects.bulk_create(
        (
            Assignment(
                campaign=campaign, tester_id=tester, entry=entry, scenario=scenario, position=place, is_drawn=False
            )
            for place, (tester, entry, scenario) in enumerate(places[: size.all_dialogues])
        ),
        batch_size=2_000,
    )
    Dialogue.objects.bulk_create(
        (dialogue_of(assignment, number, size, rng) for number, assignment in enumerate(assignments)), batch_size=2_000
    )


def dialogue_of(assignment: Any, number: int, size: Size, rng: random.Random) -> Any:
    from dialogues.models import Dialogue

    parts = (assignment.pk * 11 + index * 5 for index in range(1, N_SUBTASKS + 1))
    status = "completed" if all(part % 17 < 12 for part in parts) else "unfinished"
    if number >= size.dialogues:
        status = "void" if number % 2 else "open"
    # What is open was opened just now: a server would close what is silent.
    opened_at = timezone.now() if status == "open" else FIRST_DAY + timedelta(seconds=30 * number)
    return Dialogue(
        id=uuid.UUID(int=rng.getrandbits(128), version=4),
        assignment=assignment,
        tester_id=assignment.tester_id,
        status=status,
        turns_used=size.turns_per_dialogue,
        last_seq=2 * size.turns_per_dialogue + N_SUBTASKS + (status != "open"),
        opened_at=opened_at,
        reason="" if status == "open" else "done",
        closed_at=None if status == "open" else opened_at + timedelta(minutes=10),
        scored_at=None if status in {"open", "void"} else opened_at + timedelta(minutes=12),
    )


def write_turns(size: Size) -> None:
    """Subtasks and turns; one turn in fifty failed. Neighbours in the table are of dialogues held at the same time."""
    from dialogues.models import DialogueSubtask, Turn

    n_each = size.turns_per_dialogue // N_SUBTASKS
    failed = "(dialogue.assignment_id * 13 + numbers.number * 7) %% 50 = 0"
    begin = "CAST(1 + (dialogue.assignment_id * 7 + numbers.number * 13) %% 40 AS integer)"
    said = f"substr(CAST(%(said)s AS text), {begin}, CAST({{0}} + dialogue.assignment_id %% {{0}} AS integer))"
    reply = as_json(f"'[\"' || {said.format(24)} || '\"]'")
    nothing = as_json("'[]'")
    insert(
        Turn,
        f"{numbers(size.turns_per_dialogue)} SELECT {{values}} FROM dialogues_dialogue dialogue "
        "CROSS JOIN numbers ORDER BY dialogue.assignment_id / 50, numbers.number, dialogue.assignment_id",
        {
            "dialogue_id": "dialogue.id",
            "number": "numbers.number",
            "subtask": f"1 + (numbers.number - 1) / {n_each}",
            "spent": f"1 + (numbers.number - 1) %% {n_each}",
            "turn_cap": str(SUBTASK_CAP),
            "key": "'key-' || numbers.number",
            "text": said.format(8),
            "status": f"CASE WHEN {failed} THEN 'failed' ELSE 'answered' END",
            "texts": f"CASE WHEN {failed} THEN {nothing} ELSE {reply} END",
            "latency_ms": f"CASE WHEN {failed} THEN NULL ELSE 300 + numbers.number END",
            "seq": "2 * numbers.number - 1",
            "outcome_seq": "2 * numbers.number",
            "asked_at": "dialogue.opened_at",
            "settled_at": "dialogue.opened_at",
            "owner": "'bench'",
        },
        {"said": SAID},
    )
    insert(
        DialogueSubtask,
        "SELECT {values} FROM dialogues_turn turn JOIN dialogues_dialogue dialogue ON dialogue.id = turn.dialogue_id "
        "GROUP BY turn.dialogue_id, dialogue.assignment_id, turn.subtask ORDER BY dialogue.assignment_id, turn.subtask",
        {
            "dialogue_id": "turn.dialogue_id",
            "index": "turn.subtask",
            "kind": "CASE WHEN turn.subtask = 1 THEN 'flight' ELSE 'hotel' END",
            "turn_cap": str(SUBTASK_CAP),
            "turns_used": "COUNT(*)",
            "answered_turns": "COUNT(CASE WHEN turn.status = 'answered' THEN 1 END)",
            "status": "CASE WHEN (dialogue.assignment_id * 11 + turn.subtask * 5) %% 17 < 12 THEN 'finished' ELSE 'given_up' END",
        },
    )


def write_ledger(size: Size) -> None:
    """What the turns' own rows do not tell: failures, with the requests that failed, and how parts and dialogues closed."""
    from dialogues.models import Attempt, LedgerEvent

    last = 2 * size.turns_per_dialogue
    failed = "SELECT {values} FROM dialogues_turn turn WHERE turn.status = 'failed' ORDER BY turn.id"
    outcome = {"kind": "'http_5xx'", "fault": "'bot'"}
    insert(
        Attempt,
        failed,
        {"turn_id": "turn.id", "number": "1", "outcome": "'failure'", "ended_at": "turn.asked_at", **outcome},
    )
    insert(
        LedgerEvent,
        failed,
        {
            "dialogue_id": "turn.dialogue_id",
            "seq": "turn.outcome_seq",
            "kind": "'turn.failed'",
            "fault": "'bot'",
            "at": "turn.asked_at",
            "frame": frame(
                "turn.failed",
                "turn.outcome_seq",
                "'\"turn\":' || turn.number || "
                '\',"kind":"http_5xx","fault":"bot","retryable":false,"retries_left":0,"message":""\'',
            ),
        },
    )
    insert(
        LedgerEvent,
        "SELECT {values} FROM dialogues_dialoguesubtask subtask JOIN dialogues_dialogue dialogue "
        "ON dialogue.id = subtask.dialogue_id ORDER BY subtask.id",
        {
            "dialogue_id": "dialogue.id",
            "seq": f"{last} + subtask.index",
            "kind": "'subtask.closed'",
            "at": "dialogue.opened_at",
            "frame": frame(
                "subtask.closed",
                f"({last} + subtask.index)",
                "'\"subtask\":' || subtask.index || ',\"status\":\"' || subtask.status || '\"'",
            ),
        },
    )
    insert(
        LedgerEvent,
        "SELECT {values} FROM dialogues_dialogue dialogue WHERE dialogue.status <> 'open' ORDER BY dialogue.assignment_id",
        {
            "dialogue_id": "dialogue.id",
            "seq": str(last + N_SUBTASKS + 1),
            "kind": "'dialogue.closed'",
            "at": "dialogue.closed_at",
            "frame": frame(
                "dialogue.closed",
                f"{last + N_SUBTASKS + 1}",
                '\'"status":"\' || dialogue.status || \'","reason":"\' || dialogue.reason || \'"\'',
            ),
        },
    )


def frame(kind: str, seq: str, rest: str) -> str:
    """SQL of the JSON of a line of the ledger."""
    return f"'{{\"type\":\"{kind}\",\"seq\":' || {seq} || ',' || {rest} || '}}'"


def write_reviews(size: Size) -> None:
    """Every reviewer's scores of every dialogue that is closed and not void."""
    from accounts.models import Person
    from reviews.models import Rating, Review, SubtaskVerdict

    insert(
        Review,
        f"SELECT {{values}} FROM dialogues_dialogue dialogue JOIN {Person._meta.db_table} person "
        "ON person.username LIKE 'reviewer-%%' WHERE dialogue.status IN ('completed', 'unfinished') "
        "ORDER BY dialogue.assignment_id, person.id",
        {
            "dialogue_id": "dialogue.id",
            "reviewer_id": "person.id",
            "is_submitted": "1 = 1",
            "is_counted": "1 = 1",
            "version": "1",
            "submitted_at": "dialogue.scored_at",
        },
    )
    insert(
        Rating,
        "SELECT {values} FROM reviews_review review CROSS JOIN (SELECT criterion.id, MIN(point.score) AS lowest, "
        "MAX(point.score) AS highest FROM rubrics_criterion criterion JOIN rubrics_scalepoint point "
        "ON point.criterion_id = criterion.id GROUP BY criterion.id) scale ORDER BY review.id, scale.id",
        {
            "review_id": "review.id",
            "criterion_id": "scale.id",
            "score": "scale.lowest + (review.id * 7919 + scale.id * 31) %% (scale.highest - scale.lowest + 1)",
            "lowest": "scale.lowest",
            "highest": "scale.highest",
        },
    )
    insert(
        SubtaskVerdict,
        "SELECT {values} FROM reviews_review review JOIN dialogues_dialoguesubtask subtask "
        "ON subtask.dialogue_id = review.dialogue_id ORDER BY review.id, subtask.id",
        {
            "review_id": "review.id",
            "subtask": "subtask.index",
            "is_finished": "subtask.status = 'finished' AND review.id %% 29 > 0",
        },
    )


def write_trail() -> None:
    """One line of the trail per review, as handing in would have written it."""
    from reviews.actions.contents import line_of
    from reviews.models import Rating, Review, ReviewChange, SubtaskVerdict
    from reviews.trail import digest_of, new_salt

    ratings = Rating.objects.order_by("review_id", "criterion__position").values_list(
        "review_id", "criterion__key", "score"
    )
    verdicts = SubtaskVerdict.objects.order_by("review_id", "subtask").values_list(
        "review_id", "subtask", "is_finished"
    )
    given, held = (groupby(rows.iterator(TRAIL_AT_ONCE), itemgetter(0)) for rows in (ratings, verdicts))

    def changes() -> Iterator[Any]:
        reviews = Review.objects.order_by("pk").only("reviewer_id", "submitted_at").iterator(TRAIL_AT_ONCE)
        for review, (_, scores), (_, ends) in zip(reviews, given, held, strict=True):
            after = {
                "ratings": {key: score for _, key, score in scores},
                "evidence": {},
                "verdicts": {str(subtask): bool(is_finished) for _, subtask, is_finished in ends},
                "comment": "",
            }
            change = ReviewChange(
                review_id=review.pk,
                version=1,
                changed_by_id=review.reviewer_id,
                at=review.submitted_at,
                after=after,
                salt=new_salt(),
            )
            change.digest = digest_of(line_of(change), "")
            yield change

    made = changes()
    while some := list(islice(made, TRAIL_AT_ONCE)):
        ReviewChange.objects.bulk_create(some)


def insert(
    model: type[models.Model], source: str, values: Mapping[str, str], parameters: Mapping[str, Any] | None = None
) -> None:
    """Inserts what `source` selects; `values` maps columns to SQL, columns not named get the model's default."""
    quote = connection.ops.quote_name
    fields = [field for field in model._meta.concrete_fields if field is not model._meta.auto_field]
    given = dict(parameters or {})
    selected = []
    for field in fields:
        if field.column in values:
            selected.append(values[field.column])
        else:
            given[field.column] = field.get_db_prep_save(field.get_default(), connection)
            selected.append(f"CAST(%({field.column})s AS {field.db_type(connection)})")
    columns = ", ".join(quote(field.column) for field in fields)
    sql = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) {source.replace('{values}', ', '.join(selected))}"
    with connection.cursor() as cursor:
        cursor.execute(sql.replace("subtask.index", f"subtask.{quote('index')}"), given)


def numbers(n: int) -> str:
    """A common table `numbers` of 1 … n."""
    return f"WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < {n})"


def as_json(text: str) -> str:
    return f"CAST({text} AS jsonb)" if connection.vendor == "postgresql" else text
