"""How a published leaderboard is cited: a line of text and a BibTeX entry, with date, address and digest. Pure."""

from dataclasses import dataclass
from datetime import datetime

from leaderboards.publication.documents import Document


@dataclass(frozen=True, slots=True)
class Citation:
    text: str
    bibtex: str


def citation_of(document: Document, *, name: str, public_from: datetime | None, address: str, digest: str) -> Citation:
    """`public_from` is missing while nothing is published: then it cites the day of the freeze."""
    frozen = document["frozen_at"][:10]
    day = public_from.date().isoformat() if public_from else frozen
    number, slug = document["number"], document["campaign"]
    text = f"{name}, leaderboard {number}, frozen {frozen}, published {day}. {address} (SHA-256 {digest})"
    title = name.replace("\\", "").translate({ord(sign): f"\\{sign}" for sign in "{}&%$#_"})
    lines = [
        f"@misc{{{slug}-leaderboard-{number},",
        f"  title = {{{title}, leaderboard {number}}},",
        f"  year = {{{day[:4]}}},",
        f"  note = {{Frozen {frozen}, published {day}. SHA-256 {digest}}},",
        f"  howpublished = {{\\url{{{address}}}}},",
        "}",
    ]
    return Citation(text, "\n".join(lines))
