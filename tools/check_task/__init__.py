"""What shows that a task is sound: `cudabench check-task`."""
