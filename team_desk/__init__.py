"""What a team sees of its own, across rooms: systems, health, failures, transcripts, tasks, data. Nothing of others."""
