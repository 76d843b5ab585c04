"""What can be done with campaigns: load one from its file, change its settings, draw its plan, register bots, give its people tokens."""

from campaigns.actions.admitting import admit_bot, freeze_bot, send_back_bot, submit_bot
from campaigns.actions.assigning import PreviewIsOld, draw_assignments, preview_drawing
from campaigns.actions.changing import DatesOutOfOrder, FixedByDialogues, NoSuchFigure, OnlyStaff, change_settings
from campaigns.actions.creating import SlugTaken, copy_campaign, create_campaign
from campaigns.actions.credentials import issue_password_links, issue_passwords, issue_tokens
from campaigns.actions.extending import ConfirmationNeeded, change_calendar
from campaigns.actions.failing import pause_failing_bot, resume_answering_bot
from campaigns.actions.loading import Loaded, load_campaign, load_file, preview_load
from campaigns.actions.publishing import note_publication
from campaigns.actions.registering import HasBegun, IsFrozen, IsWithdrawn, change_address, register_bot, take_out_bot
from campaigns.actions.scores import note_changed_scores
from campaigns.actions.secrets import reseal_secrets
from campaigns.actions.taking_part import (
    CannotPause,
    pause_bot,
    resume_bot,
    withdraw_bot,
)
from campaigns.reasons import ReasonNeeded
from campaigns.stage_steps import NotThatStage

__all__ = [
    "CannotPause",
    "ConfirmationNeeded",
    "DatesOutOfOrder",
    "FixedByDialogues",
    "HasBegun",
    "IsFrozen",
    "IsWithdrawn",
    "Loaded",
    "NoSuchFigure",
    "NotThatStage",
    "OnlyStaff",
    "PreviewIsOld",
    "ReasonNeeded",
    "SlugTaken",
    "admit_bot",
    "change_address",
    "change_calendar",
    "change_settings",
    "copy_campaign",
    "create_campaign",
    "draw_assignments",
    "freeze_bot",
    "issue_password_links",
    "issue_passwords",
    "issue_tokens",
    "load_campaign",
    "load_file",
    "note_changed_scores",
    "note_publication",
    "pause_bot",
    "pause_failing_bot",
    "preview_drawing",
    "preview_load",
    "register_bot",
    "reseal_secrets",
    "resume_answering_bot",
    "resume_bot",
    "send_back_bot",
    "submit_bot",
    "take_out_bot",
    "withdraw_bot",
]
