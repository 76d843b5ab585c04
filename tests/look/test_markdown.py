"""Markdown of organizers becomes our HTML and nothing else: no markup, script, image or address of theirs gets through."""

import re

import pytest

from look.markdown import markdown
from tests.linear_time import assert_linear

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#x6A;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:msgbox)",
    "[x](//evil.example/)",
    "[x](\\\\\\\\evil.example/)",
    "<javascript:alert(1)>",
    '[x](https://a.example/ "\\"><script>alert(1)</script>")',
    "[x]: javascript:alert(1)\n\n[x]",
    "```<script>\nx\n```",
    "| <b>a</b> |\n|:-:|\n| <i>b</i> |",
)
# The elements that Markdown itself gives, with the attributes that they may have.
ALLOWED = {
    "p": set(), "h4": set(), "h5": set(), "h6": set(), "ul": set(), "ol": {"start"}, "li": set(), "em": set(), "strong": set(),
    "s": set(), "a": {"href", "rel", "title"}, "code": {"class"}, "pre": set(), "blockquote": set(), "hr": set(), "br": set(),
    "table": set(), "thead": set(), "tbody": set(), "tr": set(), "th": {"class"}, "td": {"class"},
}  # fmt: skip
TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z]+=\"[^\"<>]*\")*) ?/?>")


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_of_theirs_is_markup(text):
    drawn = str(markdown(text))
    for _closing, name, attributes in TAG.findall(drawn):
        assert set(re.findall(r" ([a-z]+)=", attributes)) <= ALLOWED[name]
    assert "<" not in TAG.sub("", drawn)
    for address in re.findall(r'href="([^"]*)"', drawn):
        assert address.startswith(("https://a.example/", "%5C"))


def test_headings_stand_below_those_of_the_page():
    assert markdown("# A\n\n### B\n\n###### C") == "<h4>A</h4>\n<h6>B</h6>\n<h6>C</h6>\n"


def test_links_lead_to_the_web_to_mail_and_to_our_own_pages():
    for address in ("https://a.example/?x=1", "http://a.example/", "mailto:a@example.org", "/about/", "#rules"):
        assert f'<a href="{address}" rel="noopener nofollow">x</a>' in markdown(f"[x]({address})")


def test_an_aligned_column_has_a_class_and_no_style():
    drawn = markdown("| a | b |\n|---|--:|\n| 1 | 2 |")
    assert '<td class="to-right">2</td>' in drawn
    assert "style" not in drawn


def test_an_image_is_no_more_than_a_link():
    assert "<img" not in markdown("![x](https://a.example/x.png)")


@pytest.mark.parametrize("piece", ["[", "*a", "> ", "`", "[a](", "<", "- ", "![[", "a\n", "[a]: b\n", "~~a", "|", "&"])
def test_its_cost_grows_with_the_text(piece):
    assert_linear(markdown.__wrapped__, lambda size: (piece * size)[:size], sizes=(2_500, 5_000, 10_000, 20_000))
