import pytest

from automatic_tasks.example_runs import example_run, example_suffix
from scoring.task_types import TASK_TYPES


@pytest.mark.parametrize("name", TASK_TYPES)
def test_every_task_type_has_an_example(name):
    assert example_run(name)
    assert example_suffix(name) in {".json", ".jsonl"}
