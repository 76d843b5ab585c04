"""How a leaderboard is published: checked, frozen as a snapshot that never changes, public from a day on, withdrawn with a reason."""
