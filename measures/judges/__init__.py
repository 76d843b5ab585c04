"""How far a judge that is a model can stand in for people."""
