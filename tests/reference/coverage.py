"""Counts what the vectors hold, and finds what they must hold and do not: the index is made of this."""

import collections

import faults

LEAST_STEPS = 300

NOT_IN_VECTORS = [
    "consume: it waits; shared and cluster limiters: they need a store or several nodes",
    "the limiter's own clock, which is given by hand here; that decisions do not depend on the hash seed or on stripes",
    "that threads never exceed the limit or the cap: there is one thread here",
    "lone surrogates in text keys, which JSON cannot carry to every reader; their replacement, U+FFFD, is here",
    "numbers of the wrong type (text, true, null), which no typed language can be given",
    "that a sweep works in slices: here it must look as if done at once",
]


def steps_of(files):
    """Counts steps by the algorithm of a single policy, and those of stacks."""
    counts = collections.Counter()
    for file in files:
        for case in file.cases:
            if case.type == "world":
                counts[case.policies[0]["algorithm"] if len(case.policies) == 1 else "stack"] += len(case.steps)
    return {name: counts[name] for name in ("fixed_window", "token_bucket", "sliding_window", "stack")}


def cases_of_faults(files):
    """Maps each fault to the cases that carry its number."""
    found = collections.defaultdict(list)
    for file in files:
        for case in file.cases:
            for fault in case.fault:
                found[fault].append(f"{file.file.removesuffix('.json')}/{case.name}")
    return found


def shortfalls(files):
    """Names everything that must be in the vectors and is not."""
    short = []
    for name, count in steps_of(files).items():
        if count < LEAST_STEPS:
            short.append(f"{name} has {count} steps, of at least {LEAST_STEPS}")
    found = cases_of_faults(files)
    short += [f"fault {fault} ({faults.HERE[fault][0]}) has no case" for fault in faults.HERE if fault not in found]
    short += [f"fault {fault} is not listed in faults.py" for fault in found if fault not in faults.HERE]
    for file in files:
        names = collections.Counter(case.name for case in file.cases)
        short += [f"{file.file} has {count} cases named {name}" for name, count in names.items() if count > 1]
    return short


def index(files, over_http):
    """Returns index.json: for readers that cannot list a folder, and for people who ask what is covered."""
    counts = collections.Counter(case.type for file in files for case in file.cases)
    found = cases_of_faults(files + over_http)
    return {
        "files": [
            {
                "file": file.file,
                "name": file.name,
                "probes": file.probes,
                "cases": len(file.cases),
                "steps": sum(len(case.steps) for case in file.cases),
            }
            for file in files
        ],
        "http_files": [
            {"file": file.file, "name": file.name, "probes": file.probes, "cases": len(file.cases)}
            for file in over_http
        ],
        "totals": {
            "files": len(files),
            "worlds": counts["world"],
            "configs": counts["config"],
            "texts": counts["text"],
            "steps": sum(len(case.steps) for file in files for case in file.cases),
            "steps_of": steps_of(files),
        },
        "faults": [
            {"fault": fault, "reported": reported, "symptom": symptom, "cases": found[fault]}
            for fault, (reported, symptom) in faults.HERE.items()
        ],
        "faults_elsewhere": [{"why": why, "faults": list(numbers)} for why, numbers in faults.ELSEWHERE.items()],
        "not_in_vectors": NOT_IN_VECTORS,
    }
