"""Boards that join figures of people and of automatic tasks by team."""
