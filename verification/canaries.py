"""What a bundle says of the answers that a bot gave to the canary questions at its admission. Pure, and shared with the writer."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from verification.findings import Findings, shown

ENTRIES = "entries.jsonl"


def digest_of_canary(bot: str, canary: Mapping[str, Any]) -> str:
    """Covers the bot and all that is said of it but this digest."""
    told = {name: value for name, value in canary.items() if name != "sha256"}
    text = json.dumps([bot, told], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def check_canaries(entries: Iterable[Mapping[str, Any]], findings: Findings) -> int:
    """How many bots have one; each that is not what its digest covers is noted.

    It finds slips and swapped rows. Whoever makes the digest again is found by the digest of the whole file alone.
    """
    n = 0
    for row in entries:
        canary = row["canary"]
        if canary is None:
            continue
        n += 1
        if canary["sha256"] != digest_of_canary(row["bot"], canary):
            text = f"the fingerprint of the bot {shown(row['bot'])} is not what its digest covers"
            findings.note(ENTRIES, text, figure="canary")
    return n
