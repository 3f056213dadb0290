"""Checks a value against the part of JSON Schema that the schemas beside this file use."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
KEYWORDS = {
    "type", "const", "enum", "required", "properties", "additionalProperties", "items", "minItems", "minimum",
    "maximum", "pattern", "$ref",
}  # fmt: skip
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}


@cache
def load(name: str) -> dict[str, Any]:
    """The schema `name`, e.g. "result"."""
    return json.loads((Path(__file__).parent / f"{name}.schema.json").read_text(encoding="utf-8"))


def first_error(value: Any, name: str) -> str | None:
    """What is wrong with `value`, naming the place, or None if it is of the schema `name`."""
    return first_error_of(value, load(name))


def first_error_of(value: Any, schema: dict[str, Any]) -> str | None:
    """The same for any schema of this part of JSON Schema."""
    return _check(value, schema, schema, "")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES[kind])


def _check(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str) -> str | None:
    if "$ref" in schema:
        return _check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    where = place or "the file"
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is(value, kind) for kind in kinds):
        return f"{where} is {_text(value)}, expected {' or '.join(kinds)}"
    if "const" in schema and value != schema["const"]:
        return f"{where} is {_text(value)}, expected {_text(schema['const'])}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is {_text(value)}, expected one of {', '.join(map(_text, schema['enum']))}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{where} is {_text(value)}, expected to match {schema['pattern']}"
    if _is(value, "number"):
        if value < schema.get("minimum", value):
            return f"{where} is {value}, expected at least {schema['minimum']}"
        if value > schema.get("maximum", value):
            return f"{where} is {value}, expected at most {schema['maximum']}"
    if isinstance(value, dict):
        return _check_object(value, schema, root, place)
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            return f"{where} has {len(value)} elements, expected at least {schema['minItems']}"
        for index, element in enumerate(value):
            if problem := _check(element, schema.get("items", {}), root, f"{place}[{index}]"):
                return problem
    return None


def _check_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], place: str) -> str | None:
    properties = schema.get("properties", {})
    for key, element in value.items():
        inner = properties.get(key, schema.get("additionalProperties", {}))
        if problem := _check(element, inner, root, f"{place}.{key}" if place else key):
            return problem
    for key in schema.get("required", []):
        if key not in value:
            return f"{place or 'the file'} lacks {_text(key)}"
    return None


def _text(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
