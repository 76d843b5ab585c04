"""Why a socket is closed by the server; pages know these numbers (docs/wire-protocol.md)."""

CLOSE_LOG_IN = 4401
CLOSE_ROLE = 4403
CLOSE_UNKNOWN = 4404
# A newer socket of the same bot has taken its place: reconnecting at once would take it back.
CLOSE_REPLACED = 4409
CLOSE_TOO_FAST = 4429
# The server restarts, or its database does not answer: come back in a moment.
CLOSE_DRAINING = 4503
