"""A person's API tokens: what they can be narrowed to, how long they last, and the page that issues and ends them."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET

from accounts.access import for_people, person_of
from accounts.actions import issue_token, revoke_token
from accounts.form_routes import form_on
from accounts.models import ApiToken, Person
from accounts.scopes import WHOLE, Scope
from campaigns.models import Campaign, CampaignRole, Role

DAYS = (7, 30, 90, 365)
DEFAULT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Chosen:
    """A token that somebody wants."""

    name: str
    scope: Scope
    lasts: timedelta


class TokenForm(forms.Form):
    """Name, scope and days. A scope is `campaign/role`; either half may be empty."""

    name = forms.CharField(max_length=60, error_messages={"required": gettext_lazy("Name the program.")})
    scope = forms.ChoiceField(required=False)
    days = forms.TypedChoiceField(coerce=int)

    def __init__(self, person: Person, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scope"].choices = [(value_of(scope), label) for scope, label in scopes_of(person)]  # type: ignore[attr-defined]
        self.fields["days"].choices = [(str(n), days_in_words(n)) for n in offered_days()]  # type: ignore[attr-defined]

    def chosen(self) -> Chosen:
        campaign, _slash, role = self.cleaned_data["scope"].partition("/")
        lasts = timedelta(days=self.cleaned_data["days"])
        return Chosen(self.cleaned_data["name"], Scope(role, campaign), lasts)


def value_of(scope: Scope) -> str:
    return "" if scope == WHOLE else f"{scope.campaign}/{scope.role}"


def offered_days() -> list[int]:
    """Those that the site allows; its longest where it allows none of ours."""
    return [n for n in DAYS if n <= settings.TOKEN_DAYS_AT_MOST] or [settings.TOKEN_DAYS_AT_MOST]


def days_in_words(n: int) -> str:
    return ngettext("%(n)d day", "%(n)d days", n) % {"n": n}


def scopes_of(person: Person) -> list[tuple[Scope, str]]:
    """Everything, then each campaign of the person whole and by each role held there."""
    held: dict[Campaign, list[str]] = {}
    places = CampaignRole.objects.held_by(person).select_related("campaign")
    for place in places.order_by("-campaign__created_at", "role"):
        held.setdefault(place.campaign, []).append(place.role)
    found = [(WHOLE, _("everything I can do"))]
    for campaign, roles in held.items():
        found.append((Scope(campaign=campaign.slug), scope_in_words(Scope(campaign=campaign.slug), campaign.name)))
        for role in roles:
            scope = Scope(role, campaign.slug)
            found.append((scope, scope_in_words(scope, campaign.name)))
    return found


def scope_in_words(scope: Scope, campaign_name: str) -> str:
    """What the token may do. Without a campaign it is named by the role alone."""
    if scope == WHOLE:
        return _("everything I can do")
    role = str(Role(scope.role).label) if scope.role else _("all my roles")
    if not scope.campaign:
        return role
    return _("%(campaign)s: %(role)s") % {"campaign": campaign_name or scope.campaign, "role": role}


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
