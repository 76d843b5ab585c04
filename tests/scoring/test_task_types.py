import pytest

from scoring.one_run import read_gold, score_run
from scoring.task_types import TASK_TYPES
from tests.scoring.conftest import EXAMPLES

# By hand: seven columns are six distances and the dialogue; 18 are six classes by right, answered and gold.
N_COLUMNS = {
    "intent-classification": 18,
    "dialogue-quality": 7,
    "nugget-detection": 3,
    "information-extraction": 6,
    "task-oriented-dialogue": 18,
    "response-generation": 11,
}


@pytest.mark.parametrize("name", TASK_TYPES)
def test_every_sum_has_a_name_of_its_own(name):
    task_type, options = TASK_TYPES[name], TASK_TYPES[name].default_options() | {"missing": "count"}
    (gold_file,) = (EXAMPLES / name).glob("gold.json*")
    (run_file,) = (EXAMPLES / name).glob("run.json*")
    gold = read_gold(task_type, gold_file.read_bytes(), options)
    columns = task_type.columns(gold, options)
    assert len(set(columns)) == len(columns) == N_COLUMNS.get(name, len(columns))
    sums = score_run(task_type, gold, run_file.read_bytes(), options).scored.sums
    assert sums.shape == (len(gold.items), len(columns))


def test_columns_follow_the_options_that_add_measures():
    task_type = TASK_TYPES["response-generation"]
    options = task_type.default_options()
    plain = task_type.columns(None, options)
    with_vectors = task_type.columns(None, options | {"vectors": "v.txt"})
    assert with_vectors == (*plain, "embedding_average", "vector_extrema", "greedy_matching")
