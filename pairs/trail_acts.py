"""What the trail says of pairs: who preferred what, and who took that back."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act
from pairs.models import Pair, PairVote

PAIR_VOTED = trail_act("pair.voted", _("compared two systems about %(about)s"))
PAIRS_IMPORTED = trail_act("pairs.imported", _("imported comparisons of systems"))
PAIR_VOTE_UNDONE = trail_act("pair.undone", _("took back a comparison of two systems about %(about)s"))


def of_vote(pair: Pair, vote: PairVote, **details: Any) -> dict[str, Any]:
    """What a line about a vote says beside the act: campaign, scenario, both systems by alias, and the version."""
    said = {"pair": str(pair.pk), "left": pair.left.alias, "right": pair.right.alias, "version": vote.version}
    return {"campaign": pair.campaign.slug, "about": pair.scenario.key, "details": {**said, **details}}
