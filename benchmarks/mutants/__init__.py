"""Mutants of the product's own source: what the tests of this project would not notice."""
