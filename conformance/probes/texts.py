"""What becomes of texts: rare characters, emoji, the longest that a tester may send, and none; and of pictures."""

from django.utils.translation import gettext_noop

from conformance.examiner import Examiner, NoReply, text_of
from conformance.probes.outcomes import Outcome, failed, passed, unanswered, warned

# What is left of a text that was read in another character set and written again.
WRONG_READINGS = ("latin-1", "cp1252", "gbk")
REPLACED = "�"
LOST = "?????"

NOT_GARBLED = gettext_noop("Chinese characters come back as they are, or are not repeated.")
EMOJI_KEPT = gettext_noop("Emoji come back as they are, or are not repeated.")
GARBLED = gettext_noop(
    "What was said comes back garbled: “%(shown)s”. The system reads the request in another character set."
)
LONG_IS_FINE = gettext_noop("A text of %(n)s characters is answered.")
EMPTY_ON_LONG = gettext_noop("A text of %(n)s characters gets an empty answer.")
EMPTY_IS_FINE = gettext_noop("An empty text is answered.")
NO_PICTURES = gettext_noop("No answer named a picture.")
PICTURES_ARE_FINE = gettext_noop("All %(n)s pictures that answers named were fetched, and testers see them.")
PICTURES_LOST = gettext_noop("%(n)s of %(all)s pictures that answers named cannot be shown to testers (%(why)s).")


async def chinese(examiner: Examiner) -> Outcome:
    return await _round_trip(examiner, examiner.lines.rare, NOT_GARBLED)


async def emoji(examiner: Examiner) -> Outcome:
    return await _round_trip(examiner, examiner.lines.emoji, EMOJI_KEPT)


async def _round_trip(examiner: Examiner, text: str, right: str) -> Outcome:
    talk = examiner.talk()
    try:
        said = text_of(await talk.say(text))
    except NoReply as no_reply:
        return unanswered(no_reply)
    garbled = garbled_part(text, said)
    return failed(GARBLED, talk.latest, shown=garbled[:60]) if garbled else passed(right)


def garbled_part(sent: str, said: str) -> str:
    """What in the answer is left of what was sent, read in a wrong character set; empty where nothing is."""
    if REPLACED in said or LOST in said:
        return said
    # Two at a time: GBK reads bytes in pairs, and a character of Chinese has three.
    pairs = {sent[place : place + 2] for place in range(len(sent) - 1)}
    spoilt = {misread(pair, name) for pair in pairs if not any(map(str.isascii, pair)) for name in WRONG_READINGS}
    return said if any(part in said for part in spoilt if part) else ""


def misread(text: str, name: str) -> str:
    """The text's UTF-8 bytes as somebody reads them who takes them for that character set; empty where nobody can."""
    try:
        return text.encode().decode(name)
    except UnicodeDecodeError:
        return ""


async def long_input(examiner: Examiner) -> Outcome:
    talk, n = examiner.talk(), examiner.limits.long_text
    try:
        said = text_of(await talk.say(examiner.lines.long_text(n)))
    except NoReply as no_reply:
        return unanswered(no_reply)
    return passed(LONG_IS_FINE, n=n) if said.strip() else warned(EMPTY_ON_LONG, talk.latest, n=n)


async def empty_input(examiner: Examiner) -> Outcome:
    """No tester can send one; a page of the bot's own might, and a bot that dies of it dies for everybody."""
    try:
        await examiner.talk().say("")
    except NoReply as no_reply:
        return unanswered(no_reply)
    return passed(EMPTY_IS_FINE)


async def pictures(examiner: Examiner) -> Outcome:
    """Asks nothing: it looks at what all answers before named."""
    named = examiner.pictures
    lost = sorted({one.why for one in named if one.why})
    if lost:
        n_lost = sum(bool(one.why) for one in named)
        return warned(PICTURES_LOST, n=n_lost, all=len(named), why=", ".join(lost))
    return passed(PICTURES_ARE_FINE, n=len(named)) if named else passed(NO_PICTURES)
