"""The protocol of SMP2018-ECDT Task 1: sentences in one call, a label for each back.

POST {"sentencesList": [{"id": 1, "content": "…"}]} → {"resultsList": [{"id": 1, "result": "train"}]}, with the same ids,
order and length. A service that has a secret is sent it as a bearer token.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_noop

from participants.adapters.calls import bearer, json_body, list_of, object_of, to_json
from participants.adapters.shown_requests import failure_without, without_secret
from participants.failures import BotFailure
from participants.outbound import Door
from participants.outbound.line import OnWait, unheard
from reading.findings import BODY, Finding, item
from reading.kinds import is_whole

LABEL_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Labels:
    """The label of each sentence that got one, by id, and every deviation from the protocol."""

    by_id: dict[int, str]
    deviations: tuple[Finding, ...]


async def label_sentences(
    door: Door,
    url: str,
    sentences: Sequence[tuple[int, str]],
    *,
    deadline_s: float,
    secret: str = "",
    on_wait: OnWait = unheard,
) -> Labels:
    """Asks for the labels of `(id, content)` pairs in one call; a service that repeats its secret says it to nobody.

    Ids that are missing, unknown or repeated, and labels that are no text, are noted; such a sentence has no label.
    Errors: `BotFailure` for a call that gave no list of results at all.
    """
    payload = {"sentencesList": [{"id": number, "content": content} for number, content in sentences]}
    try:
        async with door.line(deadline_s, on_wait).post(url, to_json(payload), bearer(secret)) as answer:
            body = object_of(await json_body(answer), BODY)
            labels = read_labels(list_of(body.get("resultsList"), "resultsList"), [number for number, _ in sentences])
    except BotFailure as failure:
        raise failure_without(failure, secret) from None
    return replace(labels, by_id={number: without_secret(label, secret) for number, label in labels.by_id.items()})


def read_labels(results: Sequence[Any], asked: Sequence[int]) -> Labels:
    by_id: dict[int, str] = {}
    deviations: list[Finding] = []
    wanted, seen, order = set(asked), set[int](), []
    for index, row in enumerate(results):
        place = item("resultsList", index)
        number = row.get("id") if isinstance(row, dict) else None
        if not is_whole(number) or number not in wanted:
            deviations.append(Finding(place, gettext_noop("no sentence of this batch has that id")))
            continue
        order.append(number)
        if number in seen:
            text = gettext_noop("sentence %(number)s was answered before, so it counts as wrong")
            deviations.append(Finding(place, text, {"number": number}))
            by_id.pop(number, None)
            continue
        seen.add(number)
        label = row.get("result")
        if isinstance(label, str) and 0 < len(label) <= LABEL_LIMIT and label.isprintable():
            by_id[number] = label
        else:
            text = gettext_noop("the result of sentence %(number)s is not a label")
            deviations.append(Finding(place, text, {"number": number}))
    unanswered = gettext_noop("sentence %(number)s has no answer, so it counts as wrong")
    deviations += [Finding("", unanswered, {"number": number}) for number in asked if number not in seen]
    if order != sorted(order, key={number: place for place, number in enumerate(asked)}.__getitem__):
        text = gettext_noop("the answers are in another order than the sentences, which costs nothing")
        deviations.append(Finding("", text))
    return Labels(by_id, tuple(deviations))
