"""Limits that files, rules and tables share, each written once. Pure: plain values; characters unless the name says more."""

# What a tester sends at once, and so also the opening of a scenario.
MESSAGE_LIMIT = 2000
NAME_LIMIT = 200
# What kind of subtask, train or hotel, say.
SUBTASK_KIND_LIMIT = 40
SECRET_LIMIT = 500
# Why a bot pauses or was withdrawn.
REASON_LIMIT = 500
# How many bots a team may register in one campaign.
BOTS_PER_TEAM = 10
