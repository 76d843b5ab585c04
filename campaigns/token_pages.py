"""The API tokens of one's programs: what each may do, made with a name, shown once, revoked at once."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import for_people, person_of
from accounts.actions import issue_token, revoke_token
from accounts.form_routes import form_on
from accounts.models import ApiToken, Person
from campaigns.models import Campaign
from campaigns.token_choices import DEFAULT_DAYS, TokenForm, scope_in_words


@dataclass(frozen=True, slots=True)
class TokenRow:
    token: ApiToken
    may_do: str


def rows_of(person: Person) -> list[TokenRow]:
    tokens = list(ApiToken.objects.filter(user=person).order_by("-created"))
    slugs = {token.campaign for token in tokens if token.campaign}
    names = {campaign.slug: str(campaign.name) for campaign in Campaign.objects.filter(slug__in=slugs)}
    return [TokenRow(token, scope_in_words(token.scope, names.get(token.campaign, ""))) for token in tokens]


@for_people
@require_GET
def tokens(request: HttpRequest) -> HttpResponse:
    return _page(request, TokenForm(person_of(request), initial={"days": DEFAULT_DAYS}))


@for_people
@form_on("tokens")
def new_token(request: HttpRequest) -> HttpResponse:
    """The one page on which the token can be read: only its hash is stored."""
    person = person_of(request)
    form = TokenForm(person, request.POST)
    if not form.is_valid():
        return _page(request, form)
    chosen = form.chosen()
    issued = issue_token(person=person, name=chosen.name, scope=chosen.scope, lasts=chosen.lasts, by=person)
    return _page(request, TokenForm(person, initial={"days": DEFAULT_DAYS}), issued)


@for_people
@form_on("tokens")
def end_token(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if not revoke_token(person=person, token_key=request.POST.get("token_key", ""), by=person):
        raise Http404
    messages.success(request, _("The token is revoked."))
    return redirect("tokens")


def _page(request: HttpRequest, form: TokenForm, issued: str = "") -> HttpResponse:
    context = {
        "rows": rows_of(person_of(request)),
        "form": form,
        "issued": issued,
        "now": timezone.now(),
        "shown_once": bool(issued),
    }
    return render(request, "campaigns/tokens.html", context)
