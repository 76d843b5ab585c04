"""How a published leaderboard is cited: a line of text and a BibTeX entry, with dates, address and digest. Pure."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from publication.documents import Document


@dataclass(frozen=True, slots=True)
class Citation:
    text: str
    bibtex: str


def citation_of(
    document: Document, *, name: str, public_from: datetime | None, zone: ZoneInfo, address: str, digest: str
) -> Citation:
    """Its days are those of the campaign's `zone`, as on the page.

    `public_from` is missing while nothing is published: then it cites the day of the freeze.
    """
    frozen = _day_of(datetime.fromisoformat(document["frozen_at"]), zone)
    day = _day_of(public_from, zone) if public_from else frozen
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


def _day_of(moment: datetime, zone: ZoneInfo) -> str:
    return moment.astimezone(zone).date().isoformat()
