"""A DialPort agent as the project's Flask template has it: a session that was not begun is an error."""

from contextlib import contextmanager
from itertools import count

from tests.fakes.posted import posted_bot


@contextmanager
def dialport_bot(*, names_sessions=False, greets_and_ends=False):
    """It says how many turns a session had so far; `bye` ends it."""
    turns, numbers = {}, count(1)

    def answer_to(path, body):
        given = body["sessionID"]
        if path == "/init":
            session = f"own-{next(numbers)}" if names_sessions else given
            turns[session] = 0
            return said(session, "Welcome", terminal=greets_and_ends)
        if path == "/end":
            del turns[given]
            return said(given, "Goodbye", terminal=True)
        assert path == "/next"
        assert isinstance(body["asrConf"], float)
        turns[given] += 1
        if body["text"] == "bye":
            del turns[given]
            return said(given, "Goodbye", terminal=True)
        return said(given, f"{turns[given]}: {body['text']}")

    def said(session, text, *, terminal=False):
        return {"sessionID": session, "version": "0.1", "terminal": terminal, "timeStamp": "x", "sys": text}

    with posted_bot(answer_to) as bot:
        bot.turns = turns
        yield bot
