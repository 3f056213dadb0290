"""Which file is whose answer to what."""

import json
import os
import re
from pathlib import Path

import pytest

from generator.candidates import CandidateError, discover, explicit

ALL = ("tiny", "small", "medium", "large", "huge")


def test_path_tells_task_scale_sample_model_and_level(candidates, tasks):
    folder = candidates("some-model/level2/extra/softmax@large.s3.cu")
    (candidate,) = discover(folder, tasks)
    assert candidate.task == "softmax"
    assert candidate.scales == ("large",)
    assert (candidate.model, candidate.level, candidate.sample) == ("some-model", 2, 3)
    assert candidate.name == "some-model/level2/extra/softmax@large.s3"
    assert candidate.source == (folder / "some-model/level2/extra/softmax@large.s3.cu").resolve()


def test_plain_name_is_sample_zero_of_all_scales(candidates, tasks):
    (candidate,) = discover(candidates("naive/softmax.cu"), tasks)
    assert (candidate.model, candidate.level, candidate.sample) == ("", 0, 0)
    assert candidate.scales == ALL
    assert (candidate.id, candidate.name) == ("naive_softmax", "naive/softmax")


def test_the_directory_itself_may_be_the_models(candidates, tasks):
    (candidate,) = discover(candidates("level1/softmax.cu"), tasks)
    assert (candidate.model, candidate.level) == ("candidates", 1)


def test_level_4_is_a_folder_like_any_other(candidates, tasks):
    (candidate,) = discover(candidates("model/level4/softmax.cu"), tasks)
    assert (candidate.model, candidate.level) == ("", 0)


def test_order_does_not_depend_on_the_file_system(candidates, tasks):
    folder = candidates(*(f"{name}/softmax.cu" for name in "zbqax"))
    assert [candidate.name for candidate in discover(folder, tasks)] == [f"{name}/softmax" for name in "abqxz"]


def test_other_files_are_no_candidates(candidates, tasks):
    folder = candidates("softmax.cu", "readme.md", "helper.cuh", "softmax.cpp")
    assert len(discover(folder, tasks)) == 1


def test_alias_names_the_task(candidates, tasks):
    aliased = [task for task in tasks.values() if task.aliases]
    for task in aliased:
        folder = candidates(f"{task.name}/{task.aliases[0]}.cu")
        assert task.name in {candidate.task for candidate in discover(folder, tasks)}


@pytest.mark.parametrize(
    "places",
    [
        ["a b/softmax.cu", "a_b/softmax.cu"],
        ["a-b/softmax.cu", "a+b/softmax.cu"],
        ["a/b/softmax.cu", "a_b/softmax.cu"],
        ["A/softmax.cu", "a/softmax.cu"],
        ["[x]/softmax.cu", "(x)/softmax.cu"],
        ["é/softmax.cu", "è/softmax.cu"],
        ["x" * 200 + "1/softmax.cu", "x" * 200 + "2/softmax.cu"],
    ],
)
def test_ids_are_plain_and_unique_in_any_case(candidates, tasks, places):
    found = discover(candidates(*places), tasks)
    assert {candidate.name + ".cu" for candidate in found} == set(places)
    assert len({candidate.id.lower() for candidate in found}) == len(places)
    for candidate in found:
        assert re.fullmatch(r"[A-Za-z0-9_]+", candidate.id)
        assert len(candidate.id) < 200


def test_ids_stay_when_others_come(candidates, tasks):
    before = {c.name: c.id for c in discover(candidates("a b/softmax.cu", "naive/softmax.cu"), tasks)}
    after = {c.name: c.id for c in discover(candidates("good/softmax.cu"), tasks)}
    assert before.items() <= after.items()


def refused(folder: Path, tasks) -> str:
    with pytest.raises(CandidateError) as error:
        discover(folder, tasks)
    return str(error.value)


def test_no_such_directory(tmp_path, tasks):
    assert refused(tmp_path / "absent", tasks) == f"{tmp_path / 'absent'}: no such directory"


def test_a_file_is_no_directory(candidates, tasks):
    assert "is not a directory" in refused(candidates("softmax.cu") / "softmax.cu", tasks)


def test_no_candidate_in_it(candidates, tasks):
    assert "no candidate in it" in refused(candidates("notes.txt"), tasks)


def test_every_name_that_is_no_task_is_listed_with_the_nearest(candidates, tasks):
    message = refused(candidates("a/softmx.cu", "b/Matrix_Multiplication_.cu", "c/qqqq.cu", "softmax.cu"), tasks)
    lines = message.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("a/softmx.cu: no task is called softmx; nearest: softmax")
    assert "nearest: matrix_multiplication" in lines[1]
    assert "cudabench list" in lines[2]


