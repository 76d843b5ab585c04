"""Dialogues with real commands of a shell: those that answer, die, hang and print too much."""

import asyncio
import itertools
import json
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from participants.bridge import processes
from participants.bridge.processes import NoReply
from participants.bridge.talks import Options, bot_of, limit_of

COUNTING = 'n=0; while read line; do n=$((n+1)); echo "$n:$line"; done'


@asynccontextmanager
async def bot(*command, **named):
    made = bot_of(Options(command, **{"reply_s": 10.0} | named))
    try:
        yield made
    finally:
        await made.end()


def shell(script):
    return ("sh", "-c", script)


def request(text, dialogue="d1", turn=1, **more):
    return {"dialogue": dialogue, "turn": turn, "text": text, "history": []} | more


async def failure(made, *asked, **named):
    with pytest.raises(NoReply) as none:
        await made.answer(request(*asked, **named))
    return none.value.status, none.value.message


async def test_each_dialogue_has_a_process_of_its_own():
    async with bot(*shell(COUNTING)) as made:
        assert await made.answer(request("a")) == {"texts": ["1:a"]}
        assert await made.answer(request("b", turn=2)) == {"texts": ["2:b"]}
        assert await made.answer(request("c", "d2")) == {"texts": ["1:c"]}


async def test_the_same_turn_is_not_put_to_the_command_twice():
    async with bot(*shell(COUNTING)) as made:
        assert await made.answer(request("a")) == await made.answer(request("a"))
        assert await made.answer(request("a", turn=2)) == {"texts": ["2:a"]}


async def test_a_command_that_greets_opens_the_dialogue():
    async with bot(*shell(f"echo 您好; {COUNTING}"), greets=True) as made:
        assert await made.answer(request("", turn=0)) == {"texts": ["您好"]}
        assert await made.answer(request("a")) == {"texts": ["1:a"]}
        assert await made.answer(request("b", "d2")) == {"texts": ["1:b"]}


async def test_lines_are_gathered_until_it_is_quiet():
    async with bot(*shell('while read line; do echo "$line"; echo second; done'), gather_s=0.3) as made:
        assert await made.answer(request("a")) == {"texts": ["a", "second"]}


async def test_what_nobody_asked_for_answers_no_later_turn(capfd):
    async with bot(*shell('while read line; do echo "$line"; echo extra; done')) as made:
        assert await made.answer(request("a")) == {"texts": ["a"]}
        await asyncio.sleep(0.2)
        assert await made.answer(request("b", turn=2)) == {"texts": ["b"]}
    assert "Not asked for: extra" in capfd.readouterr().err


async def test_json_lines_hold_the_whole_request():
    async with bot("cat", lines="json") as made:
        assert await made.answer(request("好", history=[{"role": "bot", "text": "x"}])) == {"text": "好"}


async def test_a_command_that_dies_is_an_error_with_its_status_and_its_stderr_is_shown(capfd):
    async with bot(*shell("read line; echo broken >&2; exit 3")) as made:
        assert await failure(made, "a") == (500, "The command ended (3).")
    assert "broken" in capfd.readouterr().err


async def test_a_dialogue_goes_on_in_another_process_where_that_is_told_what_was_said():
    history = [{"role": "user", "text": "a"}, {"role": "bot", "text": "b"}]
    dying = shell('read line; echo "$line"')
    async with bot(*dying, lines="json") as made:
        for turn in (1, 2):
            assert await made.answer(request("a", turn=turn, history=history)) == {"text": "a"}
            await asyncio.sleep(0.1)
            with pytest.raises(NoReply):
                await made.answer(request("b", turn=9))
    async with bot(*dying) as made:
        status, message = await failure(made, "a", history=history)
        assert (status, "cannot tell another what was said" in message) == (500, True)


async def test_a_command_that_hangs_is_ended_within_the_deadline():
    async with bot(*shell("sleep 60")) as made:
        status, message = await failure(made, "a", deadline_ms=300)
        assert (status, "gave no reply" in message) == (504, True)


@pytest.mark.parametrize(
    ("command", "says"),
    [(("yes",), "that nobody asked for"), (shell("tr '\\0' x < /dev/zero"), "a line of more than 256 KiB")],
)
async def test_a_command_that_prints_too_much_is_ended(command, says):
    async def talk(made):
        for turn in itertools.count(1):
            await made.answer(request("a", turn=turn))
            await asyncio.sleep(0.05)

    async with bot(*command) as made:
        with pytest.raises(NoReply, match=says) as none:
            await asyncio.wait_for(talk(made), 10)
        assert none.value.status == 500


