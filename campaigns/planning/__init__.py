"""Who talks to which bot about what: what a plan asks for, how large it may be, how it is drawn and drawn once more."""
