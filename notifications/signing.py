"""Bodies of webhook messages, and their signatures by Standard Webhooks 1.0. Pure."""

import base64
import hashlib
import hmac
import json
from datetime import datetime

KEY_PREFIX = "whsec_"


def body_of(kind: str, at: datetime, campaign: str | None, url: str) -> bytes:
    """`type`, `timestamp` and `data`, as the specification names them; in `data` the campaign and a link."""
    data = {"campaign": campaign, "url": url}
    return json.dumps({"type": kind, "timestamp": at.isoformat(), "data": data}, ensure_ascii=False).encode()


def headers_of(key: str, message: str, at: datetime, body: bytes) -> dict[str, str]:
    """`at` is when this try is made: receivers refuse old messages."""
    seconds = str(int(at.timestamp()))
    signed = f"{message}.{seconds}.".encode() + body
    digest = hmac.digest(base64.b64decode(key.removeprefix(KEY_PREFIX)), signed, hashlib.sha256)
    return {
        "webhook-id": message,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
