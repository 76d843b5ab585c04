"""What stands in the place of a text that is a picture's line."""

from django import template
from django.urls import reverse

from participants.picture_lines import picture_said

register = template.Library()


@register.inclusion_tag("dialogues/_said.html")
def said(text: str, dialogue: object = "", kind: str = "") -> dict[str, object]:
    """A paragraph of what was said, or its picture from our own address; where no dialogue is named, words say that there was one."""
    picture = picture_said(text)
    url = reverse("picture", args=[dialogue, picture.name]) if picture and picture.name and dialogue else ""
    return {"text": text, "picture": picture, "url": url, "kind": kind}