async def test_a_command_that_is_not_there_is_an_error():
    async with bot("/no/such/program") as made:
        status, message = await failure(made, "a")
        assert (status, "cannot be started" in message) == (500, True)


async def test_a_line_that_is_no_reply_is_an_error_and_the_dialogue_goes_on():
    async with bot(*shell("while read line; do echo nonsense; done"), lines="json") as made:
        for turn in (1, 2):
            assert (await failure(made, "a", turn=turn))[0] == 502


async def test_there_are_no_more_processes_than_allowed_and_idle_ones_are_ended():
    async with bot("cat", n_dialogues=1, idle_s=0.3) as made:
        await made.answer(request("a"))
        async with asyncio.timeout(60):
            while made.n_dialogues:
                await asyncio.sleep(0.05)
    async with bot(*shell("sleep 60"), n_dialogues=1) as made:
        asked = asyncio.create_task(made.answer(request("a")))
        await asyncio.sleep(0.05)
        assert (await failure(made, "a", "d2"))[0] == 503
        asked.cancel()


async def test_the_dialogue_that_has_been_idle_longest_makes_room():
    async with bot(*shell(COUNTING), n_dialogues=2) as made:
        for dialogue, turn in (("d1", 1), ("d2", 1), ("d1", 2), ("d3", 1)):
            await made.answer(request("a", dialogue, turn))
        assert made.n_dialogues == 2
        assert await made.answer(request("b", "d1", 3)) == {"texts": ["3:b"]}
        assert await made.answer(request("b", "d2", 2)) == {"texts": ["1:b"]}


async def test_a_dialogue_that_a_turn_waits_for_makes_no_room():
    """Its lock is free for a step between two turns."""
    async with bot(*shell(COUNTING), n_dialogues=1) as made:

        async def one_turn_and_at_once_another_dialogue():
            await made.answer(request("a"))
            return await failure(made, "b", "d2")

        asked = asyncio.create_task(one_turn_and_at_once_another_dialogue())
        await asyncio.sleep(0)
        assert await made.answer(request("c", turn=2)) == {"texts": ["2:c"]}
        assert (await asked)[0] == 503
        assert made.n_dialogues == 1


async def test_a_turn_that_waits_while_its_dialogue_is_closed_begins_another():
    async with bot(*shell(COUNTING)) as made:
        before = [asyncio.create_task(made.answer(request("a"))), asyncio.create_task(made.close("d1"))]
        await asyncio.sleep(0)
        assert await made.answer(request("b", turn=2)) == {"texts": ["1:b"]}
        await asyncio.gather(*before)
        assert made.n_dialogues == 1


async def test_a_dialogue_that_the_command_ends_has_no_process_any_more_and_makes_room_first(tmp_path):
    script = f'echo $$ >> {tmp_path}/pids; while read line; do echo "{{\\"text\\": \\"x\\", \\"end\\": $0}}"; done'
    async with bot("sh", "-c", script, "true", lines="json", n_dialogues=1) as made:
        over = await made.answer(request("a"))
        assert over == {"text": "x", "end": True}
        await until_ended(int((tmp_path / "pids").read_text()))
        assert await made.answer(request("a")) == over  # the same turn once more
        assert len((tmp_path / "pids").read_text().split()) == 1
        await made.answer(request("a", "d2"))


async def test_a_dialogue_that_is_closed_has_no_process_any_more():
    async with bot(*shell("while read line; do echo $$; done")) as made:
        pid = int((await made.answer(request("a")))["texts"][0])
        await made.close("d1")
        await made.close("of nobody")
        await until_ended(pid)
        assert made.n_dialogues == 0


