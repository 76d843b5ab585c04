"""A board as papers print it: figures with their captions, tables, files."""
