"""What can be done with campaigns: load one from its file, change its settings, draw its plan, register bots, give its people tokens."""

from campaigns.actions.assigning import PreviewIsOld, draw_assignments, preview_drawing
from campaigns.actions.changing import (
    ConfirmationNeeded,
    DatesOutOfOrder,
    FixedByDialogues,
    NoSuchFigure,
    OnlyStaff,
    change_calendar,
    change_settings,
    note_changed_scores,
    note_publication,
)
from campaigns.actions.creating import SlugTaken, copy_campaign, create_campaign
from campaigns.actions.credentials import issue_password_links, issue_passwords, issue_tokens, reseal_secrets
from campaigns.actions.describing import DescriptionChanged, describe_campaign
from campaigns.actions.loading import Loaded, load_campaign, load_file, preview_load
from campaigns.actions.registering import HasBegun, IsFrozen, IsWithdrawn, change_address, register_bot, take_out_bot
from campaigns.actions.stages import (
    CannotPause,
    admit_bot,
    freeze_bot,
    pause_bot,
    pause_failing_bot,
    resume_answering_bot,
    resume_bot,
    send_back_bot,
    submit_bot,
    withdraw_bot,
)
from campaigns.reasons import ReasonNeeded
from campaigns.stages import NotThatStage

__all__ = [
    "CannotPause",
    "ConfirmationNeeded",
    "DatesOutOfOrder",
    "DescriptionChanged",
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
    "describe_campaign",
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
