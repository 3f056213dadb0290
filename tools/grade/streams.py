"""Which candidates need no streams beside one another."""

from __future__ import annotations

import re
from pathlib import Path

from .request import Request

_TIMED = "plausible"
_MAY_HAVE_STREAMS = re.compile(rb"""
    \b cu (da)? [\w:]{0,64} (stream|graph)  # names of the runtime, the driver and libcu++
    | \# \s* include \s* [^<\s]             # another file of its folder
    | \#\# | \bdlv?sym\b                     # such names in pieces
    """, re.IGNORECASE | re.VERBOSE)  # fmt: skip

# What a module imports to have streams or graphs, or threads with streams of their own. CUB's imports dlsym too.
_MAKERS = (
    b"cudaStreamCreate", b"cudaStreamBeginCapture", b"cudaGraph", b"cuStreamCreate", b"cuGreenCtxStreamCreate",
    b"cuGraph", b"_ptsz", b"_ptds", b"cudaGetDriverEntryPoint", b"cudaGetProcAddress", b"cuGetProcAddress",
    b"pthread_create", b"thrd_create", b"_M_start_thread",
)  # fmt: skip
_LONGEST = max(map(len, _MAKERS))
_PIECE = 1 << 18  # bytes


def keeps_to_one_stream(request: Request) -> bool:
    """Whether its candidate is not timed, and its source speaks of no more than the default stream. This is known
    before it is compiled; see makes_streams()."""
    return request.stop_after != _TIMED and not _MAY_HAVE_STREAMS.search(request.source)


def makes_streams(module: Path) -> bool:
    """Whether a compiled candidate may, whatever its source looks like: names can be put together in many ways. It is
    read in pieces: a large one would hold up all other requests."""
    end = b""
    with module.open("rb") as file:
        while piece := file.read(_PIECE):
            piece = end + piece
            if any(name in piece for name in _MAKERS):
                return True
            end = piece[-_LONGEST:]
    return False
