"""What a team sees and does of its own: bots, health, failures, transcripts, test calls, practice, tasks and data."""
