"""The words that the testers' scripts say, in the reader's language; they reach them through json_script."""

from django.utils.translation import gettext as _

from dialogues.fault_policy import FaultPolicy, costs_in_words


def console_strings(faults: FaultPolicy | None = None) -> dict[str, str]:
    """`faults` is what a failure of the system costs it in the dialogue's campaign; None where no dialogue is open."""
    return (
        _chat() | _budget() | _failures() | costs_in_words(faults or FaultPolicy()) | _errors() | _scores() | _beside()
    )


def _chat() -> dict[str, str]:
    return {
        "connected": _("Connected"),
        "connecting": _("Connecting …"),
        "offline": _("Offline, reconnecting by itself"),
        "saved": _("all saved"),
        "saving": _("saving …"),
        "notSaved": _("Not saved"),
        "sendAgain": _("Send again"),
        "unsent": _("waiting for the connection"),
        "unsentYet": _("Your last message is not stored yet. It is sent by itself; write on meanwhile."),
        "unanswered": _("not answered"),
        "waiting": _("waiting {n} s"),
        "inRow": _("it answers no more turns at a time: place {place} · {n} s"),
        "waitsInRow": _("The system answers as many turns at a time as it can; yours is in the row."),
        "systemPaused": _("This system is paused. This dialogue stays on your list."),
        "answering": _("answering · {n} s"),
        "seconds": _("{n} s"),
        "between": _(", "),
        "emptyReply": _("(empty reply)"),
        "picture": _("picture from the system"),
        "noPicture": _("[a picture that could not be loaded]"),
        "flag.cut": _("cut at {n} characters"),
        "flag.masked": _("a name was masked"),
        "flag.slow": _("slow"),
        "saidInTurn": _("said in turn {n}"),
    }


def _budget() -> dict[str, str]:
    return {
        "oneTurn": _("{n} turn"),
        "turns": _("{n} turns"),
        "turnsLeft": _("{n} left"),
        "oneTurnLeft": _("{n} turn left"),
        "someTurnsLeft": _("{n} turns left"),
        "budget": _("{used} of {cap} turns used, {left} left"),
        "status.pending": _("not started"),
        "status.finished": _("finished"),
        "status.given_up": _("given up"),
        "status.cap_reached": _("turn cap reached"),
        "status.failed": _("the system failed"),
        "partClosed": _("{status} · {turns}"),
        "closedBecause.finished": _("finished, {turns} used"),
        "closedBecause.given_up": _("given up after {turns}"),
        "closedBecause.cap_reached": _("closed: all {n} turns are used"),
        "closedBecause.failed": _("closed: the system failed at every try of a turn"),
        "closedBecause.notBegun": _("given up before its first turn"),
        "next.given_up": _("“{kind}” is given up. Next: {next}."),
        "next.cap_reached": _("All turns of “{kind}” are used, so it closed as not finished. Next: {next}."),
        "next.failed": _("“{kind}” closed because the system failed. Next: {next}."),
        "noTurnsLeft": _("No turns are left in this part. Finish it (F2 or Alt+2) or give it up (F3 or Alt+3)."),
        "noTurnsLeft.touch": _("No turns are left in this part. Open the goal and finish the part or give it up."),
        "noTurnsLeftRetry.touch": _(
            "No turns are left. Retry the failed one, or open the goal and finish this part or give it up."
        ),
        "noTurnsLeftRetry": _(
            "No turns are left. Retry the failed one (Alt+R), finish this part (F2 or Alt+2) or give it up (F3 or Alt+3)."
        ),
        "dialogueOver": _("Dialogue over"),
        "closed.completed": _("Everything is finished."),
        "closed.unfinished": _("Not everything was finished."),
        "closed.void": _("Our side failed, so this dialogue does not count. The assignment is open again."),
        "closed.bot_ended": _("The system ended it."),
        "closed.abandoned": _(
            "Nothing was said for too long, so this dialogue closed by itself and does not count. "
            "The assignment is open again."
        ),
        "closed.time_over": _(
            "The time to finish it was over, so this dialogue closed by itself and does not count. "
            "The assignment is open again if testing is extended."
        ),
        "closed.ended_early": _(
            "You gave up before everything was used, so this dialogue does not count. The assignment is open again."
        ),
        "closed.ended_by_organizer": _("The organizer ended it."),
        "closed.voided": _("The organizer declared it void, so it does not count. The assignment is open again."),
        "organizerDecided": _("The organizer decided"),
        "because": _("Reason: {because}"),
        "closed.returned": _("This dialogue was sent back and does not count. The assignment is open again."),
        "scores": _("Scores"),
        "scoredByReviewers": _("scored by reviewers"),
    }


