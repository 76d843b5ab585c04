"""The people of a campaign: who they are, how they got in, who pauses, and who takes over from whom."""