def is_alive(pid):
    """Whether it runs: one that has ended may wait for its parent to notice."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


async def until_ended(pid):
    async with asyncio.timeout(60):
        while is_alive(pid):
            await asyncio.sleep(0.02)


async def test_the_end_takes_the_commands_children_with_it(monkeypatch):
    """Also those that do not mind SIGTERM."""
    monkeypatch.setattr(processes, "END_LIMIT_S", 0.2)
    async with bot(*shell("trap '' TERM; sleep 60 & echo $!; read line; cat")) as made:
        child = int((await made.answer(request("a")))["texts"][0])
        assert is_alive(child)
    await until_ended(child)


# -- one process for all dialogues ------------------------------------------------------------------------------------


async def test_one_process_answers_all_dialogues_by_name_in_any_order():
    """It reads two lines, then answers the second before the first."""
    script = 'read a; read b; echo "$b"; echo "$a"; cat'
    async with bot(*shell(script), lines="json", is_shared=True) as made:
        asked = [
            asyncio.create_task(made.answer(request(text, dialogue))) for text, dialogue in [("一", "d1"), ("二", "d2")]
        ]
        assert await asyncio.gather(*asked) == [{"text": "一"}, {"text": "二"}]
        assert await made.answer(request("三", "d1")) == {"text": "三"}


async def test_a_reply_without_a_dialogue_is_for_whoever_waits_longest():
    async with bot(*shell('while read line; do echo \'{"text": "好"}\'; done'), lines="json", is_shared=True) as made:
        assert await made.answer(request("a")) == {"text": "好"}


async def test_the_one_process_that_dies_fails_all_who_wait_and_another_is_started():
    script = "read a; read b; exit 1"
    async with bot(*shell(script), lines="json", is_shared=True) as made:
        for _ in range(2):
            asked = [asyncio.create_task(made.answer(request("a", dialogue))) for dialogue in ("d1", "d2")]
            failed = await asyncio.gather(*asked, return_exceptions=True)
            assert [one.status for one in failed] == [500, 500]


async def test_the_one_process_may_be_late_for_one_and_still_serves_the_others():
    script = 'read a; while read line; do echo "$line"; done'
    async with bot(*shell(script), lines="json", is_shared=True) as made:
        assert (await failure(made, "a", deadline_ms=300))[0] == 504
        assert await made.answer(request("b", "d2")) == {"text": "b"}


# Answers the first line late, the others at once, by its text alone; `{more}` is what it names beside that.
LATE = """
import json, sys, time
for n, line in enumerate(sys.stdin):
    asked = json.loads(line)
    time.sleep(0.6 if n == 0 else 0)
    print(json.dumps({{"text": asked["text"], **{more}}}), flush=True)
"""
NAMED = '{"dialogue": asked["dialogue"]}'


@pytest.mark.parametrize("more", ["{}", NAMED])
async def test_a_late_reply_is_thrown_away_and_the_next_ones_go_where_they_belong(more, capfd):
    """Also to the same dialogue: the late one answers none of its later turns."""
    async with bot(sys.executable, "-c", LATE.format(more=more), lines="json", is_shared=True) as made:
        assert (await failure(made, "late", deadline_ms=300))[0] == 504
        asked = [made.answer(request("b", "d2")), made.answer(request("c", "d1", 2))]
        assert await asyncio.gather(*asked) == [{"text": "b"}, {"text": "c"}]
    assert "Too late:" in capfd.readouterr().err


async def test_a_reply_that_names_its_turn_waits_for_no_late_one():
    script = 'read a; while read line; do echo "$line"; done'
    async with bot(*shell(script), lines="json", is_shared=True) as made:
        assert (await failure(made, "never answered", deadline_ms=300))[0] == 504
        assert await made.answer(request("b", turn=2)) == {"text": "b"}


async def test_the_one_process_that_owes_too_many_replies_is_ended_and_another_is_started(tmp_path):
    script = f'echo x >> {tmp_path}/started; read first; echo "$first"; while read line; do :; done'
    async with bot(*shell(script), lines="json", is_shared=True, n_dialogues=1) as made:
        # It runs before it is given little time.
        assert await made.answer(request("a", turn=1)) == {"text": "a"}
        for turn in (2, 3):
            assert (await failure(made, "a", turn=turn, deadline_ms=300))[0] == 504
        assert await made.answer(request("b", turn=4)) == {"text": "b"}
    assert (tmp_path / "started").read_text() == "x\nx\n"


def test_a_reply_may_take_a_little_less_than_the_deadline_and_never_more_than_the_bridge_says():
    options = replace(Options(("cat",)), reply_s=60.0)
    assert limit_of({"deadline_ms": 10_000}, options) == pytest.approx(9.5)
    assert limit_of({"deadline_ms": 1_000_000}, options) == 60.0
    for said in (
        {},
        {"deadline_ms": "x"},
        {"deadline_ms": True},
        {"deadline_ms": -1},
        json.loads('{"deadline_ms": null}'),
    ):
        assert limit_of(said, options) == 60.0
