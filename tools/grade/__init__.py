"""Grading of single candidates, without CMake: `cudabench grade`."""
