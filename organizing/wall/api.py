"""REST: what the live wall shows, and announcements to all testers."""

from typing import Annotated, Any, TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView
from dialogues.actions.announcing import BadAnnouncement, make_announcement, take_back_announcement
from dialogues.models import Announcement
from organizing.wall.reading import wall_now
from organizing.wall.wall_frames import WholeWall
from participants.limits import REASON_LIMIT
from reading.json_schemas import Moment
from reading.kinds import Text
from reading.tables import Field, Table

TAKE_BACK = Table({"because": Field(Text(REASON_LIMIT))})


class AnnouncementAnswer(TypedDict):
    id: Annotated[int, From("pk")]
    zh: Annotated[str, From("text_zh")]
    en: Annotated[str, From("text_en")]
    made_by: Annotated[str, From("made_by.username")]
    at: Moment
    until: Moment | None


class WallState(OrganizersView):
    """GET gives the wall as it is now: the content of the socket's `wall.state`."""

    @describes("Gives the live wall as it is now", WholeWall)
    def get(self, request: Request) -> Response:
        return Response(wall_now(self.campaign, timezone.now()))


class AnnouncementSerializer(serializers.Serializer[Any]):
    """The sentences; the action knows their limits."""

    zh = serializers.CharField(allow_blank=True, required=False, default="")
    en = serializers.CharField(allow_blank=True, required=False, default="")
    until = serializers.DateTimeField(required=False, allow_null=True, default=None)


class CampaignAnnouncements(OrganizersView):
    """GET lists what testers are shown now; POST tells all of them a sentence."""

    @describes("Lists what all testers are shown now", list[AnnouncementAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, self.campaign.announcements.standing(timezone.now()).select_related("made_by"))

    @describes("Tells all testers a sentence", AnnouncementAnswer, 201, reads=AnnouncementSerializer, refuses=(409,))
    def post(self, request: Request) -> Announcement:
        said = AnnouncementSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        try:
            by, at = person_of(request), timezone.now()
            return make_announcement(campaign=self.campaign, by=by, at=at, **said.validated_data)
        except BadAnnouncement as bad:
            raise ValidationError({bad.field: [str(bad)]}) from bad


class CampaignAnnouncement(OrganizersView):
    """DELETE takes it back, with `because`: testers are no longer shown it."""

    @describes("Takes an announcement back", None, 204, reads=TAKE_BACK, refuses=(422,))
    def delete(self, request: Request, announcement_id: int) -> None:
        announcement = get_object_or_404(Announcement, pk=announcement_id, campaign=self.campaign)
        because = body_in(request, TAKE_BACK)["because"]
        take_back_announcement(announcement=announcement, because=because, by=person_of(request), at=timezone.now())
