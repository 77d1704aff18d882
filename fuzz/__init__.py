"""Bad inputs by the thousand: a clean book, one thing spoiled, and what must hold whatever it was."""
