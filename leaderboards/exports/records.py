"""What the figures are means of, as lines of a record file: `import_records` makes the same board of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any
from uuid import UUID

from django.db.models import Count

from campaigns.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Campaign
from campaigns.team_names import english_names
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue
from dialogues.turn_policy import turn_policy_of
from leaderboards.column_kinds import FLAG, IRREGULAR, NUMBER, TEXT, WHOLE, Columns, ListOf, Table
from leaderboards.exports.parts import PLACE, Row, Rows, parts, places_of
from leaderboards.exports.scores import PERSON, verdicts_of
from leaderboards.exports.stored_columns import Stored, rows_of
from leaderboards.live_sums import alone_as
from leaderboards.models import ImportedRecord
from leaderboards.records import Charging, in_turns, weights_of
from measures.record_lines import record_of

IMPORTED_AT_ONCE = 1_000
RENAMED_AT_ONCE = 500

SUBTASK = Table({"kind": TEXT, "completed": FLAG, "turns": WHOLE, "cap": WHOLE})
RECORD: Columns = {
    "team": TEXT, "bot": TEXT, "scenario": TEXT, "reviewer": TEXT, "dialogue": TEXT, "subtasks": ListOf(SUBTASK),
    "ratings": IRREGULAR, "dialogue_cap": WHOLE, "others": IRREGULAR, "weight": NUMBER, "team_en": TEXT,
}  # fmt: skip
KNOWN = [name for name in RECORD if name not in ("others", "weight", "team_en")]
BOT, SCENARIO = (list(PLACE).index(name) for name in ("bot", "scenario"))

COUNTED = Stored(
    f"reviews_review review JOIN {PERSON} person ON person.id = review.reviewer_id "
    "JOIN dialogues_dialogue dialogue ON dialogue.id = review.dialogue_id "
    "JOIN campaigns_assignment assignment ON assignment.id = dialogue.assignment_id "
    "JOIN campaigns_entry entry ON entry.id = assignment.entry_id "
    "JOIN participants_bot bot ON bot.id = entry.bot_id JOIN participants_team team ON team.id = bot.team_id",
    dialogue="review.dialogue_id",
    only="review.is_counted",
    in_order_of="review.id",
    columns={
        "review.id": "plain", "team.name": "plain", "bot.name": "plain", "person.username": "plain",
        "dialogue.turn_cap": "plain", "review.part": "plain",
    },
)  # fmt: skip
SUBTASKS = Stored(
    "dialogues_dialoguesubtask subtask",
    dialogue="subtask.dialogue_id",
    in_order_of='subtask."index"',
    columns={
        'subtask."index"': "plain", "subtask.kind": "plain", "subtask.answered_turns": "plain", "subtask.turn_cap": "plain",
    },
)  # fmt: skip
# Labels have no mean.
SCORES = Stored(
    "reviews_rating rating JOIN reviews_review review ON review.id = rating.review_id "
    "JOIN rubrics_criterion criterion ON criterion.id = rating.criterion_id",
    dialogue="review.dialogue_id",
    only="review.is_counted AND criterion.kind = 'scale'",
    in_order_of="rating.review_id, criterion.position, rating.place",
    columns={"rating.review_id": "plain", "criterion.key": "plain", "rating.place": "plain", "rating.score": "plain"},
)


def records(campaign: Campaign) -> Rows:
    """`others` holds what else stands in an imported line; JSON Lines have it beside the rest, as it came."""
    for content, weight in _weighed_objects(campaign):
        others = {key: value for key, value in content.items() if key not in RECORD}
        yield (*(content.get(name) for name in KNOWN), others, weight, content.get("team_en", ""))


def record_objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """One line per review that counts, then the imported lines as they came."""
    return (line for line, _ in _weighed_objects(campaign))


def _weighed_objects(campaign: Campaign) -> Iterator[tuple[dict[str, Any], float]]:
    """The same lines with their weights, which imported lines may leave out."""
    english = english_names(campaign)
    for line in _each_its_scenario(line for _, line in live_lines(campaign)):
        named = {"team_en": english[line["team"]]} if line["team"] in english else {}
        yield line | named, line["weight"]
    of_dialogue = "entry__key", "scenario", "dialogue"
    stored = ImportedRecord.objects.filter(campaign=campaign).order_by().values_list(*of_dialogue)
    n_sharing = {tuple(of): n for *of, n in stored.annotate(n=Count("pk"))}
    for entry, line in imported_lines(campaign):
        record = record_of(line, n_sharing[entry, line["scenario"], line.get("dialogue", "")])
        yield line, float(record.weight)


def _each_its_scenario(lines: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Dialogues that name no scenario are one each, as the board has them; under one name, who imports them would draw them as one."""
    while some := list(islice(lines, RENAMED_AT_ONCE)):
        alone = [line["dialogue"] for line in some if line["scenario"] == IMPORTED_SCENARIO]
        told = Dialogue.objects.filter(pk__in=alone).values_list("pk", "assignment_id") if alone else ()
        names = {str(dialogue): alone_as(assignment) for dialogue, assignment in told}
        yield from (line | {"scenario": names.get(line["dialogue"], line["scenario"])} for line in some)


