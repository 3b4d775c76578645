#!/usr/bin/env python3
"""Scans what other people wrote and writes what was found into the reference page.

    crates/privacy/benches/real_text.py            fetches the packages by name and rewrites the page

Scanned are the sources in the local cargo registry, the Python package django and the npm package eslint with what it
needs. `right.tsv` beside this file lists what is rightly found: a row, a part of the path, and why.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PAGE = HERE.parent / "tests" / "fixtures" / "real_text.md"
# False findings for each MB of text that are aimed at.
AIMS = {"secret": 0.05, "transcript": 0.02, "opaque-blob": 0.2, "private-network": 0.1}


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def measure_program():
    build = run("cargo", "bench", "--no-run", "-p", "loopx-privacy", "--message-format", "short", cwd=ROOT, stderr=subprocess.STDOUT)
    return ROOT / re.search(r"\((target/\S*measure-\w+)\)", build).group(1)


def trees(place):
    registry = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "registry" / "src"
    yield "cargo registry", registry
    python, npm = place / "python", place / "npm"
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--target", str(python), "django")
    yield "django (Python)", python
    npm.mkdir()
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "eslint", cwd=npm)
    yield "eslint (npm)", npm


def right_ones():
    rows = [line.split("\t") for line in (HERE / "right.tsv").read_text().splitlines()]
    return [(row, part) for row, part, _ in rows]


def judge(program, folder):
    """The MB of text, and for each class how much was found and how much of it falsely."""
    lines = run(str(program), "real", str(folder), "--list", "all").splitlines()
    megabytes = float(re.search(r"([\d.]+) MB", lines[0]).group(1))
    right, counts = right_ones(), {}
    for line in lines:
        cells = line.split("\t")
        if len(cells) < 3 or cells[2].endswith("/MB"):
            continue
        rule, row, path = cells[0].removeprefix("privacy/"), cells[1], cells[2]
        found = counts.setdefault(rule, [0, 0])
        found[0] += 1
        found[1] += not any(row == one and part in path for one, part in right)
    return megabytes, counts


def main():
    program = measure_program()
    lines = [
        "\n## On text of others\n",
        "Written by `crates/privacy/benches/real_text.py`. False is what its `right.tsv` does not list as right; only the",
        "classes with an aim are labelled.\n",
        "| tree | MB of text | class | found | false | false per MB | aim |\n|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as place:
        for name, folder in trees(pathlib.Path(place)):
            megabytes, counts = judge(program, folder)
            for rule, (found, wrong) in sorted(counts.items()):
                aim = AIMS.get(rule)
                share = f"{wrong / megabytes:.3f} | {aim}" if aim else "not labelled | "
                lines.append(f"| {name} | {megabytes} | {rule} | {found} | {wrong if aim else ''} | {share} |")
    PAGE.write_text("\n".join(lines) + "\n")
    run("cargo", "test", "--quiet", "-p", "loopx-privacy", "reference_page", cwd=ROOT, env=os.environ | {"SNAPSHOTS": "overwrite"})


main()
