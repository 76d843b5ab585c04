"""A headless Firefox for tests, driven over WebDriver BiDi, which it speaks itself: no driver program, only a socket."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
START_LIMIT_S, ANSWER_LIMIT_S, END_LIMIT_S = 30, 15, 10
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PREFERENCES = 'user_pref("intl.accept_languages", "zh-CN, zh");\n'
# WebDriver's code points for keys without a character: https://www.w3.org/TR/webdriver2/#keyboard-actions
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Control": "\ue009", "Alt": "\ue00a", "Escape": "\ue00c"}
# BiDi's log leaves out what the page's policy forbids.
REPORT_VIOLATIONS = """() => addEventListener("securitypolicyviolation", (event) =>
  console.error(`${event.effectiveDirective} forbids ${event.blockedURI} in ${event.sourceFile}`))"""


class BidiError(Exception):
    """Firefox did not start, refused a command, or did not answer it in time."""


class Firefox:
    """One tab of 1280×720; `errors` lists every console error, failed script and breach of the page's policy."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.numbers = socket, count(1)
        self.errors: list[str] = []
        self.command("session.new", capabilities={})
        # In the first tab the address bar has the focus, and no key presses a button.
        self.tab = {"context": self.command("browsingContext.create", type="tab")["context"]}
        self.command("session.subscribe", events=["log.entryAdded"])
        self.command("script.addPreloadScript", functionDeclaration=REPORT_VIOLATIONS)
        self.command("browsingContext.setViewport", **self.tab, viewport={"width": 1280, "height": 720})

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        ends_at = time.monotonic() + ANSWER_LIMIT_S
        try:
            while (frame := json.loads(self.socket.recv(max(0, ends_at - time.monotonic())))).get("id") != number:
                if frame.get("params", {}).get("level") == "error":
                    self.errors.append(frame["params"]["text"])
        except TimeoutError:
            raise BidiError(f"no answer to {method} within {ANSWER_LIMIT_S} s") from None
        if frame["type"] == "error":
            raise BidiError(f"{method}: {frame['error']}: {frame['message']}")
        return frame["result"]

    def goto(self, url: str) -> None:
        self.command("browsingContext.navigate", **self.tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, passed as JSON."""
        text = f"JSON.stringify(({expression}) ?? null)"
        answer = self.command("script.evaluate", expression=text, target=self.tab, awaitPromise=False)
        if answer["type"] != "success":
            raise BidiError(f"{expression}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def until(self, expression: str, limit_s: float = 20) -> None:
        """Waits until the expression is true, across page loads, too."""
        ends_at = time.monotonic() + limit_s
        while time.monotonic() < ends_at:
            with suppress(BidiError):  # a page that is being left answers nothing
                if self.evaluate(expression):
                    return
            time.sleep(0.05)
        raise AssertionError(f"not true within {limit_s} s: {expression}; console: {self.errors}")

    def press(self, *chords: str) -> None:
        """Presses keys one after the other; "Alt+2" holds Alt while it presses 2."""
        strokes = []
        for chord in chords:
            keys = [KEYS.get(key, key) for key in chord.split("+")]
            strokes += [{"type": "keyDown", "value": key} for key in keys]
            strokes += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.command("input.performActions", **self.tab, actions=[{"type": "key", "id": "keys", "actions": strokes}])


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A Firefox with a home and a profile of its own, which end with the block."""
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as home:
        Path(home, "user.js").write_text(PREFERENCES)
        log = Path(home, "firefox.log")
        command = [str(FIREFOX), "--headless", "--remote-debugging-port=0", "--profile", home]
        with log.open("w") as output:
            process = subprocess.Popen(command, env=os.environ | {"HOME": home}, stdout=output, stderr=output)
        try:
            with connect(f"{address(process, log)}/session", proxy=None, max_size=None) as socket:
                yield Firefox(socket)
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_LIMIT_S)
            process.kill()  # does nothing to one that ended


def address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    ends_at = time.monotonic() + START_LIMIT_S
    while not (said := LISTENING.search(log.read_text())):
        if process.poll() is not None or time.monotonic() > ends_at:
            raise BidiError(f"Firefox did not listen within {START_LIMIT_S} s; it said: {log.read_text()}")
        time.sleep(0.05)
    return said[1]
