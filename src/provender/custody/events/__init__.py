"""Each type of event and what decides it: pure functions over a ``StoreView``. They know no store and no document."""
