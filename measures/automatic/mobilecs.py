"""Annotated customer-service dialogues (MobileCS): what they hold, their local knowledge base and the user's goal.

Source: SereTOD challenge description, §3.2.1 and Listing 1, and the organizers' published rules for what they leave
open. Values are texts as they were said; sets of them are lists without duplicates, in the order of first mention.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

USER = "NA"
ENTITY_TYPES = (
    "业务", "数据业务", "流量包", "套餐", "附加套餐", "主套餐", "4G套餐", "长途业务", "国际漫游业务", "5G套餐",
)  # fmt: skip
ASKING_ACTS = ("求助-查询", "询问", "主动确认")
REQUESTED = "?"

# What is known of each entity, by entity id: names, one type, and all values of each property.
KnowledgeBase = dict[str, dict[str, list[str]]]


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity named in a turn: `text[start:end]`, turns from 0."""

    entity: str
    name: str
    type: str
    turn: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Triple:
    """A property of an entity (`NA`: of the user) with the value said in a turn."""

    entity: str
    property: str
    value: str
    turn: int


@dataclass(frozen=True, slots=True)
class Document:
    """What was found in one dialogue."""

    mentions: tuple[Mention, ...] = ()
    triples: tuple[Triple, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnotatedTurn:
    """One turn as annotated: texts and intents of both sides, and who spoke first; mentions and triples by side."""

    user: str
    service: str
    user_intent: str
    service_intent: str
    service_first: bool
    user_mentions: tuple[Mention, ...] = ()
    service_mentions: tuple[Mention, ...] = ()
    user_triples: tuple[Triple, ...] = ()
    service_triples: tuple[Triple, ...] = ()


def usable_turns(turns: Sequence[AnnotatedTurn]) -> tuple[AnnotatedTurn, ...] | None:
    """The turns as Track 2 uses them, the user speaking first and every question with its arguments.

    None where the dialogue is left out: its speakers change their order, or an intent is missing.
    """
    if not turns or len({turn.service_first for turn in turns}) > 1:
        return None
    if any(not turn.user_intent or not turn.service_intent for turn in turns):
        return None
    return tuple(_with_written_intent(turn) for turn in paired_from_user(turns))


def paired_from_user(turns: Sequence[AnnotatedTurn]) -> list[AnnotatedTurn]:
    """Turns in which the user speaks first: where the service did, its text of turn n + 1 answers the user's of n."""
    if not turns[0].service_first:
        return list(turns)
    return [
        replace(
            said,
            service=answered.service,
            service_intent=answered.service_intent,
            service_mentions=answered.service_mentions,
            service_triples=answered.service_triples,
            service_first=False,
        )
        for said, answered in pairwise(turns)
    ]


# -- intents -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """One act of an intent with its argument: `ent-1-流量范围`, a bare property or type, or nothing."""

    name: str
    argument: str = ""

    def __str__(self) -> str:
        return f"{self.name}({self.argument})" if self.argument else self.name

    @property
    def entity(self) -> str:
        """The entity id that the argument begins with; empty for facts of the user."""
        named = _ENTITY.match(self.argument)
        return named[0] if named else ""

    @property
    def property(self) -> str:
        return self.argument[len(self.entity) :].removeprefix("-") if self.entity else self.argument


_FULL_WIDTH = str.maketrans("（），", "(),")
_ACT = re.compile(r"([^,()]+)((?:\([^()]*\))*)")
_ENTITY = re.compile(r"ent-\d+")


def read_acts(intent: str) -> list[Act]:
    """The acts of an intent: `问候,求助-查询(ent-1-流量范围,业务费用)` holds three, one for each argument.

    An argument without an entity takes the entity of the argument before it.
    """
    acts = []
    for name, brackets in _ACT.findall(intent.translate(_FULL_WIDTH).replace(" ", "")):
        arguments = [part for part in re.split(r"[(),]", brackets) if part]
        entity = ""
        for argument in arguments:
            act = Act(name, argument)
            entity = act.entity or entity
            acts.append(act if act.entity or not entity else Act(name, f"{entity}-{argument}"))
        if not arguments:
            acts.append(Act(name))
    return acts


def _with_written_intent(turn: AnnotatedTurn) -> AnnotatedTurn:
    """A question without argument asks for whatever the user's text gives a value of."""
    acts = read_acts(turn.user_intent)
    said = [triple for triple in (*turn.user_triples, *turn.service_triples) if triple.value in turn.user]
    written: list[Act] = []
    for act in acts:
        if act.argument or act.name not in ASKING_ACTS:
            written.append(act)
            continue
        arguments = [_argument(triple) for triple in said]
        written += [Act(act.name, argument) for argument in dict.fromkeys(arguments)] or [act]
    return replace(
        turn,
        user_intent=",".join(map(str, written)),
        service_intent=turn.service_intent.translate(_FULL_WIDTH).replace(" ", ""),
    )


def _argument(triple: Triple) -> str:
    return triple.property if triple.entity == USER else f"{triple.entity}-{triple.property}"


# -- knowledge ---------------------------------------------------------------------------------------------------


def local_kb(turns: Iterable[AnnotatedTurn]) -> KnowledgeBase:
    """Per entity its lower-cased names, the type of its first mention, all values of each property; the user as NA."""
    kb: _Known = {}
    for turn in turns:
        for mention in (*turn.user_mentions, *turn.service_mentions):
            entity = kb.setdefault(mention.entity, {})
            _add(entity, "name", mention.name.lower())
            entity.setdefault("type", {mention.type: None})
        for triple in (*turn.user_triples, *turn.service_triples):
            _add(kb.setdefault(triple.entity, {}), triple.property, triple.value)
    return _as_lists(kb)


def user_goal(turns: Iterable[AnnotatedTurn]) -> KnowledgeBase:
    """What the user named and said, and `?` for each property that an act of theirs asks for."""
    turns = list(turns)
    types = {entity: known["type"] for entity, known in local_kb(turns).items() if "type" in known}
    goal: _Known = {}

    def of(entity: str) -> dict[str, dict[str, None]]:
        fresh = {"type": dict.fromkeys(types[entity])} if entity in types else {}
        return goal.setdefault(entity, fresh)

    for turn in turns:
        for mention in (*turn.user_mentions, *turn.service_mentions):
            if mention.name in turn.user:
                _add(of(mention.entity), "name", mention.name)
        for triple in (*turn.user_triples, *turn.service_triples):
            if triple.value in turn.user:
                _add(of(triple.entity), triple.property, triple.value)
        for act in read_acts(turn.user_intent):
            if act.argument in ENTITY_TYPES:
                _add(goal.setdefault("咨询", {}), "type", act.argument)
                _add(goal["咨询"], "用户意图", act.name)
            elif act.entity:
                known = of(act.entity)
                if act.property:
                    _add(known, act.property, REQUESTED)
                _add(known, "用户意图", act.name)
            elif act.argument:
                _add(of(USER), act.argument, REQUESTED)
                _add(of(USER), "意图", act.name)
    return _as_lists(goal)


# A knowledge base while it grows: values as keys, which are found at once and keep the order of first mention.
_Known = dict[str, dict[str, dict[str, None]]]


def _add(properties: dict[str, dict[str, None]], name: str, value: str) -> None:
    properties.setdefault(name, {}).setdefault(value)


def _as_lists(known: _Known) -> KnowledgeBase:
    return {entity: {name: list(values) for name, values in properties.items()} for entity, properties in known.items()}


def requests(goal: Mapping[str, Mapping[str, Sequence[str]]], kb: KnowledgeBase) -> list[list[str]]:
    """For each request of the goal that the KB can answer: the values that answer it, without those the user said."""
    asked = []
    for entity, properties in goal.items():
        for name, values in properties.items():
            said = frozenset(values)
            if REQUESTED in said:
                answers = [value for value in kb.get(entity, {}).get(name, ()) if value not in said]
                if answers:
                    asked.append(answers)
    return asked
