"""The organizer's pages of teams: applications, agreement, data, and the systems of every team."""
