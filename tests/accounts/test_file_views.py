"""Operations that answer with a file send it whatever the request accepts."""

import pytest

from accounts.file_views import FileView
from tests.test_access import ROUTES

FILES = [
    (path, callback.cls)
    for path, callback in ROUTES
    if path.startswith("api/") and path.rsplit("/", 2)[-2] in {"file", "files", "example"} and hasattr(callback, "cls")
]


def is_download(view) -> bool:
    answers = view.get.description.answers if hasattr(view, "get") else {}
    return type(answers.get(200)).__name__ == "FileOf"


@pytest.mark.parametrize(("path", "view"), FILES, ids=[path for path, _ in FILES])
def test_a_download_is_a_file_view(path, view):
    # The campaign file is sent as TOML or JSON, as the request accepts.
    if is_download(view) and path != "api/v1/campaigns/<slug:slug>/file/":
        assert issubclass(view, FileView)


def test_the_look_at_the_routes_sees_downloads():
    assert sum(is_download(view) for _, view in FILES) >= 3
