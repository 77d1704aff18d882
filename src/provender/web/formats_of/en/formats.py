"""Days and times as an American reader writes them; times are the party's."""

from typing import Final

DATE_FORMAT: Final = "M j, Y"
DATETIME_FORMAT: Final = "M j, Y, H:i"
SHORT_DATE_FORMAT: Final = "Y-m-d"
TIME_FORMAT: Final = "H:i"
THOUSAND_SEPARATOR: Final = ","
