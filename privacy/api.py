"""REST: erasing people, redacting words, archiving and deleting a campaign; the same acts and rules as the pages."""

from typing import Annotated, Any, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import STAFF, is_of_staff, person_of
from accounts.models import Person
from accounts.own_api import OwnAccount, check_password
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OrganizersView
from campaigns.models import Campaign
from organizing.dialogues.views import dialogue_for
from participants.limits import REASON_LIMIT
from privacy.actions.archiving import archive_campaign, check_may_archive
from privacy.actions.erasing import Removal, erase_person, preview_erasing
from privacy.actions.redacting import redact, span_of
from privacy.actions.removing import Belongings, check_may_delete, delete_campaign, preview_deletion
from privacy.actions.retention import texts_go_at
from privacy.campaign_pages import span_with, why_not
from reading.json_schemas import Moment
from reading.kinds import ANY_TEXT, Text
from reading.tables import Field, Table

TYPED = Table({"typed": Field(Text(150))})
OWN = Table({"typed": Field(Text(150)), "password": Field(ANY_TEXT, "")})
REDACTION = Table({"span": Field(Text(40)), "words": Field(ANY_TEXT, ""), "because": Field(Text(REASON_LIMIT))})


class RemovalAnswer(TypedDict):
    """Counts; `published` are the SHA-256 of frozen bundles, which are not rewritten."""

    dialogues: int
    reviews: int
    other_texts: int
    roles: int
    credentials: int
    trail_lines: int
    published: list[str]


class Redacted(TypedDict):
    span: str
    characters: int


class RemovalState(TypedDict):
    """`rows` counts by model what a deletion removes. `why_not_…` are empty where the act is open."""

    texts_kept_days: int
    texts_go_at: Moment | None
    texts_gone_at: Moment | None
    why_not_archived: str
    why_not_deleted: str
    rows: dict[str, int]
    bundles: list[str]
    people_left: int


class ArchiveAnswer(TypedDict):
    """`file` stands in the server's folder of archives, as do those of interrupted runs, `earlier`: what these removed is in them alone."""

    file: Annotated[str, From("path.name")]
    sha256: str
    bytes: Annotated[int, From("n_bytes")]
    turns: Annotated[int, From("n_turns")]
    packages: Annotated[int, From("n_packages")]
    earlier: list[str]


class DeletionAnswer(TypedDict):
    rows: dict[str, int]
    bundles: list[str]
    people_left: int


def check_name(typed: str, person: Person) -> None:
    if typed.strip() != person.username:
        raise ValidationError({"typed": [_("Type the user name %(name)s.") % {"name": person.username}]})


class OwnErasure(OwnAccount):
    """`typed` is one's own user name; the password is asked for where one has one."""

    @describes("Says what erasing one's own account would remove", RemovalAnswer, refuses=(409,))
    def get(self, request: Request) -> Removal:
        return preview_erasing(person=person_of(request))

    @describes(
        "Erases one's own account: names and texts go, figures stay", RemovalAnswer, reads=OWN, refuses=(409, 422)
    )
    def post(self, request: Request) -> Removal:
        person, given = person_of(request), body_in(request, OWN)
        check_name(given["typed"], person)
        if person.has_usable_password():
            check_password(request, person, given["password"])
        return erase_person(person=person, by=person, at=timezone.now())


class PersonErasure(APIView):
    """Of another person, by the site's staff."""

    access = STAFF

    def person(self, request: Request, person_id: int) -> Person:
        if not is_of_staff(request.user):
            raise Http404
        return get_object_or_404(Person, pk=person_id)

    @describes("Says what erasing the person would remove", RemovalAnswer, refuses=(409,))
    def get(self, request: Request, person_id: int) -> Removal:
        return preview_erasing(person=self.person(request, person_id))

    @describes("Erases the person: names and texts go, figures stay", RemovalAnswer, reads=TYPED, refuses=(409, 422))
    def post(self, request: Request, person_id: int) -> Removal:
        person = self.person(request, person_id)
        check_name(body_in(request, TYPED)["typed"], person)
        return erase_person(person=person, by=person_of(request), at=timezone.now())


class Redaction(OrganizersView):
    """`span` is written like `3.tester` or `3.bot:5-17`; `words` name a part of what was said there."""

    @describes("Removes words of a dialogue wherever they occur in it", Redacted, reads=REDACTION, refuses=(409, 422))
    def post(self, request: Request, dialogue_id: Any) -> Redacted:
        dialogue, given = dialogue_for(person_of(request), self.campaign, dialogue_id), body_in(request, REDACTION)
        span = span_with(dialogue, span_of(given["span"]), given["words"])
        n = redact(dialogue=dialogue, span=span, because=given["because"], by=person_of(request), at=timezone.now())
        return Redacted(span=str(span), characters=n)


class CampaignRemoval(OrganizersView):
    @describes("Says how long texts are kept, and what archiving or deleting would remove", RemovalState)
    def get(self, request: Request) -> dict[str, Any]:
        campaign, belongings = self.campaign, preview_deletion(campaign=self.campaign)
        return {
            "texts_kept_days": campaign.texts_kept_days,
            "texts_go_at": texts_go_at(campaign),
            "texts_gone_at": campaign.texts_gone_at,
            "why_not_archived": why_not(check_may_archive, campaign, timezone.now()),
            "why_not_deleted": why_not(check_may_delete, campaign),
            "rows": belongings.rows,
            "bundles": list(belongings.bundles),
            "people_left": belongings.people_left,
        }


class CampaignArchive(OrganizersView):
    """`typed` is the campaign's short name."""

    @describes(
        "Archives the campaign, and removes what people said and the packages' content",
        ArchiveAnswer,
        reads=TYPED,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Any:
        typed = body_in(request, TYPED)["typed"]
        return archive_campaign(campaign=self.campaign, typed=typed, by=person_of(request), at=timezone.now())


class CampaignDeletion(APIView):
    """`typed` is the campaign's short name; for the site's staff."""

    access = STAFF

    @describes("Deletes the campaign with all that belongs to it", DeletionAnswer, reads=TYPED, refuses=(409, 422))
    def post(self, request: Request, slug: str) -> Belongings:
        if not is_of_staff(request.user):
            raise Http404
        campaign = get_object_or_404(Campaign, slug=slug)
        typed = body_in(request, TYPED)["typed"]
        return delete_campaign(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())
