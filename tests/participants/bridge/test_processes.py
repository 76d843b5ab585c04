"""One running command: what it prints is read line by line, and it ends with all that it started."""

import asyncio

import pytest

from participants.bridge.processes import NoReply, Process


async def test_a_line_goes_in_and_a_line_comes_out():
    process = await Process.start(["cat"])
    await process.write("你好".encode())
    assert (await process.line(5)).decode() == "你好"
    await process.end("over")
    assert not process.is_running


async def test_a_last_line_without_an_end_counts():
    process = await Process.start(["printf", "a\\r\\nb"])
    assert [await process.line(5), await process.line(5)] == [b"a", b"b"]
    with pytest.raises(NoReply, match=r"The command ended \(0\)"):
        await process.line(5)
    with pytest.raises(NoReply, match="ended"):
        await process.write(b"x")


async def test_a_command_that_closes_its_output_and_runs_on_is_ended(monkeypatch):
    monkeypatch.setattr("participants.bridge.processes.END_LIMIT_S", 0.05)
    process = await Process.start(["sh", "-c", "exec >&-; sleep 60"])
    with pytest.raises(NoReply, match="closed its output"):
        await process.line(5)


async def test_waiting_for_a_line_ends_by_its_limit_and_loses_no_line():
    process = await Process.start(["sh", "-c", "read go; echo late"])
    with pytest.raises(TimeoutError):
        await process.line(0.05)
    await process.write(b"go")
    assert await process.line(5) == b"late"
    await asyncio.gather(process.end("over"), process.end("twice"))
