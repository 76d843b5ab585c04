"""The chain of one review's changes: each digest covers the digest before it, and the texts by a salted digest of their own. Pure.

It stands apart from the platform's trail (`audit`) because bundles publish it whole; decision 0032.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from typing import Any

# One for all lines: `json.dumps` makes a new encoder for each call that names an option.
_encoder = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def new_salt() -> str:
    return secrets.token_hex(16)


def covered(change: Mapping[str, Any]) -> dict[str, Any]:
    """A stored change as its digest covers it: its columns, with `texts` in place of both comments and the reason.

    `texts` is the digest of the JSON list of the salt and the three; where they were erased, the salt is empty, and `gone` is what it was.
    """
    comments = [None if change[side] is None else change[side].get("comment") for side in ("before", "after")]
    texts = digest_of_texts(change["salt"], [*comments, change["reason"]]) if change["salt"] else change["gone"]
    line = {name: change[name] for name in ("review", "version", "kind", "changed_by", "at")}
    return line | {
        "before": _without_comment(change["before"]),
        "after": _without_comment(change["after"]),
        "texts": texts,
    }


def digest_of_texts(salt: str, texts: list[str | None]) -> str:
    return hashlib.sha256(_encoder.encode([salt, *texts]).encode()).hexdigest()


def _without_comment(content: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if content is None else {name: said for name, said in content.items() if name != "comment"}


def digest_of(line: Mapping[str, Any], previous: str) -> str:
    """The digest of a line of the trail (plain JSON values) that follows a line with the digest `previous`."""
    return hashlib.sha256(_encoder.encode([previous, line]).encode()).hexdigest()
