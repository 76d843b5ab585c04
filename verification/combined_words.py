"""The words of combined boards that documents, task files and the verification share. Pure, and free of Django.

They stand in published files: another word would be another format.
"""

# The key of the column that is a sum or a mean of others, and how it adds up.
TOTAL = "total"
SUM, MEAN = "sum", "mean"
# Why a team lacks a figure that ranks, where no part gives a reason.
ABSENT, NO_FIGURE = "absent", "no figure"
# What a board of runs calls a team that has none on it: no run has such a name.
TEAM_WITHOUT_RUN = "team {team}"
# In the place of a measure: the figures are those that a paper printed.
PRINTED = "printed"
