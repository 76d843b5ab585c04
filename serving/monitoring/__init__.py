"""What a process counts, times, logs and traces of its own work."""
