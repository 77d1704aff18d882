"""What an organisation is told, and how: on its page, by mail, at an address of its programs.

The log is written in the transaction of each deed, so nothing that stands is missed and nothing taken back is told. It
is read soon afterwards (``gather``), for each organisation and deed once, and what it says goes out as often as it must
until it arrived (``outbox``).
"""
