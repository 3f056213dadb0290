"""docs/supported-api.md must list what the recording runtime does not implement, and nothing else."""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "harness" / "runtime"))

from unsupported_names import block, unsupported_names  # noqa: E402

DOCUMENT = (ROOT / "docs" / "supported-api.md").read_text()


def test_the_list_of_functions_is_that_of_the_runtime() -> None:
    names = unsupported_names(os.environ["CUDABENCH_NM"], Path(os.environ["CUDABENCH_RUNTIME"]))
    assert len(names) > 100
    shown = re.search(r"```text\n(cuda.*?|__cuda.*?)```", DOCUMENT, re.DOTALL)
    assert shown is not None
    assert shown[1] == block(names), "harness/runtime/unsupported_names.py prints the list"


def test_every_message_of_the_runtime_is_explained() -> None:
    """Calls of ExecutorLink::unsupported with words of their own, by the words before what varies."""
    for source in sorted((ROOT / "harness" / "runtime").glob("*.cpp")):
        for words in re.findall(r'unsupported\((?:std::string\()?"([^"]+)"', source.read_text()):
            assert words.strip() in DOCUMENT, f"{source.name}: {words}"
