"""What stands in place of a text that is a picture's line."""

from collections.abc import Sequence

from django import template
from django.urls import reverse

from participants.picture_lines import picture_said

register = template.Library()


@register.inclusion_tag("dialogues/_said.html")
def said(
    text: str,
    dialogue: object = None,
    kind: str = "",
    pair: object = None,
    published: Sequence[object] | None = None,
    why: str = "",
) -> dict[str, object]:
    """A paragraph of what was said, or its picture from our own address.

    That is the address of the dialogue; of the pair, whose judge learns no dialogue's id; or of the `published` dialogue: its campaign,
    leaderboard and number. Where none is named, `why` says in a sentence that a picture was there and is not shown.
    """
    picture, url = picture_said(text), ""
    ways: list[tuple[str, Sequence[object]]] = [
        ("picture", [dialogue] if dialogue else ()),
        ("pair-picture", [pair] if pair else ()),
        ("published-picture", published or ()),
    ]
    if picture and picture.name:
        url = next((reverse(route, args=[*named, picture.name]) for route, named in ways if named), "")
    return {"text": text, "picture": picture, "url": url, "kind": kind, "why": why}
