import pytest

from automatic_tasks.runs.files import example_file
from scoring.task_types import TASK_TYPES


@pytest.mark.parametrize("name", TASK_TYPES)
def test_every_task_type_has_an_example(name):
    file = example_file(name)
    assert file.content
    assert file.name in {f"example-{name}.json", f"example-{name}.jsonl"}
