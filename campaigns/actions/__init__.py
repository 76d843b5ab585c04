"""What can be done with campaigns: load one from its file, draw its plan, publish it, give its people tokens."""

from campaigns.actions.assigning import draw_assignments
from campaigns.actions.credentials import issue_passwords, issue_tokens
from campaigns.actions.loading import load_campaign
from campaigns.actions.publishing import publish_leaderboard

__all__ = ["draw_assignments", "issue_passwords", "issue_tokens", "load_campaign", "publish_leaderboard"]
