"""What each probe is called, and what to do where it does not pass, also for a system that connects to the platform. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext, gettext_noop

from participants.bot_form import DIAL_OUT


@dataclass(frozen=True, slots=True)
class Wording:
    title_text: str
    advice_text: str
    dial_out_text: str = ""

    @property
    def title(self) -> str:
        return gettext(self.title_text)

    @property
    def advice(self) -> str:
        return gettext(self.advice_text)

    def advice_for(self, protocol: str) -> str:
        """A system that connects to the platform has no address and no port that anybody could reach."""
        return gettext(self.dial_out_text) if protocol == DIAL_OUT and self.dial_out_text else self.advice


WORDING: Mapping[str, Wording] = MappingProxyType(
    {
        "protocol": Wording(
            gettext_noop("Protocol"),
            gettext_noop("Choose the protocol that the server speaks, or let GET answer what it is."),
        ),
        "address": Wording(
            gettext_noop("Address"),
            gettext_noop(
                "Register a public address on port 80, 443 or above 1023. For one on a private network, ask the staff of this installation: they can allow it under Operation › Allowed addresses."
            ),
        ),
        "reachable": Wording(
            gettext_noop("Reachable"),
            gettext_noop("Start the system, open the port in the firewall, and check the name in DNS."),
            gettext_noop(
                "Start the program that connects to the platform, with the key that this system has now, and let its machine open connections to the platform's address: no port has to be opened for it. If it still cannot connect, ask the organizers; the operator of the platform can see what is refused."
            ),
        ),
        "tls": Wording(
            gettext_noop("Encryption"),
            gettext_noop(
                "Serve HTTPS with a valid certificate and its whole chain; then give the system another secret."
            ),
        ),
        "status": Wording(
            gettext_noop("Status"),
            gettext_noop("Answer with status 200 at this very address: no redirect, no compression, no error page."),
            gettext_noop(
                "Answer each turn before its deadline by a reply with the id of the turn, and stay connected."
            ),
        ),
        "charset": Wording(gettext_noop("Character set"), gettext_noop("Write the answer in UTF-8.")),
        "json": Wording(
            gettext_noop("Format"),
            gettext_noop("Send the whole answer, and let a JSON library write it."),
        ),
        "schema": Wording(
            gettext_noop("Shape"),
            gettext_noop("Compare the answer with the example of the protocol: every field is there and has its type."),
        ),
        "words": Wording(
            gettext_noop("First word"),
            gettext_noop("Answer a greeting with some words: testers begin with one."),
        ),
        "chinese": Wording(
            gettext_noop("Chinese characters"),
            gettext_noop("Read the request as UTF-8, whatever the machine's own character set is."),
        ),
        "emoji": Wording(
            gettext_noop("Emoji"),
            gettext_noop("Read and store texts as UTF-8 with characters of four bytes (utf8mb4 in MySQL)."),
        ),
        "long_input": Wording(
            gettext_noop("Long input"),
            gettext_noop("Cut long texts off yourself, and answer what is left."),
        ),
        "empty_input": Wording(
            gettext_noop("Empty input"),
            gettext_noop("Treat an empty text as any other: ask back."),
        ),
        "long_dialogue": Wording(
            gettext_noop("Long dialogue"),
            gettext_noop("Shorten the history before it exceeds what the model can read."),
        ),
        "reset": Wording(
            gettext_noop("New dialogue"),
            gettext_noop("Start afresh with each dialogue id; keep nothing in variables of the process."),
        ),
        "isolation": Wording(
            gettext_noop("Dialogue isolation"),
            gettext_noop(
                "Store the state of each dialogue under its id: otherwise a tester goes on where another one was."
            ),
        ),
        "memory": Wording(
            gettext_noop("Memory"),
            gettext_noop(
                "Read the history that comes with each request, or store what was said under the dialogue's id."
            ),
        ),
        "repeated_turn": Wording(
            gettext_noop("Repeated turn"),
            gettext_noop("Answer a request with a known Idempotency-Key with the answer that was given before."),
        ),
        "streaming": Wording(
            gettext_noop("Streaming"),
            gettext_noop("Send each piece when it is there, and switch buffering off in the proxy in front."),
        ),
        "errors": Wording(
            gettext_noop("Broken request"),
            gettext_noop("Answer what is not a request with status 400 and a reason, and go on serving."),
        ),
        "latency": Wording(
            gettext_noop("Response time"),
            gettext_noop("Answer within a few seconds: a shorter history, a smaller model, or a stream."),
        ),
        "parallel_some": Wording(
            gettext_noop("Some dialogues at once"),
            gettext_noop("Serve several requests at the same time: more workers, or an asynchronous server."),
        ),
        "parallel_declared": Wording(
            gettext_noop("As many dialogues as declared"),
            gettext_noop("Serve as many requests as declared at the same time, or declare fewer dialogues."),
        ),
        "parallel_apart": Wording(
            gettext_noop("Dialogue isolation under load"),
            gettext_noop(
                "Share nothing between requests that run at the same time: no global variables, no shared session."
            ),
        ),
        "cancelled_call": Wording(
            gettext_noop("Abandoned request"),
            gettext_noop("Expect that a connection closes early: free what the request held, and go on serving."),
        ),
        "pictures": Wording(
            gettext_noop("Pictures"),
            gettext_noop(
                "Serve each as PNG, JPEG, WebP or GIF of at most 1 MB and 4,096 pixels a side, at a public address that needs no secret and leads nowhere else; at most four an answer."
            ),
        ),
        "time": Wording(
            gettext_noop("Time of the check"),
            gettext_noop("Answer more quickly, or declare fewer dialogues at once; then check again."),
        ),
        "unfinished": Wording(
            gettext_noop("End of the check"),
            gettext_noop("Check again when fewer people are talking to the system."),
        ),
        "labels": Wording(
            gettext_noop("Labels"),
            gettext_noop("Answer every sentence once, with its id and in the order asked."),
        ),
        "batch": Wording(
            gettext_noop("Large batch"),
            gettext_noop("Label a batch of the announced size within the deadline."),
        ),
    }
)
