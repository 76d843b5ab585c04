"""REST: what the live wall shows, and announcements to all testers."""

from typing import Any, TypedDict

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from api.paging import PAGES, listed
from api.parsers import body_in
from campaigns.access import campaign_for
from campaigns.models import Role
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
    id: int
    zh: str
    en: str
    made_by: str
    at: Moment
    until: Moment | None


class WallState(APIView):
    """GET gives the wall as it is now: the content of the socket's `wall.state`."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Gives the live wall as it is now", WholeWall)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        return Response(wall_now(campaign, timezone.now()))


class AnnouncementSerializer(serializers.Serializer[Any]):
    """The sentences; the action knows their limits."""

    zh = serializers.CharField(allow_blank=True, required=False, default="")
    en = serializers.CharField(allow_blank=True, required=False, default="")
    until = serializers.DateTimeField(required=False, allow_null=True, default=None)


class CampaignAnnouncements(APIView):
    """GET lists what testers are shown now; POST tells all of them a sentence."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Lists what all testers are shown now", list[AnnouncementAnswer], asks=PAGES)
    def get(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        standing = campaign.announcements.standing(timezone.now()).select_related("made_by")
        return listed(request, standing, announcement_row)

    @describes("Tells all testers a sentence", AnnouncementAnswer, 201, reads=AnnouncementSerializer, refuses=(409,))
    def post(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        said = AnnouncementSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        try:
            made = make_announcement(campaign=campaign, by=person_of(request), at=timezone.now(), **said.validated_data)
        except BadAnnouncement as bad:
            raise ValidationError({bad.field: [str(bad)]}) from bad
        return Response(announcement_row(made), status=201)


class CampaignAnnouncement(APIView):
    """DELETE takes it back, with `because`: testers are no longer shown it."""

    access = Access("roles", (Role.ORGANIZER,))

    @describes("Takes an announcement back", None, 204, reads=TAKE_BACK, refuses=(422,))
    def delete(self, request: Request, slug: str, announcement_id: int) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        announcement = get_object_or_404(Announcement, pk=announcement_id, campaign=campaign)
        because = body_in(request, TAKE_BACK)["because"]
        take_back_announcement(announcement=announcement, because=because, by=person_of(request), at=timezone.now())
        return Response(status=204)


def announcement_row(announcement: Announcement) -> AnnouncementAnswer:
    return {
        "id": announcement.pk,
        "zh": announcement.text_zh,
        "en": announcement.text_en,
        "made_by": announcement.made_by.username,
        "at": announcement.at.isoformat(),
        "until": announcement.until.isoformat() if announcement.until else None,
    }
