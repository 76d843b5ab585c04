"""What can be done to get in: apply, answer, agree, give and take data, register a team's own bots."""

from registration.actions.agreeing import (
    accept_agreement,
    download_package,
    remove_package,
    upload_package,
    write_agreement,
)
from registration.actions.applying import (
    apply_as_newcomer,
    apply_for_place,
    approve_application,
    check_takes_applications,
    refuse_application,
    withdraw_application,
)
from registration.actions.asking_teams import answer_team_request, ask_team, withdraw_team_request
from registration.actions.own_bots import change_own_address, make_dial_key, register_own_bot, revoke_dial_key
from registration.refusals import NotPossible

__all__ = [
    "NotPossible",
    "accept_agreement",
    "answer_team_request",
    "apply_as_newcomer",
    "apply_for_place",
    "approve_application",
    "ask_team",
    "change_own_address",
    "check_takes_applications",
    "download_package",
    "make_dial_key",
    "refuse_application",
    "register_own_bot",
    "remove_package",
    "revoke_dial_key",
    "upload_package",
    "withdraw_application",
    "withdraw_team_request",
    "write_agreement",
]
