"""The build tree of the tools, which several processes may want at once."""

import fcntl
import threading

from test_grade import wait_for

from command.grading_tools import GradingTools


def test_who_waits_for_anothers_build_is_told(tmp_path, monkeypatch, capsys):
    built = []
    monkeypatch.setattr(GradingTools, "_built", lambda _: set())
    monkeypatch.setattr(GradingTools, "_build", lambda _, wanted, setup: built.append((wanted, setup)))
    tools = GradingTools(tmp_path)
    ensuring = threading.Thread(target=tools.ensure, args=(["softmax"],), kwargs={"setup": False})
    with (tmp_path / "grading_tools.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ensuring.start()
        wait_for(lambda: f"waiting for who builds {tmp_path}" in capsys.readouterr().err)
        assert not built
    ensuring.join()
    assert built == [({"softmax"}, False)]
