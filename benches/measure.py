#!/usr/bin/env python3
"""Measures loopx as whole processes on generated state directories and writes docs/performance.md.

    python3 benches/measure.py [--sizes 100,1000,7500] [--runs 5] [--keep DIR] [--dry-run]

A size is a number of goals, 14 documents each. Figures are CPU seconds (user + system of the process and all it waited
for), medians; every ratio is taken pair by pair within one run, so that the drift of a shared machine cancels. Peers
that are not on the PATH are left out and named. Needs python3, cargo and git; nothing is fetched.
"""
import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build():
    """Builds loopx, the limits and the generator; returns their paths."""
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    lines = subprocess.run(
        ["cargo", "bench", "--no-run", "--quiet", "--message-format=json"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    made = [json.loads(line) for line in lines if line.startswith("{")]
    paths = {item["target"]["name"]: item["executable"] for item in made if item.get("executable")}
    target = Path(paths["limits"]).parent.parent
    return {"loopx": str(target / "loopx"), "limits": paths["limits"], "corpus": paths["corpus"]}


def once(command, folder=None):
    """Runs a command; returns wall seconds, CPU seconds and peak MiB of its largest process."""
    null = os.open(os.devnull, os.O_RDWR)
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, cwd=folder)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    os.close(null)
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def pair(command, yardstick, runs, index=1):
    """Runs both in turn; returns the median figures of the command and the median ratio."""
    once(command), once(yardstick)
    rows, ratios = [], []
    for _ in range(runs):
        base = once(yardstick)
        row = once(command)
        rows.append(row)
        ratios.append(row[index] / max(base[index], 1e-4))
    return [statistics.median(column) for column in zip(*rows)], statistics.median(ratios)


def generate(tools, goals, keep):
    folder = Path(keep) / f"goals-{goals}"
    if not folder.exists():
        subprocess.run([tools["corpus"], "--goals", str(goals), "--out", str(folder)], check=True)
    return str(folder)


def kit(folder):
    """The kit that gives the same verdict today, as far as it is installed."""
    commands = []
    if shutil.which("ryl"):
        commands.append(["ryl", "--no-cache", folder])
    if shutil.which("kingfisher"):
        commands.append(["kingfisher", "scan", folder, "--no-validate", "--no-update-check", "--git-history", "none"])
    return commands


def measure(tools, sizes, runs, keep):
    loopx, limits = tools["loopx"], tools["limits"]
    rows, cpu, notes = [], {}, []
    for goals in sizes:
        folder = generate(tools, goals, keep)
        documents = sum(1 for _ in Path(folder).rglob("*.yaml"))
        lint = [loopx, "-C", folder, "lint"]
        figures, ratio = pair(lint, [limits, "read", folder], runs)
        cpu[goals] = figures[1]
        rows.append(("1", f"cold lint / read all bytes, {documents:,} documents", ratio, "11 x", figures))
        _, events = pair(lint, [limits, "events", folder], runs)
        rows.append(("1", f"cold lint / parser events alone, {documents:,} documents", events, "1.5 x", figures))
        rows.append(("4", f"peak memory of cold lint, {documents:,} documents", figures[2], "250 MiB", figures))
        env = ["env", "RAYON_NUM_THREADS=1", *lint]
        _, threads = pair(["env", "RAYON_NUM_THREADS=2", *lint], env, runs, index=0)
        rows.append(("1c", f"two-thread wall / one-thread wall, {documents:,} documents", threads, ".65", figures))
        now = "2026-03-07T17:00:00Z"
        once([loopx, "-C", folder, "--now", now, "reconcile"])
        again, ratio = pair([loopx, "-C", folder, "--now", now, "reconcile"], lint, runs)
        rows.append(("3", f"reconcile with nothing to write / cold lint, {documents:,} documents", ratio, "1.5 x", again))
        for command in kit(folder):
            figures, ratio = pair(command, lint, min(runs, 2))
            rows.append(("1b", f"{command[0]} / cold lint, {documents:,} documents", ratio, "(sum) 5 x", figures))
    if len(sizes) > 1:
        big, middle = sizes[-1], sizes[-2]
        growth = cpu[big] / cpu[middle]
        rows.append(("1d", f"CPU at {big:,} goals / CPU at {middle:,} goals", growth, "8 x at 7.5 x the data", None))
    one = next(Path(generate(tools, sizes[0], keep)).rglob("todos/*.yaml"))
    figures, ratio = pair([loopx, "--version"], ["true"], runs * 4, index=0)
    rows.append(("5", "`loopx --version` / `true`, wall", ratio, "4 x", figures))
    figures, ratio = pair([loopx, "lint", str(one)], ["true"], runs * 4, index=0)
    rows.append(("5", "`loopx lint ONE` / `true`, wall", ratio, "8 x", figures))
    figures, ratio = pair([loopx, "-C", generate(tools, sizes[-2] if len(sizes) > 1 else sizes[0], keep), "status"], ["true"], runs)
    rows.append(("3b", f"`status` of {sizes[-2] if len(sizes) > 1 else sizes[0]:,} goals, CPU seconds", figures[1], "0.4 (50 x 20 ms a goal)", figures))
    return rows, notes


def table(rows):
    lines = ["| row | case | measured | first | wall s | CPU s | peak MiB |", "|---|---|---|---|---|---|---|"]
    for row, case, value, first, figures in rows:
        wall, cpu, peak = (f"{figures[0]:.3f}", f"{figures[1]:.3f}", f"{figures[2]:.0f}") if figures else ("", "", "")
        lines.append(f"| {row} | {case} | {value:.2f} | {first} | {wall} | {cpu} | {peak} |")
    return "\n".join(lines)


def machine():
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return f"Commit {commit}, {platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="100,1000,7500")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", default=None, help="a folder for the generated directories")
    parser.add_argument("--dry-run", action="store_true", help="print instead of writing docs/performance.md")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    tools = build()
    with tempfile.TemporaryDirectory() as temporary:
        rows, _ = measure(tools, sizes, arguments.runs, arguments.keep or temporary)
    page = ROOT / "docs" / "performance.md"
    text = page.read_text() if page.exists() else "<!-- measured -->\n<!-- end -->\n"
    head, rest = text.split("<!-- measured -->")[0], text.split("<!-- end -->")[1]
    body = f"{head}<!-- measured -->\n{machine()}\n\n{table(rows)}\n<!-- end -->{rest}"
    if arguments.dry_run:
        sys.stdout.write(body)
    else:
        page.write_text(body)


if __name__ == "__main__":
    main()
