"""The conformance lab: asks a bot about twenty questions before the day and says what passed, what failed, and what to do."""
