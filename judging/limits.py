"""Limits of judges, each written once. Pure."""

SAMPLES_LIMIT = 15
INSTRUCTIONS_LIMIT = 4000
MAKER_LIMIT = 60
JUDGES_PER_CAMPAIGN = 100
VERSIONS_PER_JUDGE = 100
# Dialogues that are judged at once.
PARALLEL_LIMIT = 64
# Of one answer; a criterion or a turn's label takes about 30.
TOKENS_OF_AN_ANSWER, TOKENS_PER_RATING, TOKENS_LIMIT = 300, 40, 16_000
# What the alternative annotator test allows for where nobody says otherwise: their rule of thumb for experts.
EPSILON = 0.2
