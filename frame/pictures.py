"""A picture that a system sent in a dialogue, from our own address, for readers of that dialogue; of a published one for everybody."""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.access import PEOPLE, Access, for_people, person_of
from accounts.models import Person
from api.describing import FileOf, describes
from api.file_views import FileView
from campaigns.access import campaign_for, team_of
from campaigns.models import Role
from dialogues.models import Dialogue
from dialogues.pictures import file_of, is_named
from organizing.dialogues.views import dialogue_for
from pairs.actions.voting import dialogues_of, pair_of
from participants.picture_lines import KINDS
from publication.published.published_dialogues import dialogue_of_picture
from publication.queries import Published, readable_by
from publication.views import not_public
from reviews.actions.checking import part_of
from reviews.actions.second_readings import reading_named
from reviews.actions.vetting import may_read_to_vet
from reviews.guide import READERS, marks_for
from serving.refused import Refused
from serving.stored_files import stored_files
from team_desk.own_dialogues import transcript_for
from testing_console.api import own_or_practised

# Opened by itself, whatever the file holds runs nothing; X-Frame-Options forbids framing.
HEADERS = {"Content-Security-Policy": "default-src 'none'; sandbox"}


def _as_tester(person: Person, dialogue_id: UUID) -> Dialogue:
    return own_or_practised(person, str(dialogue_id))


def _as_reviewer(person: Person, dialogue_id: UUID) -> Dialogue:
    """A dialogue that is read a second time has another id."""
    reading = reading_named(dialogue_id, person)
    dialogue = get_object_or_404(
        Dialogue.objects.with_names(), pk=reading.review.dialogue_id if reading else dialogue_id
    )
    if not may_read_to_vet(dialogue, person):
        part_of(dialogue, person)
    return dialogue


def _as_reader_of_guide(person: Person, dialogue_id: UUID) -> Dialogue:
    """An example of the scoring guide, to whom the guide shows it."""
    campaign = campaign_for(person, _of_campaign(dialogue_id).assignment.campaign.slug, *READERS)
    if dialogue_id not in marks_for(campaign, person, timezone.now()).dialogues:
        raise Http404
    return Dialogue.objects.get(pk=dialogue_id)


def _of_campaign(dialogue_id: UUID) -> Dialogue:
    return get_object_or_404(Dialogue.everything.select_related("assignment__campaign"), pk=dialogue_id)


def _as_organizer(person: Person, dialogue_id: UUID) -> Dialogue:
    slug = _of_campaign(dialogue_id).assignment.campaign.slug
    return dialogue_for(person, campaign_for(person, slug, Role.ORGANIZER), dialogue_id)


def _as_team(person: Person, dialogue_id: UUID) -> Dialogue:
    campaign = campaign_for(person, _of_campaign(dialogue_id).assignment.campaign.slug, Role.PARTICIPANT)
    return transcript_for(team_of(person, campaign), campaign, dialogue_id)


WAYS: tuple[Callable[[Person, UUID], Dialogue], ...] = (
    _as_tester,
    _as_reviewer,
    _as_organizer,
    _as_team,
    _as_reader_of_guide,
)


def readable_dialogue(person: Person, dialogue_id: UUID) -> Dialogue:
    """The dialogue, by whichever way its texts are open to the person. Errors: `Http404`."""
    for way in WAYS:
        with suppress(Http404, PermissionDenied, Refused):
            return way(person, dialogue_id)
    raise Http404


def _kind(name: str) -> str:
    return name.rpartition(".")[2]


def is_picture_name(name: str) -> bool:
    return _kind(name) in KINDS


def picture_of(dialogues: Iterable[Dialogue], name: str) -> FileResponse:
    """The picture of that name in one of the dialogues. Errors: `Http404`, also for one that no turn names any more."""
    dialogue = next((one for one in dialogues if is_named(one, name)), None) if is_picture_name(name) else None
    if dialogue is None:
        raise Http404
    try:
        file = stored_files().reading(file_of(dialogue.pk, name))
    except FileNotFoundError as gone:
        raise Http404 from gone
    return FileResponse(file, filename=name, content_type=f"image/{_kind(name)}", headers=HEADERS)


def _of_pair(person: Person, pair_id: UUID) -> Collection[Dialogue]:
    """Both dialogues of the judge's own pair: nothing in the address tells which."""
    return dialogues_of(pair_of(person, pair_id)).values()


def _published(shown: Published, dialogue_number: int, picture_name: str) -> FileResponse:
    """Errors: `Http404`."""
    # Before the bundle is opened for a name that is no picture's.
    if not is_picture_name(picture_name):
        raise Http404
    pk = dialogue_of_picture(shown.snapshot, dialogue_number, picture_name)
    return picture_of([get_object_or_404(Dialogue.everything, pk=pk)], picture_name)


@for_people
@require_safe
def picture(request: HttpRequest, dialogue_id: UUID, picture_name: str) -> HttpResponseBase:
    return picture_of([readable_dialogue(person_of(request), dialogue_id)], picture_name)


class Picture(FileView):
    access = PEOPLE

    @describes(
        "Gives a picture that a system sent, to whoever may read the dialogue",
        FileOf(tuple(f"image/{kind}" for kind in KINDS)),
    )
    def get(self, request: Request, dialogue_id: UUID, picture_name: str) -> HttpResponseBase:
        return picture_of([readable_dialogue(person_of(request), dialogue_id)], picture_name)


@for_people
@require_safe
def pair_picture(request: HttpRequest, pair_id: UUID, picture_name: str) -> HttpResponseBase:
    return picture_of(_of_pair(person_of(request), pair_id), picture_name)


class PairPicture(FileView):
    access = PEOPLE

    @describes("Gives a picture that a system of one's own pair sent", FileOf(tuple(f"image/{kind}" for kind in KINDS)))
    def get(self, request: Request, pair_id: UUID, picture_name: str) -> HttpResponseBase:
        return picture_of(_of_pair(person_of(request), pair_id), picture_name)


@require_safe
def published_picture(
    request: HttpRequest, slug: str, number: int, dialogue_number: int, picture_name: str
) -> HttpResponseBase:
    found = readable_by(request.user, slug, number, timezone.now())
    return _published(found[1], dialogue_number, picture_name) if found else not_public(request)


published_picture.access = Access("published")  # type: ignore[attr-defined]


class PublishedPicture(FileView):
    access = Access("published")
    permission_classes = (AllowAny,)

    @describes(
        "Gives a picture that a system sent in a published dialogue, by the dialogue's place in the bundle",
        FileOf(tuple(f"image/{kind}" for kind in KINDS)),
    )
    def get(
        self, request: Request, slug: str, number: int, dialogue_number: int, picture_name: str
    ) -> HttpResponseBase:
        found = readable_by(request.user, slug, number, timezone.now())
        if not found:
            raise Http404
        return _published(found[1], dialogue_number, picture_name)
