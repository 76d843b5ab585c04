"""What can be done in the lab: ask for a check, take one up and end it, take fingerprints and accept a change."""

from conformance.actions.checks import CannotCheck, ask_check, claim_check, end_check, note_results
from conformance.actions.fingerprints import accept_change, change_of, claim_fingerprint, finish_fingerprint

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
