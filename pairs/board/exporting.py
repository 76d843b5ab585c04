"""The votes on pairs as an export: a row per vote that counts."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from leaderboards.exports.parts import Export
from leaderboards.table_files.column_kinds import TEXT, TIME, WHOLE, Columns
from pairs.board.rows import AsStored, vote_rows
from verification.bundle_format import PAIR_COLUMNS

NUMBERS = ("evidence_turn", "left_characters", "right_characters", "left_marks", "right_marks")
KINDS: Columns = {name: WHOLE if name in NUMBERS else TIME if name == "at" else TEXT for name in PAIR_COLUMNS}


def rows(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    for row in vote_rows(campaign, AsStored(campaign)):
        yield tuple(row.values())


PAIRS = Export("pairs", _("Votes on pairs"), KINDS, rows=rows)
