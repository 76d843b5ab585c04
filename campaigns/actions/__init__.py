"""What can be done with campaigns: load one from its file, change its settings, draw its plan, give its people tokens."""

from campaigns.actions.assigning import draw_assignments
from campaigns.actions.changing import FixedByDialogues, change_settings
from campaigns.actions.credentials import issue_passwords, issue_tokens
from campaigns.actions.loading import load_campaign
from campaigns.actions.scores import note_changed_scores

__all__ = [
    "FixedByDialogues",
    "change_settings",
    "draw_assignments",
    "issue_passwords",
    "issue_tokens",
    "load_campaign",
    "note_changed_scores",
]
