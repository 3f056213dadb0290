"""cudabench-report: folds manifest, compile records and result files into scores; `python -m report`."""
