"""pairs.jsonl and pairs.json: the votes of people who compared systems in pairs, and the board made of them, under the names of a bundle."""

from collections.abc import Iterator
from typing import Any

from campaigns.models import Campaign
from pairs.board.document import System, pair_board
from pairs.board.rows import systems_of, vote_rows
from publication.bundle.names import SCENARIO, Names
from verification.bundle_format import PAIR_BOARD, PAIRS, as_document, as_line

Chunks = list[tuple[bytes, int | None]]


class InBundle:
    """The names of a bundle, as rows of votes ask for them."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def system(self, key: str) -> System:
        bot = self._names.bot(key)
        return System(bot.key, bot.team, bot.name)

    def judge(self, username: str) -> str:
        return self._names.person(username)

    def scenario(self, key: str) -> str:
        return self._names.identifier(SCENARIO, key)

    def text(self, value: Any) -> Any:
        return self._names.text(value)


def pair_members(campaign: Campaign, names: Names) -> Iterator[tuple[str, Chunks]]:
    """Each file with its content and rows. Votes are held whole: the board is made of all of them."""
    shown = InBundle(names)
    rows = list(vote_rows(campaign, shown))
    yield PAIRS, [("".join(map(as_line, rows)).encode(), len(rows))]
    yield PAIR_BOARD, [(as_document(pair_board(campaign.slug, systems_of(campaign, shown), rows)), None)]
