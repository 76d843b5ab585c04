"""REST: the same as the pages of the lab, by the same rules."""

from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, Page, page_of
from campaigns.access import campaign_for
from campaigns.models import Entry
from conformance.access import ROLES, check_for, system_for
from conformance.actions import ask_check
from conformance.documents import CheckDocument, FingerprintDocument, SummaryDocument
from conformance.models import Check
from conformance.system_kinds import BOTS


class LabView(APIView):
    access = Access("roles", ROLES)

    def entry(self, request: Request, slug: str, entry_id: int) -> Entry:
        entry: Entry = system_for(BOTS, request.user, campaign_for(request.user, slug, *ROLES), entry_id)
        return entry


class ChecksOfBot(LabView):
    """GET lists the checks of a bot, the latest first; POST asks for one."""

    @describes("Lists the checks of a bot, the latest first", list[SummaryDocument], asks=PAGES)
    def get(self, request: Request, slug: str, entry_id: int) -> Page:
        return page_of(request, self.entry(request, slug, entry_id).checks.latest_first())

    @describes("Asks for a check of a bot", SummaryDocument, 201, refuses=(409,))
    def post(self, request: Request, slug: str, entry_id: int) -> Check:
        check: Check = ask_check(
            BOTS, system=self.entry(request, slug, entry_id), by=person_of(request), at=timezone.now()
        )
        return check


class OneCheck(LabView):
    """What was found so far, and at the end the verdict."""

    @describes("Gives a check with what was found so far", CheckDocument)
    def get(self, request: Request, slug: str, check_id: UUID) -> Check:
        check: Check = check_for(BOTS, request.user, campaign_for(request.user, slug, *ROLES), check_id)
        return check


class FingerprintsOfBot(LabView):
    """When fingerprints were taken, and which showed a changed bot; what it answered is not shown."""

    @describes("Lists the fingerprints of a bot, the latest first", list[FingerprintDocument], asks=PAGES)
    def get(self, request: Request, slug: str, entry_id: int) -> Page:
        return page_of(request, self.entry(request, slug, entry_id).fingerprints.all())
