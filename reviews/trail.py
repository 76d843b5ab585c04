"""The chain of one review's changes: each digest covers the digest before it. Pure.

It stands apart from the platform's trail (`audit`) because bundles publish it whole; decision 0032.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

# One for all lines: `json.dumps` makes a new encoder for each call that names an option.
_encoder = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def digest_of(line: Mapping[str, Any], previous: str) -> str:
    """The digest of a line of the trail (plain JSON values) that follows a line with the digest `previous`."""
    return hashlib.sha256(_encoder.encode([previous, line]).encode()).hexdigest()
