"""The nouns of the custody book: events, lots, origins, entities, periods, and what a decision may ask of a store."""
