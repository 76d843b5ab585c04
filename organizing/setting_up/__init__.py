"""What an organizer does before and around the day: a new campaign, its settings, its dates."""
