"""How a visit ended, in words: what it means for the person, what is paid, and how they go back to the platform."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from crowds.models import Arrival, CrowdStudy
from crowds.payment import amount_of
from crowds.platforms import Outcome, Outside, Platform, return_address
from participants.secrets import SecretLost


@dataclass(frozen=True, slots=True)
class Ending:
    """`code` and `return_url` are empty where there is none; `submit_to` is where Mechanical Turk takes its form."""

    outcome: Outcome
    title: str
    text: str
    paid: str
    code: str = ""
    return_url: str = ""
    submit_to: str = ""
    assignment: str = ""

    @property
    def is_good(self) -> bool:
        return self.outcome == Outcome.COMPLETED


def ending_of(study: CrowdStudy, arrival: Arrival | None, outcome: Outcome, outside: Outside | None) -> Ending:
    """`outside` is who the address names; without one, who the place is of."""
    who = outside or _stored(arrival)
    code = study.codes.get(outcome, "")
    title, text = WORDS[outcome]()
    back = return_address(study.return_url, study.return_host, outside=who, outcome=outcome, code=code)
    submit_to = who.submit_to if study.platform == Platform.MTURK and outcome == Outcome.COMPLETED else ""
    return Ending(
        outcome=outcome,
        title=title,
        text=text,
        paid=_paid(study, arrival, outcome),
        code=code,
        return_url="" if submit_to else back,
        submit_to=submit_to,
        assignment=who.session,
    )


def _stored(arrival: Arrival | None) -> Outside:
    try:
        return arrival.outside if arrival is not None else Outside("")
    except SecretLost:
        return Outside("")


def _paid(study: CrowdStudy, arrival: Arrival | None, outcome: Outcome) -> str:
    """The sentence about the pay."""
    n_done = arrival.n_done if arrival is not None and arrival.started_at else 0
    was_let_in = arrival is not None and arrival.started_at is not None
    amount = amount_of(
        study.terms,
        n_done=n_done,
        n_needed=study.n_needed,
        is_screened_out=outcome == Outcome.SCREENED_OUT,
    )
    said = {"amount": f"{amount} {study.currency}", "done": n_done, "needed": study.n_needed}
    if outcome == Outcome.COMPLETED:
        return _("You are paid %(amount)s, once the organizer has looked at it.") % said
    if amount == Decimal(0):
        if was_let_in:
            return _(
                "Nothing was finished, so nothing is paid. Return your place on the platform: that does not count against you."
            )
        return _(
            "Nothing was begun, so nothing is paid. Return your place on the platform: that does not count against you."
        )
    if outcome == Outcome.SCREENED_OUT:
        return _("You are paid %(amount)s for the time that this took.") % said
    return _("You are paid in part: %(amount)s for %(done)d of %(needed)d.") % said


# Called for each reader: a sentence that is translated here would stay in one language.
WORDS = {
    Outcome.COMPLETED: lambda: (
        _("Thank you, everything is done"),
        _("Tell the platform that you are done: with the button, or with the code."),
    ),
    Outcome.SCREENED_OUT: lambda: (
        _("This study does not go on for you"),
        _(
            "Your first answers differ from what this study needs. That says nothing about you: such checks pick for one study alone."
        ),
    ),
    Outcome.FULL: lambda: (
        _("All places are taken"),
        _(
            "As many people as are needed take part already. A place may become free again: you can try the same link later."
        ),
    ),
    Outcome.EXCLUDED: lambda: (
        _("You took part before"),
        _("This study needs people who are new to it, and you did this one, or one like it, earlier."),
    ),
    Outcome.TOO_LATE: lambda: (
        _("The time for your place is over"),
        _("It went to somebody else meanwhile. What you handed in is kept and counts."),
    ),
    Outcome.LEFT: lambda: (_("You stopped here"), _("What you handed in is kept and counts. Thank you.")),
    Outcome.CLOSED: lambda: (
        _("This study is not open"),
        _("It lets nobody in now: it was closed, or its time has not come."),
    ),
}
