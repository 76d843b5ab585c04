"""The votes that count as rows of `pairs.jsonl`, under the names of a bundle or of the platform itself."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Protocol
from uuid import UUID

from campaigns.models import Campaign
from dialogues.models import Turn
from leaderboards.exports.parts import iso
from pairs.board.document import System
from pairs.models import Pair, PairVote
from verification.answer_style import style_of
from verification.bundle_format import PAIR_COLUMNS

Object = dict[str, Any]
VOTES_AT_ONCE = 500


class Shown(Protocol):
    """What a row calls systems, people and scenarios, and how it shows texts; a bundle's names are one."""

    def system(self, key: str) -> System: ...
    def judge(self, username: str) -> str: ...
    def scenario(self, key: str) -> str: ...
    def text(self, value: Any) -> Any: ...


class AsStored:
    """Systems by their keys, people by their usernames: for organizers, and for computing."""

    def __init__(self, campaign: Campaign) -> None:
        entries = campaign.entries.select_related("bot__team")
        self._systems = {one.key: System(one.key, one.bot.team.name, one.bot.name) for one in entries}

    def system(self, key: str) -> System:
        return self._systems[key]

    def judge(self, username: str) -> str:
        return username

    def scenario(self, key: str) -> str:
        return key

    def text(self, value: Any) -> Any:
        return value


def has_votes(campaign: Campaign) -> bool:
    return PairVote.objects.counted(campaign).exists()


def systems_of(campaign: Campaign, shown: Shown) -> list[System]:
    return [shown.system(key) for key in campaign.entries.order_by("key").values_list("key", flat=True)]


def imported_judge(name: str) -> str:
    """A judge of a file, who is no account here."""
    return f"imported {name}"


def judges_in(campaign: Campaign) -> set[str]:
    """The usernames of all whom a row may name."""
    votes = PairVote.objects.counted(campaign).order_by()
    told = votes.values_list("pair__origin", "judge__username", "external_judge").distinct()
    return {_judge(*one) for one in told}


def _judge(origin: str, username: str, external: str) -> str:
    return imported_judge(external) if origin == Pair.Origin.IMPORTED else username


def vote_rows(campaign: Campaign, shown: Shown) -> Iterator[Object]:
    """Each vote that counts, the oldest first. Texts of some hundred votes are held at once."""
    votes = PairVote.objects.counted(campaign).select_related(
        "judge", "pair__scenario", "pair__left", "pair__right", "pair__left_dialogue", "pair__right_dialogue"
    )
    reading = iter(votes.iterator(chunk_size=VOTES_AT_ONCE))
    while some := list(islice(reading, VOTES_AT_ONCE)):
        ids = {one for vote in some for one in (vote.pair.left_dialogue_id, vote.pair.right_dialogue_id) if one}
        styles = _styles_of(ids, shown)
        for vote in some:
            yield dict(zip(PAIR_COLUMNS, _values(vote, styles, shown), strict=True))


def _values(vote: PairVote, styles: Mapping[UUID, tuple[int, int]], shown: Shown) -> Iterator[Any]:
    pair = vote.pair
    yield str(pair.pk)
    yield shown.scenario(pair.scenario.key)
    yield shown.text(pair.external_id)
    yield from (shown.system(one.key).key for one in (pair.left, pair.right))
    dialogues = pair.left_dialogue_id, pair.right_dialogue_id
    yield from (str(one) if one else None for one in dialogues)
    yield from (pair.kind, pair.origin)
    yield shown.judge(_judge(pair.origin, vote.judge.username, vote.external_judge))
    yield from (vote.verdict, shown.text(vote.reason), vote.evidence_side, vote.evidence_turn, iso(vote.at))
    nothing = (None, None)
    left, right = (styles.get(one, (0, 0)) if one else nothing for one in dialogues)
    yield from (left[0], right[0], left[1], right[1])


def _styles_of(dialogues: Iterable[UUID], shown: Shown) -> dict[UUID, tuple[int, int]]:
    """Characters and marks of all that the system said in each dialogue, as the rows show it."""
    found: dict[UUID, tuple[int, int]] = {}
    for dialogue, texts in Turn.objects.filter(dialogue__in=dialogues).values_list("dialogue_id", "texts"):
        characters, marks = style_of(shown.text(texts) or [])
        before = found.get(dialogue, (0, 0))
        found[dialogue] = before[0] + characters, before[1] + marks
    return found
