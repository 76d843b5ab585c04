"""The pages of people who come by a study's link: what is asked and paid, their place, and how it ended."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth import login
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, open_to_all, person_of
from accounts.log_in.guesses import address_of, network_of
from api.rate_limits import take
from campaigns.actions.consenting import ConsentChanged, consent_due
from campaigns.clocks import keep_clocks_of
from campaigns.models import Role
from crowds.actions.arriving import arrival_of, note_visit, start
from crowds.actions.ending import finish, stop
from crowds.door_rules import item_of
from crowds.models import Arrival, CrowdStudy
from crowds.outcomes import Ending, ending_of
from crowds.payment import per_hour
from crowds.platforms import SUBMIT_TO, BrokenLink, Outcome, Outside, Platform, PreviewOnly, outside_of
from crowds.refusals import CannotStudy
from crowds.work import progress_of
from reading.digits import whole_or_none
from rubrics.bilingual import in_readers_language
from serving.refused import Refused

BACKEND = "django.contrib.auth.backends.ModelBackend"
# Whose pages show a task in a frame.
FRAMING = (*SUBMIT_TO, "https://worker.mturk.com")
# People who are new at a door, per network: a room of them, no program that makes people up.
NEW_PER_WINDOW, NEW_PER_DAY, DAY_S = 60, 400, 24 * 60 * 60
PAGES = {Role.TESTER: "tester-list", Role.REVIEWER: "review-queue"}


@open_to_all
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """GET says what is asked and paid; POST begins, or goes on with what the same person began."""
    study = CrowdStudy.objects.select_related("campaign").filter(door=token).first()
    if study is None:
        return _ended(request, None, None)
    keep_clocks_of(study.campaign)
    try:
        outside = outside_of(request.GET, study.names, Platform(study.platform))
    except PreviewOnly:
        return _framed(request, study, _first_page(request, study, None))
    except BrokenLink:
        return _ended(request, study, None)
    if _is_framed(request, study):
        shown = {"study": study, "here": request.get_full_path()}
        return _framed(request, study, render(request, "crowds/in_own_window.html", shown))
    arrival = arrival_of(study, outside)
    if arrival is None and _is_over_rate(request):
        return render(request, "crowds/too_many.html", {"study": study}, status=429)
    if request.method == "POST":
        return _start(request, study, outside)
    return _look(request, study, outside, arrival)


def _look(request: HttpRequest, study: CrowdStudy, outside: Outside, arrival: Arrival | None) -> HttpResponse:
    """The first page, that of an outcome, or the way back to a place that is open in this browser."""
    away = note_visit(study=study, outside=outside, arrival=arrival, at=timezone.now())
    if away is not None:
        return _ended(request, study, ending_of(study, arrival, away, outside))
    if arrival is not None and arrival.is_at_work and request.user == arrival.person:
        return redirect("crowd-place", study.door)
    return _first_page(request, study, outside, goes_on=arrival is not None and arrival.started_at is not None)


def _is_over_rate(request: HttpRequest) -> bool:
    network = network_of(address_of(request))
    taken = take("crowd-doors", network, NEW_PER_WINDOW)
    a_day = take("crowd-doors-a-day", network, NEW_PER_DAY, window_s=DAY_S)
    return any(one is not None and one.is_over for one in (taken, a_day))


def _start(request: HttpRequest, study: CrowdStudy, outside: Outside) -> HttpResponse:
    answers = [whole_or_none(request.POST.get(f"item_{number}", "")) for number in range(len(study.attention))]
    version = whole_or_none(request.POST.get("consent", "")) or 0
    try:
        arrival = start(study=study, outside=outside, answers=answers, consent_version=version, at=timezone.now())
    except (ConsentChanged, CannotStudy) as refused:
        return _first_page(request, study, outside, refused=str(refused), status=409)
    if arrival is None or not arrival.is_at_work or arrival.person is None:
        return _look(request, study, outside, arrival)
    if request.user != arrival.person:
        # Its five writes are one commit.
        with transaction.atomic():
            login(request, arrival.person, backend=BACKEND)
    return redirect(PAGES[Role(study.role)], study.campaign.slug)


def _first_page(
    request: HttpRequest, study: CrowdStudy, outside: Outside | None, *, status: int = 200, **said: Any
) -> HttpResponse:
    questions = [
        {"name": f"item_{number}", "text": _text(item.question), "answers": list(map(_text, item.answers))}
        for number, item in enumerate(map(item_of, study.attention))
    ]
    shown = {
        "study": study,
        "of": study.campaign,
        "is_preview": outside is None,
        "consent": consent_due(study.campaign_id, 0),
        "questions": questions,
        "per_hour": per_hour(study.pay, study.minutes),
        "other": request.user if request.user.is_authenticated else None,
    }
    return render(request, "crowds/enter.html", shown | said, status=status)


def _text(texts: Mapping[str, str]) -> str:
    return in_readers_language(texts["zh"], texts["en"])


def _ended(request: HttpRequest, study: CrowdStudy | None, ending: Ending | None) -> HttpResponse:
    """The page of an outcome; without one, that of a link that names nobody."""
    answer = render(request, "crowds/ended.html", {"study": study, "ending": ending}, status=200 if ending else 404)
    if ending and ending.submit_to:
        # The form that gives a worker's assignment back to Mechanical Turk.
        setattr(answer, "_csp_update", {"form-action": [ending.submit_to]})  # noqa: B010
    return answer


def _is_framed(request: HttpRequest, study: CrowdStudy) -> bool:
    return study.platform == Platform.MTURK and request.headers.get("Sec-Fetch-Dest") == "iframe"


def _framed(request: HttpRequest, study: CrowdStudy, answer: HttpResponse) -> HttpResponse:
    """Mechanical Turk shows external questions in a frame of its own pages; what is shown there takes no form."""
    if _is_framed(request, study):
        answer.xframe_options_exempt = True
        # django-csp reads what it replaces from the answer.
        setattr(answer, "_csp_replace", {"frame-ancestors": list(FRAMING)})  # noqa: B010
    return answer


@for_people
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, token: str) -> HttpResponse:
    """The person's own place in the study: how far it is; POST finishes it, or stops."""
    found = (
        Arrival.objects.select_related("study__campaign", "person")
        .filter(study__door=token, person=person_of(request))
        .first()
    )
    if found is None:
        raise Http404
    keep_clocks_of(found.study.campaign)
    refused = ""
    if request.method == "POST":
        act = stop if request.POST.get("act") == "stop" else finish
        try:
            act(arrival=found, at=timezone.now())
            return redirect("crowd-place", token)
        except Refused as not_possible:
            refused = str(not_possible)
    study, progress = found.study, progress_of(found)
    if progress.has_failed:
        # Told at once; the place ends with the next look of the server (`ending.free_places`).
        found.state, found.n_done = Arrival.State.SCREENED_OUT, progress.n_done
    if not found.is_at_work:
        return _ended(request, study, ending_of(study, found, Outcome(found.state), None))
    shown = {
        "study": study,
        "of": study.campaign,
        "progress": progress,
        "due_at": found.due_at,
        "work_url": reverse(PAGES[Role(study.role)], args=[study.campaign.slug]),
        "refused": refused,
    }
    return render(request, "crowds/place.html", shown, status=409 if refused else 200)
