#!/usr/bin/env python3
"""The booking system behind a firewall: dial_out.py with a reply of its own.

    HUACE_BOT_URL=ws://127.0.0.1:8000/ws/bots/ HUACE_BOT_KEY=huace-bot-… python dial_out_booking.py --port 8108

It lists its bookings at GET /bookings?dialogue=… on that port, which the platform does not call.
"""

import argparse
import asyncio
import os

import dial_out
from booking_bot import answer
from terminal_bot import list_bookings


async def reply_to(turn):
    return answer(turn)["text"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8108)
    list_bookings(parser.parse_args().port)
    dial_out.reply_to = reply_to
    dial_out.print = lambda *said, **named: None  # it is one of several programs on a terminal
    asyncio.run(dial_out.main(os.environ["HUACE_BOT_URL"], os.environ["HUACE_BOT_KEY"]))
