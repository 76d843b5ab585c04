"""What can be done about publication, by subject. What freezes loads the libraries of statistics, so pages import the others alone."""