@pytest.mark.parametrize("name", ["softmax@gigantic.cu", "softmax@.cu", "softmax@tiny@small.cu"])
def test_wrong_scale(candidates, tasks, name):
    assert name in refused(candidates(name), tasks)


@pytest.mark.parametrize(
    ("places", "scale"),
    [
        (["softmax.cu", "softmax.s0.cu"], "tiny"),
        (["softmax.cu", "softmax@large.cu"], "large"),
        (["m/level1/a/softmax.cu", "m/level1/b/softmax.cu"], "tiny"),
        (["m/level1/softmax.s01.cu", "m/level1/softmax.s1.cu"], "tiny"),
    ],
)
def test_two_of_one_identity(candidates, tasks, places, scale):
    message = refused(candidates(*places), tasks)
    assert all(place in message for place in places)
    assert f"scale {scale}" in message


def test_different_folders_without_a_model_are_different_candidates(candidates, tasks):
    assert len(discover(candidates("good/softmax.cu", "naive/softmax.cu"), tasks)) == 2


@pytest.mark.parametrize("name", ['quo"te', "back\\slash", "angle<s", "dol$lar", "line\nbreak"])
def test_paths_that_cannot_be_built(candidates, tasks, name):
    message = refused(candidates(f"{name}/softmax.cu"), tasks)
    assert "rename it" in message
    assert len(message.splitlines()) == 1


def test_a_name_that_is_not_utf8(candidates, tasks):
    folder = candidates("softmax.cu")
    os.mkdir(os.fsencode(folder) + b"/\xff")  # noqa: PTH102
    with open(os.fsencode(folder) + b"/\xff/softmax.cu", "wb"):  # noqa: PTH123
        pass
    assert "rename it" in refused(folder, tasks)


def list_in(folder: Path, content: object) -> Path:
    (folder / "candidates.json").write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def test_listing_replaces_what_the_path_says(candidates, tasks):
    folder = candidates("m/level1/answer_17.cu", "m/level1/softmax.cu")
    entry = {"file": "m/level1/answer_17.cu", "task": "softmax", "model": "other", "level": 3, "sample": 2}
    listed, plain = discover(list_in(folder, [entry]), tasks)
    assert (listed.task, listed.model, listed.level, listed.sample) == ("softmax", "other", 3, 2)
    assert (plain.model, plain.level) == ("m", 1)


def test_listing_in_a_folder_below(candidates, tasks):
    folder = candidates("deep/x.cu")
    list_in(folder / "deep", [{"file": "x.cu", "task": "softmax"}])
    (candidate,) = discover(folder, tasks)
    assert candidate.task == "softmax"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[{", "candidates.json: "),
        ({}, "must be a list"),
        (["softmax.cu"], "entry 0: must be an object"),
        ([{"task": "softmax"}], "with a text `file`"),
        ([{"file": "softmax.cu", "modell": "m"}], "unknown key modell; allowed are file, task, model, level, sample"),
        ([{"file": "softmax.cu", "level": "1"}], "level must be a whole number"),
        ([{"file": "softmax.cu", "level": True}], "level must be a whole number"),
        ([{"file": "softmax.cu", "level": 4}], "must be 1, 2 or 3"),
        ([{"file": "softmax.cu", "sample": -1}], "must not be negative"),
        ([{"file": "softmax.cu", "model": 3}], "model must be a text"),
        ([{"file": "absent.cu"}], "absent.cu: no such .cu file"),
        ([{"file": "../candidates/softmax.cu"}], "must be below the folder"),
        ([{"file": "/etc/passwd"}], "must be below the folder"),
        ([{"file": "softmax.cu"}, {"file": "softmax.cu"}], "entry 1: softmax.cu is listed twice"),
        ([{"file": "softmax.cu", "task": "softmix"}], "no task is called softmix; nearest: softmax"),
    ],
)
def test_wrong_listing(candidates, tasks, content, message):
    assert message in refused(list_in(candidates("softmax.cu"), content), tasks)


def test_files_given_one_by_one(candidates, tasks):
    folder = candidates("a/softmax.cu", "b/softmax.cu", "c/other.cu")
    first, second = explicit([folder / "a/softmax.cu", folder / "b/softmax.cu"], tasks)
    assert (first.name, second.name) == ("a/softmax", "b/softmax")
    (named,) = explicit([folder / "c/other.cu"], tasks, task="softmax")
    assert (named.task, named.name) == ("softmax", "other")


def test_wrong_files(candidates, tasks):
    folder = candidates("other.cu")
    with pytest.raises(CandidateError, match="no such file"):
        explicit([folder / "absent.cu"], tasks)
    with pytest.raises(CandidateError, match="no task is called softmix; nearest: softmax"):
        explicit([folder / "other.cu"], tasks, task="softmix")
    with pytest.raises(CandidateError, match="no task is called other"):
        explicit([folder / "other.cu"], tasks)


