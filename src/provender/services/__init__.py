"""Every use case once, for pages, API and command line alike.

The actor and the day are arguments; each change is one transaction that also writes its row in the log (the store
writes that of a posting). None of them asks whether the actor may: that is the door's
business (``provender.web.access``).
"""
