"""Limits of models' endpoints, each written once. Pure."""

# Of one answer, in characters; the door's cap is in bytes.
ANSWER_LIMIT = 100_000
# Of all messages of one prompt.
PROMPT_LIMIT = 200_000
MAX_TOKENS_LIMIT = 32_000
# A server that wants to be left alone for longer is unavailable.
PAUSE_LIMIT_S = 60.0
# Of a price or a budget in money: digits in all, and behind the point.
MONEY_DIGITS, MONEY_PLACES = 18, 9
