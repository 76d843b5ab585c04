"""{% campaign_tabs %}: the rooms of the page's campaign, as far as its reader sees them."""

from typing import Any

from django import template
from django.template.context import RequestContext

from campaigns.access import roles_of
from frame.tabs import groups_of_room, pages_of_room, tabs_of

register = template.Library()


@register.inclusion_tag("frame/_tabs.html", takes_context=True)
def campaign_tabs(context: RequestContext) -> dict[str, Any]:
    """Nothing where the page belongs to no campaign, or where there is no request (pages for errors of ours)."""
    request, campaign = context.get("request"), context.get("campaign")
    if request is None or campaign is None:
        return {"tabs": []}
    roles = roles_of(request.user, campaign)
    tabs = tabs_of(campaign, roles, request.path)
    groups = groups_of_room(campaign, tabs, request.path)
    return {
        "tabs": tabs,
        "groups": groups,
        "of": next((one.label for one in [*groups, *tabs] if one.is_current), ""),
        "pages": pages_of_room(campaign, tabs, request.path, roles),
    }
