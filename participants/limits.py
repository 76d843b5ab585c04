"""Limits that files, rules and tables share, each written once. Pure: plain values; characters unless the name says more."""

# What a tester sends at once, and so also the opening of a scenario.
MESSAGE_LIMIT = 2000
NAME_LIMIT = 200
URL_LIMIT = 2000
SECRET_LIMIT = 500
