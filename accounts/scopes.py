"""What a credential allows of that which its person may do. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """One role, one campaign, or one role in one campaign; what is empty is not narrowed."""

    role: str = ""
    campaign: str = ""

    def covers(self, role: str, campaign: str) -> bool:
        return self.role in {"", role} and self.campaign in {"", campaign}


# A login, and a token that may do whatever its person may do.
WHOLE = Scope()
