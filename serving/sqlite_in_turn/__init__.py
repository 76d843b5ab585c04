"""Django's SQLite backend, with the writers of one process taking turns."""
