"""The audit trail as a page: who did what, when and why; a campaign's for its organizers, the whole for the site's staff."""
