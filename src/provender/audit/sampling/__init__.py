"""Which farms a verifier visits (2100.040(a)(3), (b)): population, risk, draw, and what becomes of drawn farms.

Decided here: the least number of farms, the order of the draw, the extension after a farm fails. Not
decided here: who supplied the first point, which its custody book says.
"""
