"""People whom a crowd platform sends: entry links, screening, quotas, completion, payment."""
