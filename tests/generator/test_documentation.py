"""The statement that docs/task-authoring.md shows is one that can be copied."""

import re
from pathlib import Path

from generator.task import load_task

ROOT = Path(__file__).parents[2]


def test_the_statement_of_task_authoring_is_valid(tmp_path):
    (statement,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "task-authoring.md").read_text(), re.DOTALL)
    file = tmp_path / "tasks" / "signal_processing" / "example.toml"
    companions = ["signal_processing/example.cu", "oracles/signal_processing.py"]
    for path in (file, *(tmp_path / "references" / companion for companion in companions)):
        path.parent.mkdir(parents=True)
        path.write_text("")
    file.write_text(statement)
    task = load_task(file)
    assert task.dims == ("N", "num_taps")
    assert len(task.edges) >= 3
