"""What can be done in the lab: ask for a check, take one up and end it, take fingerprints and accept a change."""

from conformance.actions.checks import (
    accept_change,
    ask_check,
    claim_check,
    claim_fingerprint,
    end_check,
    finish_fingerprint,
)
from conformance.actions.comparing import change_of
from conformance.actions.leases import CannotCheck, note_results

__all__ = [
    "CannotCheck",
    "accept_change",
    "ask_check",
    "change_of",
    "claim_check",
    "claim_fingerprint",
    "end_check",
    "finish_fingerprint",
    "note_results",
]
