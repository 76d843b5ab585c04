"""What would move on a campaign's leaderboard if failures of bots cost something else, as it was computed and stored."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from campaigns.campaign_file.campaign_settings import settings_of
from campaigns.models import Campaign
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from leaderboards.board import Movement, movements
from leaderboards.live_board import board_of, computed_rows
from leaderboards.models import StoredBoard

# Keys of stored boards: one preview per policy, and what moved when the policy was changed last.
PREVIEW = "faults "
CHANGED = "changed faults"


def preview_key(policy: FaultPolicy) -> str:
    return f"{PREVIEW}{policy.broken_dialogues} {policy.failed_turns}"


def policy_said(values: Mapping[str, Any]) -> FaultPolicy | None:
    """The policy of a form or an address; None where it says none that there is."""
    said = {name: values.get(name) for name in settings_of("faults")}
    if all(said[name] in setting.stored_choices for name, setting in settings_of("faults").items()):
        return FaultPolicy(**{name: str(value) for name, value in said.items()})
    return None


def rows_before_and_after(campaign: Campaign, policy: FaultPolicy) -> dict[str, Any]:
    """The figures of the policy in force and of the other one, from the same scores, with both policies."""
    other = Campaign.objects.select_related("rubric").get(pk=campaign.pk)
    # In memory alone: nothing is saved.
    other.broken_dialogues, other.failed_turns = policy.broken_dialogues, policy.failed_turns
    return {
        "from": asdict(fault_policy_of(campaign)),
        "to": asdict(policy),
        "before": computed_rows(campaign),
        "after": computed_rows(other),
    }


def stored_preview(campaign: Campaign, policy: FaultPolicy) -> StoredBoard | None:
    """What was computed or is awaited; None where nobody asked, or asked while another policy was in force."""
    stored = campaign.stored_boards.filter(key=preview_key(policy)).first()
    if stored and stored.computed_at and stored.rows["from"] != asdict(fault_policy_of(campaign)):
        return None
    return stored


def stored_change(campaign: Campaign) -> StoredBoard | None:
    """What moved when the policy was changed last."""
    return campaign.stored_boards.filter(key=CHANGED).first()


def movements_in(campaign: Campaign, stored: StoredBoard) -> tuple[Movement, ...]:
    return movements(board_of(campaign, stored.rows["before"]), board_of(campaign, stored.rows["after"]))
