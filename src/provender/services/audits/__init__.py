"""An audit on the server: opened, sampled, worked through, packaged, stated."""
