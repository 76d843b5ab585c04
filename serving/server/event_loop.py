"""The event loop of a server process: uvloop where it is installed, else asyncio's own. Everything runs on either.

Daphne makes its loop, and Twisted's reactor on it, when it is imported: import them from here.
"""

import asyncio

try:
    import uvloop
except ImportError:
    from daphne.server import Server, twisted_loop
else:
    _usual = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    from daphne.server import Server, twisted_loop

    # Other loops (of threads, of tests) are not ours to choose.
    asyncio.set_event_loop_policy(_usual)

__all__ = ["Server", "twisted_loop"]
