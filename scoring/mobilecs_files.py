"""MobileCS dialogues as the SereTOD organizers publish them, read for both tracks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from measures.automatic.mobilecs import (
    AnnotatedTurn,
    Document,
    KnowledgeBase,
    Mention,
    Triple,
    local_kb,
    usable_turns,
    user_goal,
)
from measures.automatic.task_oriented import GoldDialogue, GoldTurn
from reading.checking import Problems, read_json, tables
from reading.findings import under
from reading.kinds import ANY_TEXT, ANYTHING, LIST, OBJECT, TEXT, Whole, is_whole, kind_of, shown

USER_INTENT, SERVICE_INTENT = "用户意图", "客服意图"
UNKNOWN_WORD = "[UNK]"
ITEMS_PER_DIALOGUE = 2000
# The places of each value, by the value, by its length.
_PlacesByLength = dict[int, dict[str, list[int]]]


@dataclass(frozen=True, slots=True)
class AnnotatedDialogue:
    """One dialogue as annotated: its mentions and triples, and its turns in the order of the file."""

    document: Document
    turns: tuple[AnnotatedTurn, ...]


def dialogues_of(content: bytes, problems: Problems) -> list[tuple[str, str, dict[str, Any]]]:
    """Place, id and object of each dialogue of a list."""
    seen: dict[str, str] = {}
    found = []
    for place, row in tables(problems.read(read_json(content), "file", LIST) or [], "", problems):
        name = problems.identity(row, place, seen)
        if name is not None:
            found.append((place, name, row))
    if not found and not problems:
        problems.note("file", gettext_noop("holds no dialogue"))
    return found


# -- annotated dialogues -----------------------------------------------------------------------------------------


def annotated_dialogue(row: dict[str, Any], place: str, problems: Problems) -> AnnotatedDialogue:
    """`{"content": [{"[SPEAKER 1]", "[SPEAKER 2]", "客服意图", "用户意图", "info": {"ents", "triples"}}]}`."""
    rows = problems.field(row, "content", place, LIST)
    turns = [
        _annotated_turn(turn, turn_place, number, problems)
        for number, (turn_place, turn) in enumerate(tables(rows or [], under(place, "content"), problems))
    ]
    if rows is not None and not rows:
        problems.note(under(place, "content"), gettext_noop("holds no turn"))
    return AnnotatedDialogue(
        Document(
            tuple(mention for turn in turns for mention in (*turn.user_mentions, *turn.service_mentions)),
            tuple(triple for turn in turns for triple in (*turn.user_triples, *turn.service_triples)),
        ),
        tuple(turns),
    )


def _annotated_turn(turn: dict[str, Any], place: str, number: int, problems: Problems) -> AnnotatedTurn:
    speakers = [key for key in turn if key.startswith("[SPEAKER")]
    intents = [key for key in turn if key in {USER_INTENT, SERVICE_INTENT}]
    if len(speakers) != 2:
        problems.note(place, gettext_noop("must hold the texts [SPEAKER 1] and [SPEAKER 2]"))
        return AnnotatedTurn("", "", "", "", service_first=False)
    service_first = bool(intents) and intents[0] == SERVICE_INTENT
    service, user = speakers if service_first else reversed(speakers)
    info = turn.get("info") or {}
    found = _Annotations(place, number, problems)
    found.read(problems.read(info, under(place, "info"), OBJECT) or {}, service_number=service[-2])
    return AnnotatedTurn(
        user=_said(turn, user, place, problems),
        service=_said(turn, service, place, problems),
        user_intent=_intent(turn, USER_INTENT, place, problems),
        service_intent=_intent(turn, SERVICE_INTENT, place, problems),
        service_first=service_first,
        user_mentions=tuple(found.user_mentions),
        service_mentions=tuple(found.service_mentions),
        user_triples=tuple(found.user_triples),
        service_triples=tuple(found.service_triples),
    )


def _said(turn: dict[str, Any], speaker: str, place: str, problems: Problems) -> str:
    return (problems.field(turn, speaker, place, ANY_TEXT) or "").replace(UNKNOWN_WORD, "")


def _intent(turn: dict[str, Any], name: str, place: str, problems: Problems) -> str:
    """Empty where it is not annotated; such a dialogue is left out by Track 2."""
    if turn.get(name) is None:
        return ""
    return problems.field(turn, name, place, ANY_TEXT) or ""


class _Annotations:
    """Mentions and triples of one turn, by the side on which they lie."""

    def __init__(self, place: str, number: int, problems: Problems) -> None:
        self.place, self.number, self.problems = under(place, "info"), number, problems
        self.user_mentions: list[Mention] = []
        self.service_mentions: list[Mention] = []
        self.user_triples: list[Triple] = []
        self.service_triples: list[Triple] = []

    def read(self, info: dict[str, Any], *, service_number: str) -> None:
        for place, row in self.tables(info, "ents"):
            entity = self.problems.field(row, "id", place, TEXT)
            # Annotators leave some texts empty, and the organizers count them.
            name = self.problems.field(row, "name", place, ANY_TEXT)
            type_ = self.problems.field(row, "type", place, ANY_TEXT)
            positions = self.problems.field(row, "pos", place, LIST) or []
            for index, value in enumerate(positions):
                position = self.position(value, f"{place}.pos[{index}]")
                if entity and name is not None and type_ is not None and position:
                    side = self.service_mentions if str(position[0]) == service_number else self.user_mentions
                    side.append(Mention(entity, name, type_, self.number, position[1], position[2]))
        for place, row in self.tables(info, "triples"):
            entity = self.problems.field(row, "ent-id", place, TEXT)
            name = self.problems.field(row, "prop", place, TEXT)
            value = self.problems.field(row, "value", place, ANY_TEXT)
            position = self.position(row.get("pos"), f"{place}.pos")
            if entity and name and value is not None and position:
                side_of_triple = self.service_triples if str(position[0]) == service_number else self.user_triples
                side_of_triple.append(Triple(entity, name, value, self.number))

    def tables(self, info: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        place = under(self.place, name)
        return tables(self.problems.read(info.get(name, []), place, LIST) or [], place, self.problems)

    def position(self, value: Any, place: str) -> tuple[int, int, int] | None:
        """`[speaker, start, end]`."""
        if isinstance(value, list) and len(value) == 3 and all(is_whole(part) and part >= 0 for part in value):
            return (value[0], value[1], value[2])
        self.problems.note(
            place, gettext_noop("must be [speaker, start, end] in whole numbers, not %(value)s"), value=shown(value)
        )
        return None


# -- dialogues as Track 2 uses them ------------------------------------------------------------------------------


def goal_dialogue(row: dict[str, Any], place: str, problems: Problems) -> GoldDialogue | None:
    """A dialogue with local KB and goal: annotated ones are derived, prepared ones are read as they stand.

    None for annotated dialogues that Track 2 leaves out. Prepared ones hold `KB`, turns with 用户, 客服, 用户意图 and
    客服意图 under `turns` or `content`, and `goal`, which is worked out from texts and intents where it is missing.
    """
    if "KB" in row:
        return _prepared_dialogue(row, place, problems)
    n_before = len(problems)
    turns = usable_turns(annotated_dialogue(row, place, problems).turns)
    if turns is None or len(problems) > n_before:
        return None
    return GoldDialogue(
        tuple(GoldTurn(turn.user, turn.user_intent, turn.service_intent, turn.service) for turn in turns),
        local_kb(turns),
        user_goal(turns),
    )


def _prepared_dialogue(row: dict[str, Any], place: str, problems: Problems) -> GoldDialogue:
    kb = _knowledge(row, "KB", place, problems)
    turns = [
        GoldTurn(
            *(
                problems.field(turn, name, turn_place, ANY_TEXT) or ""
                for name in ("用户", USER_INTENT, SERVICE_INTENT, "客服")
            )
        )
        for turn_place, turn in turns_of(row, place, problems)
    ]
    goal = _knowledge(row, "goal", place, problems) if "goal" in row else _said_and_asked(turns, kb)
    return GoldDialogue(tuple(turns), kb, goal)


def turns_of(row: dict[str, Any], place: str, problems: Problems) -> list[tuple[str, dict[str, Any]]]:
    """Turns of a prepared dialogue, under `turns` or `content`."""
    name = "turns" if "turns" in row and "content" not in row else "content"
    return list(tables(problems.field(row, name, place, LIST) or [], under(place, name), problems))


def _knowledge(row: dict[str, Any], name: str, place: str, problems: Problems) -> KnowledgeBase:
    """Properties by entity. Several values stand in a list or, as the organizers write them, with commas between."""
    known: KnowledgeBase = {}
    for entity, properties in (problems.field(row, name, place, OBJECT) or {}).items():
        entity_place = under(under(place, name), entity)
        table = problems.read(properties, entity_place, OBJECT) or {}
        known[entity] = {key: _values(value, under(entity_place, key), problems) for key, value in table.items()}
    return known


def _values(value: Any, place: str, problems: Problems) -> list[str]:
    if isinstance(value, str):
        return value.split(",")
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return list(value)
    problems.note(place, gettext_noop("must be a text or a list of texts, not %(kind)s"), kind=kind_of(value))
    return []


def _said_and_asked(turns: list[GoldTurn], kb: KnowledgeBase) -> KnowledgeBase:
    """The goal of a prepared dialogue that came without one: values of the KB that the user said, and what they ask."""
    known = [
        Triple(entity, name, value, 0)
        for entity, properties in kb.items()
        for name, values in properties.items()
        if name not in {"name", "type"}
        for value in values
    ]
    places: _PlacesByLength = {}
    for place, triple in enumerate(known):
        places.setdefault(len(triple.value), {}).setdefault(triple.value, []).append(place)
    return user_goal(
        AnnotatedTurn(
            user=turn.user,
            service=turn.reply,
            user_intent=turn.user_intent,
            service_intent=turn.service_intent,
            service_first=False,
            user_triples=tuple(known[place] for place in _places_said(turn.user, places)),
        )
        for turn in turns
    )


def _places_said(text: str, places: _PlacesByLength) -> list[int]:
    """The places of the values that occur in the text, in order.

    Of each length either the values are sought in the text or its pieces among the values, whichever are fewer: many
    short turns with many values and long texts with values of every length both take time with their size.
    """
    return sorted(
        place
        for length, found in places.items()
        for value in _values_said(text, length, found)
        for place in found[value]
    )


def _values_said(text: str, length: int, values: Collection[str]) -> Iterable[str]:
    n_pieces = len(text) - length + 1
    if n_pieces < len(values):
        return {piece for start in range(n_pieces) if (piece := text[start : start + length]) in values}
    return [value for value in values if value in text]


# -- result files of Track 1 -------------------------------------------------------------------------------------


def extracted_document(row: dict[str, Any], place: str, n_turns: int, problems: Problems) -> Document:
    """`{"entities": [{"id", "name", "type", "position", "turn_id"}], "triples": [{"ent-id", "prop", "value", …}]}`."""
    mentions = []
    for item_place, item in _limited(row, "entities", place, problems):
        name = problems.field(item, "name", item_place, TEXT)
        entity, type_ = problems.field(item, "id", item_place, TEXT), problems.field(item, "type", item_place, TEXT)
        turn = problems.field(item, "turn_id", item_place, Whole(0, n_turns - 1))
        span = _span(problems.field(item, "position", item_place, ANYTHING), under(item_place, "position"), problems)
        if entity and name and type_ and turn is not None and span:
            mentions.append(Mention(entity, name, type_, turn, *span))
    triples = []
    for item_place, item in _limited(row, "triples", place, problems):
        entity = problems.field(item, "ent-id", item_place, TEXT)
        name, value = problems.field(item, "prop", item_place, TEXT), problems.field(item, "value", item_place, TEXT)
        turn = problems.field(item, "turn_id", item_place, Whole(0, n_turns - 1))
        if "ent-name" in item:
            problems.field(item, "ent-name", item_place, ANY_TEXT)
        if entity and name and value and turn is not None:
            triples.append(Triple(entity, name, value, turn))
    return Document(tuple(mentions), tuple(triples))


def _limited(row: dict[str, Any], name: str, place: str, problems: Problems) -> list[tuple[str, dict[str, Any]]]:
    rows = problems.field(row, name, place, LIST) or []
    if len(rows) > ITEMS_PER_DIALOGUE:
        problems.note(
            under(place, name),
            gettext_noop("holds %(n)s items; %(limit)s are the most"),
            n=len(rows),
            limit=ITEMS_PER_DIALOGUE,
        )
        return []
    return list(tables(rows, under(place, name), problems))


def _span(value: Any, place: str, problems: Problems) -> tuple[int, int] | None:
    """`[start, end]`; a speaker before them is passed over."""
    if value is None:
        return None
    is_list = isinstance(value, list) and len(value) in {2, 3} and all(is_whole(part) and part >= 0 for part in value)
    if is_list and value[-2] <= value[-1]:
        return (value[-2], value[-1])
    problems.note(
        place, gettext_noop("must be [start, end] in whole numbers with start ≤ end, not %(value)s"), value=shown(value)
    )
    return None
