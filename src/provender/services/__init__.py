"""Every use case once, for pages, API and command line alike.

The actor and the day are arguments; each change is one transaction that also writes its row in the log (the store
writes that of a posting). Decided here: what belongs together in one act, and its order. Not decided here: the rule
(layers below), whether the actor may (``provender.web.access``), and what a page or a call looks like. No service knows
a request or a form.
"""
