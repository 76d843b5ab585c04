"""A bot that costs next to nothing: answers every POST after a fixed delay, in one asyncio protocol."""

import argparse
import asyncio
import json

REPLY = json.dumps({"text": "为您找到航班HC1001，08:30起飞，经济舱780元，确认预订吗？"}, ensure_ascii=False).encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(REPLY), REPLY)


class Bot(asyncio.Protocol):
    delay_s = 0.0

    def connection_made(self, transport):
        self.transport, self.received = transport, b""

    def data_received(self, chunk):
        self.received += chunk
        while b"\r\n\r\n" in self.received:
            head, rest = self.received.split(b"\r\n\r\n", 1)
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            if len(rest) < length:
                return
            self.received = rest[length:]
            if self.delay_s:
                asyncio.get_running_loop().call_later(self.delay_s, self.transport.write, ANSWER)
            else:
                self.transport.write(ANSWER)


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Bot, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--delay", type=float, default=0.0)
    arguments = parser.parse_args()
    Bot.delay_s = arguments.delay
    asyncio.run(main(arguments.port))
