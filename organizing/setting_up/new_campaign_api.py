"""REST: a program of the site's organizers makes a campaign; what the presets are."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import PEOPLE, STAFF, is_of_staff, person_of
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import fields_of
from campaigns.calendar import DATES
from campaigns.calendar_settings import NO_DATE, TIME_ZONE, MomentOr
from organizing.setting_up.new_campaign_form import read_new_campaign
from organizing.setting_up.new_campaign_views import make, own_campaigns
from organizing.setting_up.preset_cards import preset_cards
from reading.kinds import ANY_TEXT, Wrong
from reading.tables import Field, Table

TEXTS = ("slug", "name_zh", "name_en", "language", "preset", "copy_of")


NEW_CAMPAIGN = Table(
    {name: Field(ANY_TEXT, "") for name in (*TEXTS, "time_zone")} | {name: Field(ANY_TEXT, "") for name in DATES},
    keeps_others=True,
)


class PresetAnswer(TypedDict):
    key: str
    name: str
    source: str
    means: Annotated[dict[str, str], From(lambda card: dict(card.lines))]


class MadeCampaign(TypedDict):
    slug: str


class Presets(APIView):
    """GET lists what a campaign can start from, and what each preset means."""

    access = PEOPLE

    @describes("Lists what a campaign can start from, and what each preset means", list[PresetAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, list(preset_cards()))


class Campaigns(APIView):
    """POST makes a campaign from `preset`, or with the rules and scenarios of `copy_of`; the maker organizes it."""

    access = STAFF

    @describes(
        "Makes a campaign from a preset or another campaign; the maker organizes it",
        MadeCampaign,
        201,
        reads=NEW_CAMPAIGN,
    )
    def post(self, request: Request) -> MadeCampaign:
        if not is_of_staff(request.user):
            raise NotFound
        body = fields_of(request)
        person = person_of(request)
        form = read_new_campaign(_typed(body), set(own_campaigns(person).values_list("slug", flat=True)))
        form.calendar.dates, wrong = _dates(body)
        form.wrong |= wrong
        campaign = None if form.is_wrong else make(form, person)
        if campaign is None:
            raise ValidationError(_wrong(form.wrong | form.calendar.wrong))
        return {"slug": campaign.slug}


def _typed(body: Mapping[str, Any]) -> dict[str, str]:
    """What a form would have sent; anything that is no text is as good as nothing, and named as missing."""
    typed = {name: body[name] for name in (*TEXTS, "time_zone") if isinstance(body.get(name), str)}
    copied = typed.pop("copy_of", "")
    return typed | {"start": f"copy:{copied}" if copied else typed.get("preset", "")}


def _dates(body: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    dates: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name in (*DATES, "time_zone"):
        if body.get(name) is None:
            continue
        try:
            read = (TIME_ZONE if name == "time_zone" else MomentOr(NO_DATE)).value_of(body[name])
            if name != "time_zone":
                dates[name] = None if read == NO_DATE else read
        except Wrong as bad:
            wrong[name] = bad.at("").message
    return dates, wrong


def _wrong(wrong: dict[str, str]) -> dict[str, list[str]]:
    """By the names that the body has."""
    return {"preset" if name == "start" else name: [text] for name, text in wrong.items()}
