"""Mutants: the reference with one mistake each, made on its text by rules."""
