"""How the people of a rehearsal get accounts and tokens, over the API alone."""

import secrets

from demo.programs import Program

TOKEN_NAME = "rehearsal"


class Accounts:
    """The people of a rehearsal by their user names, each with a token that may do whatever the person may do."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._tokens: dict[str, str] = {}

    async def accept(self, link: str, username: str) -> None:
        """Accepts the invitation of the link, with the account that the person has or with a new one."""
        path = f"/api/v1/invitations/{link.rstrip('/').rpartition('/')[2]}/"
        if self.has(username):
            async with self.program(username) as known:
                await known.post(path, {})
            return
        newcomer = {"username": username, "password": secrets.token_urlsafe(12)}
        async with Program(self.base) as nobody_yet:
            await nobody_yet.post(path, newcomer)
            got_in = await nobody_yet.post("/api/v1/log-in/", newcomer | {"name": TOKEN_NAME})
        self._tokens[username] = got_in["token"]

    def has(self, username: str) -> bool:
        return username in self._tokens

    def program(self, username: str) -> Program:
        return Program(self.base, self._tokens[username])

    async def token_for(self, username: str, role: str, campaign: str) -> str:
        """A token of the person that opens what the role opens in the campaign, and nothing else."""
        wanted = {"name": f"{TOKEN_NAME}: {role}", "role": role, "campaign": campaign, "days": 1}
        async with self.program(username) as person:
            token: str = (await person.post("/api/v1/account/tokens/", wanted))["token"]
            return token
