"""What every request passes through: size, headers, repeated calls, the log of requests."""
