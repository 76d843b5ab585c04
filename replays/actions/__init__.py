"""Every write of replays: asked for and stopped, carried out by a worker, and the rounds of the sentinel."""
