"""Shards: deterministic, disjoint, complete."""

import json
from pathlib import Path

import pytest

from generator.cases import generate, parse
from generator.shard import Shard, ShardError

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20])
def test_every_candidate_is_in_exactly_one_shard(count):
    candidates = [f"candidate {number}" for number in range(20)]
    shards = [Shard(index, count).of(candidates) for index in range(1, count + 1)]
    assert sum(map(len, shards)) == len(candidates)
    assert set().union(*shards) == set(candidates)
    assert max(map(len, shards)) - min(map(len, shards)) <= 1


def test_cases_of_a_candidate_stay_together():
    assert Shard(2, 2).of(["a", "a", "b", "b", "c", "a"]) == {"b"}


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "-1/2", "1/0", "1/2/3", "a/b", "1 / 2", "1/9999999"])
def test_no_shard(text):
    with pytest.raises(ShardError, match="2/4 is the second of four"):
        Shard.parse(text)


def test_an_empty_shard_is_refused():
    with pytest.raises(ShardError, match="shard 3/3 is empty: the candidates are only 2"):
        Shard(3, 3).of(["a", "b"])


def manifest(tmp_path: Path, shard: str | None = None) -> dict:
    output = tmp_path / f"build{(shard or '').replace('/', '_')}" / "cudabench" / "mine"
    words = ["--name", "mine", "--directory", str(tmp_path / "answers"), "--tasks", str(ROOT / "tasks")]
    words += ["--output", str(output), "--shared", str(output.parents[1] / "shared")]
    words += ["--build-root", str(output.parents[1]), "--recorder", "/recorder", "--scales", "tiny", "huge"]
    generate(parse(words + (["--shard", shard] if shard else [])))
    return json.loads((output / "manifest.json").read_text(encoding="utf-8"))


def test_manifests_of_shards_are_those_of_the_whole(tmp_path):
    for name in ("a/softmax", "b/softmax", "c/softmax@tiny", "a/prefix_sum", "d/softmax.s1"):
        path = tmp_path / "answers" / f"{name}.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("// nothing is compiled\n")
    whole = manifest(tmp_path)
    assert whole["shard"] is None
    parts = [manifest(tmp_path, f"{index}/3") for index in (1, 2, 3)]
    assert [part["shard"] for part in parts] == [{"index": index, "count": 3} for index in (1, 2, 3)]
    cases = [case["id"] for part in parts for case in part["cases"]]
    assert sorted(cases) == sorted(case["id"] for case in whole["cases"])
    assert all(part["cases"] for part in parts)
    candidates = [{case["candidate"]["name"] for case in part["cases"]} for part in parts]
    assert sum(map(len, candidates)) == len(set().union(*candidates)) == 5
