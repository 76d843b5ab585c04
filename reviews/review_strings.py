"""The words that the reviewers' scripts say, in the reader's language; they reach them through json_script."""

from django.utils.translation import gettext as _


def review_strings() -> dict[str, str]:
    return _shared() | {
        "review.saving": _("saving …"),
        "review.saved": _("draft saved"),
        "review.notSaved": _("not saved, trying again"),
        "review.notLoaded": _("not loaded, trying again"),
        "review.mayRevise": _("handed in; you may revise it"),
        "review.final": _("handed in"),
        "review.askToRevise": _("It is too late to undo. Ask to revise the scores from your list, and say why."),
        "review.undoInList": _("Nothing can be undone from here. Your list says what can: under “Handed in by you”."),
        "review.failed": _("The scores were not stored: {reason}"),
        "review.given": _("{n} of {all} scored"),
        "review.left": _("{letters} to go"),
        "review.lacking": _("{letters} without evidence"),
        "review.labelled": _("{n} of {all} labels"),
        "review.noScore": _("no score"),
        "review.missing": _("Choose a score for every row: {letters}."),
        "review.labelsMissing": _("{n} labels are missing. The cursor is on the first turn without one."),
        "review.noSuchScore": _("There is no {score} here: {name}."),
        "review.handIn": _("Hand in, next"),
        "review.decide": _("Decide, next"),
        "review.handInChange": _("Hand in the change"),
        "review.evidenceFor": _("evidence for {letter}"),
        "review.evidenceAt": _("turn {n}"),
        "review.evidenceOf": _("{name}: evidence"),
        "review.evidenceNeeded": _("pin a turn with E"),
        "review.evidenceLacking": _("a turn is missing"),
        "review.evidenceMissing": _("{letter} is low: go to a turn that shows it and press E."),
        "review.finished": _("finished"),
        "review.notFinished": _("not finished"),
        "review.noVerdict": _("verdict?"),
        "review.comment": _("Comment"),
        "remark.leaked.title": _("Does the dialogue reveal who made the system?"),
        "remark.leaked.words": _("The organizer looks at it. Go on scoring: your scores are kept."),
        "remark.leaked.label": _("Which words tell it?"),
        "remark.leaked.said": _("reported, thank you"),
        "remark.cannot_judge.title": _("Give this dialogue back?"),
        "remark.cannot_judge.words": _("Another reviewer gets it, and what you have chosen here does not count."),
        "remark.cannot_judge.label": _("Why can it not be judged?"),
        "remark.empty": _("Say why in a few words."),
    }


def _shared() -> dict[str, str]:
    return {
        "between": _(", "),
        "seconds": _("{n} s"),
        "signIn.wrong": _("This password is not right."),
        "signIn.wrongCode": _("This code is not right, or it was used before. Wait for the next one."),
        "signIn.tooOften": _("Too many tries. Wait a moment."),
        "error.forbidden": _("You are logged out. Your text is kept; log in again."),
        "review.network": _("no connection"),
    }


def queue_strings() -> dict[str, str]:
    return _shared() | {
        "queue.nothingToUndo": _("No hand-in is younger than 10 minutes. Ask to revise an older one, and say why."),
        "queue.undone": _("The hand-in is undone."),
        "queue.asked": _("Asked. The organizer answers; the dialogue shows up here again."),
        "queue.noReason": _("Say why in a few words."),
    }


def vetting_strings() -> dict[str, str]:
    return _shared() | {
        "vetting.noReason": _("Say what is wrong, so that it can be done better."),
        "vetting.noFault": _("Untick what does not apply (1 to 5), then return the dialogue."),
        "vetting.hasFault": _("Something is unticked: return the dialogue with a reason, or tick it again."),
    }
