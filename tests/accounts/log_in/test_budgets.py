"""From which budgets a guess is taken."""

from accounts.log_in.guesses import Guess, budgets_of


def test_a_strange_browser_is_held_by_account_and_network_by_account_and_by_network():
    limits = {tuple(sorted(budget.fields)): budget.limit for budget in budgets_of(Guess("n", "10.0.0.1"))}
    assert limits == {("device", "name", "network"): 5, ("device", "name"): 30, ("device", "network"): 100}


def test_a_known_browser_has_a_budget_that_nobody_elsewhere_uses_up():
    (budget,) = budgets_of(Guess("n", "10.0.0.1", "mine"))
    assert budget.fields == {"name": "n", "device": "mine"}
