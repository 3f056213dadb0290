"""Started by ./cudabench; only calls CMake, CTest and the tools beside it."""

import signal
import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("cudabench: needs Python 3.11 or newer, this is %s.%s (%s)" % (*sys.version_info[:2], sys.executable))

signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is to be ended yet, and nobody wants to see where that was

from command.main import main  # noqa: E402

sys.exit(main())
