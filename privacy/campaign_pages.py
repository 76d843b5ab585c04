"""Pages of a campaign's organizers: words of a dialogue that go, how long texts are kept, the archive, and the end of it all."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import for_staff, is_of_staff, person_of
from accounts.form_routes import form_on, tells_refusal
from audit.models import TrailLine
from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue
from organizing.dialogues.views import dialogue_for
from participants.limits import REASON_LIMIT
from privacy.actions.archiving import archive_campaign, check_may_archive
from privacy.actions.redacting import CannotRedact, Span, redact, span_of
from privacy.actions.removing import CannotRemove, check_may_delete, delete_campaign, preview_deletion
from privacy.actions.retention import texts_go_at
from privacy.trail_acts import CAMPAIGN_ARCHIVED
from serving.refused import Refused


@for_roles(Role.ORGANIZER)
@require_http_methods(["GET", "HEAD", "POST"])
def redact_page(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    """Names a turn, who said it, and the words; without words all that was said there goes."""
    dialogue, wrong = dialogue_for(person_of(request), campaign, dialogue_id), ""
    where, words = request.POST.get("where", ""), request.POST.get("words", "").strip()
    because = request.POST.get("because", "")
    if request.method == "POST":
        try:
            span = span_with(dialogue, span_of(where), words)
            redact(dialogue=dialogue, span=span, because=because, by=person_of(request), at=timezone.now())
        except Refused as refused:
            wrong = str(refused)
        else:
            messages.success(request, _("The words are removed from this dialogue and from what was written of it."))
            return redirect("dialogue-shown", slug=campaign.slug, dialogue_id=dialogue.pk)
    shown = {
        "campaign": campaign, "dialogue": dialogue, "turns": dialogue.turns.all(), "where": where, "words": words,
        "because": because, "reason_limit": REASON_LIMIT, "wrong": wrong,
        "frozen": campaign.snapshots.exclude(bundle_digest="").filter(has_people=True),
    }  # fmt: skip
    return render(request, "privacy/redact.html", shown, status=409 if wrong else 200)


def span_with(dialogue: Dialogue, span: Span, words: str) -> Span:
    """The characters at which the words stand there first. Errors: `CannotRedact` where they do not."""
    if not words or span.first is not None:
        return span
    turn = dialogue.turns.filter(number=span.turn).first()
    texts = [] if turn is None else [turn.text] if span.speaker == "tester" else [str(one) for one in turn.texts]
    passed = 0
    for text in texts:
        if (start := text.find(words)) >= 0:
            return Span(span.turn, span.speaker, passed + start + 1, passed + start + len(words))
        passed += len(text)
    raise CannotRedact(gettext_noop("These words do not stand at %(span)s, letter by letter."), span=span)


@for_roles(Role.ORGANIZER)
@require_GET
def removal(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """How long texts are kept, and what an archive or a deletion would remove: nothing happens here."""
    # The trail also holds what was done to a deleted campaign of the same short name.
    lines = TrailLine.objects.of_campaign(campaign.slug).filter(at__gte=campaign.created_at)
    shown = {
        "campaign": campaign,
        "goes_at": texts_go_at(campaign),
        "belongings": preview_deletion(campaign=campaign),
        "archived": lines.of_act(CAMPAIGN_ARCHIVED.key).latest_first().first(),
        "why_not_archived": why_not(check_may_archive, campaign, timezone.now()),
        "why_not_deleted": why_not(check_may_delete, campaign),
        "is_staff": is_of_staff(request.user),
    }
    return render(request, "privacy/removal.html", shown)


def why_not(check: object, *given: object) -> str:
    """Why the check refuses; empty where it does not."""
    try:
        check(*given)  # type: ignore[operator]
    except CannotRemove as refused:
        return str(refused)
    return ""


@for_roles(Role.ORGANIZER)
@form_on("removal")
@tells_refusal
def archive(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    typed = request.POST.get("typed", "")
    made = archive_campaign(campaign=campaign, typed=typed, by=person_of(request), at=timezone.now())
    messages.success(request, _("The campaign is archived: %(file)s") % {"file": made.path.name})
    return redirect("removal", slug=campaign.slug)


@for_staff
@form_on("removal")
@tells_refusal
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = get_object_or_404(Campaign, slug=slug)
    delete_campaign(campaign=campaign, typed=request.POST.get("typed", ""), by=person_of(request), at=timezone.now())
    messages.success(request, _("The campaign %(slug)s is deleted.") % {"slug": slug})
    return redirect("home")
