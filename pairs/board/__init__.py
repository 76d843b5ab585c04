"""The board of a campaign's pairs: how strong systems are in people's eyes, made of votes."""
