"""A page asks for several style sheets at once."""

from posixpath import dirname

import pytest
from django.template import Context, Template

from config.settings import BASE_DIR
from look.bundles import BUNDLES, joined


def links():
    return Template("{% styles 'look/all.css' %}").render(Context())


def test_what_comes_later_stands_later():
    assert joined([b"a { color: red }", b"a { color: blue }"]) == b"a { color: red }\na { color: blue }"


@pytest.mark.parametrize("bundle", BUNDLES)
def test_a_bundle_is_in_the_folder_of_its_parts_and_shadows_no_file(bundle):
    assert all((BASE_DIR / "static" / name).is_file() for name in BUNDLES[bundle])
    assert {dirname(name) for name in BUNDLES[bundle]} == {dirname(bundle)}
    assert not (BASE_DIR / "static" / bundle).exists()


def test_a_page_links_the_bundle_and_in_development_its_parts(settings):
    assert links() == '<link rel="stylesheet" href="/static/look/all.css">'
    settings.DEBUG = True
    assert links().count("<link") == len(BUNDLES["look/all.css"])
    assert "look/all.css" not in links()
