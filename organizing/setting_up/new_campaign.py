"""A new campaign, from a preset or as a copy: cards of the presets, form, page and API."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict
from zoneinfo import available_timezones

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import PEOPLE, STAFF, for_staff, is_of_staff, person_of
from accounts.models import Person
from api.answers import From
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import fields_of
from campaigns.actions import DatesOutOfOrder, SlugTaken, copy_campaign, create_campaign
from campaigns.calendar import DATES
from campaigns.campaign_file.calendar_settings import NO_DATE, TIME_ZONE
from campaigns.campaign_file.campaign_settings import SETTINGS
from campaigns.models import Campaign, CampaignQuerySet, Role
from campaigns.presets import PRESETS, CampaignPreset
from measures.live import RECORD_FIGURES
from organizing.setting_up.calendar_form import CalendarForm, read_form
from organizing.setting_up.calendar_page import DATE
from reading.checking import Problems
from reading.kinds import ANY_TEXT, SLUG, Text, Texts, Wrong
from reading.tables import Field, Table
from rubrics.bilingual import in_readers_language
from testing_console.score_axis import shown

_PLANS = {
    "full": gettext_noop("every tester talks to every system about every scenario"),
    "per_cell": gettext_noop("some testers per system and scenario"),
    "random_goals": gettext_noop("goals are drawn at random"),
    "quota": gettext_noop("a quota of dialogues per system and skill"),
}


@dataclass(frozen=True, slots=True)
class PresetCard:
    key: str
    name: str
    source: str
    lines: tuple[tuple[str, str], ...]


def preset_cards() -> list[PresetCard]:
    return [
        PresetCard(
            preset.key,
            in_readers_language(preset.rubric.name_zh, preset.rubric.name_en),
            preset.source,
            (
                (_("Scored"), ", ".join(map(_criterion, preset.rubric.criteria))),
                (_("Ranked by"), _ranking(preset)),
                (_("Turns"), _cap(preset)),
                (_("Who talks to what"), _who_talks(preset)),
                (_("Who scores"), _who_scores(preset)),
            ),
        )
        for preset in PRESETS.values()
    ]


def _criterion(criterion: object) -> str:
    name = in_readers_language(criterion.name_zh, criterion.name_en)  # type: ignore[attr-defined]
    points = [point.score for point in criterion.points]  # type: ignore[attr-defined]
    return f"{name} {shown(min(points))}…{shown(max(points))}" if criterion.is_scale else name  # type: ignore[attr-defined]


def _ranking(preset: CampaignPreset) -> str:
    letters = {figure.name: figure.letter for figure in RECORD_FIGURES}
    letters |= {criterion.key: criterion.letter for criterion in preset.rubric.criteria}
    return " › ".join(letters.get(name, name) for name in preset.ranking_rule)


def _cap(preset: CampaignPreset) -> str:
    if preset.value_of("cap_per") == "dialogue":
        return _("at most %(n)s per dialogue") % {"n": preset.value_of("turn_cap")}
    return _("at most %(n)s per subtask") % {"n": preset.subtask_cap}


def _who_talks(preset: CampaignPreset) -> str:
    if preset.value_of("pairs_kind") == "live":
        return _("every tester talks to two systems at once and compares them")
    return _(_PLANS[preset.value_of("plan")])


def _who_scores(preset: CampaignPreset) -> str:
    by = preset.value_of("reviewed_by")
    if by == "panel":
        return _("a panel of %(n)s") % {"n": preset.value_of("reviewers_per_dialogue")}
    return _(SETTINGS["reviewed_by"].words[by])


NAME = Text(200, may_be_empty=True)


@dataclass(slots=True)
class NewCampaignForm:
    """`start` is the key of a preset, or `copy:` and the slug of a campaign."""

    start: str
    slug: str
    name_zh: str
    name_en: str
    language: str
    calendar: CalendarForm
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> Texts:
        """A name in one language is the name in both."""
        zh, en = self.name_zh.strip(), self.name_en.strip()
        return Texts(zh or en, en or zh)

    @property
    def copied(self) -> str:
        """The slug of the campaign to be copied; empty where a preset was chosen."""
        return self.start.removeprefix("copy:") if self.start.startswith("copy:") else ""

    @property
    def is_wrong(self) -> bool:
        return bool(self.wrong or self.calendar.wrong)


def read_new_campaign(sent: Mapping[str, str], may_copy: Collection[str]) -> NewCampaignForm:
    """Of what was sent, with a sentence for each field that cannot be used; `may_copy` are slugs."""
    form = NewCampaignForm(
        start=sent.get("start", ""),
        slug=sent.get("slug", "").strip(),
        name_zh=sent.get("name_zh", ""),
        name_en=sent.get("name_en", ""),
        language=sent.get("language", ""),
        calendar=read_form(sent, SETTINGS["time_zone"].default),
    )
    if form.start not in PRESETS and form.copied not in may_copy:
        form.wrong["start"] = _("Choose what the campaign starts from.")
    if form.language not in ("", *SETTINGS["language"].stored_choices):
        form.wrong["language"] = _("This choice is not known")
    for name, kind, value in (
        ("slug", SLUG, form.slug),
        ("name_zh", NAME, form.name_zh),
        ("name_en", NAME, form.name_en),
    ):
        try:
            kind.value_of(value)
        except Wrong as wrong:
            form.wrong[name] = wrong.at("").message
    if not (form.name.zh or "name_zh" in form.wrong or "name_en" in form.wrong):
        form.wrong["name_zh"] = _("Give it a name in at least one language.")
    return form


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponse:
    return answer_with(request, make)


def answer_with(
    request: HttpRequest, make_campaign: Callable[[NewCampaignForm, Person], Campaign | None]
) -> HttpResponse:
    """The page, and what follows from its form; `make_campaign` gives None after a note in the form."""
    may_copy = own_campaigns(person_of(request))
    if request.method != "POST":
        return _page(request, may_copy, read_new_campaign({}, ()), status=200, is_fresh=True)
    form = read_new_campaign(request.POST.dict(), set(may_copy.values_list("slug", flat=True)))
    campaign = None if form.is_wrong else make_campaign(form, person_of(request))
    if campaign is None:
        return _page(request, may_copy, form, status=422)
    messages.success(request, _("The campaign is made, and you organize it. This is what it still lacks."))
    return redirect("campaign", slug=campaign.slug)


def own_campaigns(person: Person) -> CampaignQuerySet:
    """Those that the person organizes: their rules and scenarios are theirs to copy."""
    held = person.campaign_roles.filter(role=Role.ORGANIZER).values("campaign")
    return Campaign.objects.filter(pk__in=held).order_by("-created_at")


def make(form: NewCampaignForm, by: Person) -> Campaign | None:
    """The campaign that was asked for; None after a note in the form."""
    calendar = form.calendar
    said: dict[str, Any] = {
        "slug": form.slug,
        "name": form.name,
        "dates": calendar.dates,
        "time_zone": calendar.time_zone,
    }
    try:
        if form.copied:
            source = own_campaigns(by).get(slug=form.copied)
            return copy_campaign(source=source, by=by, at=timezone.now(), **said)
        return create_campaign(preset=form.start, language=form.language, by=by, at=timezone.now(), **said)
    except SlugTaken:
        form.wrong["slug"] = _("This address is taken: choose another.")
    except DatesOutOfOrder as wrong:
        form.calendar.complain_of_order(list(wrong.wrong))
    return None


def _page(
    request: HttpRequest, may_copy: CampaignQuerySet, form: NewCampaignForm, *, status: int, is_fresh: bool = False
) -> HttpResponse:
    if is_fresh:
        form.wrong.clear()
    shown = {
        "form": form,
        "cards": preset_cards(),
        "may_copy": may_copy,
        "languages": [(value, _(words)) for value, words in SETTINGS["language"].words.items()],
        "zones": sorted(available_timezones()),
    }
    return render(request, "organizing/setting_up/new_campaign.html", shown, status=status)


TEXTS = ("slug", "name_zh", "name_en", "language", "preset", "copy_of")
NEW_CAMPAIGN = Table(
    {name: Field(ANY_TEXT, "") for name in TEXTS}
    | {"time_zone": Field(TIME_ZONE, "")}
    | {name: Field(DATE, NO_DATE) for name in DATES},
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
        person, problems = person_of(request), Problems()
        body = {name: value for name, value in fields_of(request).items() if value is not None}
        asked = problems.read(body, "", NEW_CAMPAIGN)
        start = f"copy:{asked['copy_of']}" if asked["copy_of"] else asked["preset"]
        typed = {name: asked[name] for name in (*TEXTS, "time_zone")} | {"start": start}
        form = read_new_campaign(typed, set(own_campaigns(person).values_list("slug", flat=True)))
        form.calendar.dates = {name: None if asked[name] == NO_DATE else asked[name] for name in DATES}
        form.wrong |= {found.place: found.message for found in problems.listed()}
        campaign = None if form.is_wrong else make(form, person)
        if campaign is None:
            wrong = form.wrong | form.calendar.wrong
            # By the names that the body has.
            raise ValidationError({"preset" if name == "start" else name: [text] for name, text in wrong.items()})
        return {"slug": campaign.slug}
