"""Pages of the reviews: the queue, a dialogue to score, decide or vet, requests for revisions, panels that nobody can fill."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from accounts.access import Access, View, for_people, person_of
from accounts.form_routes import form_on
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.clocks import keep_clocks_of
from campaigns.models import Campaign, Role
from dialogues.masking import masker_of
from dialogues.models import Dialogue
from dialogues.pauses import shown_pause
from dialogues.queries import masked_words
from dialogues.turn_policy import turn_policy_of
from reviews.actions import BadReview, NotReviewable
from reviews.actions.checking import Part, part_of
from reviews.actions.closing import close_panel, reopen_panel
from reviews.actions.contents import content_of
from reviews.actions.second_readings import reading_named
from reviews.actions.vetting import may_read_to_vet
from reviews.desk import Desk, desk_of, open_disputes, open_requests, progress_at, to_vet
from reviews.guide import marks_for
from reviews.models import Dispute, Review, Vetting
from reviews.panel_gaps import SHOWN, closed_panels, lacking_panels, shown_panels
from reviews.review_page import ReviewPage, context_rows, judged_rows, labels_of, review_page, with_examples
from reviews.review_strings import queue_strings, review_strings, vetting_strings
from reviews.sheet import sheet_of
from rubrics.scales import COMMENT_LIMIT
from testing_console.notices import standing_notices
from testing_console.views import review_page_of

WHO_REVIEWS = (Role.REVIEWER, Role.ADJUDICATOR, Role.EXPERT)
# How wide the ruler over all dialogues is in the head of a review.
BAR_PX = 190


def panel_contents(dialogue: Dialogue) -> list[dict[str, Any]]:
    """What each reviewer of the panel handed in, the reviewer unnamed and the bot's maker masked; ordered by who began first."""
    campaign = dialogue.assignment.campaign
    reviews = Review.objects.of_panel(campaign).filter(dialogue=dialogue).order_by("pk")
    masker = masker_of(masked_words(campaign))
    contents = [content_of(review) for review in reviews]
    return [content | {"comment": masker.mask(content["comment"])} for content in contents]


def disputed_ratings(dialogue: Dialogue) -> dict[str, int]:
    """The ratings in dispute, with the distance in points."""
    dispute = Dispute.objects.filter(dialogue=dialogue).first()
    return dict(dispute.criteria) if dispute else {}


