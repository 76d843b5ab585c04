"""make bench NAME=simulating: what simulated dialogues, 20 at a time, cost the people who talk meanwhile.

People talk before, beside and after `manage.py simulate` with the scripted model of examples/; what the simulation adds to the 95th
percentile of their turns is compared with the quiet parts around it.
python -m bench.simulating [--people 50] [--n 200] [--parallel 20] [--seconds 40] [--delay 1]
Ends with 1 when it adds more than 20 ms, or a turn of people fails.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.load import Measured, run_load
from bench.servers import CAMPAIGN as TALK_ALONE
from bench.servers import ROOT, bot, installation, open_dialogue, process
from bench.turns import percentile
from demo.sample_bots import free_port

MOST_ADDED_MS = 20.0
# The scripted model says one fact a turn, and gives up once it has none left.
FACTS = "facts = {{flight = {{from = '北京', to = '上海', date = '明天', time = '上午', class = '经济舱', seat = '靠窗', budget = 900}}}}"
CAMPAIGN = TALK_ALONE.replace('key = "talk"', f'key = "talk"\n{FACTS}')
DECLARE = (
    "from django.utils import timezone; from campaigns.models import Campaign; "
    "from language_models.models import ModelEndpoint; "
    "ModelEndpoint.objects.create(campaign=Campaign.objects.get(), key='m', url='http://127.0.0.1:{port}/v1', "
    "model='scripted', declared_at=timezone.now())"
)


@dataclass(frozen=True, slots=True)
class Parts:
    """People's seconds per turn before, beside and after the simulation; how many turns of theirs failed; what the simulation said."""

    before: list[float]
    beside: list[float]
    after: list[float]
    n_errors: int
    simulated: str = ""

    @property
    def added_ms(self) -> float:
        """Beyond the worse of the quiet parts: the machine changes its speed by itself."""
        quiet = max(percentile(self.before, 0.95), percentile(self.after, 0.95))
        return 1000 * (percentile(self.beside, 0.95) - quiet)

    def problems(self) -> list[str]:
        found = []
        if not (self.before and self.beside and self.after):
            found.append("a part has no turn of people")
        elif self.added_ms > MOST_ADDED_MS:
            found.append(f"people's p95 is {self.added_ms:.0f} ms above the quiet parts'")
        if self.n_errors:
            found.append(f"{self.n_errors} turns of people failed")
        return found


def thinks(rng: random.Random) -> float:
    return rng.uniform(1.0, 4.0)


def measure(folder: Path, people: int, n: int, parallel: int, seconds: float, delay_s: float) -> Parts:
    model_port, server_port = free_port(), free_port()
    model = [sys.executable, str(ROOT / "examples" / "models" / "scripted_model.py"), "--port", str(model_port)]
    with bot(delay_s) as bot_url, process(model, model_port):
        allowed = [bot_url.removeprefix("http://").rstrip("/"), f"127.0.0.1:{model_port}"]
        with installation(folder, CAMPAIGN.format(bot=bot_url), allowed) as (environment, token):
            manage = [sys.executable, "manage.py"]
            declared = [*manage, "shell", "-v0", "-c", DECLARE.format(port=model_port)]
            subprocess.run(declared, cwd=ROOT, env=environment, check=True)
            serve = [*manage, "serve", "--port", str(server_port), "--drain", "1", "--no-worker"]
            with process(serve, server_port, environment):
                base = f"http://127.0.0.1:{server_port}"

                def talk() -> Measured:
                    urls = [open_dialogue(base, token) for _ in range(people)]
                    return asyncio.run(run_load(urls, {"Authorization": f"Token {token}"}, seconds, thinks))

                before = talk()
                simulate = [*manage, "simulate", "bench", "--model", "m", "--n", str(n), "--parallel", str(parallel)]
                running = subprocess.Popen(
                    [*simulate, "--server", base], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True,
                    stderr=subprocess.DEVNULL,
                )  # fmt: skip
                began = time.perf_counter()
                beside = talk()
                told, _ = running.communicate()
                took_s = time.perf_counter() - began
                after = talk()
    n_errors = sum(len(one.errors) for one in (before, beside, after))
    said = f"{told.strip()} in {took_s:.0f} s"
    return Parts(before.latencies_s, beside.latencies_s, after.latencies_s, n_errors, said)


def report(parts: Parts) -> int:
    for name, latencies in (("before", parts.before), ("beside", parts.beside), ("after", parts.after)):
        if latencies:
            p50, p95 = (1000 * percentile(latencies, share) for share in (0.5, 0.95))
            print(f"people {name} the simulation: {len(latencies)} turns, p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    print(parts.simulated)
    for problem in parts.problems():
        print(problem)
    return int(bool(parts.problems()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--parallel", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--delay", type=float, default=1.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="huace-simulating-") as folder:
        parts = measure(Path(folder), asked.people, asked.n, asked.parallel, asked.seconds, asked.delay)
    sys.exit(report(parts))


if __name__ == "__main__":
    main()
