"""Turns a theme into a vector file, and writes one so that a change shows as the steps that changed."""

import json


class VectorFile:
    """One theme's cases under its number: 01-fixed-window.json."""

    def __init__(self, number, theme, prefix=""):
        self.file = f"{prefix}{number:02}-{theme.NAME}.json"
        self.name = theme.NAME
        self.probes = theme.PROBES
        self.cases = list(theme.cases())

    def as_data(self):
        return {"name": self.name, "probes": self.probes, "cases": [case.as_data() for case in self.cases]}

    def text(self):
        """Returns the file's JSON: a line for the file, one for each case, one for each step."""
        cases = ",\n".join(case_text(case) for case in self.as_data()["cases"])
        return f'{{"name":{compact(self.name)},"probes":{compact(self.probes)},"cases":[\n{cases}\n]}}\n'


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def case_text(case):
    if "steps" not in case:
        return compact(case)
    head = compact({field: value for field, value in case.items() if field != "steps"})
    steps = ",\n".join(" " + compact(step) for step in case["steps"])
    return f'{head[:-1]},"steps":[\n{steps}\n]}}'
