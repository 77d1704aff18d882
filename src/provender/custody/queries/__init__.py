"""What can be asked of a custody book: balances, traces, claims, alerts. Nothing here writes."""
