"""A rehearsal over a real server, real sockets and a real bot: it fails, it is stopped, the server restarts in the middle, and nothing of it counts."""

import pytest

from tests.waiting import until

pytestmark = pytest.mark.server

REHEARSALS = "/api/v1/campaigns/probe/rehearsals/"


def started(server, **said):
    status, rehearsal = server.request("POST", REHEARSALS, said, person="organizer")
    assert status == 201, rehearsal
    return f"{REHEARSALS}{rehearsal['id']}/"


def told_once(server, place, is_so):
    """What the rehearsal tells once that is so."""

    def look():
        told = server.request("GET", place, person="organizer")[1]
        return told if is_so(told) else None

    return until(look)


def is_over(told):
    return told["rehearsal"]["ended_at"] is not None


def test_every_system_is_talked_to_and_what_failed_is_named(server):
    # What the scripted tester says first: the bot does what the text asks.
    server.database.execute("UPDATE campaigns_scenario SET opening = '!500' WHERE key = 'long'")
    place = started(server, dialogues=2)
    told = told_once(server, place, is_over)
    assert told["rehearsal"]["state"] == "done"
    (system,) = told["systems"]
    assert (system["dialogues"], system["over"], system["not_carried_out"]) == (2, 2, 0)
    assert system["turns"] > system["answered"] > 0
    assert set(system["failed"]) == {"bot"}
    assert system["p95_ms"] >= system["p50_ms"] >= 0
    assert (system["parts"], system["parts_not_finished"] > 0) == (3, True)
    assert "500" in system["failures"][0]["sentence"]
    assert server.rows("SELECT DISTINCT origin FROM dialogues_dialogue") == [("program",)]
    assert server.request("DELETE", place, person="organizer")[0] == 204
    assert server.rows("SELECT count(*) FROM dialogues_dialogue") == [(0,)]
    server.check_invariants()


def test_it_goes_on_after_a_restart_and_can_be_stopped(server):
    server.database.execute("UPDATE campaigns_scenario SET opening = '!slow 1'")
    place = started(server, dialogues=6, at_once=1)
    told_once(server, place, lambda told: told["systems"][0]["over"] >= 1)
    server.kill()
    server.start()
    before = server.request("GET", place, person="organizer")[1]
    assert not is_over(before)
    told_once(server, place, lambda told: told["systems"][0]["over"] > before["systems"][0]["over"])
    assert server.request("POST", f"{place}stop/", person="organizer")[0] == 200
    told = told_once(server, place, is_over)
    assert told["rehearsal"]["state"] == "stopped"
    assert server.rows("SELECT count(*) FROM dialogues_dialogue WHERE status = 'open'") == [(0,)]
    assert server.rows(
        "SELECT count(*) FROM campaigns_campaignrole WHERE person_id IN (SELECT id FROM accounts_person WHERE kind = 'program')"
    ) == [(0,)]
    server.check_invariants()
