"""What the trail says of acts on publications: ordered, frozen, published, withdrawn."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

FREEZE_ORDERED = trail_act("freeze.ordered", _("ordered the leaderboard to be frozen"))
FREEZE_DROPPED = trail_act("freeze.dropped", _("took back the order to freeze the leaderboard"))
BOARD_FROZEN = trail_act("board.frozen", _("froze leaderboard %(about)s"))
BOARD_PUBLISHED = trail_act("board.published", _("published leaderboard %(about)s"))
BOARD_WITHDRAWN = trail_act("board.withdrawn", _("withdrew leaderboard %(about)s"))
