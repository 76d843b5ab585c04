"""{% crowd_bar %}: how far somebody who came by a study's link has come, on each of their pages."""

from typing import Any

from django import template
from django.template.context import RequestContext

from accounts.models import Person
from crowds.models import Arrival
from crowds.work import progress_of

register = template.Library()


@register.inclusion_tag("crowds/_bar.html", takes_context=True)
def crowd_bar(context: RequestContext) -> dict[str, Any]:
    """Nothing for everybody else, who are told apart without a query."""
    request = context.get("request")
    person = getattr(request, "user", None)
    if request is None or person is None or not person.is_authenticated or person.came_by != Person.CameBy.CROWD:
        return {"place": None}
    if request.resolver_match and request.resolver_match.url_name in {"enter", "crowd-place"}:
        return {"place": None}
    at_work = Arrival.objects.at_work().filter(person=person).select_related("study__campaign", "person")
    place = at_work.order_by("-started_at").first()
    return {"place": place, "progress": progress_of(place) if place else None}
