"""Formulas of automatic tasks: responses, information extraction, task-oriented dialogue, distributions."""
