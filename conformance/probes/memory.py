"""What a bot remembers: its own dialogue to the end, and nothing of any other."""

from django.utils.translation import gettext_noop

from conformance.examiner import Examiner, NoReply, Talk, text_of
from conformance.probes.outcomes import Outcome, detail_of, failed, passed, unanswered, warned

ALL_TURNS = gettext_noop("A dialogue of %(n)s turns is answered to its end.")
BROKE_AT = gettext_noop("The dialogue broke at turn %(turn)s of %(n)s: %(failure)s. %(detail)s")
BEGINS_ANEW = gettext_noop("A new dialogue knows nothing of the one before.")
GOES_ON = gettext_noop("A new dialogue goes on where the one before ended: “%(name)s” was said only there.")
ARE_APART = gettext_noop("Two dialogues at the same time do not hear of each other.")
MIXED_UP = gettext_noop("“%(name)s” was said in one dialogue and came back in another.")
ANSWERS_CHANGE = gettext_noop(
    "A new dialogue is answered otherwise while another one is open: the system may take one for the other."
)
REMEMBERS = gettext_noop("The system repeats what it was told a turn before.")
DEPENDS = gettext_noop("The answer depends on what was said before.")
FORGOT = gettext_noop("The system forgot within one turn what it had been told: “%(name)s”.")
CANNOT_TELL = gettext_noop("Nothing shows that the system remembers what was said before.")
SAME_ANSWER = gettext_noop("A turn that is sent twice gets the same answer.")
OTHER_ANSWER = gettext_noop("A turn that was sent twice got two different answers: a repeated request may count twice.")


async def thirty_turns(examiner: Examiner) -> Outcome:
    """Gives the latencies of a dialogue alone, too."""
    talk, n = examiner.talk(), examiner.limits.long_turns
    for number in range(1, n + 1):
        try:
            reply = await talk.say(examiner.lines.turn_number(number))
        except NoReply as no_reply:
            found, failure = unanswered(no_reply), no_reply.failure
            said = {"turn": number, "n": n, "failure": str(failure.kind), "detail": detail_of(failure)}
            return failed(BROKE_AT, no_reply.call, **said) if found.verdict == "fail" else found
        examiner.latencies_ms.append(reply.latency_ms)
        if reply.end:
            talk = examiner.talk()
    return passed(ALL_TURNS, n=n)


async def reset(examiner: Examiner) -> Outcome:
    lines, name = examiner.lines, examiner.name()
    before, after = examiner.talk(), examiner.talk()
    try:
        await before.say(lines.my_name_is(name))
        said = text_of(await after.say(lines.ask_name))
    except NoReply as no_reply:
        return unanswered(no_reply)
    return failed(GOES_ON, after.latest, name=name) if name in said else passed(BEGINS_ANEW)


async def isolation(examiner: Examiner) -> Outcome:
    """Two dialogues in turn with a name each; then whether a word means the same in a new one as before."""
    lines, (one_name, other_name) = examiner.lines, examiner.names(2)
    one, other = examiner.talk(), examiner.talk()
    try:
        await one.say(lines.my_name_is(one_name))
        await other.say(lines.my_name_is(other_name))
        for talk, strange in ((one, other_name), (other, one_name)):
            if strange in text_of(await talk.say(lines.ask_name)):
                return failed(MIXED_UP, talk.latest, name=strange)
        return await _is_undisturbed(examiner)
    except NoReply as no_reply:
        return unanswered(no_reply)


async def _is_undisturbed(examiner: Examiner) -> Outcome:
    lines = examiner.lines
    alone = {text_of(await examiner.talk().say(lines.wish_goes_on)) for _ in range(3)}
    busy, fresh = examiner.talk(), examiner.talk()
    await busy.say(lines.wish)
    beside = text_of(await fresh.say(lines.wish_goes_on))
    # Who answers a fresh dialogue now so, now otherwise, shows nothing by it.
    if len(alone) == 1 and beside not in alone:
        return warned(ANSWERS_CHANGE, fresh.latest)
    return passed(ARE_APART)


async def memory(examiner: Examiner) -> Outcome:
    """Forgetting is proven only of a bot that can name a name: one that books tickets never does."""
    lines, (shown, told) = examiner.lines, examiner.names(2)
    talk = examiner.talk()
    try:
        at_once = text_of(await examiner.talk().say(lines.my_name_is(shown) + lines.ask_name))
        await talk.say(lines.my_name_is(told))
        later = text_of(await talk.say(lines.ask_name))
        if told in later:
            return passed(REMEMBERS)
        # An echo names the name as well, together with the question.
        if shown in at_once and lines.ask_name not in at_once:
            return failed(FORGOT, talk.latest, name=told)
        return await _depends_on_before(examiner)
    except NoReply as no_reply:
        return unanswered(no_reply)


async def _depends_on_before(examiner: Examiner) -> Outcome:
    lines = examiner.lines
    fresh = text_of(await examiner.talk().say(lines.wish_goes_on))
    talk: Talk = examiner.talk()
    await talk.say(lines.wish)
    after = text_of(await talk.say(lines.wish_goes_on))
    return passed(DEPENDS) if after != fresh else warned(CANNOT_TELL, talk.latest)


async def repeated_turn(examiner: Examiner) -> Outcome:
    talk = examiner.talk()
    call = talk.call(examiner.lines.wish)
    try:
        first = await examiner.ask(call)
        again = await examiner.ask(call)
    except NoReply as no_reply:
        return unanswered(no_reply)
    return passed(SAME_ANSWER) if first.texts == again.texts else warned(OTHER_ANSWER, call)
