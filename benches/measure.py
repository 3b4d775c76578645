#!/usr/bin/env python3
"""Measures loopx as whole processes on generated state directories and writes docs/performance.md.

    python3 benches/measure.py [--sizes 100,1000,7500] [--runs 5] [--keep DIR] [--dry-run]
                               [--loopx PATH --limits PATH --corpus PATH]

A size is a number of goals, 14 documents each. Figures are CPU seconds (user + system of the process and all it waited
for), medians; every ratio is taken pair by pair within one run, so that the drift of a shared machine cancels. Peers
that are not on the PATH are left out and named. Needs python3, cargo and git; nothing is fetched.
"""
import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOW = "2026-03-07T17:00:00Z"
# Seconds of CPU that the status of one goal costs the reference implementation, measured once beside the limits.
REFERENCE = 0.020


def build():
    """Builds loopx, the limits and the generator; returns their paths."""
    cargo = ["cargo", "bench", "--profile=dist", "--no-run", "--quiet", "--message-format=json", "--bench", "limits", "--bench", "corpus"]
    lines = subprocess.run(cargo, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    made = [json.loads(line) for line in lines if line.startswith("{")]
    paths = {item["target"]["name"]: item["executable"] for item in made if item.get("executable")}
    target = Path(paths["limits"]).parent.parent
    return {"loopx": str(target / "loopx"), "limits": paths["limits"], "corpus": paths["corpus"]}


# A process counts the memory of the one that it was forked from until it starts its program. So commands are started by
# a process of their own that has loaded next to nothing, and no peak below that one's can be told apart from it.
LAUNCHER = r"""
import os, sys, time
null = os.open(os.devnull, os.O_RDWR)
with open("/proc/self/status") as status:
    own = next(line for line in status if line.startswith("VmHWM")).split()[1]
print(own, flush=True)
for line in sys.stdin:
    folder, *command = line.rstrip("\n").split("\0")
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        for stream in range(3):
            os.dup2(null, stream)
        if folder:
            os.chdir(folder)
        os.execvp(command[0], command)
    _, _, usage = os.wait4(child, 0)
    print(time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, flush=True)
"""


class Launcher:
    """Starts commands and measures them."""

    def __init__(self):
        self.process = None
        self.floor = 0.0

    def run(self, command, folder):
        if self.process is None:
            start = [sys.executable, "-I", "-S", "-c", LAUNCHER]
            self.process = subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.floor = float(self.process.stdout.readline()) / 1024
        self.process.stdin.write("\0".join([str(folder or ""), *command]) + "\n")
        self.process.stdin.flush()
        wall, cpu, peak = (float(figure) for figure in self.process.stdout.readline().split())
        return wall, cpu, peak / 1024


LAUNCH = Launcher()


def once(command, folder=None):
    """Runs a command; returns wall seconds, CPU seconds and peak MiB of its largest process."""
    return LAUNCH.run(command, folder)


def peak_of(mebibytes):
    """A peak for the table; one that the launcher hides is given as its bound."""
    return f"{mebibytes:.0f}" if mebibytes > LAUNCH.floor * 1.05 else f"under {LAUNCH.floor * 1.05:.0f}"


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


def on_a_branch(folder, keep):
    """A repository of that directory whose branch `topic`, checked out, changes one todo of one goal; its path."""
    repo = Path(keep) / f"branch-{Path(folder).name}"
    if not repo.exists():
        shutil.copytree(folder, repo, ignore=shutil.ignore_patterns("projections", "previews", "blockers", "attention.*"))
        author = ["-c", "user.name=bench", "-c", "user.email=bench@users.noreply.example"]
        git = ["git", "-C", str(repo), *author]
        (repo / ".gitignore").write_text("/projections/\n/previews/\n/blockers/\n/attention.*\n")
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(repo)], check=True)
        subprocess.run([*git, "add", "--all"], check=True)
        subprocess.run([*git, "commit", "--quiet", "--message=start"], check=True)
        subprocess.run([*git, "gc", "--quiet", "--force"], check=True)
        subprocess.run([*git, "switch", "--quiet", "--create", "topic"], check=True)
        todo = next(repo.glob("goals/*/todos/*.yaml"))
        todo.write_text(todo.read_text() + "expires_at: 2027-01-01T00:00:00Z\n")
        subprocess.run([*git, "commit", "--quiet", "--all", "--message=change"], check=True)
    return str(repo)


