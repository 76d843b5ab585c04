"""Orders that a combined board be frozen, which the server does beside its pages."""

from datetime import datetime

from accounts.models import Person
from automatic_tasks.combined_preflight import check_ready
from automatic_tasks.models import CombinedBoard
from publication.actions.ordering import check_organizer, store_order
from publication.models import FreezeOrder


def order_combined_freeze(*, board: CombinedBoard, by: Person, at: datetime) -> FreezeOrder:
    """Errors: `NotOrganizer`, `NotReady`."""
    check_organizer(board.campaign, by)
    check_ready(board)
    return store_order(campaign=board.campaign, hides_teams=False, by=by, at=at, of_board=board.key)
