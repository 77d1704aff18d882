"""Everything that writes, one module per subject: ``do_<verb>_<noun>(..., actor=...)``.

Each deed is one transaction that also writes its row in the log. Pages, the API and the command line call these and
nothing else; none of them asks whether the actor may, that is the door's business (``provender.web.access``).
"""
