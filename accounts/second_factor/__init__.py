"""A second factor: after the password, a code that an app shows, or one of the backup codes."""