def live_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    """The key of the entry, and the line of each review that counts, in the order of the exported reviews.

    They say what `told_by_reviews` in `leaderboards/records.py` says, of which they are a faster form.
    """
    policy, faults = turn_policy_of(campaign), fault_policy_of(campaign)
    for part in parts(campaign):
        places = places_of(part.reviewable().under(faults))
        dialogues = list(places)
        # Read first, and once: what is handed in from here on is in none of the reads below.
        reviews = rows_of(COUNTED, dialogues)
        subtasks, verdicts, ratings = rows_of(SUBTASKS, dialogues), verdicts_of(dialogues), _ratings_of(dialogues)
        shares = weights_of(
            (review, dialogue, part)
            for dialogue, own in zip(dialogues, reviews, strict=True)
            for review, *_, part in own
        )
        charging = Charging(dialogues, policy, faults)
        for (dialogue, place), of_dialogue, own in zip(places.items(), reviews, subtasks, strict=True):
            told = [
                (index, kind, charging.turns(dialogue, index, answered), charging.cap(index, cap))
                for index, kind, answered, cap in own
            ]
            for review, team, bot, reviewer, stored_cap, _part in of_dialogue:
                names = {"team": team, "bot": bot, "scenario": place[SCENARIO], "reviewer": reviewer}
                cap = in_turns(policy, stored_cap)
                outcomes = _outcomes(told, verdicts.get(review, {}), cap)
                line = names | {"dialogue": place[0], "subtasks": outcomes, "ratings": ratings.get(review, {})}
                capped = {} if cap is None else {"dialogue_cap": cap}
                yield place[BOT], line | capped | {"weight": float(shares[review])}


def _outcomes(subtasks: Sequence[Row], verdicts: Mapping[int, bool], dialogue_cap: int | None) -> list[dict[str, Any]]:
    """A subtask is as finished as the reviewer's verdict says."""
    return [
        {"kind": kind, "completed": verdicts.get(index, False), "turns": turns, "cap": dialogue_cap or cap}
        for index, kind, turns, cap in subtasks
    ]


def _ratings_of(dialogues: Sequence[UUID]) -> dict[int, dict[str, Any]]:
    """By review one score per criterion, or its scores by place: a mean of them would be on no scale."""
    ratings: dict[int, dict[str, Any]] = defaultdict(dict)
    for review, criterion, place, score in chain.from_iterable(rows_of(SCORES, dialogues)):
        if place:
            ratings[review].setdefault(criterion, {})[place] = score
        else:
            ratings[review][criterion] = score
    return ratings


def imported_lines(campaign: Campaign) -> Iterator[tuple[str, dict[str, Any]]]:
    """The key of the entry, and each imported line as it came."""
    last = 0
    wanted = ImportedRecord.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "entry__key", "content")
    while some := list(wanted.filter(pk__gt=last)[:IMPORTED_AT_ONCE]):
        for last, entry, content in some:  # noqa: B007
            yield entry, content
