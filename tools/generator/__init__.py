"""What CUDABench makes of its task files: descriptors, contracts, prompts, tables of cases."""
