"""Bundles at an address: of a zip, or of a campaign's page; what a site may answer otherwise is told in a sentence."""

import io
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError

import pytest
from django.utils import timezone

from analysis import Unreadable, frames, sources
from publication.actions.publishing import publish
from tests.analysis.conftest import PLAYED
from tests.publication.conftest import bundles, scored, snapshot

__all__ = ["bundles", "scored", "snapshot"]
BOARD = b'{"snapshot": {"number": 3}}'


@contextmanager
def site(answers):
    """A site on the loopback that has these paths."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = answers.get(self.path)
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, *args): ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("page", "path"),
    [
        ("/files/b.zip", "/files/b.zip"),
        ("/files/b.zip?download=1", "/files/b.zip?download=1"),
        ("/campaigns/demo/", "/api/v1/campaigns/demo/leaderboard/3/bundle.zip"),
        ("/campaigns/demo/leaderboard/", "/api/v1/campaigns/demo/leaderboard/3/bundle.zip"),
        ("/campaigns/demo/leaderboard/2/paper/?in=en", "/api/v1/campaigns/demo/leaderboard/2/bundle.zip"),
    ],
)
def test_an_address_leads_to_its_bundle(page, path):
    with site({path: PLAYED.read_bytes(), "/api/v1/campaigns/demo/leaderboard/": BOARD}) as url:
        assert len(frames(url + page).bots) == 4


@pytest.mark.parametrize(
    ("answers", "page", "told"),
    [
        ({}, "/campaigns/demo/", "leaderboard/ cannot be read: HTTP Error 404"),
        ({"/api/v1/campaigns/demo/leaderboard/": b"[]"}, "/campaigns/demo/", "does not say which bundle is public"),
        ({"/api/v1/campaigns/demo/leaderboard/": BOARD}, "/campaigns/demo/", "bundle.zip cannot be read"),
        ({"/b.zip": b"no zip"}, "/b.zip", "is no zip"),
        ({"/b.zip": b"x" * 2_000}, "/b.zip", "sends more than 1,000 bytes"),
        ({}, "/about/", "neither a bundle"),
    ],
)
def test_another_answer_is_told(answers, page, told):
    with site(answers) as url, pytest.raises(Unreadable, match=told):
        frames(url + page, most_bytes=1_000)


def test_nobody_at_the_address_is_told():
    with site({}) as url:
        pass
    with pytest.raises(Unreadable, match="cannot be read"):
        frames(f"{url}/b.zip")


@pytest.mark.django_db
def test_the_page_of_a_published_board_of_ours_leads_to_its_bundle(client, snapshot, monkeypatch):
    publish(snapshot=snapshot, public_from=timezone.now(), by=None, at=timezone.now())

    def asked(address, timeout):
        answer = client.get(address.removeprefix("http://testserver"))
        if answer.status_code != 200:
            raise HTTPError(address, answer.status_code, "not found", {}, None)
        return io.BytesIO(answer.getvalue() if answer.streaming else answer.content)

    monkeypatch.setattr(sources, "urlopen", asked)
    made = frames(f"http://testserver/campaigns/{snapshot.campaign.slug}/")
    assert sorted(made.bots["team"])[:2] == ["Team Alpha", "Team Beta"]
    with pytest.raises(Unreadable, match="404"):
        frames("http://testserver/campaigns/another/leaderboard/1/")
