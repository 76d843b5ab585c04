"""What is written about models: their endpoints, and the ledger of calls."""
