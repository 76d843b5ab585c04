"""How people and teams get into a campaign."""
