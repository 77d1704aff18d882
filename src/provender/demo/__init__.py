"""The example chain: 51 made-up farms, an elevator, a crusher and two refiners, all drawn from one seed.

Nothing of it is real: names, keys and calculator runs are made up, and every document says so where it can.
"""
