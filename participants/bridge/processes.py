"""One running command: its lines in and out, and its end with everything that it started. No shell is involved."""

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress

LINE_LIMIT_BYTES = 256 * 1024
# Lines that nobody has asked for yet; a command that prints more without being asked is ended.
UNASKED_LINES_LIMIT = 1000
# After SIGTERM; what has not ended by then is killed.
END_LIMIT_S = 3.0


class NoReply(Exception):
    """The command gave no reply; `status` is what HTTP says for it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class Process:
    """A command that runs. Its stderr is the bridge's own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self._why_ended = ""
        self._has_ended = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str]) -> "Process":
        """Errors: `NoReply`."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_LIMIT_BYTES,
                # A group of its own: what the command starts ends with it, and Ctrl-C reaches the bridge alone.
                start_new_session=True,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        except OSError as failed:
            raise NoReply(500, f"The command cannot be started: {failed}") from failed
        return cls(process)

    @property
    def is_running(self) -> bool:
        return not self._why_ended

    async def write(self, line: bytes) -> None:
        """Errors: `NoReply`."""
        if self._why_ended:
            raise NoReply(500, self._why_ended)
        assert self._process.stdin is not None, "opened as a pipe"
        self._process.stdin.write(line + b"\n")
        with suppress(ConnectionError):  # it ends: reading says how
            await self._process.stdin.drain()

    def forget_lines(self) -> list[bytes]:
        """Takes what was printed without being asked for."""
        return [self._lines.get_nowait() for _ in range(self._lines.qsize())]

    async def line(self, within_s: float | None) -> bytes:
        """The next line. Errors: `NoReply` where the command ends first, `TimeoutError`."""
        async with asyncio.timeout(within_s):
            line = asyncio.ensure_future(self._lines.get())
            ended = asyncio.ensure_future(self._has_ended.wait())
            try:
                await asyncio.wait({line, ended}, return_when=asyncio.FIRST_COMPLETED)
                if line.done():
                    return line.result()
                raise NoReply(500, self._why_ended)
            finally:
                line.cancel()
                ended.cancel()

    async def end(self, why: str) -> None:
        """Ends the command and all that it started."""
        self._why_ended = self._why_ended or why
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(END_LIMIT_S):
                await self._process.wait()
        except TimeoutError:
            pass
        # Also where the command itself has ended: its children may not have.
        self._signal(signal.SIGKILL)
        await self._process.wait()
        self._has_ended.set()
        self._reading.cancel()

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _read(self) -> None:
        assert self._process.stdout is not None, "opened as a pipe"
        try:
            while line := await self._process.stdout.readline():
                if self._lines.qsize() >= UNASKED_LINES_LIMIT:
                    await self._give_up(
                        f"The command printed more than {UNASKED_LINES_LIMIT} lines that nobody asked for."
                    )
                    return
                self._lines.put_nowait(line.rstrip(b"\r\n"))
        except ValueError:
            await self._give_up(f"The command printed a line of more than {LINE_LIMIT_BYTES // 1024} KiB.")
            return
        # It closed its output: whether it runs on or not, nothing more comes.
        with suppress(TimeoutError):
            async with asyncio.timeout(END_LIMIT_S):
                await self._process.wait()
        status = self._process.returncode
        await self._give_up("The command closed its output." if status is None else f"The command ended ({status}).")

    async def _give_up(self, why: str) -> None:
        self._why_ended = self._why_ended or why
        self._signal(signal.SIGKILL)
        await self._process.wait()
        self._has_ended.set()
