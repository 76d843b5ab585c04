"""Which server process asks the bot about a waiting turn, and whether that process still lives."""

import os
import secrets
import socket


class Owner:
    """Names this process as owner of the turns it asks about, and knows when another one's owner is gone."""

    def __init__(self) -> None:
        self._host, self._pid = socket.gethostname(), os.getpid()
        self.name = f"{self._host}:{self._pid}:{secrets.token_hex(4)}"

    def is_gone(self, owner: str) -> bool:
        """True if that process certainly ended: same machine, and its pid is free or was given to us."""
        host, pid, _token = [*owner.rsplit(":", 2), "", ""][:3]
        if owner == self.name or host != self._host or not pid.isdigit():
            return False
        if int(pid) == self._pid:
            return True
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False
