"""What was recorded without a network: taken over by the server once, or refused or held back with the reason."""
