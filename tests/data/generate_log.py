#!/usr/bin/env python3
"""Writes a day of a made-up web site as a combined access log: the same lines for the same seed, on every machine.

People look around, crawlers walk the pages, one afternoon a few addresses try passwords, in the evening thousands of
addresses ask for one page each, and one IPv6 client takes a new address for every request. All addresses are of
ranges that are kept free for documentation and benchmarks.

    generate_log.py [--lines N] [--seed N] [--output FILE]
"""

import argparse
import sys

START_DAY = "04/Mar/2024"
DAY_MS = 24 * 3_600_000
MASK = (1 << 64) - 1

PAGES = ["/", "/about", "/news", "/contact", "/search?q=limits", "/docs/start", "/docs/install", "/docs/faq"]
PAGES += [f"/blog/{number}" for number in range(1, 41)]
ASSETS = ["/static/site.css", "/static/site.js", "/static/logo.svg", "/static/font.woff2"]
USERS = ["ann", "bo", "cy", "dee", "eli", "flo", "gus", "hal"]
BROWSERS = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:123.0) Gecko/20100101 Firefox/123.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15",
]
# How busy each hour of the day is.
HOURS = [3, 2, 1, 1, 1, 2, 4, 7, 10, 12, 13, 12, 11, 12, 13, 13, 12, 11, 12, 14, 15, 13, 9, 5]


class Random:
    """Draws integers: splitmix64, so that no library's or platform's change can change the log."""

    def __init__(self, seed):
        self.state = seed & MASK

    def below(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return ((mixed ^ (mixed >> 31)) * bound) >> 64

    def choice(self, items):
        return items[self.below(len(items))]


class Log:
    """Collects requests. A line has the time when its request came, and is written when its answer is done: so times
    jump back a little."""

    def __init__(self, random):
        self.random = random
        self.requests = []

    def add(self, ms, address, request, status, size, user="-", referer="-", agent="-"):
        if 0 <= ms < DAY_MS:
            slow_ms = self.random.below(4000) if self.random.below(50) == 0 else 0
            done_ms = ms + 5 + self.random.below(400) + slow_ms
            place = (done_ms, len(self.requests))
            self.requests.append((place, ms, address, request, status, size, user, referer, agent))

    def write(self, output):
        for _, ms, address, request, status, size, user, referer, agent in sorted(self.requests):
            second = ms // 1000
            time = f"{START_DAY}:{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} +0000"
            output.write(f'{address} - {user} [{time}] "{request} HTTP/1.1" {status} {size} "{referer}" "{agent}"\n')


def people(random, log, lines):
    """Visits: some pages with what belongs to them, and pauses; some visitors are logged in, some share an address."""
    total = sum(HOURS)
    until = len(log.requests) + lines
    while len(log.requests) < until:
        pick = random.below(total)
        hour = 0
        while pick >= HOURS[hour]:
            pick -= HOURS[hour]
            hour += 1
        ms = hour * 3_600_000 + random.below(3_600_000)
        visitor = random.below(6000)
        if visitor < 60:
            address = f"198.51.100.{visitor % 6 + 1}"
        elif visitor % 5 == 0:
            address = f"2001:db8:{visitor:x}:1::{random.below(4) + 1:x}"
        else:
            address = f"198.18.{visitor // 200}.{visitor % 200 + 1}"
        visit(random, log, ms, address, BROWSERS[visitor % len(BROWSERS)])


def visit(random, log, ms, address, agent):
    user = random.choice(USERS) if random.below(8) == 0 else "-"
    referer = "-"
    for _ in range(1 + random.below(6)):
        page = random.choice(PAGES)
        log.add(ms, address, f"GET {page}", 200, 2000 + random.below(30_000), user, referer, agent)
        referer = f"https://www.example.org{page}"
        for asset in ASSETS:
            if random.below(3) > 0:
                status, size = (304, "-") if random.below(2) else (200, 4000 + random.below(60_000))
                log.add(ms + 80 + random.below(900), address, f"GET {asset}", status, size, user, referer, agent)
        ms += 4_000 + random.below(60_000)


def crawlers(random, log, lines):
    """Three crawlers: one polite, one that comes in bursts, one that takes what it can from one to four at night."""
    polite, bursts = lines // 5, lines * 2 // 5
    for index in range(polite):
        log.add(index * DAY_MS // polite, "192.0.2.10", f"GET {random.choice(PAGES)}", 200, 9000, agent="politebot/2.1")
    for index in range(bursts):
        burst, place = divmod(index, 120)
        ms = burst * 120 * DAY_MS // bursts + place * 90 + random.below(80)
        address = f"192.0.2.{20 + burst % 3}"
        log.add(ms, address, f"GET {random.choice(PAGES)}", 200, 9000, agent="eagerbot/0.3")
    rest = lines - polite - bursts
    for index in range(rest):
        ms = 3_600_000 + index * 3 * 3_600_000 // rest + random.below(500)
        log.add(ms, "192.0.2.66", f"GET /search?q={random.below(100_000)}", 200, 5000, agent="harvester")


def login_attack(random, log, lines):
    """Nine addresses try passwords for 40 minutes from 14:10 on; the first makes half of the tries."""
    for _ in range(lines):
        ms = (14 * 60 + 10) * 60_000 + random.below(40 * 60_000)
        address = f"203.0.113.{random.below(8) + 2 if random.below(2) else 1}"
        status = 302 if random.below(4000) == 0 else 401
        log.add(ms, address, "POST /login", status, 312, agent="python-requests/2.31.0")


def spray(random, log, lines):
    """A quarter of an hour from 19:30 on: addresses that come once or twice, and a /64 whose host always changes."""
    for index in range(lines):
        ms = (19 * 60 + 30) * 60_000 + random.below(15 * 60_000)
        if index % 4 == 0:
            host = ":".join(f"{random.below(65_535) + 1:x}" for _ in range(4))
            address = f"2001:db8:bad:cafe:{host}"
        else:
            address = f"198.19.{random.below(256)}.{random.below(254) + 1}"
        log.add(ms, address, f"GET /blog/{random.below(40) + 1}", 200, 14_000, agent=BROWSERS[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lines", type=int, default=100_000, help="about how many lines (default 100000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed is another day (default 1)")
    parser.add_argument("--output", help="the file to write (default: standard output)")
    args = parser.parse_args()
    random = Random(args.seed)
    log = Log(random)
    crawlers(random, log, args.lines * 14 // 100)
    login_attack(random, log, args.lines * 9 // 100)
    spray(random, log, args.lines * 10 // 100)
    people(random, log, args.lines - len(log.requests))
    if args.output:
        with open(args.output, "w", encoding="ascii", newline="\n") as output:
            log.write(output)
    else:
        log.write(sys.stdout)


if __name__ == "__main__":
    main()
