"""The command: `python -m ratelimit replay | explain`.

`replay` says what a limit would have done to an access log, `explain` says what a limit means.
"""

import signal
import sys

from ._ratelimit import _command


def main() -> int:
    """Runs the command with the arguments of this process; returns its exit status."""
    # Rust runs to its end without looking whether Python was interrupted.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _command(["ratelimit", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
