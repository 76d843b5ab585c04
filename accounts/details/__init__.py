"""One's own name and e-mail address."""
