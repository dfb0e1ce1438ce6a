"""Runs an installed package without any other: every world of the vectors, and each of its doors once.

smoke.py SITE    the folder that the package has to come from
"""

import re
import sys
import threading
from pathlib import Path

from world import WAYS, World, cases, fits

import ratelimit
import ratelimit.metrics
import ratelimit.testing

README = Path(__file__).parents[2] / "README.md"


def main() -> None:
    found, site = Path(ratelimit.__file__).resolve(), Path(sys.argv[1]).resolve()
    assert found.is_relative_to(site), f"{found} is not in {site}"
    for name in ("py.typed", "_ratelimit.pyi", "usage-rules.md"):
        assert (found.parent / name).is_file(), name
    steps = 0
    for name, case in cases("world"):
        for way in WAYS:
            if fits(way, case):
                try:
                    steps += World(case, way).run()
                except AssertionError as differs:
                    raise SystemExit(f"{name} ({way}): {case['why']}\n{differs}") from differs
    [example] = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    exec(example)
    limited = ratelimit.limit("1/day")(lambda: "called")
    assert limited() == "called"
    try:
        limited()
    except ratelimit.RateLimited as refused:
        assert refused.decision.kind == "denied"
    shared = ratelimit.Limiter("1000/day", clock=ratelimit.testing.ManualClock())
    threads = [threading.Thread(target=lambda: [shared.check("ada") for _ in range(500)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.stats() == (1000, 1000, 0, 0)
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"{steps} steps on {sys.version.split()[0]}, the lock of the interpreter {'on' if locked else 'off'}")


if __name__ == "__main__":
    main()
