"""make bench NAME=automatic_tasks: how long checking and scoring take, and how fast a service is asked, over a database of its own.

python -m bench.automatic_tasks [--rounds 3]
"""

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
N_DIALOGUES, N_TURNS, N_ANNOTATORS = 390, 7, 19
N_SENTENCES, N_CLASSES = 1550, 31
N_DOCUMENTS, N_ENTITIES = 1000, 6


def annotated_dialogues(rng: random.Random) -> bytes:
    """As many dialogues, turns and annotators as the test collection of NTCIR-14 STC-3, votes drawn at random."""
    senders = ["customer", "helpdesk"] * 4
    labels = {"customer": ["CNUG0", "CNUG", "CNUG*", "CNaN"], "helpdesk": ["HNUG", "HNUG*", "HNaN"]}
    return json.dumps(
        [
            {
                "id": f"d{number}",
                "turns": [{"sender": sender, "utterances": ["……"]} for sender in senders[:N_TURNS]],
                "annotations": [
                    {
                        "quality": {criterion: rng.randint(-2, 2) for criterion in "ASE"},
                        "nugget": [rng.choice(labels[sender]) for sender in senders[:N_TURNS]],
                    }
                    for _ in range(N_ANNOTATORS)
                ],
            }
            for number in range(N_DIALOGUES)
        ]
    ).encode()


def annotated_documents(rng: random.Random) -> tuple[bytes, bytes]:
    """Gold and a prediction with other ids, a tenth of the values wrong."""
    gold, run = [], []
    for number in range(N_DOCUMENTS):
        content, entities, triples = [], [], []
        for turn in range(10):
            ents, found = [], []
            for entity in rng.sample(range(N_ENTITIES), 2):
                name, value = f"套餐{entity}", f"{rng.randint(1, 99)}元"
                ents.append({"name": name, "id": f"ent-{entity}", "type": "套餐", "pos": [[2, 3, 3 + len(name)]]})
                found.append(
                    {"ent-id": f"ent-{entity}", "ent-name": name, "prop": "业务费用", "value": value, "pos": [2, 9, 12]}
                )
                entities.append(
                    {
                        "id": f"e{9 - entity}",
                        "name": name,
                        "type": "套餐",
                        "position": [3, 3 + len(name)],
                        "turn_id": turn,
                    }
                )
                guess = value if rng.random() < 0.9 else "不知道"
                triples.append(
                    {"ent-id": f"e{9 - entity}", "ent-name": name, "prop": "业务费用", "value": guess, "turn_id": turn}
                )
            texts = {"[SPEAKER 1]": "您好", "[SPEAKER 2]": "你好", "客服意图": "通知", "用户意图": "询问"}
            content.append(texts | {"info": {"ents": ents, "triples": found}})
        gold.append({"id": f"d{number}", "content": content})
        run.append({"id": f"d{number}", "entities": entities, "triples": triples})
    return json.dumps(gold).encode(), json.dumps(run).encode()


def seconds_of(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    made = work()
    return time.perf_counter() - began, made


def score_file(name: str, gold_content: bytes, run_content: bytes) -> float:
    """Seconds from the bytes of gold and run to the figures."""
    from scoring.one_run import read_gold, score_run
    from scoring.task_types import TASK_TYPES

    task_type = TASK_TYPES[name]
    options = task_type.default_options()
    took, _ = seconds_of(
        lambda: score_run(task_type, read_gold(task_type, gold_content, options), run_content, options)
    )
    return took


def ask_service(url: str, port: int) -> tuple[float, float, float]:
    """Seconds of a whole run, of its calls alone, and the sentences a second over the calls with everything stored."""
    from django.conf import settings
    from django.utils import timezone

    from automatic_tasks.actions import register_service, start_service_run
    from automatic_tasks.models import AutomaticTask, Run
    from automatic_tasks.runs.worker import Worker
    from campaigns.actions.teams import team_called

    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
    task = AutomaticTask.objects.get(key="intents")
    team = team_called(task.campaign, f"Bench {time.monotonic_ns()}")
    run = start_service_run(service=register_service(task=task, team=team, url=url), person=None, at=timezone.now())
    whole, _ = seconds_of(lambda: asyncio.run(Worker().work(until_empty=True)))
    run = Run.objects.get(pk=run.pk)
    assert run.state == "scored", run.message
    assert run.took is not None
    calls = sum(run.batches.values_list("took_ms", flat=True)) / 1000
    return whole, calls, run.n_done / run.took.total_seconds()


def set_up(folder: Path) -> None:
    os.environ["DATABASE_URL"] = f"sqlite:///{folder / 'bench.sqlite3'}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.core.management import call_command

    rng = random.Random(3)
    call_command("migrate", verbosity=0)
    campaign = folder / "campaign.toml"
    campaign.write_text('[campaign]\nslug = "bench"\nname = "bench"\n')
    call_command("load_campaign", campaign, stderr=open(os.devnull, "w"))  # noqa: SIM115
    rows = [
        {"id": n, "content": f"第{n}句话{rng.random()}", "label": f"class-{n % N_CLASSES}"} for n in range(N_SENTENCES)
    ]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    tasks = folder / "tasks.toml"
    tasks.write_text(
        'campaign = "bench"\n[[tasks]]\nkey = "intents"\ntype = "intent-classification"\nname = "x"\ngold = "gold.jsonl"\n'
    )
    call_command("load_tasks", tasks, stderr=open(os.devnull, "w"))  # noqa: SIM115


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    sys.path.insert(0, str(ROOT))
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        from demo.sample_bots import free_port, wait_for_port
        from scoring.task_types import TASK_TYPES

        rng = random.Random(1)
        dialogues = annotated_dialogues(rng)
        documents, extracted = annotated_documents(rng)
        print(f"{'':<58}" + "".join(f"{f'round {n + 1}':>10}" for n in range(rounds)))
        for name in ("dialogue-quality", "nugget-detection"):
            task_type = TASK_TYPES[name]
            run = task_type.baselines["uniform"](task_type.read_gold(dialogues, task_type.default_options()))
            line(
                f"{name}, {N_DIALOGUES} dialogues × {N_TURNS} turns, s",
                [score_file(name, dialogues, run) for _ in range(rounds)],
            )
        line(
            f"information-extraction, {N_DOCUMENTS} documents, s",
            [score_file("information-extraction", documents, extracted) for _ in range(rounds)],
        )
        port = free_port()
        service = subprocess.Popen(
            [sys.executable, str(ROOT / "examples/services/intent_service.py"), "--port", str(port)]
        )
        try:
            wait_for_port(port, service, "The service")
            asked = [ask_service(f"http://127.0.0.1:{port}/", port) for _ in range(rounds)]
        finally:
            service.terminate()
            service.wait()
        line(f"intent-classification, {N_SENTENCES} sentences, whole run, s", [whole for whole, _, _ in asked])
        line("  of it waiting for the service, s", [calls for _, calls, _ in asked])
        line("  sentences/s, from claim to score", [speed for _, _, speed in asked])
        print(f"highest memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


def line(what: str, values: list[float]) -> None:
    print(
        f"{what:<58}" + "".join(f"{value:>10.2f}" if value < 100 else f"{value:>10.0f}" for value in values), flush=True
    )


if __name__ == "__main__":
    main()
