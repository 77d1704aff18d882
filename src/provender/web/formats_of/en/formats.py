"""Days and times as an American reader writes them; times are the party's."""

from typing import Final

DATE_FORMAT: Final = "M j, Y"
_DATETIME_FORMAT: Final = "M j, Y, H:i"
_SHORT_DATE_FORMAT: Final = "Y-m-d"
_TIME_FORMAT: Final = "H:i"
_THOUSAND_SEPARATOR: Final = ","
