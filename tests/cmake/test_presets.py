"""The presets fit the tasks."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from conftest import CMAKE, ROOT

from generator import presets
from generator.definition import SCALES

PRESETS = [json.loads(path.read_text()) for path in sorted((ROOT / "ctest_presets").glob("*.json"))]
TESTS = {preset["name"]: preset for file in PRESETS for preset in file.get("testPresets", [])}


def filters(kind: str) -> dict[str, str]:
    return {
        name.removeprefix(f"{kind}-"): preset["filter"]["include"]["label"]
        for name, preset in TESTS.items()
        if name.startswith(f"{kind}-")
    }


def test_cmake_accepts_them():
    listing = subprocess.run(
        [CMAKE, "--list-presets=all", ROOT], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    for name, preset in TESTS.items():
        assert preset.get("hidden", False) == (f'"{name}"' not in listing)


def test_all_files_are_included():
    included = json.loads((ROOT / "CMakePresets.json").read_text())["include"]
    assert set(included) == {f"ctest_presets/{path.name}" for path in (ROOT / "ctest_presets").glob("*.json")}


def test_they_are_what_the_tasks_say(tmp_path, capsys):
    words = ["--tasks", str(ROOT / "tasks"), "--output"]
    assert presets.main(["check", *words, str(ROOT / "ctest_presets")]) == 0
    assert presets.main(["check", *words, str(tmp_path)]) == 1
    assert "update-generated" in capsys.readouterr().err
    assert presets.main(["update", *words, str(tmp_path)]) == 0
    assert presets.main(["check", *words, str(tmp_path)]) == 0


def test_workflows_go_through_presets_that_are_there():
    kinds = {"configure": "configurePresets", "build": "buildPresets", "test": "testPresets"}
    names = {kind: {preset["name"] for file in PRESETS for preset in file.get(key, [])} for kind, key in kinds.items()}
    workflows = [preset for file in PRESETS for preset in file.get("workflowPresets", [])]
    assert {preset["name"] for preset in workflows} >= {"grade", "test", "ci-grade", "ci-test"}
    for preset in workflows:
        assert [step["type"] for step in preset["steps"]] == ["configure", "build", "test"]
        assert all(step["name"] in names[step["type"]] for step in preset["steps"])


def test_every_domain_with_tasks_has_one_and_no_other():
    domains = {path.parent.name for path in (ROOT / "tasks").glob("*/*.toml")}
    assert filters("domain") == {domain: f"^domain={domain}$" for domain in domains}


def test_every_scale_has_one():
    assert filters("scale") == {scale: f"^scale={scale}$" for scale in SCALES}


def test_a_filter_that_matches_nothing_is_an_error():
    def inherited(preset: dict) -> dict:
        parent = inherited(TESTS[preset["inherits"]]) if "inherits" in preset else {}
        return {**parent, **preset.get("execution", {})}

    for preset in TESTS.values():
        assert inherited(preset)["noTestsAction"] == "error"


@pytest.mark.parametrize("count", [1, 2, 4, 8])
def test_resources_are_as_many_as_the_name_says(count: int):
    preset = TESTS[f"gpus-{count}"]["execution"]
    assert preset["jobs"] == count
    path = Path(preset["resourceSpecFile"].replace("${sourceDir}", str(ROOT)))
    (local,) = json.loads(path.read_text())["local"]
    assert [gpu["id"] for gpu in local["gpus"]] == [str(index) for index in range(count)]
    assert all(gpu["slots"] == 1 for gpu in local["gpus"])
    assert re.search(f"gpus-{count}.json$", path.name)
