"""Sentences about a failed bot call: their ids (`reading.findings`), which are stored with their values.

`received` is what a library or a server said, and stays as it is; `said` and `what` are sentences again.
"""

from django.utils.translation import gettext_noop

# The way to the bot.
NO_ADDRESS_IN_TIME = gettext_noop("The name did not resolve within %(seconds)s s.")
NO_CONNECTION_IN_TIME = gettext_noop("No connection was made within %(seconds)s s.")
NOT_RESOLVED = gettext_noop("The name does not resolve: %(received)s")
NOT_ENCRYPTED = gettext_noop("No encrypted connection was made: %(received)s")
NOT_CONNECTED = gettext_noop("No connection was made: %(received)s")
CONNECTION_BROKE = gettext_noop("The connection broke: %(received)s")
KEPT_CONNECTION_BROKE = gettext_noop("A kept connection broke: %(received)s")
NO_USABLE_URL = gettext_noop("The URL cannot be used: %(received)s")
NOTHING_FREE = gettext_noop("Nothing was sent: no %(what)s was free within %(seconds)s s.")
CONNECTION_TO_HOST = gettext_noop("connection to %(host)s")
PLACE_AT_BOT = gettext_noop("place at the system, which answers %(n)s turns at a time,")
LOOK_UP = gettext_noop("thread for the look-up of the system's name")
# Its address.
NO_READABLE_URL = gettext_noop("The URL cannot be read: %(received)s")
NO_HTTP_URL = gettext_noop("A system's URL starts with http:// or https:// and names a host.")
URL_WITH_USER = gettext_noop("A system's URL carries no user name or password.")
PORT_NOT_OPEN = gettext_noop("Port %(port)s is not open to systems: use 80, 443 or 1024 and above.")
NEVER_REACHED = gettext_noop("%(host)s leads to %(address)s, which is link-local or a cloud's metadata: never called.")
OWN_HOST = gettext_noop("%(host)s is the platform's own address, which is never called.")
NOT_PUBLIC = gettext_noop(
    "%(host)s leads to %(address)s, which is not a public address. Ask the staff of this installation: they can allow it on the page Operation › Allowed addresses."
)
# Its answer.
NO_ANSWER_IN_TIME = gettext_noop("No answer began within %(seconds)s s.")
NOT_COMPLETE_BYTES = gettext_noop("The answer was not complete within %(seconds)s s; %(n)s bytes came.")
NOT_COMPLETE_CHARACTERS = gettext_noop("The answer was not complete within %(seconds)s s; %(n)s characters came.")
NOT_HTTP = gettext_noop("Not a valid HTTP answer: %(received)s")
COMPRESSED = gettext_noop("The answer is compressed; identity was asked for.")
STATUS = gettext_noop("The system answered with status %(status)s.")
STATUS_BROKEN_OFF = gettext_noop("The system answered with status %(status)s, whose body was not read to its end.")
STATUS_NOT_200 = gettext_noop("The system answered with status %(status)s; only 200 is an answer.")
REDIRECTED = gettext_noop(
    "The system answered with status %(status)s to %(target)s, which is never followed; only 200 is an answer."
)
TOO_LONG = gettext_noop("The answer is longer than %(n)s KiB.")
TOO_MANY_CHUNKS = gettext_noop("The answer comes in too many tiny chunks.")
TEXT_TOO_LONG = gettext_noop("The text is longer than %(n)s KiB.")
EVENT_TOO_LONG = gettext_noop("An event is longer than %(n)s KiB.")
OUTPUT_REWRITTEN = gettext_noop("The output is rewritten too often.")
TEXT_REWRITTEN = gettext_noop("The text is rewritten too often.")
EMPTY_BODY = gettext_noop("The system answered with an empty body.")
NO_CHOICES = gettext_noop("`choices` is empty.")
NO_CHOICE_IN_STREAM = gettext_noop("The stream held no choice.")
NO_EVENT_IN_STREAM = gettext_noop("The stream held no event.")
NO_MESSAGE = gettext_noop("The answer holds no message.")
NO_ADAPTER = gettext_noop("No adapter speaks “%(protocol)s”.")
# Its WebSocket, and the socket of a bot that connects itself.
NOT_UTF8 = gettext_noop("A message is not UTF-8.")
SOCKET_SAID_TOO_MUCH = gettext_noop("The system said too much over the WebSocket.")
SOCKET_CLOSED = gettext_noop("The system closed the WebSocket: %(received)s")
SOCKET_CLOSED_SILENTLY = gettext_noop("The socket was closed without a message.")
SOCKET_NOT_OPENED = gettext_noop("The WebSocket was not opened: %(received)s")
STATUS_NO_SOCKET = gettext_noop("The system answered with status %(status)s and opened no WebSocket.")
MESSAGE_TOO_LONG = gettext_noop("A message is longer than %(n)s KiB.")
NO_VALID_FRAME = gettext_noop("Not a valid WebSocket frame: %(received)s")
TOO_MANY_FRAMES = gettext_noop("The system sent too many WebSocket frames for one turn.")
FRAMES_TOO_LONG = gettext_noop("The frames of this turn have more than %(n)s characters.")
FRAMES_WAIT = gettext_noop("More than %(n)s frames wait to be read.")
NOT_DIALED_IN = gettext_noop("The system is not connected.")
NOT_BACK_IN_TIME = gettext_noop("The system's connection broke, and it did not connect again within %(seconds)s s.")
ELSEWHERE = gettext_noop(
    "The system is connected to another server process, which can only be reached through Redis (REDIS_URL)."
)
ITS_ERROR = gettext_noop("The system answered with an error: %(received)s")
ITS_ERROR_UNSAID = gettext_noop("The system answered with an error and says no more.")
# On our side.
PROCESS_GONE = gettext_noop("The server process that asked the system went away.")
UNFORESEEN = gettext_noop("Unforeseen: %(received)s")
STOOD_STILL = gettext_noop("%(said)s Our own process stood still meanwhile.")
SEVERAL_FAILED = gettext_noop("%(said)s Several systems failed at once.")
# A turn that somebody stopped.
ENDED_BY_TESTER = gettext_noop("The tester ended the dialogue.")
ENDED_BY_ORGANIZER = gettext_noop("The organizer ended the dialogue.")
VOIDED_BY_ORGANIZER = gettext_noop("The organizer declared the dialogue void.")