def review(loopx, folder, keep):
    """One change of one document between two revisions, and what git says of it."""
    repo = on_a_branch(folder, keep)
    change = "main..topic"
    return [loopx, "-C", repo, "--now", NOW, "review", change], ["git", "-C", repo, "diff", "--stat", change]


def reconciled(loopx, folder, keep):
    """Lint and reconcile on a branch on which one goal differs from the authority ref, its outputs in place."""
    repo = on_a_branch(folder, keep)
    again = [loopx, "-C", repo, "--now", NOW, "reconcile"]
    once(again)
    return again, [loopx, "-C", repo, "lint"]


def of_one_goal(loopx, folder, keep):
    """The commands about one goal, on a branch of a repository: name and words of each."""
    repo = on_a_branch(folder, keep)
    for gate in sorted(Path(repo).glob("goals/*/gates/*.yaml")):
        if any(f"\n{act}:" in gate.read_text() for act in ("decision", "withdrawn")):
            continue
        goal = (gate.parent.parent / "goal.yaml").read_text()
        agents = re.search(r"^agents:\s*(?:\{\s*|\n\s+)([\w.-]+):", goal, re.MULTILINE)
        owner = re.search(r"^owner:\s*(\S+)", goal, re.MULTILINE)
        if agents and owner:
            name, call = gate.parent.parent.name, [loopx, "-C", repo, "--now", NOW]
            decide = ["gate", "decide", gate.stem, "approve", "--reason", "measured", "--by", owner[1], "--as", "owner"]
            return [
                ("next", [*call, "next", "--agent", agents[1], "--goal", name, "--format", "json"]),
                ("status --goal", [*call, "status", "--goal", name]),
                ("gate decide", [*call, *decide]),
            ]
    raise SystemExit("no goal has an agent and an undecided gate")


# One folder of documents and the schema that judges it; the rest of a generated directory is one file a goal at most.
KINDS = {
    "goals/*/goal.yaml": "loopx_goal_v0",
    "goals/*/todos/*.yaml": "loopx_todo_v0",
    "goals/*/gates/*.yaml": "operator_gate_v0",
    "goals/*/handoffs/*.yaml": "handoff_packet_v0",
    "goals/*/bindings/*.yaml": "loopx_agent_session_binding_v0",
    "facts/*/*.yaml": "session_runtime_facts_v0",
    "receipts/*/*/*.yaml": "loopx_run_receipt_v0",
}


def kit(loopx, folder, schemas):
    """The kit that gives the nearest verdict today: name and commands of each part that is installed."""
    parts = []
    if shutil.which("ryl"):
        rules = Path(schemas) / "ryl.yaml"
        rules.write_text("extends: relaxed\nrules: {line-length: disable}\n")
        parts.append(("ryl", [["ryl", "--no-cache", "-c", str(rules), folder]]))
    if shutil.which("kingfisher"):
        scan = ["kingfisher", "scan", folder, "--no-validate", "--no-update-check", "--git-history", "none"]
        parts.append(("kingfisher", [scan]))
    if shutil.which("jsonschema"):
        commands = []
        for pattern, kind in KINDS.items():
            schema = Path(schemas) / f"{kind}.json"
            schema.write_text(subprocess.run([loopx, "schema", kind], check=True, capture_output=True, text=True).stdout)
            files = [str(path) for path in sorted(Path(folder).glob(pattern))]
            # An argument list has a limit: so many files at a time.
            for start in range(0, len(files), 5000):
                commands.append(["jsonschema", "validate", "--continue", "--fast", str(schema), *files[start : start + 5000]])
        parts.append(("sourcemeta jsonschema", commands))
    return parts


def sum_of(commands):
    """Runs commands one after the other; returns their wall and CPU seconds, and the largest peak."""
    figures = [once(command) for command in commands]
    return sum(it[0] for it in figures), sum(it[1] for it in figures), max(it[2] for it in figures)


