"""Started by ./cudabench; only calls CMake, CTest and the tools beside it."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("cudabench: needs Python 3.11 or newer, this is %s.%s (%s)" % (*sys.version_info[:2], sys.executable))

from command.main import main

sys.exit(main())
