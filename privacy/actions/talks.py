"""Removes texts from dialogues: what was said, every request's answer as it came, and the ledger's lines.

Numbers, times, states, scores and sequence numbers stay, so that turns, ledgers and figures are as they were.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction

from dialogues.models import Attempt, BotState, Dialogue, LedgerEvent, Objection, Problem, Turn
from dialogues.pictures import remove_all, removing_unnamed
from participants.picture_lines import picture_said
from privacy.stand_ins import Change, forms_of, in_json, is_stand_in, stand_in, without_words
from replays.models import ReplayTurn

Id = TypeVar("Id", int, UUID)
AT_ONCE = 200
# They say that the reply which came is another than the one shown: afterwards no other is kept.
SHOWN_OTHERWISE = {"masked", "cut"}


def erased(text: str) -> str:
    return stand_in(text, key=settings.SECRET_KEY)


def erase_talk(dialogues: Iterable[UUID]) -> int:
    """Removes all that testers and bots said in the dialogues; gives the number of turns."""
    return sum(_erase_some(some) for some in in_parts(dialogues))


def in_parts(ids: Iterable[Id]) -> Iterator[list[Id]]:
    rest = iter(ids)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def _hold(dialogues: Sequence[UUID]) -> None:
    """Before anything is read: a turn that is settled meanwhile would lose its reply, or keep what was to go."""
    list(Dialogue.everything.select_for_update(of=("self",)).filter(pk__in=dialogues).order_by("pk").values_list("pk"))


def _erase_some(dialogues: Sequence[UUID]) -> int:
    _hold(dialogues)
    turns = Turn.objects.filter(dialogue__in=dialogues)
    said: list[str] = []
    for text, texts in turns.values_list("text", "texts"):
        said += [text, *texts]
    for evidence, texts in ReplayTurn.objects.filter(turn__dialogue__in=dialogues).values_list("evidence", "texts"):
        said += [evidence, *texts]
    for evidence, texts in Attempt.objects.filter(turn__dialogue__in=dialogues).values_list("evidence", "texts"):
        said += [evidence, *texts]
    BotState.objects.filter(turn__dialogue__in=dialogues).delete()
    transaction.on_commit(partial(remove_all, list(dialogues)))
    # Failures and ledger lines quote what was said within sentences of ours.
    _change(dialogues, said=erased, quoted=without_words(filter(None, said), key=settings.SECRET_KEY))
    return turns.count()


def erase_words(dialogue: UUID, words: Iterable[str]) -> None:
    """Removes the words wherever they occur in the dialogue."""
    _hold([dialogue])
    change = without_words({form for word in words for form in forms_of(word)}, key=settings.SECRET_KEY)
    _change([dialogue], said=change, quoted=change)
    for state in BotState.objects.filter(turn__dialogue=dialogue):
        BotState.objects.filter(pk=state.pk).update(written=change(state.written))


def erase_names(dialogues: Iterable[UUID], change: Change) -> None:
    """Removes names from what was said in the dialogues."""
    for some in in_parts(dialogues):
        _hold(some)
        _change(some, said=change, quoted=change)


def erase_from_ledger(dialogues: Iterable[UUID], change: Change) -> None:
    """Removes what decisions about the dialogues say."""
    for some in in_parts(dialogues):
        _change_ledger(some, change)


def _change(dialogues: Sequence[UUID], *, said: Change, quoted: Change) -> None:
    said = _but_within_pictures(said)
    with removing_unnamed(dialogues):
        _change_turns(dialogues, said, _change_attempts(dialogues, said, quoted))
    _change_replays(dialogues, said, quoted)
    _change_ledger(dialogues, quoted)
    _change_problems(dialogues, quoted)


def _but_within_pictures(said: Change) -> Change:
    """The line of a picture goes as a whole or stays: words that stand in it by chance are nobody's."""

    def change(text: str) -> str:
        changed = said(text)
        return text if picture_said(text) and not is_stand_in(changed) else changed

    return change


