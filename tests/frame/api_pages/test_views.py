"""The page of the API shows every operation and every shape, without inline code."""

import pytest
from django.utils import translation

from frame.api_pages.views import api_schema

pytestmark = pytest.mark.django_db


def test_the_page_has_a_place_for_each_operation_and_each_shape(client):
    page = client.get("/about/api/").content.decode()
    for methods in api_schema()["paths"].values():
        for said in methods.values():
            assert f'id="{said["operationId"]}"' in page
    for name in api_schema()["components"]["schemas"]:
        assert f'id="shape-{name}"' in page


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_is_in_the_readers_language(client, language):
    client.cookies["django_language"] = language
    with translation.override(language):
        assert str(translation.gettext("Skip to content")) in client.get("/about/api/").content.decode()
