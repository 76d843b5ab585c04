"""Language models as reviewers, and the workbench that compares judges with people."""
