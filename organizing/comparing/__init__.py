"""How far the rankings of two boards of a campaign go together, for organizers."""
