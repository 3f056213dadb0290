"""One run out of the folders of several machines, each of which graded a part of the candidates."""

from collections.abc import Sequence
from dataclasses import replace

from report.manifest import InputError, Manifest
from report.plural import plural


def merge_by_name(places: Sequence[Sequence[Manifest]]) -> list[Manifest]:
    """Joins manifests of one name out of different places; those of one place are runs of their own. Raises InputError
    where they are no parts of one run."""
    merged: list[list[Manifest]] = []
    for manifests in places:
        taken = list(merged)
        for manifest in manifests:
            run = next((parts for parts in taken if parts[0].name == manifest.name), None)
            if run is None:
                merged.append([manifest])
            else:
                run.append(manifest)
                taken.remove(run)
    return [parts[0] if len(parts) == 1 else _merge(parts) for parts in merged]


def _merge(parts: Sequence[Manifest]) -> Manifest:
    owner: dict[str, Manifest] = {}
    statement: dict[str, tuple[str, Manifest]] = {}
    for part in parts:
        for case in part.cases:
            if (other := owner.setdefault(case.id, part)) is not part:
                raise InputError(
                    f"{other.path} and {part.path} both hold the case {case.id}: a case can count once only. Give the "
                    "build trees of different shards of one run, or report each by itself"
                )
            task_hash, place = statement.setdefault(case.task, (case.task_hash, part))
            if task_hash != case.task_hash:
                raise InputError(
                    f"{place.path} and {part.path} were graded with different statements of the task {case.task}: "
                    "grade both with the same version of the tasks"
                )
    counts = {part.shards_expected for part in parts}
    if len(counts) > 1:
        texts = ", ".join(f"{part.path} is {part.shard_text}" for part in parts)
        raise InputError(f"these are parts of different divisions: {texts}")
    return replace(
        parts[0],
        cases=tuple(case for part in parts for case in part.cases),
        parts=tuple(own for part in parts for own in part.parts),
    )


def lacking_shards(manifest: Manifest) -> str | None:
    """Why the cases are not all of the run, None if they are."""
    expected = manifest.shards_expected
    present = {part.shard for part in manifest.parts}
    lacking = [str(index) for index in range(1, expected + 1) if index not in present] if expected else []
    if not lacking:
        return None
    numbers = ", ".join(lacking[:10]) + (", ..." if len(lacking) > 10 else "")
    return f"{plural(len(lacking), 'shard')} of {expected} not here: {numbers}"
