"""Publishable seed and order for drawing a plan, keyed with the platform's secret.

A campaign's drawing seed gives its aliases and the queues of its reviewers by name, so no bundle tells that one. With another secret
an unbegun plan is drawn otherwise.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256

from django.conf import settings

from campaigns.models import Campaign

# So that every reader of JSON has the same whole number.
SEED_BYTES = 6


def plan_seed(campaign: Campaign) -> int:
    """What the plan alone is drawn from: who knows it knows no alias, and nothing about reviewers."""
    return int.from_bytes(_keyed(campaign, "seed of the plan")[:SEED_BYTES])


def in_hidden_order(campaign: Campaign, usernames: Iterable[str]) -> list[str]:
    """The testers in the order that the plan is drawn over: who knows their usernames does not know it."""
    return sorted(usernames, key=lambda username: _keyed(campaign, "place in the plan", username))


def bots_in_hidden_order(campaign: Campaign, keys_and_aliases: Iterable[tuple[str, str]]) -> list[str]:
    """The keys of the bots in the order that the plan is drawn over.

    By their aliases, so that the plan is the same whichever team is behind which; and not in the order of these, which testers know: beside
    the names of a bundle it would tell each.
    """
    ordered = sorted(keys_and_aliases, key=lambda bot: _keyed(campaign, "place of a bot", bot[1]))
    return [key for key, _ in ordered]


def _keyed(campaign: Campaign, *about: str) -> bytes:
    text = "\n".join((str(campaign.drawing_seed), *about))
    return hmac.new(f"hidden order {settings.SECRET_KEY}".encode(), text.encode(), sha256).digest()
