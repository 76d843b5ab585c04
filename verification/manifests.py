"""The manifest of a bundle: which files it lists, and whether they are those files; the fingerprints of its bots. Pure."""

import re
from collections.abc import Iterable
from typing import Any

from verification.archive import Archive
from verification.bundle_format import CAMPAIGN, FORMAT, FORMATS, FORMER, FORMER_COLUMNS, MANIFEST, digest_of_canary
from verification.findings import Findings, shown
from verification.tables import Object, parsed

PRODUCT = "huace"
HASH = re.compile("[0-9a-f]{64}")
TEAMS, ALIASES = "teams", "aliases"


def manifest_of(archive: Archive, findings: Findings) -> Object:
    """The manifest; an empty one where it cannot be understood, which is noted."""
    try:
        manifest = parsed(archive.document(MANIFEST))
    except ValueError as bad:
        findings.note(MANIFEST, f"is no JSON: {shown(str(bad))}")
        return {}
    if not isinstance(manifest, dict) or not isinstance(manifest.get("files"), list):
        findings.note(MANIFEST, "lists no files")
        return {}
    if not is_known(archive, manifest):
        text = (
            f"is of the format {shown(manifest.get('format'))}; this program knows {' and '.join(formats_of(archive))}"
        )
        findings.note(MANIFEST, text)
        return manifest
    if manifest["format"] != FORMATS[archive.files]:
        archive.former_columns = FORMER_COLUMNS
    check_trail(archive, manifest, findings)
    return manifest


def is_known(archive: Archive, manifest: Object) -> bool:
    return manifest.get("format") in formats_of(archive)


def formats_of(archive: Archive) -> tuple[str, str]:
    """What the manifest may say of the files that there are: it reveals that files of a combined board, or of people, were
    removed.
    """
    now = FORMATS[archive.files]
    return now, now.replace(FORMAT, FORMER)


def check_head(manifest: Object, campaign: Object, entries: Iterable[Object], findings: Findings) -> None:
    """The manifest is of that campaign, and says whether teams are named."""
    if manifest.get("campaign") != campaign["campaign"]:
        text = f"is of the campaign {shown(manifest.get('campaign'))}; {CAMPAIGN} is of {shown(campaign['campaign'])}"
        findings.note(MANIFEST, text, figure="campaign")
    if manifest["product"]["name"] != PRODUCT:
        findings.note(MANIFEST, f"is of another product than {PRODUCT}", figure="product")
    names = {TEAMS if entry["team"] else ALIASES for entry in entries}
    if manifest.get("names") not in (TEAMS, ALIASES) or not names <= {manifest["names"]}:
        text = f"says that systems are called by {shown(manifest.get('names'))}, which they are not"
        findings.note(MANIFEST, text, figure="names")


def check_canaries(entries: Iterable[Object], findings: Findings) -> int:
    """How many bots have one; each that is not what its digest covers is noted.

    It finds slips and swapped rows. A recomputed digest is found by the digest of the whole file alone.
    """
    n = 0
    for row in entries:
        canary = row["canary"]
        if canary is None:
            continue
        n += 1
        if canary["sha256"] != digest_of_canary(row["bot"], canary):
            text = f"the fingerprint of the bot {shown(row['bot'])} is not what its digest covers"
            findings.note("entries.jsonl", text, figure="canary")
    return n


def check_trail(archive: Archive, manifest: Object, findings: Findings) -> None:
    """The manifest tells where the platform's trail ended; that of the format before does not."""
    if archive.former_columns:
        return
    told = manifest.get("trail")
    n_lines, head = (told.get("n_lines"), told.get("head")) if isinstance(told, dict) else (None, None)
    if type(n_lines) is not int or n_lines < 0 or not isinstance(head, str) or not HASH.fullmatch(head):
        findings.note(MANIFEST, "does not tell where the trail of the platform ended", figure="trail")


def check_listing(archive: Archive, manifest: Object, findings: Findings) -> None:
    """Every file is listed once, with the digest, size and rows that it was seen to have."""
    listed: dict[str, Any] = {}
    for one in manifest["files"]:
        name = one.get("name") if isinstance(one, dict) else None
        if not isinstance(name, str) or name not in archive.files:
            findings.note(MANIFEST, f"lists {shown(name)}, which does not belong to a bundle")
        elif name in listed:
            findings.note(MANIFEST, f"lists {name} twice")
        else:
            listed[name] = one
    for name in archive.files:
        if name not in listed:
            findings.note(MANIFEST, f"does not list {name}")
        else:
            _check_file(archive, name, listed[name], findings)


def _check_file(archive: Archive, name: str, listed: Object, findings: Findings) -> None:
    seen = archive.seen[name]
    if listed.get("sha256") != seen.digest:
        text = f"its digest is {seen.digest}; {MANIFEST} says {shown(listed.get('sha256'))}"
        findings.note(name, text, figure="sha256")
    if listed.get("bytes") != seen.n_bytes:
        findings.note(name, f"has {seen.n_bytes:,} bytes; {MANIFEST} says {shown(listed.get('bytes'))}", figure="bytes")
    if name.endswith(".jsonl") and listed.get("rows") != seen.n_lines:
        findings.note(name, f"has {seen.n_lines:,} rows; {MANIFEST} says {shown(listed.get('rows'))}", figure="rows")
