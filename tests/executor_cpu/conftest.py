from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--interpret", type=Path, required=True, help="the interpret program of this directory")


@pytest.fixture(scope="session")
def interpret(request: pytest.FixtureRequest) -> Path:
    return request.config.getoption("--interpret")
