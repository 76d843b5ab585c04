"""Has the operator type the name of what goes, so that nothing is removed by a slip."""

import sys


def confirmed(name: str, *, is_sure: bool) -> bool:
    """Without a terminal only `--yes` confirms."""
    if is_sure:
        return True
    if not sys.stdin.isatty():
        sys.stderr.write("Nobody is there to confirm it: add --yes.\n")
        return False
    sys.stderr.write(f"This cannot be undone. Type {name} to go on: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() == name
