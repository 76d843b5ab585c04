"""python -m participants.bridge [options] -- COMMAND …: a command-line bot takes part.

It is a bot of the native protocol on 127.0.0.1, or connects to the platform itself (--dial-out). SIGTERM ends it and the
command's processes.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence

from participants.bridge.serving import Called, Dialling
from participants.bridge.talks import Options, bot_of


def arguments_of(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m participants.bridge", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=8200)
    parser.add_argument("--lines", choices=["plain", "json"], default="plain", help="what the command reads and prints")
    parser.add_argument(
        "--shared", action="store_true", help="one process for all dialogues (JSON lines with dialogue)"
    )
    parser.add_argument("--greets", action="store_true", help="the command prints a line before it reads one")
    parser.add_argument(
        "--gather", type=int, default=0, metavar="MS", help="plain: a reply ends after so long a silence"
    )
    parser.add_argument("--reply", type=float, default=60, metavar="S", help="a reply may take so long")
    parser.add_argument(
        "--idle", type=float, default=1800, metavar="S", help="a process without a turn is ended after it"
    )
    parser.add_argument("--dialogues", type=int, default=50, metavar="N", help="at most so many at a time")
    parser.add_argument("--secret", default=os.environ.get("HUACE_BOT_SECRET", ""), help="asked of whoever calls")
    parser.add_argument("--dial-out", metavar="URL", help="connect to wss://…/ws/bots/ instead of being called")
    parser.add_argument("--key", default=os.environ.get("HUACE_BOT_KEY", ""), help="for --dial-out")
    parser.add_argument("command", nargs="+", metavar="COMMAND")
    said = parser.parse_args(words)
    if said.shared and said.lines != "json":
        parser.error("--shared needs --lines json: plain lines do not say whose they are")
    if said.dial_out and not said.key:
        parser.error("--dial-out needs --key")
    return said


def options_of(said: argparse.Namespace) -> Options:
    return Options(
        command=tuple(said.command),
        lines=said.lines,
        is_shared=said.shared,
        greets=said.greets,
        gather_s=said.gather / 1000,
        reply_s=said.reply,
        idle_s=said.idle,
        n_dialogues=said.dialogues,
    )


async def run(said: argparse.Namespace) -> None:
    """Until SIGTERM or Ctrl-C, or until the platform wants it no more. Errors: `SystemExit`, `OSError`."""
    bot = bot_of(options_of(said))
    end = Dialling(bot, said.dial_out, said.key) if said.dial_out else Called(bot, said.port, said.secret)
    running = asyncio.ensure_future(end.run())
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        pass
    finally:
        await bot.end()


if __name__ == "__main__":
    try:
        asyncio.run(run(arguments_of(sys.argv[1:])))
    except OSError as failed:
        raise SystemExit(f"The bridge cannot listen: {failed}") from failed
