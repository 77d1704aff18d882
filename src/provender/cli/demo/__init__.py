"""``provender demo``: the verb and one module per demonstration."""
