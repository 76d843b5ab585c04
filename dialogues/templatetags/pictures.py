"""What stands in place of a text that is a picture's line."""

from django import template
from django.urls import reverse

from participants.picture_lines import picture_said

register = template.Library()


@register.inclusion_tag("dialogues/_said.html")
def said(text: str, dialogue: object = "", kind: str = "", pair: object = "") -> dict[str, object]:
    """A paragraph of what was said, or its picture from our own address: that of the dialogue, or of the pair, whose judge learns no dialogue's id.

    Where neither is named, words say that there was one.
    """
    picture, url = picture_said(text), ""
    if picture and picture.name and (dialogue or pair):
        route, found = ("picture", dialogue) if dialogue else ("pair-picture", pair)
        url = reverse(route, args=[found, picture.name])
    return {"text": text, "picture": picture, "url": url, "kind": kind}
