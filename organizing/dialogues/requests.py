"""The request of a turn as it went to its bot, rebuilt: the same adapter, the same history, and no secret in it."""

from dialogues.models import Turn
from dialogues.queries import briefing, said_before
from participants.adapters import ADAPTERS, BotCall
from participants.adapters.shown_requests import Request, shown_request


def request_of_turn(turn: Turn) -> Request | None:
    """What was sent for the turn, by the entry's address and the campaign's deadline of now; None for an imported turn."""
    brief = briefing(turn.dialogue_id)
    if not brief.bot.url:
        return None
    call = BotCall(
        bot=brief.bot,
        dialogue=str(turn.dialogue_id),
        turn=turn.number,
        text=turn.text,
        turn_key=f"{turn.dialogue_id}:{turn.number}",
        history=said_before(turn.dialogue_id, turn.number),
        context=brief.context,
        language=brief.language,
        deadline_s=brief.reply_deadline_s,
    )
    return shown_request(call, ADAPTERS)
