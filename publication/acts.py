"""What the trail says of acts on publications: ordered, frozen, published, withdrawn."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

FREEZE_ORDERED = act("freeze.ordered", _("ordered the leaderboard to be frozen"))
FREEZE_DROPPED = act("freeze.dropped", _("took back the order to freeze the leaderboard"))
BOARD_FROZEN = act("board.frozen", _("froze leaderboard %(about)s"))
BOARD_PUBLISHED = act("board.published", _("published leaderboard %(about)s"))
BOARD_WITHDRAWN = act("board.withdrawn", _("withdrew leaderboard %(about)s"))
