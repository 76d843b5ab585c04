"""The fingerprint of a bot's admission as a bundle tells it: what it answered as hashes, where it was asked never."""

import hmac
import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from campaigns.models import Entry
from conformance.actions.comparing import change_of, reference_of
from conformance.models import Fingerprint, samples_of
from leaderboards.exports.parts import iso
from publication.bundle.names import Names
from verification.bundle_format import digest_of_canary


def canary_of(entry: Entry, names: Names) -> dict[str, Any] | None:
    """None for a bot that nobody asked. `is_changed` says whether its latest answers are others than those."""
    reference = reference_of(entry)
    if reference is None:
        return None
    told = {
        "protocol": reference.protocol,
        "version": names.text(_version(reference)),
        "taken_at": iso(reference.taken_at),
        "answers": [_hashed(samples, names) for samples in samples_of(reference.answers)],
        "is_changed": change_of(entry) is not None,
    }
    return told | {"sha256": digest_of_canary(names.bot(entry.key).key, told)}


def _version(reference: Fingerprint) -> str:
    """What the server calls itself; nothing where that tells its address."""
    host = urlsplit(reference.url).hostname or ""
    return "" if host and host in reference.version.casefold() else reference.version


def _hashed(samples: Sequence[str], names: Names) -> str:
    """A hash of the answers to one question, which whoever can ask the bot compares; under an alias that would name the bot."""
    text = json.dumps(list(samples), ensure_ascii=False).encode()
    if names.hides_teams:
        return hmac.new(f"canary answers {settings.SECRET_KEY}".encode(), text, sha256).hexdigest()
    return sha256(text).hexdigest()
