"""An audit on the server: opened, sampled, worked through, packaged, stated.

Decided here: who may audit whom today, and in which order an audit goes on. Not decided here: sample, checks and
opinion, which ``audit`` decides.
"""
