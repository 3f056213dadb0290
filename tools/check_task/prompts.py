"""Whether the prompts say what there is to say at each level."""

from __future__ import annotations

from generator.definition import Task
from generator.prompts import LEVELS, prompt

_SHORTEST = {1: 200, 2: 80, 3: 20}  # characters


def check_prompts(task: Task) -> list[str]:
    """What is wrong."""
    wrong = []
    texts = {level: " ".join(task.prompt.levels[level].split()) for level in LEVELS}
    for level, text in texts.items():
        if len(text) < _SHORTEST[level]:
            wrong.append(
                f"prompt.level{level} has {len(text)} characters; fewer than {_SHORTEST[level]} say too little"
            )
        rendered = prompt(task, level)
        missing = [
            what
            for what in (*(f"`{argument.name}`" for argument in task.prototypes[0].arguments), *task.prompt.rules)
            if what not in rendered
        ]
        wrong += [f"the prompt of level {level} does not state {what}" for what in missing]
    wrong += [
        f"prompt.level{level} says more than prompt.level{level - 1}; levels say less and less"
        for level in (2, 3)
        if len(texts[level]) >= len(texts[level - 1])
    ]
    if not task.prompt.rules:
        wrong.append("prompt.rules is empty: what decides about right or wrong stands there")
    return wrong
