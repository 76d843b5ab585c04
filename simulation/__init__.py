"""Language models as testers: they play goal cards, and are compared with people."""
