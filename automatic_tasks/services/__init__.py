"""The services of teams: registration, stages, pages."""
