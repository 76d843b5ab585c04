"""The page that compares two rankings."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.models import Campaign, Role
from leaderboards.explanations import other_ranking
from organizing.comparing.rankings import choices, chosen, compare


@for_roles(Role.ORGANIZER)
@require_GET
def compare_boards(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    found = choices(campaign)
    try:
        one, other = chosen(found, request.GET.get("one", ""), request.GET.get("other", ""))
    except KeyError as unknown:
        raise Http404 from unknown
    compared = compare(campaign, one, other)
    tau = other_ranking(other.name, compared.tau) if compared.tau else None
    context = {"campaign": campaign, "choices": found, "compared": compared, "tau": tau}
    return render(request, "organizing/comparing/boards.html", context)
