"""The protocol of SMP2018-ECDT Task 1: sentences in one call, a label for each back.

POST {"sentencesList": [{"id": 1, "content": "…"}]} → {"resultsList": [{"id": 1, "result": "train"}]}, with the same ids,
order and length.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import json_body, list_of, object_of, to_json
from participants.outbound import Door

LABEL_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Deviation:
    """A way in which an answer was not as agreed: a sentence with `%(name)s` for its values."""

    text: str
    values: dict[str, int]


@dataclass(frozen=True, slots=True)
class Labels:
    """The label of each sentence that got one, by id, and every deviation from the protocol."""

    by_id: dict[int, str]
    deviations: tuple[Deviation, ...]


async def label_sentences(door: Door, url: str, sentences: Sequence[tuple[int, str]], *, deadline_s: float) -> Labels:
    """Asks for the labels of `(id, content)` pairs in one call.

    Ids that are missing, unknown or repeated, and labels that are no text, are noted; such a sentence has no label.
    Errors: `BotFailure` for a call that gave no list of results at all.
    """
    payload = {"sentencesList": [{"id": number, "content": content} for number, content in sentences]}
    async with door.line(deadline_s).post(url, to_json(payload), {}) as answer:
        body = object_of(await json_body(answer), "the answer")
        return read_labels(list_of(body.get("resultsList"), "resultsList"), [number for number, _ in sentences])


def read_labels(results: Sequence[Any], asked: Sequence[int]) -> Labels:
    by_id: dict[int, str] = {}
    deviations: list[Deviation] = []
    wanted, seen, order = set(asked), set[int](), []
    for place, row in enumerate(results):
        number = row.get("id") if isinstance(row, dict) else None
        if isinstance(number, bool) or not isinstance(number, int) or number not in wanted:
            deviations.append(
                Deviation(
                    gettext_noop("resultsList[%(place)s]: no sentence of this batch has that id"), {"place": place}
                )
            )
            continue
        order.append(number)
        if number in seen:
            text = gettext_noop(
                "resultsList[%(place)s]: sentence %(number)s was answered before, so it counts as wrong"
            )
            deviations.append(Deviation(text, {"place": place, "number": number}))
            by_id.pop(number, None)
            continue
        seen.add(number)
        label = row.get("result")
        if isinstance(label, str) and 0 < len(label) <= LABEL_LIMIT and label.isprintable():
            by_id[number] = label
        else:
            text = gettext_noop("resultsList[%(place)s]: the result of sentence %(number)s is no label")
            deviations.append(Deviation(text, {"place": place, "number": number}))
    unanswered = gettext_noop("sentence %(number)s has no answer, so it counts as wrong")
    deviations += [Deviation(unanswered, {"number": number}) for number in asked if number not in seen]
    if order != sorted(order, key={number: place for place, number in enumerate(asked)}.__getitem__):
        deviations.append(
            Deviation(gettext_noop("the answers stand in another order than the sentences, which costs nothing"), {})
        )
    return Labels(by_id, tuple(deviations))
