"""What the package looks at once, when a process imports it."""

import logging
import os
from pathlib import Path

from ._ratelimit import _forked

logger = logging.getLogger("ratelimit")


def count_forks() -> None:
    """Has forks counted from now on, in each child, so that a limiter can warn of them."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_forked)


def look_for_the_older_package(site: Path = Path(__file__).parents[1]) -> None:
    """Warns if the older package `ratelimit` is installed beside this one: the two share one folder."""
    if any(site.glob("ratelimit-*.dist-info")) or any(site.glob("ratelimit-*.egg-info")):
        logger.warning(
            "the packages ratelimit and ratelimit-rs are both installed in %s and overwrite each other: "
            "uninstall both, then install ratelimit-rs",
            site,
            extra={"ratelimit_warning": "two_packages"},
        )
