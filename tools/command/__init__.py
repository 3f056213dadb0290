"""The cudabench command: a thin layer over CMake, CTest, the generator and the report."""