def measure(tools, sizes, runs, keep):
    loopx, limits = tools["loopx"], tools["limits"]
    rows, cpu = [], {}
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
        once([loopx, "-C", folder, "--now", NOW, "reconcile"])
        again, ratio = pair([loopx, "-C", folder, "--now", NOW, "reconcile"], lint, runs)
        rows.append(("3", f"reconcile with nothing to write / cold lint, {documents:,} documents", ratio, "1.5 x", again))
        again, ratio = pair(*reconciled(loopx, folder, keep), runs)
        rows.append(("3", f"the same on a branch where one goal differs from the ref, {documents:,} documents", ratio, "1.5 x", again))
        with tempfile.TemporaryDirectory() as schemas:
            parts = kit(loopx, folder, schemas)
            total = 0.0
            for name, commands in parts:
                own = once(lint)
                figures = sum_of(commands)
                total += figures[1] / own[1]
                rows.append(("1b", f"{name} / cold lint, {documents:,} documents", figures[1] / own[1], "", figures))
            rows.append(("1b", f"the kit of {len(parts)} / cold lint, {documents:,} documents", total, "5 x", None))
    if len(sizes) > 1:
        big, middle = sizes[-1], sizes[-2]
        growth = cpu[big] / cpu[middle]
        rows.append(("1d", f"CPU at {big:,} goals / CPU at {middle:,} goals", growth, "8 x at 7.5 x the data", None))
    one = next(Path(generate(tools, sizes[0], keep)).rglob("todos/*.yaml"))
    figures, ratio = pair([loopx, "--version"], ["true"], runs * 4, index=0)
    rows.append(("5", "`loopx --version` / `true`, wall", ratio, "4 x", figures))
    figures, ratio = pair([loopx, "lint", str(one)], ["true"], runs * 4, index=0)
    rows.append(("5", "`loopx lint ONE` / `true`, wall", ratio, "8 x", figures))
    goals = sizes[-2] if len(sizes) > 1 else sizes[0]
    documents = sum(1 for _ in Path(generate(tools, goals, keep)).rglob("*.yaml"))
    for name, command in of_one_goal(loopx, generate(tools, goals, keep), keep):
        figures, ratio = pair(command, [loopx, "--version"], runs * 4, index=0)
        first = "3 x" if name == "next" else ""
        rows.append(("9", f"`loopx {name}` / `loopx --version`, wall, {documents:,} documents", ratio, first, figures))
    if shutil.which("rg"):
        # Hidden files aside, both read every byte that stands there, on as many threads as there are cores.
        clean = str((Path(generate(tools, goals, keep)) / "goals").resolve())
        search = ["rg", "-uu", "-n", "-j", str(os.cpu_count()), "-f", str(ROOT / "benches" / "patterns.txt"), clean]
        figures, ratio = pair([loopx, "-C", clean, "scan", "."], search, runs)
        rows.append(("6", f"`loopx scan` / ripgrep with 40 patterns, {goals:,} goals of clean text", ratio, "1.7 x", figures))
    registry = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry" / "src"
    if shutil.which("kingfisher") and registry.is_dir():
        # Both are warm: the first run of kingfisher also compiles its rules.
        peer = ["kingfisher", "scan", str(registry), "--no-validate", "--no-update-check", "--jobs", str(os.cpu_count())]
        figures, ratio = pair([loopx, "-C", str(registry), "scan", "."], peer, 3, index=0)
        rows.append(("8", "`loopx scan` / kingfisher, sources in the cargo registry, wall", ratio, "1 x", figures))
    figures, _ = pair([loopx, "-C", generate(tools, goals, keep), "--now", NOW, "status"], ["true"], runs)
    rows.append(("3b", f"the reference's 20 ms a goal / `status` of {goals:,} goals", REFERENCE * goals / figures[1], "50 x", figures))
    figures, ratio = pair(*review(loopx, generate(tools, goals, keep), keep), runs * 4)
    rows.append(("7", f"review of one change / `git diff --stat` of the range, {goals:,} goals", ratio, "3 x", figures))
    return rows


def table(rows):
    lines = ["| row | case | measured | first | wall s | CPU s | peak MiB |", "|---|---|---|---|---|---|---|"]
    for row, case, value, first, figures in rows:
        wall, cpu, peak = (f"{figures[0]:.3f}", f"{figures[1]:.3f}", peak_of(figures[2])) if figures else ("", "", "")
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
    for tool in ("loopx", "limits", "corpus"):
        parser.add_argument(f"--{tool}", metavar="PATH", help="this program, instead of building one")
    parser.add_argument("--dry-run", action="store_true", help="print instead of writing docs/performance.md")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    given = {tool: getattr(arguments, tool) for tool in ("loopx", "limits", "corpus")}
    tools = given if all(given.values()) else build()
    with tempfile.TemporaryDirectory() as temporary:
        rows = measure(tools, sizes, arguments.runs, arguments.keep or temporary)
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
