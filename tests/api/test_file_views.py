"""Operations that answer with a file send it whatever the request accepts."""

import pytest

from api.describing import FileOf
from api.file_views import FileView
from tests.routes import ROUTES

# Sent as TOML or JSON, as the request accepts.
NEGOTIATED = {"api/v1/campaigns/<slug:slug>/file/"}


def sends_a_file(view) -> bool:
    description = getattr(getattr(view, "get", None), "description", None)
    return description is not None and isinstance(description.answers.get(200), FileOf)


DOWNLOADS = [
    (path, view)
    for path, callback in ROUTES
    if (view := getattr(callback, "cls", None)) and sends_a_file(view) and path not in NEGOTIATED
]


@pytest.mark.parametrize(("path", "view"), DOWNLOADS, ids=[path for path, _ in DOWNLOADS])
def test_a_download_is_a_file_view(path, view):
    assert issubclass(view, FileView)


def test_the_look_at_the_routes_sees_downloads():
    assert len(DOWNLOADS) >= 5
