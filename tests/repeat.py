"""Runs the suite of `make test` in random order beside a process that takes one core: `python -m tests.repeat 5 [SEED]`."""

import random
import subprocess
import sys

HOG = "while True: pass"


def main(n_times: int, *seeds: int) -> None:
    """Ends with status 1 after all runs if one of them failed; prints the seed of each."""
    failed = []
    with subprocess.Popen([sys.executable, "-c", HOG]) as hog:
        try:
            for seed in seeds or [random.SystemRandom().randrange(10**6) for _ in range(n_times)]:
                print(f"seed {seed}", flush=True)
                command = ["make", "test", f"ORDER=--shuffle {seed}"]
                failed += [seed] if subprocess.run(command).returncode else []
        finally:
            hog.kill()
    if failed:
        sys.exit(f"failed with seed {', '.join(map(str, failed))}: make test-repeat SEED=…")
    print("passed each time")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
