"""Where somebody is logged in, for how long, and how they end that."""
