"""The schemas: the examples of the documentation are of them, and the checker knows every word that they use."""

import json
import re
from pathlib import Path

import pytest

from report import schema

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ["manifest", "compile_record", "result", "counters", "report"]


def words(node, names=True):
    """Keywords of a schema; names of properties and definitions are not keywords."""
    if isinstance(node, dict):
        for key, value in node.items():
            if names:
                yield key
            if key not in ("const", "enum", "required"):
                yield from words(value, names=not (names and key in ("properties", "$defs")))
    elif isinstance(node, list):
        for element in node:
            yield from words(element)


@pytest.mark.parametrize("name", SCHEMAS)
def test_checker_knows_every_keyword(name):
    assert set(words(schema.load(name))) <= schema.KEYWORDS | schema.ANNOTATIONS


@pytest.mark.parametrize("name", SCHEMAS)
def test_example_of_the_documentation(name):
    document = (ROOT / "docs" / "results.md").read_text()
    (example,) = re.findall(rf"<!-- example: {name} -->\n```json\n(.*?)```", document, re.DOTALL)
    value = json.loads(example)
    assert schema.first_error(value, name) is None
    required = schema.load(name)["required"]
    for key in required:
        shorter = {k: v for k, v in value.items() if k != key}
        assert schema.first_error(shorter, name) == f'the file lacks "{key}"'


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (["cases", 0, "scale"], "giant", 'cases[0].scale is "giant", expected one of'),
        (["cases", 0, "id"], "a-b", 'cases[0].id is "a-b", expected to match'),
        (["cases", 0, "candidate", "level"], 4, "cases[0].candidate.level is 4, expected at most 3"),
        (["cases", 0, "candidate", "level"], True, "cases[0].candidate.level is true, expected integer or null"),
        (["cases"], [], "cases has 0 elements, expected at least 1"),
        (["cases"], {}, "cases is {}, expected array"),
        (["schema"], 2, "schema is 2, expected 1"),
    ],
)
def test_complaints_name_the_place(build, path, value, complaint):
    build.case()
    manifest = json.loads((build.run / "manifest.json").read_text())
    assert schema.first_error(manifest, "manifest") is None
    node = manifest
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    assert complaint in schema.first_error(manifest, "manifest")
