"""Tags that draw: {% icon %}, {% plot %}, {% ruler %}, {% budget %}; {% module %}, {% styles %}; and |whole_ranges, |markdown, |moment, |moment_text, |offset.

They are built in, so no template loads them.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from look.bundles import BUNDLES
from look.icons import drawing_of
from look.markdown import markdown
from look.modules import modules_behind
from look.moments import MINUTES, moment_on, offset_of, time_element
from look.plots import WIDTH, Plot, drawn, spark_ticks
from look.ruler import draw, marks, state_of_budget

register = template.Library()
register.filter("markdown", markdown)
SPARK_PITCH, SPARK_HEIGHT = 5, 14

# A browser may begin a new line behind the ellipsis of a range.
WORD = re.compile(r"\S+")


def _numbers(ticks: str | Iterable[int]) -> list[int]:
    """Numbers of ticks: a list, or in a template "3 9"."""
    return [int(tick) for tick in ticks.split()] if isinstance(ticks, str) else list(ticks)


@register.simple_tag
def plot(picture: Plot, label: str) -> SafeString:
    """A picture of figures in the colours of the page; its marks escape what they hold."""
    head = '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    return format_html(head, WIDTH, picture.height, label, mark_safe(drawn(picture)))


@register.simple_tag
def sparkline(values: Sequence[int], label: str) -> SafeString:
    """A tick per day, as high as its value; the label says it in words."""
    ticks, empty = spark_ticks(values, pitch=SPARK_PITCH, height=SPARK_HEIGHT)
    drawn_as = '<svg class="ruler" width="{}" height="{}" role="img" aria-label="{}"><path class="r-left" d="{}"/><path class="r-used" d="{}"/></svg>'
    return format_html(drawn_as, len(values) * SPARK_PITCH, SPARK_HEIGHT, label, empty, ticks)


@register.simple_tag
def icon(name: str, classes: str = "") -> SafeString:
    """An icon beside a word; one that stands alone needs a label on its button."""
    return format_html(
        '<svg class="icon{}" viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        f" {classes}" if classes else "",
        mark_safe(drawing_of(name)),
    )


@register.simple_tag
def styles(bundle: str) -> SafeString:
    """The link to several style sheets in one; in development to each of them, so that the browser names the file."""
    names = BUNDLES[bundle] if settings.DEBUG else (bundle,)
    return format_html_join("", '<link rel="stylesheet" href="{}">', ((static(one),) for one in names))


@register.simple_tag
def module(name: str) -> SafeString:
    """A page's script, and hints for all that it imports: found one after the other, they would cost a round trip each."""
    hints = format_html_join(
        "", '<link rel="modulepreload" href="{}">', ((static(one),) for one in modules_behind(name))
    )
    return format_html('<script type="module" src="{}"></script>{}', static(name), hints)


@register.simple_tag
def module_after_styles(name: str) -> SafeString:
    """As {% module %}, on a page of dozens of modules: none is asked for before the styles are there (static/frame/frame.js)."""
    return format_html("<template data-after-styles>{}</template>", module(name))


@register.inclusion_tag("look/_ruler.html")
def ruler(
    total: int,
    used: int,
    *,
    ticks: int = 0,
    pitch: int = 4,
    height: int = 12,
    in_flight: int = 0,
    lost: str | Iterable[int] = (),
    state: str = "",
    label: str = "",
) -> dict[str, Any]:
    """A small ruler. With `ticks` it is as wide as that many; `state`: low, done, mute, bold or several of them."""
    drawing = draw(total, used, pitch=pitch, height=height, in_flight=in_flight, lost=_numbers(lost), ticks=ticks)
    return {"drawing": drawing, "state": state, "label": label, "total": total, "pitch": pitch}


@register.inclusion_tag("look/_ruler_symbol.html")
def ruler_symbol(total: int, used: int, *, width: int, height: int = 10) -> dict[str, Any]:
    """A ruler `width` pixels wide, to be used many times on a page, as `<use href="#ruler-9-3"/>`.

    Of no total it is a bar, and `used` the pixels that are filled.
    """
    end = width - 2
    units = draw(total, used, pitch=1, height=height, ticks=end)
    return {
        "drawing": units if total else draw(end, used, pitch=end, height=height, ticks=1),
        "total": total,
        "used": used,
    }


@register.inclusion_tag("look/_budget.html")
def budget(
    total: int, used: int, *, in_flight: int = 0, lost: str | Iterable[int] = (), state: str | None = None
) -> dict[str, Any]:
    """The large ruler with what is left in words; it turns amber when fewer than five turns are left."""
    return {
        "marks": marks(total, used, in_flight=in_flight, lost=_numbers(lost)),
        "state": state_of_budget(total, used) if state is None else state,
        "total": total,
        "used": used,
        "left": max(0, total - used),
    }


@register.filter
def whole_ranges(text: str) -> SafeString:
    """The text, each range in it (−2…2) on one line."""
    return mark_safe(WORD.sub(_range_as_one, escape(text)))


def _range_as_one(word: re.Match[str]) -> str:
    return f'<span class="nowrap">{word[0]}</span>' if "…" in word[0][1:-1] else word[0]


@register.filter
def moment(value: datetime | None, form: str = MINUTES) -> str:
    """A moment on the clocks of the page (the campaign's, elsewhere the site's), named by their offset; empty without one."""
    return time_element(timezone.get_current_timezone(), value, form) if value else ""


@register.filter
def moment_text(value: datetime | None, form: str = MINUTES) -> str:
    """The same without markup: for attributes, drawings and mails."""
    return moment_on(timezone.get_current_timezone(), value, form) if value else ""


@register.filter
def offset(value: datetime) -> str:
    """How the zone of the page's clocks is named at that moment: "UTC+08:00"."""
    return offset_of(timezone.localtime(value))
