"""A worker that is killed while it sends a message loses none: the next one sends it under the same id."""

import subprocess
import sys

import pytest

from tests.live.databases import ROOT
from tests.live.server import live
from tests.notifications.receiving import receiver
from tests.waiting import until

pytestmark = [pytest.mark.server, pytest.mark.long]
HOOKS = "/api/v1/campaigns/probe/webhooks/"


def worker(server):
    return subprocess.Popen([sys.executable, "manage.py", "work"], cwd=ROOT, env=server.environment)


def end(process):
    process.kill()
    process.wait()


def state_of(server):
    return server.rows("SELECT state, n_tries FROM notifications_delivery")


def test_a_message_whose_worker_was_killed_goes_out_again_under_its_id(tmp_path):
    with (
        receiver(holds_first=True) as hook,
        live(tmp_path, f"http://127.0.0.1:{hook.port}", with_worker=False) as server,
    ):
        status, added = server.request("POST", HOOKS, {"url": hook.url}, person="organizer")
        assert status == 201
        status, _ = server.request("POST", f"{HOOKS}{added['id']}/test/", {}, person="organizer")
        assert status == 201
        first = worker(server)
        try:
            until(lambda: hook.got)
        finally:
            end(first)
        assert state_of(server) == [("waiting", 1)]
        hook.release()
        # The pause before the next try is a minute: it is taken to be over.
        server.database.execute("UPDATE notifications_delivery SET next_try_at = made_at")
        second = worker(server)
        try:
            until(lambda: state_of(server) == [("sent", 2)])
        finally:
            end(second)
        assert len(hook.ids) == 2
        assert len(set(hook.ids)) == 1
        assert [message["type"] for message in hook.verified(added["key"])] == ["test", "test"]
