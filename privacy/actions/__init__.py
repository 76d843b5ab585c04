"""What removes names and texts: erase a person, redact words, let texts expire, archive and delete a campaign."""
