"""Intents, success, BLEU and the combined score of task-oriented dialogue (SereTOD 2022, Track 2).

The strict reading is the default. `compat="seretod2022"` gives the organizers' figures, lenient as their script is:
an empty service intent hits, a bare user act hits whatever the gold asks about, silence is left out of BLEU.
Source: SereTOD challenge description, Track 2, and the organizers' published rules.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

from measures.automatic.hit_counts import HitCounts
from measures.automatic.mobilecs import Act, KnowledgeBase, read_acts, requests

Compat = Literal["", "seretod2022"]
MAX_NGRAM = 4
SMOOTHING = 1e-7


@dataclass(frozen=True, slots=True)
class GoldTurn:
    """The annotated side of a turn: intents of both speakers and what the service said."""

    user: str
    user_intent: str
    service_intent: str
    reply: str


@dataclass(frozen=True, slots=True)
class GoldDialogue:
    turns: tuple[GoldTurn, ...]
    kb: KnowledgeBase
    goal: KnowledgeBase


@dataclass(frozen=True, slots=True)
class GeneratedTurn:
    """What a system made of a turn."""

    user_intent: str
    service_intent: str
    reply: str


@dataclass(frozen=True, slots=True)
class IntentCounts:
    """Hits, predicted acts that missed, and gold acts that were missed; in compat a gold act can be hit and missed."""

    n_hits: int = 0
    n_false: int = 0
    n_missed: int = 0

    def __add__(self, other: "IntentCounts") -> "IntentCounts":
        return IntentCounts(self.n_hits + other.n_hits, self.n_false + other.n_false, self.n_missed + other.n_missed)

    @property
    def scores(self) -> HitCounts:
        return HitCounts(self.n_hits, self.n_hits + self.n_false, self.n_hits + self.n_missed)


@dataclass(frozen=True, slots=True)
class BleuCounts:
    """Clipped matches and totals of the n-grams 1…4, and both lengths in characters."""

    matches: tuple[int, ...] = (0,) * MAX_NGRAM
    totals: tuple[int, ...] = (0,) * MAX_NGRAM
    n_reply: int = 0
    n_reference: int = 0

    def __add__(self, other: "BleuCounts") -> "BleuCounts":
        return BleuCounts(
            tuple(ours + theirs for ours, theirs in zip(self.matches, other.matches, strict=True)),
            tuple(ours + theirs for ours, theirs in zip(self.totals, other.totals, strict=True)),
            self.n_reply + other.n_reply,
            self.n_reference + other.n_reference,
        )

    @property
    def bleu(self) -> float:
        """Corpus BLEU-4 on characters, 0…100: 1e-7 is added to each precision; penalty exp(1 − r/c) where c ≤ r.

        A corpus without any reply has 0.
        """
        if not self.n_reply:
            return 0.0
        precisions = [
            (match / total if total else 0.0) + SMOOTHING
            for match, total in zip(self.matches, self.totals, strict=True)
        ]
        penalty = min(1.0, exp(1 - self.n_reference / self.n_reply))
        return 100 * penalty * exp(sum(map(log, precisions)) / MAX_NGRAM)


@dataclass(frozen=True, slots=True)
class DialogueCounts:
    """Everything that the figures are made of, for one dialogue or added up for the corpus."""

    user: IntentCounts = IntentCounts()
    service: IntentCounts = IntentCounts()
    bleu: BleuCounts = BleuCounts()
    n_successful: int = 0
    n_answerable: int = 0

    def __add__(self, other: "DialogueCounts") -> "DialogueCounts":
        return DialogueCounts(
            self.user + other.user,
            self.service + other.service,
            self.bleu + other.bleu,
            self.n_successful + other.n_successful,
            self.n_answerable + other.n_answerable,
        )

    @property
    def success(self) -> float | None:
        """Share of dialogues with an answerable request in which every such request is answered; None without any."""
        return self.n_successful / self.n_answerable if self.n_answerable else None

    @property
    def combined(self) -> float | None:
        """User F1 + service F1 + success + BLEU/50; None where success is undefined. 0…5."""
        if self.success is None:
            return None
        return self.user.scores.f1 + self.service.scores.f1 + self.success + self.bleu.bleu / 50


def dialogue_counts(gold: GoldDialogue, generated: Sequence[GeneratedTurn], compat: Compat = "") -> DialogueCounts:
    """Counts of one dialogue. Errors: `ValueError` where the numbers of turns differ."""
    if len(gold.turns) != len(generated):
        raise ValueError(f"{len(generated)} turns for {len(gold.turns)} of the gold dialogue.")
    pairs = list(zip(gold.turns, generated, strict=True))
    count_user = _user_intent_compat if compat else _user_intent
    count_service = _service_intent_compat if compat else _service_intent
    asked = requests(gold.goal, gold.kb)
    replies = [turn.reply for turn in generated]
    return DialogueCounts(
        user=sum((count_user(t.user_intent, g.user_intent, gold.kb) for t, g in pairs), IntentCounts()),
        service=sum((count_service(t.service_intent, g.service_intent) for t, g in pairs), IntentCounts()),
        bleu=sum(
            (bleu_counts(t.reply, g.reply) for t, g in pairs if not compat or (t.reply and g.reply)), BleuCounts()
        ),
        n_successful=int(bool(asked) and all(is_answered(values, replies) for values in asked)),
        n_answerable=int(bool(asked)),
    )


def is_answered(values: Iterable[str], replies: Sequence[str]) -> bool:
    """Whether one of the values occurs in a reply."""
    return any(value in reply for value in values for reply in replies)


# -- intents -----------------------------------------------------------------------------------------------------


def _merged_name(name: str) -> str:
    return "询问" if name == "求助-查询" else name


def _gold_user_acts(intent: str, kb: Mapping[str, Mapping[str, Sequence[str]]]) -> list[frozenset[Act]]:
    """For each act of the gold the ways to say it: an entity goes by any of its names, never by its id."""
    acts = []
    for act in read_acts(intent):
        names = kb.get(act.entity, {}).get("name", ()) if act.entity else ()
        ways = {Act(_merged_name(act.name), f"{name}-{act.property}".rstrip("-").lower()) for name in names}
        acts.append(frozenset(ways or {Act(_merged_name(act.name), act.argument.lower())}))
    return acts


def _generated_acts(intent: str) -> list[Act]:
    return [Act(_merged_name(act.name), act.argument.lower()) for act in read_acts(intent)]


def _user_intent(gold_intent: str, generated_intent: str, kb: KnowledgeBase) -> IntentCounts:
    """Acts are compared whole, arguments and all; each gold act is hit at most once."""
    gold = _gold_user_acts(gold_intent, kb)
    # For each way to say something the gold acts that it may hit, in their order; those that were hit are passed over.
    places: dict[Act, deque[int]] = {}
    for place, ways in enumerate(gold):
        for act in ways:
            places.setdefault(act, deque()).append(place)
    hit = set[int]()
    n_false = 0
    for act in _generated_acts(generated_intent):
        free = places.get(act, deque())
        while free and free[0] in hit:
            free.popleft()
        if free:
            hit.add(free.popleft())
        else:
            n_false += 1
    return IntentCounts(len(hit), n_false, len(gold) - len(hit))


def _user_intent_compat(gold_intent: str, generated_intent: str, kb: KnowledgeBase) -> IntentCounts:
    """As the organizers count: same acts merge, a bare act hits, and the gold act with an argument is missed as well."""
    gold = {next(iter(ways)).name: ways for ways in _gold_user_acts(gold_intent, kb)}
    generated = {act.name: act for act in _generated_acts(generated_intent)}
    n_hits = sum(name in gold and (not act.argument or act in gold[name]) for name, act in generated.items())
    n_missed = sum(generated.get(name) not in ways for name, ways in gold.items())
    return IntentCounts(n_hits, len(generated) - n_hits, n_missed)


def _service_intent(gold_intent: str, generated_intent: str) -> IntentCounts:
    gold, generated = Counter(read_acts(gold_intent)), Counter(read_acts(generated_intent))
    n_hits = (gold & generated).total()
    return IntentCounts(n_hits, generated.total() - n_hits, gold.total() - n_hits)


def _service_intent_compat(gold_intent: str, generated_intent: str) -> IntentCounts:
    """As the organizers count: any part of the gold string is a hit, the empty one too."""
    gold, generated = gold_intent.split(","), generated_intent.split(",")
    n_hits = sum(_without_brackets(act) in gold_intent for act in generated)
    n_missed = sum(_without_brackets(act) not in generated_intent for act in gold)
    return IntentCounts(n_hits, len(generated) - n_hits, n_missed)


def _without_brackets(act: str) -> str:
    return act.partition("(")[0]


# -- BLEU --------------------------------------------------------------------------------------------------------


def bleu_counts(reference: str, reply: str) -> BleuCounts:
    """Character n-grams of one reply against its one reference; blanks vanish."""
    reference, reply = "".join(reference.split()), "".join(reply.split())
    matches, totals = [], []
    for n in range(1, MAX_NGRAM + 1):
        wanted, said = _ngrams(reference, n), _ngrams(reply, n)
        matches.append((wanted & said).total())
        totals.append(said.total())
    return BleuCounts(tuple(matches), tuple(totals), len(reply), len(reference))


def _ngrams(text: str, n: int) -> Counter[str]:
    return Counter(text[start : start + n] for start in range(len(text) - n + 1))