def _change_turns(dialogues: Sequence[UUID], said: Change, changed: set[int]) -> None:
    """`changed`: the turns whose reply was kept as it came, and changed."""
    stored = []
    for turn in Turn.objects.filter(dialogue__in=dialogues):
        text, texts = said(turn.text), [said(one) for one in turn.texts]
        if (text, texts) != (turn.text, turn.texts) or turn.pk in changed:
            if texts != turn.texts or turn.pk in changed:
                turn.flags = [flag for flag in turn.flags if flag not in SHOWN_OTHERWISE]
                changed.add(turn.pk)
            turn.text, turn.texts = text, texts
            stored.append(turn)
    Turn.objects.bulk_update(stored, ["text", "texts", "flags"], batch_size=AT_ONCE)
    # The row of an answered request keeps the reply as it came, before it was masked or cut; the turn stands for it now.
    Attempt.objects.filter(turn__in=changed, outcome=Attempt.Outcome.REPLY).delete()


def _change_replays(dialogues: Sequence[UUID], said: Change, quoted: Change) -> None:
    """Changes what was answered when the dialogues' lines were put to a system again."""
    stored = []
    for one in ReplayTurn.objects.filter(turn__dialogue__in=dialogues):
        texts, evidence = [said(text) for text in one.texts], said(one.evidence)
        detail = [*one.detail[:2], *in_json(one.detail[2:], quoted)]
        if (texts, evidence, detail) != (one.texts, one.evidence, one.detail):
            one.texts, one.evidence, one.detail = texts, evidence, detail
            stored.append(one)
    ReplayTurn.objects.bulk_update(stored, ["texts", "evidence", "detail"], batch_size=AT_ONCE)


def _change_attempts(dialogues: Sequence[UUID], said: Change, quoted: Change) -> set[int]:
    """Changes what came back from bots; gives the turns whose reply was kept as it came, and held something."""
    changed, stored = set(), []
    for attempt in Attempt.objects.filter(turn__dialogue__in=dialogues):
        texts, evidence = [said(one) for one in attempt.texts], said(attempt.evidence)
        # A finding is its place, its sentence and its values: the sentence is ours.
        detail = [*attempt.detail[:2], *in_json(attempt.detail[2:], quoted)]
        if (texts, evidence, detail) == (attempt.texts, attempt.evidence, attempt.detail):
            continue
        if attempt.outcome == Attempt.Outcome.REPLY:
            changed.add(attempt.turn_id)
        attempt.texts, attempt.evidence, attempt.detail = texts, evidence, detail
        stored.append(attempt)
    Attempt.objects.bulk_update(stored, ["texts", "evidence", "detail"], batch_size=AT_ONCE)
    return changed


def _change_ledger(dialogues: Sequence[UUID], quoted: Change) -> None:
    stored = []
    for event in LedgerEvent.objects.filter(dialogue__in=dialogues):
        frame = json.loads(event.frame)
        left = {
            name: in_json(value, quoted) if name in {"because", "message"} else value for name, value in frame.items()
        }
        if left != frame:
            event.frame = json.dumps(left, ensure_ascii=False, separators=(",", ":"))
            stored.append(event)
    LedgerEvent.objects.bulk_update(stored, ["frame"], batch_size=AT_ONCE)


def _change_problems(dialogues: Sequence[UUID], quoted: Change) -> None:
    for problem in Problem.objects.filter(dialogue__in=dialogues):
        if (text := quoted(problem.text)) != problem.text:
            Problem.objects.filter(pk=problem.pk).update(text=text)
    for one in Objection.objects.filter(dialogue__in=dialogues):
        left = {"text": quoted(one.text), "answer": quoted(one.answer)}
        if left != {"text": one.text, "answer": one.answer}:
            Objection.objects.filter(pk=one.pk).update(**left)
