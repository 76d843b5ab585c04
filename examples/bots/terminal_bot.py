#!/usr/bin/env python3
"""The booking system as a program of the command line: huace/1 requests as JSON lines in, replies as JSON lines out.

    python -m participants.bridge --lines json --shared -- python terminal_bot.py

With --bookings PORT it lists its bookings at GET /bookings?dialogue=…
"""

import argparse
import json
import sys
import threading
from http.server import ThreadingHTTPServer

from booking_bot import Handler, answer


def list_bookings(port):
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bookings", type=int, metavar="PORT")
    if port := parser.parse_args().bookings:
        list_bookings(port)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(answer(request) | {"dialogue": request["dialogue"]}), flush=True)
