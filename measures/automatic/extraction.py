"""Entity and triple F1 of information extraction from dialogues (SereTOD 2022, Track 1).

Micro-averaged over the corpus. A mention hits by document, turn, start, end and type; a triple by document, assigned
entity, turn, value and property. Predicted entity ids mean nothing by themselves: in each document they are assigned
to gold ids so that the sum of the F1 over their (turn, value) pairs is greatest. Source: SereTOD challenge
description, Track 1, and the organizers' published rules.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from measures.automatic.hit_counts import HitCounts
from measures.automatic.mobilecs import USER, Document, Mention, Triple

NOTHING = HitCounts()

DATA_SERVICE = "数据业务"
DATA_SERVICE_PRODUCTS = ("积分倍享合约", "停开机", "手机报", "139邮箱", "来电提醒", "和对讲个人版")
BLANKS = " _"


@dataclass(frozen=True, slots=True)
class ExtractionCounts:
    """Hits of one document or, added up, of the corpus."""

    entities: HitCounts = NOTHING
    triples: HitCounts = NOTHING

    def __add__(self, other: "ExtractionCounts") -> "ExtractionCounts":
        return ExtractionCounts(self.entities + other.entities, self.triples + other.triples)

    @property
    def score(self) -> float:
        """The figure that ranks: the mean of entity F1 and triple F1. 0…1."""
        return (self.entities.f1 + self.triples.f1) / 2


def extraction_counts(
    gold: Mapping[str, Document],
    predicted: Mapping[str, Document],
    products: Sequence[str] = DATA_SERVICE_PRODUCTS,
) -> dict[str, ExtractionCounts]:
    """Counts per gold document; a document without prediction costs recall, one that is not in the gold is left out.

    Names that contain one of `products` are typed 数据业务 on both sides.
    """
    return {
        name: document_counts(document, predicted.get(name, Document()), products) for name, document in gold.items()
    }


def document_counts(
    gold: Document, predicted: Document, products: Sequence[str] = DATA_SERVICE_PRODUCTS
) -> ExtractionCounts:
    """Hits of one document. Each gold item is hit at most once, so repeated predictions cost precision."""
    gold, predicted = cleaned(gold, products), cleaned(predicted, products)
    gold_id_of = assignment(gold, predicted)
    return ExtractionCounts(
        entities=_counts(map(_mention_key, gold.mentions), map(_mention_key, predicted.mentions)),
        triples=_counts(
            ((triple.entity, *_triple_rest(triple)) for triple in gold.triples),
            ((gold_id_of.get(triple.entity), *_triple_rest(triple)) for triple in predicted.triples),
        ),
    )


def cleaned(document: Document, products: Sequence[str]) -> Document:
    """Blanks and underscores leave names and values; the start moves by the leading ones, the end follows the length."""
    return Document(
        tuple(_cleaned_mention(mention, products) for mention in document.mentions),
        tuple(replace(triple, value=_without_blanks(triple.value)) for triple in document.triples),
    )


def assignment(gold: Document, predicted: Document) -> dict[str, str]:
    """Gold id by predicted id; predicted entities that are left over are missing. The user stays the user.

    Only entities with a mention take part; ids are sorted as text, which settles equal sums as the organizers do.
    """
    gold_ids, predicted_ids = _mentioned(gold), _mentioned(predicted)
    gold_pairs, predicted_pairs = _pairs(gold), _pairs(predicted)
    wanted = [Counter(gold_pairs.get(name, ())) for name in gold_ids]
    # Entities that share no (turn, value) pair have an F1 of 0, so only those that share one are looked at.
    columns_with: dict[tuple[int, str], list[int]] = {}
    for column, pairs in enumerate(wanted):
        for pair in pairs:
            columns_with.setdefault(pair, []).append(column)
    similarity = np.zeros((len(predicted_ids), len(gold_ids)))
    for row, name in enumerate(predicted_ids):
        found = Counter(predicted_pairs.get(name, ()))
        for column in {column for pair in found for column in columns_with.get(pair, ())}:
            similarity[row, column] = _counts_of(wanted[column], found).f1
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    assigned = {predicted_ids[row]: gold_ids[column] for row, column in zip(rows, columns, strict=True)}
    return assigned | {USER: USER}


def _cleaned_mention(mention: Mention, products: Sequence[str]) -> Mention:
    name = _without_blanks(mention.name)
    start = mention.start + len(mention.name) - len(mention.name.lstrip(BLANKS))
    is_product = any(product in name for product in products)
    return replace(
        mention, name=name, type=DATA_SERVICE if is_product else mention.type, start=start, end=start + len(name)
    )


def _without_blanks(text: str) -> str:
    return text.replace(" ", "").replace("_", "")


def _mention_key(mention: Mention) -> tuple[int, int, int, str]:
    return (mention.turn, mention.start, mention.end, mention.type)


def _triple_rest(triple: Triple) -> tuple[int, str, str]:
    return (triple.turn, triple.value, triple.property)


def _mentioned(document: Document) -> list[str]:
    return sorted({mention.entity for mention in document.mentions} - {USER})


def _pairs(document: Document) -> dict[str, list[tuple[int, str]]]:
    pairs: dict[str, list[tuple[int, str]]] = {}
    for triple in document.triples:
        pairs.setdefault(triple.entity, []).append((triple.turn, triple.value))
    return pairs


def _counts(gold: Iterable[object], predicted: Iterable[object]) -> HitCounts:
    return _counts_of(Counter(gold), Counter(predicted))


def _counts_of(wanted: Counter[Any], found: Counter[Any]) -> HitCounts:
    return HitCounts((wanted & found).total(), found.total(), wanted.total())