def _failures() -> dict[str, str]:
    return {
        "fault.bot": _("The system gave no usable answer."),
        "fault.platform": _("Our side was interrupted. It has recovered by itself."),
        "fault.tester": _("You ended the dialogue before the answer came."),
        "fault.nobody": _("The turn was not answered."),
        "failed.timeout_first_byte": _("The system did not answer in time."),
        "failed.timeout_total": _("The system did not finish its answer in time."),
        "failed.connect": _("The system cannot be reached."),
        "failed.dns": _("The system cannot be reached."),
        "failed.tls": _("The system cannot be reached."),
        "failed.blocked_address": _("The system cannot be reached."),
        "failed.theirs": _("Your message is stored and the connection is fine; the other system is at fault."),
        "failed.ours": _("Your message is stored; our side is at fault, and that costs you nothing."),
        "failed.retryHint": _("Retrying uses no further turn; other words use the next one."),
        "failed.retriesLeft": _("{n} retries left."),
        "failed.oneRetryLeft": _("{n} retry left."),
        "failed.noRetry": _("The retries of this turn are used up."),
        "failed.openingHint": _("It was to speak first; once its retries are used up you may begin yourself."),
        "failed.openingOver": _("It was to speak first, and its retries are used up. Begin the dialogue yourself."),
        "retry": _("Retry"),
        "rephrase": _("Say it differently"),
        "end": _("End the dialogue"),
        "another": _("Another assignment"),
    }


def _errors() -> dict[str, str]:
    return {
        "error.bad_frame": _("The message was not understood."),
        "error.too_long": _("The message is too long."),
        "error.cap_reached": _("All turns are used."),
        "error.turn_in_flight": _("The system has not answered the last turn yet. Your text stays here."),
        "error.closed": _("The dialogue is closed."),
        "error.forbidden": _("You are logged out. Your text is kept; log in again."),
        "error.role": _("This dialogue can no longer be opened by you."),
        "error.rate_limited": _("Too fast. Wait a moment."),
        "error.too_many_sockets": _("Too many pages or programs of yours are connected. Close some of them."),
        "error.not_retryable": _("This turn cannot be asked again."),
        "error.not_current": _("Another part of the task is current."),
        "error.key_conflict": _("This message was sent before with another text."),
        "error.draining": _("The server restarts; your text is kept and sent again."),
        "error.unavailable": _("Nothing was stored: our database is busy. Your text is kept."),
        "error.not_now": _("The time for this dialogue is over. It closes by itself and does not count."),
        "error.not_admitted": _("An organizer has to admit this system again. Until then, testers cannot talk to it."),
        "error.not_all_used": _("The dialogue goes on until everything given is used or its turns are used up."),
        "error.opening_first": _("The system speaks first. Wait for it; if it failed, have it asked again (Alt+R)."),
        "logIn": _("Log in"),
        "toList": _("Back to the list"),
        "signIn.wrong": _("This password is not right."),
        "signIn.wrongCode": _("This code is not right, or it was used before. Wait for the next one."),
        "signIn.tooOften": _("Too many tries. Wait a moment."),
    }


def _scores() -> dict[str, str]:
    return {
        "review.given": _("{n} of {all} scored"),
        "review.left": _("{letters} to go"),
        "review.saving": _("saving …"),
        "review.saved": _("draft saved"),
        "review.notLoaded": _("not loaded, trying again"),
        "review.notSaved": _("not saved, trying again"),
        "review.mayRevise": _("handed in; you may revise it"),
        "review.final": _("handed in; the results are published, so it can no longer be changed"),
        "review.handIn": _("Hand in"),
        "review.handInChange": _("Hand in the change"),
        "review.noScore": _("no score"),
        "review.missing": _("Choose a score for every row: {letters}."),
        "review.noSuchScore": _("There is no {score} here: {name}."),
        "review.typeOn": _("{typed} … type the score to its end."),
        "review.conflict": _("These scores were handed in already, in another tab. What you see is what is stored."),
        "review.failed": _("The scores were not stored: {reason}"),
        "review.network": _("no connection"),
    }


def _beside() -> dict[str, str]:
    return {
        "confirm.giveUp": _("Give up “{kind}”?"),
        "closing.finish": _("“{kind}” will be marked finished."),
        "closing.giveUp": _("“{kind}” closes as given up."),
        "closing.next": _("Your next message belongs to “{next}”."),
        "closing.last": _("Then the dialogue is over."),
        "closing.overNext": _("The dialogue is about to end. Undo that (Alt+Z) to go on talking."),
        "closing.overNext.touch": _("The dialogue is about to end. Undo that to go on talking."),
        "items.used": _("{n} of {all} used"),
        "items.allUsed": _("Everything that was given to you is used: the dialogue may end now."),
        "ending.forGood": _("It cannot be opened again. The scores come next."),
        "ending.early": _(
            "The dialogue goes on until everything given to you is used or its turns are used up. If you give up now, it does not count and you do it again."
        ),
        "items.notStored": _("The tick was not stored: {reason}"),
        "rowsFound": _("{n} of {all} rows"),
        "copied": _("Copied."),
        "notCopied": _("The browser did not let the text be copied."),
        "flag.on": _("Flag this turn"),
        "flag.off": _("Take the flag off"),
        "flagged": _("Flagged for the organizer."),
        "unflagged": _("The flag is off."),
        "reported": _("Reported to the organizer."),
        "aboutTurn": _("About turn {n} of “{part}”"),
    }
