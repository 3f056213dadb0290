"""Which candidates need no streams beside one another."""

from __future__ import annotations

import re

from .request import Request

_TIMED = "plausible"
_MAY_HAVE_STREAMS = re.compile(rb"""
    \b cu (da)? [\w:]{0,64} (stream|graph)  # names of the runtime, the driver and libcu++
    | \# \s* include \s* [^<\s]             # another file of its folder
    | \#\#                                  # such names in pieces
    """, re.IGNORECASE | re.VERBOSE)  # fmt: skip


def keeps_to_one_stream(request: Request) -> bool:
    """Whether its candidate is not timed, and no more than the default stream can be in what it consists of. Whoever
    hides others gets them one after the other, as CUDA allows."""
    return request.stop_after != _TIMED and not _MAY_HAVE_STREAMS.search(request.source)
