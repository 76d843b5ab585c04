"""Which machines are there, which have died, and what keeps one more from working beside them."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models.functions import Now

from serving import machines
from serving.actions import beat, end_beat
from serving.machines import Beat, Watch, beats_there, clock_apart, hindrances, network_disk_of
from serving.models import ProcessBeat
from serving.processes import ProcessName, is_ended, note_ended, this_place
from serving.versions import code_version

OTHER = "elsewhere-ffffffff"


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def looks(clock):
    """Looks at the given beats after so many seconds, and gives who is found dead."""
    watch = Watch("here-00000000", clock)

    def look(after_s, **beats):
        clock.now += after_s
        return watch.look({f"{place}-0:aa:1": n for place, n in beats.items()})

    return look


async def test_a_beat_that_begins_anew_is_present_once(monkeypatch):
    present = []

    class FakeLease:
        def __init__(self, *arguments):
            pass

        async def one_more(self):
            present.append(self)
            return True

    async def away(work):
        raise ConnectionError

    monkeypatch.setattr(machines, "leases", object)
    monkeypatch.setattr(machines, "Lease", FakeLease)
    kept = Beat(ProcessName(), away)
    for _ in range(3):
        with pytest.raises(ConnectionError):
            await kept.follow()
    assert len(present) == 1


def test_a_beat_that_stands_still_while_we_look_is_that_of_a_dead_process(looks):
    found = [looks(2, there=n) for n in (1, 2, 2, 2, 2)]
    assert found == [set()] * 4 + [{"there-0:aa:1"}]
    assert looks(2, there=3) == set(), "it only stood still"


def test_a_machine_killed_is_found_dead_early_enough_for_its_turns_to_be_settled_within_15_s(looks):
    """It beat last just before a look that did not see it."""
    assert looks(2, there=1) == set()
    killed_for_s, dead = 0, set()
    n = 2
    while not dead:
        dead = looks(machines.BEAT_EVERY_S, there=n)
        killed_for_s += machines.BEAT_EVERY_S
    assert killed_for_s <= 10


def test_where_nobody_could_look_nobody_is_dead(looks):
    looks(2, there=1)
    assert looks(300, there=1) == set()
    assert [looks(2, there=1) for _ in range(3)] == [set(), set(), {"there-0:aa:1"}]


def test_who_ended_in_good_order_is_known_at_once(looks):
    assert looks(2, there=None) == {"there-0:aa:1"}


def test_of_its_own_machine_the_system_knows_more(clock):
    watch = Watch("here-00000000", clock)
    for _ in range(9):
        clock.now += 2
        assert watch.look({"here-00000000:aa:1": 1}) == set()


def test_what_a_dead_machine_had_is_found(looks):
    name = f"{OTHER}:0123abcd:7"
    assert not is_ended(name, place=this_place())
    note_ended(frozenset({name}))
    assert is_ended(name, place=this_place())
    note_ended(frozenset())
    assert not is_ended(name, place=this_place())


@pytest.mark.django_db
def test_each_beat_counts_and_shows_those_of_others():
    assert beat("here:aa:1") == {"here:aa:1": 0}
    assert beat("here:aa:1") == {"here:aa:1": 1}
    assert beat("there:bb:2") == {"here:aa:1": 1, "there:bb:2": 0}
    end_beat("here:aa:1")
    assert beat("there:bb:2") == {"here:aa:1": None, "there:bb:2": 1}
    assert [one.name for one in beats_there()] == ["there:bb:2"]


@pytest.mark.django_db
def test_those_of_yesterday_are_forgotten_and_those_of_a_minute_ago_are_not_there():
    beat("here:aa:1")
    beat("there:bb:2")
    ProcessBeat.objects.filter(name="here:aa:1").update(seen_at=Now() - timedelta(minutes=1))
    assert [one.name for one in beats_there()] == ["there:bb:2"]
    ProcessBeat.objects.filter(name="here:aa:1").update(seen_at=Now() - timedelta(days=2))
    assert beat("new:cc:3").keys() == {"there:bb:2", "new:cc:3"}


@pytest.fixture
def another(db, settings, monkeypatch):
    """Another machine that fits this one, on a database that machines share."""
    monkeypatch.setattr(machines, "shares_database", lambda: True)
    monkeypatch.setattr(machines, "clock_apart", lambda: timedelta(seconds=1))
    monkeypatch.setattr(machines, "_on_another_redis", lambda others: [])
    monkeypatch.setattr(machines, "BEAT_EVERY_S", 0)
    settings.REDIS_URL = "redis://127.0.0.1:9"
    beat(f"{OTHER}:0123abcd:7")
    return change(place=OTHER)


def change(**fields):
    ProcessBeat.objects.update(**fields)
    return ProcessBeat.objects.get()


def words_of(other, **named):
    return [one.words for one in hindrances([other], **named)]


def test_a_machine_that_is_like_the_others_serves_beside_them(another):
    assert words_of(another) == []


@pytest.mark.parametrize(
    ("fields", "words", "sentence"),
    [
        ({"has_redis": False}, "no Redis", "restart that one with it"),
        ({"key_digest": "another"}, "another secret key", "HUACE_SECRET_KEY the same value"),
        ({"version": "0.0.9+12345678"}, "another version", "0.0.9+12345678"),
    ],
)
def test_each_difference_from_another_machine_is_a_sentence(another, fields, words, sentence):
    (found,) = hindrances([change(**fields)])
    assert found.words == words
    assert sentence in found.sentence
    assert "elsewhere" in found.sentence


def test_a_version_that_is_being_replaced_may_differ(another):
    assert words_of(change(version="0.0.9+12345678"), may_differ=True) == []


def test_without_redis_no_second_machine_serves(another, settings):
    settings.REDIS_URL = ""
    assert words_of(another) == ["no Redis"]


def test_a_clock_that_is_far_apart_keeps_from_serving(another, monkeypatch):
    monkeypatch.setattr(machines, "clock_apart", lambda: timedelta(seconds=6))
    assert words_of(another) == ["another clock"]


def test_a_machine_on_another_redis_is_told_by_its_host(another, monkeypatch):
    monkeypatch.setattr(machines, "_on_another_redis", lambda others: ["elsewhere"])
    assert words_of(another) == ["another Redis"]


def test_the_server_refuses_to_start_in_a_sentence(another, settings, monkeypatch):
    settings.REDIS_URL = ""
    # It goes on beating while the start looks.
    monkeypatch.setattr(machines, "time", SimpleNamespace(sleep=lambda s: beat(another.name)))
    with pytest.raises(CommandError, match=r"Another machine serves this database already \(elsewhere\)"):
        call_command("serve", "--port", "1")


def test_a_machine_that_was_killed_seconds_ago_keeps_nobody_from_starting(another, settings, caplog):
    assert machines.others_there() == [another]
    machines.refuse_what_cannot_work()
    assert caplog.text == ""
    settings.REDIS_URL = ""
    machines.refuse_what_cannot_work()
    assert "Without REDIS_URL this server is alone" in caplog.text


def test_the_clock_is_compared_with_the_databases_whatever_the_way_took(monkeypatch):
    there = datetime(2026, 11, 24, 12, tzinfo=UTC)

    class Cursor:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            pass

        def execute(self, statement):
            pass

        def fetchone(self):
            return (there,)

    monkeypatch.setattr(machines.connection, "cursor", Cursor)
    for before_s, after_s, apart_s in [(-1, 3, 0), (-9, -6, 6), (7, 8, 7)]:
        clock = iter([there + timedelta(seconds=before_s), there + timedelta(seconds=after_s)])
        assert clock_apart(clock.__next__) == timedelta(seconds=apart_s)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor == "sqlite", reason="a file has no clock")
def test_the_clock_of_a_database_on_this_machine_is_ours():
    assert clock_apart() < timedelta(seconds=1)


@pytest.mark.parametrize(
    ("kind", "found"), [("ext4", ""), ("nfs4", "nfs4"), ("fuse.sshfs", "fuse.sshfs"), ("fuse.portal", "")]
)
def test_a_database_on_a_network_disk_is_found_by_its_mount(tmp_path, kind, found):
    device = tmp_path.stat().st_dev
    mounts = tmp_path / "mountinfo"
    number = f"{device >> 8 & 0xFFF}:{device & 0xFF}"
    mounts.write_text(
        "20 1 254:99 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
        f"30 20 {number} / /srv rw,relatime shared:2 master:1 - {kind} server:/export rw\n"
    )
    assert network_disk_of(tmp_path / "huace.sqlite3", mounts) == found
    assert network_disk_of(tmp_path / "huace.sqlite3", tmp_path / "gone") == ""


def test_sqlite_on_a_network_disk_keeps_from_serving(monkeypatch, settings):
    monkeypatch.setattr(machines, "shares_database", lambda: False)
    monkeypatch.setattr(machines, "network_disk_of", lambda path: "nfs4")
    (found,) = hindrances([])
    assert "network disk (nfs4)" in found.sentence


def test_the_version_changes_with_the_code(monkeypatch, tmp_path):
    assert code_version().startswith("0.")
    assert code_version.__wrapped__() == code_version()
    added = tmp_path / "api" / "added.py"
    added.parent.mkdir()
    added.write_text("x = 1\n")
    monkeypatch.setattr("serving.versions.settings.BASE_DIR", tmp_path)
    monkeypatch.setattr("serving.versions.product_version", lambda: "0.1.0")
    first = code_version.__wrapped__()
    added.write_text("x = 2\n")
    assert code_version.__wrapped__() != first
