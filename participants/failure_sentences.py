"""What is said of a failed bot call. The ledger holds it in English; pages show it in the reader's language.

`received` is what a library or a server said, and stays as it is; `said` and `what` are words of ours again.
"""

from django.utils.translation import gettext_noop

from scoring.known_sentences import know

# The way to the bot.
NO_ADDRESS_IN_TIME = know(gettext_noop("The name did not resolve within %(seconds)s s."))
NO_CONNECTION_IN_TIME = know(gettext_noop("No connection was made within %(seconds)s s."))
NOT_RESOLVED = know(gettext_noop("The name does not resolve: %(received)s"))
NOT_ENCRYPTED = know(gettext_noop("No encrypted connection was made: %(received)s"))
NOT_CONNECTED = know(gettext_noop("No connection was made: %(received)s"))
CONNECTION_BROKE = know(gettext_noop("The connection broke: %(received)s"))
KEPT_CONNECTION_BROKE = know(gettext_noop("A kept connection broke: %(received)s"))
NO_USABLE_URL = know(gettext_noop("The URL cannot be used: %(received)s"))
NOTHING_FREE = know(gettext_noop("Nothing was sent: no %(what)s was free within %(seconds)s s."))
CONNECTION_TO_HOST = know(gettext_noop("connection to %(host)s"))
PLACE_AT_BOT = know(gettext_noop("place at the system, which answers %(n)s turns at a time,"))
LOOK_UP = know(gettext_noop("thread for the look-up of the system's name"))
# Its address.
NO_READABLE_URL = know(gettext_noop("The URL cannot be read: %(received)s"))
NO_HTTP_URL = know(gettext_noop("A system's URL starts with http:// or https:// and names a host."))
URL_WITH_USER = know(gettext_noop("A system's URL carries no user name or password."))
PORT_NOT_OPEN = know(gettext_noop("Port %(port)s is not open to systems: use 80, 443 or 1024 and above."))
NEVER_REACHED = know(
    gettext_noop("%(host)s leads to %(address)s, which is link-local or a cloud's metadata: never called.")
)
OWN_HOST = know(gettext_noop("%(host)s is the platform's own address, which is never called."))
NOT_PUBLIC = know(gettext_noop("%(host)s leads to %(address)s, which is not a public address."))
# Its answer.
NO_ANSWER_IN_TIME = know(gettext_noop("No answer began within %(seconds)s s."))
NOT_COMPLETE_BYTES = know(gettext_noop("The answer was not complete within %(seconds)s s; %(n)s bytes came."))
NOT_COMPLETE_CHARACTERS = know(gettext_noop("The answer was not complete within %(seconds)s s; %(n)s characters came."))
NOT_HTTP = know(gettext_noop("Not a valid HTTP answer: %(received)s"))
COMPRESSED = know(gettext_noop("The answer is compressed; identity was asked for."))
STATUS = know(gettext_noop("The system answered with status %(status)s."))
STATUS_BROKEN_OFF = know(
    gettext_noop("The system answered with status %(status)s, whose body was not read to its end.")
)
STATUS_NOT_200 = know(gettext_noop("The system answered with status %(status)s; only 200 is an answer."))
REDIRECTED = know(
    gettext_noop(
        "The system answered with status %(status)s to %(target)s, which is never followed; only 200 is an answer."
    )
)
TOO_LONG = know(gettext_noop("The answer is longer than %(n)s KiB."))
TEXT_TOO_LONG = know(gettext_noop("The text is longer than %(n)s KiB."))
EVENT_TOO_LONG = know(gettext_noop("An event is longer than %(n)s KiB."))
OUTPUT_REWRITTEN = know(gettext_noop("The output is rewritten too often."))
TEXT_REWRITTEN = know(gettext_noop("The text is rewritten too often."))
EMPTY_BODY = know(gettext_noop("The system answered with an empty body."))
NO_CHOICES = know(gettext_noop("`choices` is empty."))
NO_CHOICE_IN_STREAM = know(gettext_noop("The stream held no choice."))
NO_EVENT_IN_STREAM = know(gettext_noop("The stream held no event."))
NO_MESSAGE = know(gettext_noop("The answer holds no message."))
NO_ADAPTER = know(gettext_noop("No adapter speaks “%(protocol)s”."))
# Its WebSocket, and the socket of a bot that connects itself.
NOT_UTF8 = know(gettext_noop("A message is not UTF-8."))
SOCKET_SAID_TOO_MUCH = know(gettext_noop("The system said too much over the WebSocket."))
SOCKET_CLOSED = know(gettext_noop("The system closed the WebSocket: %(received)s"))
SOCKET_CLOSED_SILENTLY = know(gettext_noop("The socket was closed without a message."))
SOCKET_NOT_OPENED = know(gettext_noop("The WebSocket was not opened: %(received)s"))
STATUS_NO_SOCKET = know(gettext_noop("The system answered with status %(status)s and opened no WebSocket."))
MESSAGE_TOO_LONG = know(gettext_noop("A message is longer than %(n)s KiB."))
NO_VALID_FRAME = know(gettext_noop("Not a valid WebSocket frame: %(received)s"))
FRAMES_TOO_LONG = know(gettext_noop("The frames of this turn have more than %(n)s characters."))
FRAMES_WAIT = know(gettext_noop("More than %(n)s frames wait to be read."))
NOT_DIALED_IN = know(gettext_noop("The system is not connected."))
NOT_BACK_IN_TIME = know(
    gettext_noop("The system's connection broke, and it did not connect again within %(seconds)s s.")
)
ELSEWHERE = know(
    gettext_noop(
        "The system is connected to another server process, which can only be reached through Redis (REDIS_URL)."
    )
)
ITS_ERROR = know(gettext_noop("The system answered with an error: %(received)s"))
ITS_ERROR_UNSAID = know(gettext_noop("The system answered with an error and says no more."))
# On our side.
PROCESS_GONE = know(gettext_noop("The server process that asked the system went away."))
UNFORESEEN = know(gettext_noop("Unforeseen: %(received)s"))
STOOD_STILL = know(gettext_noop("%(said)s Our own process stood still meanwhile."))
SEVERAL_FAILED = know(gettext_noop("%(said)s Several systems failed at once."))
# What findings of `scoring` and of mappings say of an answer, behind its place; those without values need not be known. Adapters
# know theirs where they are written.
OF_ANSWERS = tuple(
    map(
        know,
        (
            gettext_noop("must be an object, not %(kind)s"),
            gettext_noop("must be a list, not %(kind)s"),
            gettext_noop("must be true or false, not %(value)s"),
            gettext_noop("must be a text, not %(kind)s"),
            gettext_noop("has %(n)s characters; %(limit)s are the most"),
            gettext_noop("must be a whole number from %(lowest)s, not %(value)s"),
            gettext_noop("must be a whole number from %(lowest)s to %(highest)s, not %(value)s"),
            gettext_noop("must be one of %(choices)s, not %(value)s"),
            gettext_noop("must be a whole number or a short text, not %(value)s"),
            gettext_noop("is not JSON: %(reason)s"),
            gettext_noop("is not usable JSON: %(reason)s"),
            gettext_noop("cannot be applied: %(said)s"),
            gettext_noop("takes too long: at most %(limit)s steps are allowed"),
        ),
    )
)
