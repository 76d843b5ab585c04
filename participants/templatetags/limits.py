"""{% limit "NAME_LIMIT" %}: a limit of `participants.limits`, for fields of forms."""

from django import template

from participants import limits

register = template.Library()


@register.simple_tag
def limit(name: str) -> int:
    """Errors: `AttributeError` for a name that is none."""
    value: int = getattr(limits, name)
    return value
