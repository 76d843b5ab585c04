"""What this room writes: happenings with their deliveries, what became of deliveries, webhooks, and each person's choices."""
