"""{% crowd_bar %}: how far somebody who came by a study's link has come, on each of their pages."""

from typing import Any

from django import template
from django.template.context import RequestContext

from accounts.models import Person
from crowds.models import Arrival
from crowds.outcomes import WORDS
from crowds.platforms import Outcome
from crowds.work import progress_of

register = template.Library()


@register.inclusion_tag("crowds/_bar.html", takes_context=True)
def crowd_bar(context: RequestContext) -> dict[str, Any]:
    """The place where somebody is at work, else their latest; nothing for everybody else, who are told apart without a query."""
    request = context.get("request")
    person = getattr(request, "user", None)
    if request is None or person is None or not person.is_authenticated or person.came_by != Person.CameBy.CROWD:
        return {"place": None}
    if request.resolver_match and request.resolver_match.url_name in {"enter", "crowd-place"}:
        return {"place": None}
    places = Arrival.objects.filter(person=person, started_at__isnull=False).select_related("study__campaign")
    place = max(places, key=lambda one: (one.is_at_work, one.started_at, one.pk), default=None)
    if place is None:
        return {"place": None}
    progress = progress_of(place)
    outcome = Outcome.SCREENED_OUT if progress.has_failed else None if place.is_at_work else Outcome(place.state)
    return {"place": place, "progress": progress, "ended": WORDS[outcome]()[0] if outcome else ""}
