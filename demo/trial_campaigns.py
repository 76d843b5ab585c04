"""In a demo, its organizer makes campaigns too: each is called a trial, and the oldest makes room for the next."""

from contextlib import suppress
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, is_of_staff, person_of
from accounts.models import Person
from campaigns.models import Campaign
from demo.people import ORGANIZER
from organizing.setting_up import new_campaign as of_staff
from participants.limits import NAME_LIMIT
from privacy.actions.removing import CannotRemove, delete_campaign
from publication.models import Publication

PREFIX = "trial-"
MARK_ZH, MARK_EN = "试办：", "Trial: "
SLUG_LIMIT = 60
MOST = 10


@for_people
@require_http_methods(["GET", "HEAD", "POST"])
def new_campaign(request: HttpRequest) -> HttpResponseBase:
    person = person_of(request)
    if is_of_staff(person) or person.username != ORGANIZER:
        return of_staff.new_campaign(request)
    answer = of_staff.answer_with(request, make_trial)
    if answer.status_code == 302:
        messages.info(request, _("The demo keeps the %(n)d newest trial campaigns.") % {"n": MOST})
    return answer


def make_trial(form: of_staff.NewCampaignForm, by: Person) -> Campaign | None:
    """The campaign, marked in its address and names; None after a note in the form. What is published is never deleted."""
    trials = of_staff.own_campaigns(by).filter(slug__startswith=PREFIX)
    published = trials.filter(pk__in=Publication.objects.standing().values("snapshot__campaign"))
    if (n_published := published.count()) >= MOST:
        form.wrong["start"] = _("This demo is full of published trial campaigns. Withdraw one of them first.")
        return None
    campaign = of_staff.make(
        replace(
            form,
            slug=(PREFIX + form.slug)[:SLUG_LIMIT],
            name_zh=(MARK_ZH + form.name.zh)[:NAME_LIMIT],
            name_en=(MARK_EN + form.name.en)[:NAME_LIMIT],
        ),
        by,
    )
    if campaign is not None:
        for oldest in trials.exclude(pk__in=published)[MOST - n_published :]:
            # One that cannot go now, as its storage is away, goes with the next.
            with suppress(CannotRemove):
                delete_campaign(campaign=oldest, typed=oldest.slug, by=by, at=timezone.now())
    return campaign
