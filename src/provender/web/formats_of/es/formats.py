"""Days and times as Spanish readers in the United States write them; numbers keep the decimal point."""

from typing import Final

DATE_FORMAT: Final = r"j \d\e F \d\e Y"
DATETIME_FORMAT: Final = r"j \d\e F \d\e Y, H:i"
MONTH_DAY_FORMAT: Final = r"j \d\e F"
YEAR_MONTH_FORMAT: Final = r"F \d\e Y"
SHORT_DATE_FORMAT: Final = "Y-m-d"
TIME_FORMAT: Final = "H:i"
DECIMAL_SEPARATOR: Final = "."
THOUSAND_SEPARATOR: Final = ","
DATE_INPUT_FORMATS: Final = ["%Y-%m-%d", "%m/%d/%Y", "%m/%d/%y"]
"""As in English: the browser's own picker, and the month first as everybody in the United States writes it."""