@for_roles(*WHO_REVIEWS)
@require_GET
def review_queue(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What the person has to review, decide and vet."""
    desk = desk_of(campaign, person_of(request), timezone.now(), page=request.GET.get("page", ""))
    return render(
        request,
        "reviews/queue.html",
        {
            "campaign": campaign,
            "notices": standing_notices(campaign, timezone.now()),
            "desk": desk,
            "pause": shown_pause(person_of(request), campaign, Role.REVIEWER),
            "comment_limit": COMMENT_LIMIT,
            "heading": heading_of(desk),
            "settings": {"person": request.user.get_username()} | addresses_of(campaign),
            "strings": queue_strings(),
        },
    )


def heading_of(desk: Desk) -> str:
    """What the list is called by what its reader does."""
    if desk.is_reviewer:
        return _("Blind review")
    return _("To be decided") if desk.is_adjudicator else _("To be vetted")


def addresses_of(campaign: Campaign) -> dict[str, str]:
    return {
        "campaign": campaign.slug,
        "next": reverse("api-review-next"),
        "list": reverse("review-queue", args=[campaign.slug]),
    }


def _as(*roles: str) -> Callable[[View], View]:
    """For people with those roles in the campaign of the dialogue, which the view looks up."""

    def declare(view: View) -> View:
        view = for_people(view)
        view.access = Access("roles", roles)  # type: ignore[attr-defined]
        return view

    return declare


@_as(Role.TESTER, Role.REVIEWER, Role.ADJUDICATOR)
@require_GET
def review(request: HttpRequest, dialogue_id: UUID) -> HttpResponse:
    """One dialogue with its rubric: for who has a place in its panel, or decides where that disagrees."""
    person = person_of(request)
    reading = reading_named(dialogue_id, person)
    named = Dialogue.objects.with_names()
    dialogue = get_object_or_404(named, pk=reading.review.dialogue_id if reading else dialogue_id)
    part = part_of(dialogue, person)
    keep_clocks_of(dialogue.assignment.campaign)
    if part == Part.SELF and (dialogue.is_open or not review_page_of(dialogue)):
        return redirect("console", dialogue_id=dialogue.pk)
    sheet = sheet_of(dialogue, with_context=part != Part.SELF)
    page = review_page(sheet, turn_policy_of(dialogue.assignment.campaign))
    shown = parts_of_every_page(dialogue, sheet, page) | asked_of(person, part, dialogue, page, dialogue_id)
    if part != Part.SELF:
        shown["rows"] = with_examples(
            shown["rows"], marks_for(dialogue.assignment.campaign, person, timezone.now()).marks
        )
    shown["settings"] = settings_of(request, dialogue, page) | shown.get("settings", {})
    shown["settings"]["dialogue"] = str(dialogue_id)
    return render(request, "reviews/review.html", shown)


def parts_of_every_page(dialogue: Dialogue, sheet: dict[str, Any], page: ReviewPage) -> dict[str, Any]:
    return {
        "campaign": dialogue.assignment.campaign,
        "scenario": dialogue.assignment.scenario,
        "sheet": sheet,
        "page": page,
        "context_rows": context_rows(sheet),
        "length": ngettext("%(n)d turn", "%(n)d turns", page.n_turns) % {"n": page.n_turns},
        "comment_limit": COMMENT_LIMIT,
        "strings": review_strings(),
    }


def asked_of(person: Person, part: str, dialogue: Dialogue, page: ReviewPage, shown_as: UUID) -> dict[str, Any]:
    """What the page asks of the person in their part; `shown_as` is the id under which the dialogue stands in their list."""
    if part == Part.SELF:
        return own_to_score(dialogue, page)
    return (
        to_decide(dialogue, person, page) if part == Part.ADJUDICATION else to_score(dialogue, person, page, shown_as)
    )


def own_to_score(dialogue: Dialogue, page: ReviewPage) -> dict[str, Any]:
    """The tester's own dialogue, where its rubric asks for more than the form beside the chat has."""
    own_list = reverse("tester-list", args=[dialogue.assignment.campaign.slug])
    return {
        "heading": _("Your own dialogue"),
        "rows": judged_rows(page.rows, [], []),
        "own_list": own_list,
        "settings": {"isOwn": True, "list": own_list},
    }


def to_score(dialogue: Dialogue, person: Person, page: ReviewPage, shown_as: UUID) -> dict[str, Any]:
    progress = progress_at(dialogue.assignment.campaign, person, shown_as, BAR_PX)
    return {
        "heading": _("Dialogue %(n)d") % {"n": progress.number},
        "progress": progress,
        "rows": judged_rows(page.rows, [], []),
        "may_remark": True,
    }


def to_decide(dialogue: Dialogue, person: Person, page: ReviewPage) -> dict[str, Any]:
    """The same form with the scores of every panel reviewer, unnamed."""
    others = open_disputes([dialogue.assignment.campaign], person).exclude(dialogue=dialogue)
    following = others.values_list("dialogue", flat=True).first()
    contents = panel_contents(dialogue)
    ratings = [one.rating for part in page.parts for turn in part.turns for one in turn.label_sets]
    return {
        "heading": _("Decide"),
        "rows": judged_rows(page.rows, contents, disputed_ratings(dialogue)),
        "panel": [(number, content["comment"]) for number, content in enumerate(contents, start=1)],
        "settings": {
            "handIn": "review.decide",
            "next": "",
            "nextToDecide": reverse("review", args=[following]) if following else "",
            "panelLabels": labels_of(contents, ratings),
        },
    }


def settings_of(request: HttpRequest, dialogue: Dialogue, page: ReviewPage) -> dict[str, Any]:
    """What the scripts of the page know from the start."""
    return addresses_of(dialogue.assignment.campaign) | {
        "dialogue": str(dialogue.pk),
        "person": request.user.get_username(),
        "handIn": "review.handIn",
        "names": page.names,
    }


@_as(Role.EXPERT)
@require_GET
def vetting(request: HttpRequest, dialogue_id: UUID) -> HttpResponse:
    """A collected dialogue, for an expert who accepts or returns it."""
    dialogue = get_object_or_404(Dialogue.objects.with_names(), pk=dialogue_id)
    campaign, person = dialogue.assignment.campaign, person_of(request)
    if not may_read_to_vet(dialogue, person):
        raise Http404
    keep_clocks_of(campaign)
    sheet = sheet_of(dialogue)
    sheet |= {"criteria": [], "asks_for_verdicts": False}
    page = review_page(sheet, turn_policy_of(dialogue.assignment.campaign))
    shown = parts_of_every_page(dialogue, sheet, page) | {
        "heading": _("Vetting"),
        "questions": Vetting.Question.choices,
        "n_experts": campaign.experts_per_dialogue,
        "given": dialogue.vettings.filter(expert=person).first(),
        "settings": settings_of(request, dialogue, page) | {"nextToVet": next_to_vet(campaign, person, dialogue)},
        "strings": vetting_strings(),
    }
    return render(request, "reviews/vetting.html", shown)


def next_to_vet(campaign: Campaign, expert: Person, current: Dialogue) -> str:
    """The address of what the expert vets after this one; empty where nothing is left."""
    following = to_vet(campaign, expert).exclude(pk=current.pk).first()
    return reverse("vetting", args=[following.pk]) if following else ""


@for_roles(Role.ORGANIZER)
@require_GET
def revisions(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The requests to change scores after the undo time, with their reasons."""
    waiting, answered = open_requests(campaign, person_of(request))
    return render(
        request,
        "reviews/revisions.html",
        {
            "campaign": campaign,
            "waiting": waiting,
            "answered": answered,
            "settings": {"person": request.user.get_username()},
            "strings": queue_strings(),
        },
    )


@for_roles(Role.ORGANIZER)
@require_GET
def panels(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return _panels_page(request, campaign)


def _panels_page(
    request: HttpRequest, campaign: Campaign, refused: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """`refused` says which panel was not closed, with what reason, and why."""
    short = shown_panels(lacking_panels(campaign, timezone.now()))
    has_form = refused is None or any(row.dialogue.pk == refused["dialogue"] for row in short.rows)
    shown = {
        "campaign": campaign,
        "short": short,
        "closed": closed_panels(campaign)[:SHOWN],
        "reason_limit": COMMENT_LIMIT,
        "not_closed": refused if has_form else None,
        "not_done": None if has_form else refused,
    }
    return render(request, "reviews/panels.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@form_on("panels")
def change_panel(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    """Closes the panel of a dialogue with the reviews that it has, or reopens it."""
    dialogue = get_object_or_404(Dialogue.objects.of_campaign(campaign).with_names(), pk=dialogue_id)
    typed = {"dialogue": dialogue.pk, "because": request.POST.get("because", "")}
    try:
        _change(request, dialogue, request.POST.get("act", ""))
    except BadReview as bad:
        return _panels_page(request, campaign, typed | {"wrong": " ".join(bad.fields.values())}, status=422)
    except NotReviewable as refused:
        if request.POST.get("act") == "close":
            return _panels_page(request, campaign, typed | {"wrong": str(refused)}, status=409)
        messages.error(request, str(refused))
    return redirect("panels", slug=campaign.slug)


def _change(request: HttpRequest, dialogue: Dialogue, act: str) -> None:
    organizer, at = person_of(request), timezone.now()
    if act == "close":
        because = request.POST.get("because", "")
        closed = close_panel(dialogue=dialogue, organizer=organizer, because=because, at=at)
        messages.success(request, _("The panel counts with the reviews that it has: %(n)d.") % {"n": closed.n_reviews})
    elif act == "reopen":
        reopen_panel(dialogue=dialogue, organizer=organizer, at=at)
        messages.success(request, _("The panel waits for all its reviews again."))
    else:
        raise BadRequest(f"There is no act {act}.")
