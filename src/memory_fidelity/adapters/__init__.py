"""One module per service; each imports its client itself, and none is imported here."""
