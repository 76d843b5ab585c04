"""The leaderboard of a rehearsal, as the API gives it to its organizer, printed."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from demo.setting_up import Company
from leaderboards.printed_board import board_as_text

LIMIT_S, LOOK_S = 60.0, 0.1


async def final_board(company: Company) -> str:
    """Once every score that was handed in is in the figures. Errors: `RuntimeError` if that takes longer than a minute."""
    ends_at = time.monotonic() + LIMIT_S
    async with company.organizer() as organizer:
        while time.monotonic() < ends_at:
            board: Mapping[str, Any] = await organizer.get(f"{company.place}leaderboard/")
            if not board["is_outdated"]:
                return board_as_text(board)
            await asyncio.sleep(LOOK_S)
    raise RuntimeError(f"The leaderboard of {company.spec.slug} was not computed within {LIMIT_S:g} s.")
