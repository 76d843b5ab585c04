"""What a campaign file may say: its tables and settings, how it is read, and how a stored campaign is written as one."""