@pytest.mark.parametrize("name", ["<OBJECTS>", "bell\a", "$<1:x>"])
def test_paths_that_cmake_would_rewrite(candidates, tasks, name):
    message = refused(candidates(f"{name}/softmax.cu"), tasks)
    assert "rename it" in message
    assert name.strip("\a") in message


@pytest.mark.parametrize(
    "name", ["evil]==] [==[x", "open[", "close]", "semi;colon", "co:lon", "st*r", "#", "a&b|c", "it's"]
)
def test_paths_that_build_systems_cannot_take_are_linked(candidates, tasks, name):
    (found,) = discover(candidates(f"{name}/softmax.cu"), tasks)
    assert found.needs_link
    assert found.name == f"{name}/softmax"
    assert re.fullmatch(r"[A-Za-z0-9_]+", found.id)


@pytest.mark.parametrize("name", ["two words", "Grüße", "模型", "-rf", "a=b", "x+y@2,~"])
def test_other_paths_are_taken_as_they_are(candidates, tasks, name):
    (found,) = discover(candidates(f"{name}/softmax.cu"), tasks)
    assert not found.needs_link


DEEP = "[" * 200_000 + "]" * 200_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (DEEP, "nested too deeply"),
        ('[{"file": "softmax.cu", "sample": 1' + "0" * 20 + "}]", "must be at most 999999"),
        ('[{"file": "softmax.cu", "sample": 1' + "0" * 5000 + "}]", "candidates.json: "),
        ('[{"file": "softmax.cu", "level": 1' + "0" * 20 + "}]", "must be 1, 2 or 3"),
        ('[{"file": "softmax.cu", "model": "\\ud800"}]', "model must be printable text"),
        ('[{"file": "softmax.cu", "\\ud800": 1}]', "unknown key"),
        ('[{"file": "\\u0000.cu"}]', "file must be printable text"),
        ([{"file": "x" * 5000 + ".cu"}], "no such .cu file"),
        ([{"file": "softmax.cu", "model": "two\nlines"}], "model must be printable text"),
        ([{"file": "softmax.cu", "model": "x]==])\nexecute_process()"}], "model must be printable text"),
        ([{"file": "softmax.cu", "model": 'a"task'}], "printable characters without"),
        ([{"file": "softmax.cu", "model": "m" * 201}], "at most 200 printable characters"),
        (" " * ((16 << 20) + 1), "regular file of at most 16777216 bytes"),
    ],
    ids=range(13),
)
def test_hostile_listing(candidates, tasks, content, message):
    text = refused(list_in(candidates("softmax.cu"), content), tasks)
    assert message in text
    assert len(text) < 10_000
    text.encode()  # can be printed


def test_a_listing_that_is_a_pipe(candidates, tasks):
    folder = candidates("softmax.cu")
    os.mkfifo(folder / "candidates.json")
    assert "must be a regular file" in refused(folder, tasks)


def test_sample_in_the_name_is_bounded(candidates, tasks):
    assert "must be at most 999999" in refused(candidates("softmax.s1000000.cu"), tasks)


def test_only_regular_files_of_the_directory_are_candidates(candidates, tasks, tmp_path):
    secret = tmp_path / "secret.cu"
    secret.write_text("// the answer\n")
    names = ("big", "device", "loop", "lost", "out", "pipe")
    folder = candidates("good/softmax.cu", *(f"{name}/notes" for name in names))
    (folder / "out/softmax.cu").symlink_to(secret)
    (folder / "device/softmax.cu").symlink_to("/dev/zero")
    (folder / "lost/softmax.cu").symlink_to("absent")
    (folder / "loop/softmax.cu").symlink_to("softmax.cu")
    os.mkfifo(folder / "pipe/softmax.cu")
    with (folder / "big/softmax.cu").open("wb") as file:
        file.truncate((16 << 20) + 1)
    wrong = refused(folder, tasks).splitlines()
    assert len(wrong) == 6
    for line, name, why in zip(
        wrong,
        names,
        ("at most", "leads out of", "cannot be read", "cannot be read", "leads out of", "no regular file"),
        strict=True,
    ):
        assert f"{name}/softmax.cu" in line
        assert why in line
    with pytest.raises(CandidateError, match="no regular file"):
        explicit([folder / "pipe/softmax.cu"], tasks)


def test_a_link_within_the_directory_is_what_it_leads_to(candidates, tasks):
    folder = candidates("answers/answer.txt", "a/notes", "b/notes")
    for name in "ab":
        (folder / name / "softmax.cu").symlink_to("../answers/answer.txt")
    first, second = discover(folder, tasks)
    assert (first.name, second.name) == ("a/softmax", "b/softmax")
    assert first.source == second.source == (folder / "answers/answer.txt").resolve()
