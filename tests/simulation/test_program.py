"""A program's way into Huace: what becomes of a line that ends in the middle."""

import asyncio

import aiohttp
import pytest

from simulation.program import Interrupted, Program


class Ends:
    """A request that ends like this."""

    def __init__(self, error):
        self.error = error

    async def __aenter__(self):
        raise self.error

    async def __aexit__(self, *_raised):
        return False


class Client:
    def __init__(self, error):
        self.error = error

    def request(self, *_asked, **_sent):
        return Ends(self.error)

    async def close(self):
        pass


# aiohttp's own limit of a whole request is no error of aiohttp's.
@pytest.mark.parametrize("error", [TimeoutError(), aiohttp.ClientPayloadError("cut"), aiohttp.ServerTimeoutError()])
def test_a_request_that_does_not_end_interrupts_its_dialogue_and_no_other(error):
    async def asked():
        async with Program("http://127.0.0.1:9") as program:
            await program._http.close()
            program._http = Client(error)
            with pytest.raises(Interrupted):
                await program.get("/api/v1/campaigns/")

    asyncio.run(asked())
