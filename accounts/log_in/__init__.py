"""The door to an account: name and password, guesses at them, browsers that got in before."""
