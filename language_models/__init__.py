"""Any OpenAI-compatible endpoint that a campaign declares: calls, budgets, cache, dry runs."""
