#!/usr/bin/env python3
"""Edits a state directory for a while under `loopx watch`, and measures rows 3c and 3d.

    python3 benches/watch.py [--goals 1000] [--minutes 60] [--receipts 20] [--loopx PATH --corpus PATH] [--state DIR]

Reports the memory of the watch at its first and last change, changes that it missed (a cold `loopx plan` has to find
nothing to do) or answered late, what a run took from the end of the settle time until its outputs stood on disk (3c; again
on a branch on which one goal differs from the authority ref, every edited goal beside it), and what recording one receipt costs beside `git add && git commit` of one file (3d). A goal is 14 documents. Needs python3, cargo and git.
"""
import argparse
import json
import os
import queue
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOW = "2026-03-07T17:00:00Z"
# Seconds after which a change counts as answered late.
PATIENCE = 5
sys.path.insert(0, str(Path(__file__).resolve().parent))


def git(folder, *arguments):
    command = ["git", "-c", "user.name=A User", "-c", "user.email=user@users.noreply.example", "-C", str(folder)]
    return subprocess.run([*command, *arguments], check=True, capture_output=True, text=True).stdout


class Watch:
    """A watch that runs, and what it says."""

    def __init__(self, loopx, folder):
        command = [loopx, "-C", str(folder), "--now", NOW, "watch", "--format", "json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.events = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def until(self, *kinds, seconds=60):
        """Waits for an event; None when none comes in time."""
        end = time.monotonic() + seconds
        while True:
            try:
                event = self.events.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                return None
            if event["event"] in kinds:
                return event

    def quiet(self, seconds=1.0):
        while self.until("ran", "over", "failed", seconds=seconds):
            pass

    def memory(self):
        """MiB in use and at the peak."""
        fields = dict(line.split(":", 1) for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines())
        return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=60)


def is_settled(loopx, folder):
    """Whether a cold run finds nothing to do. The clock of the watch has run on, so only its outputs are compared."""
    said = subprocess.run([loopx, "-C", str(folder), "--now", NOW, "plan", "--format", "json"], capture_output=True, text=True)
    return not json.loads(said.stdout)["changes"]


def save(path, text, by_rename):
    if by_rename:
        beside = path.with_name(f".{path.name}.tmp")
        beside.write_text(text)
        beside.rename(path)
    else:
        path.write_text(text)


def edits(loopx, folder, minutes, seed=7):
    """Edits until the time is up; returns the figures."""
    dice = random.Random(seed)
    watch = Watch(loopx, folder)
    watch.until("began")
    watch.quiet()
    todos = sorted(folder.glob("goals/*/todos/*.yaml"))
    texts = {path: path.read_text() for path in todos}
    took, wall, missed, late, checks, memory = [], [], 0, 0, 0, []
    end, number = time.monotonic() + minutes * 60, 0
    while time.monotonic() < end:
        number += 1
        path = dice.choice(todos)
        kind = dice.random()
        begun = time.monotonic()
        if kind < 0.80:
            lines = texts[path].splitlines()
            lines = [f"title: Step {number}" if line.startswith("title:") else line for line in lines]
            texts[path] = "\n".join(lines) + "\n"
            save(path, texts[path], dice.random() < 0.5)
        elif kind < 0.88:
            save(path, texts[path] + "]\n", False)
        elif kind < 0.94:
            path.unlink()
        else:
            goal = path.parent.parent
            goal.rename(goal.with_name("moved-away"))
            goal.with_name("moved-away").rename(goal)
        event = watch.until("ran", seconds=PATIENCE if kind < 0.94 else 0.5)
        if event is None:
            late += kind < 0.94
        elif kind < 0.80:
            took.append(event["took_ms"])
            wall.append((time.monotonic() - begun) * 1000)
        if 0.80 <= kind < 0.94:
            save(path, texts[path], False)
            late += watch.until("ran", seconds=PATIENCE) is None
        if number % 200 == 0:
            watch.quiet()
            checks += 1
            missed += not is_settled(loopx, folder)
        if number == 50 or number % 500 == 0:
            memory.append(watch.memory())
    memory.append(watch.memory())
    watch.quiet()
    code = watch.stop()
    checks += 1
    missed += not is_settled(loopx, folder)
    return {"edits": number, "checks": checks, "missed": missed, "late": late, "memory": memory, "took": took, "wall": wall, "exit": code}


def one(command, folder):
    begun = time.monotonic()
    before = os.times()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - begun, spent


def receipts(loopx, folder, count):
    """Records that many receipts one by one, each beside a commit of one file by git; returns wall and CPU ratios."""
    goal = sorted(folder.glob("goals/*/goal.yaml"))[0].parent
    rows = []
    for number in range(count):
        gate = goal / "gates" / f"bench-{number}.yaml"
        gate.parent.mkdir(exist_ok=True)
        gate.write_text(
            f"schema_version: operator_gate_v0\ngoal_id: {goal.name}\ngate_id: bench-{number}\nquestion: May it go on?\n"
            "required_actor: owner\nblocks: none\nrequested: { by: codex-main, at: 2026-03-05T09:10:00Z }\n"
            "decision: { label: approve, actor_class: owner, by: maya, at: 2026-03-06T09:10:00Z, reason: it may }\n"
        )
        git(folder, "add", str(gate))
        git(folder, "commit", "--quiet", "--message", f"decide {number}")
        subprocess.run([loopx, "-C", str(folder), "--now", NOW, "reconcile"], check=True, capture_output=True)
        recorded = one([loopx, "-C", str(folder), "--now", NOW, "reconcile", "--commit"], folder)
        cold = one([loopx, "-C", str(folder), "--now", NOW, "reconcile"], folder)
        (folder / f"bench-{number}.txt").write_text("theirs\n")
        identity = ["-c", "user.name=A User", "-c", "user.email=user@users.noreply.example"]
        added = one(["git", "add", "--", f"bench-{number}.txt"], folder)
        made = one(["git", *identity, "commit", "--quiet", "--message", "theirs"], folder)
        rows.append((recorded, cold, tuple(map(sum, zip(added, made)))))
    median = statistics.median
    return [[median(row[who][what] for row in rows) for what in (0, 1)] for who in (0, 1, 2)]


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else float("nan")


def row_3c(case, took):
    return ("3c", case, f"{statistics.median(took):.1f} / {percentile(took, .99):.1f} ms", "5 / 25 ms")


def edits_on_a_branch(loopx, folder, minutes):
    """The same edits where a committed change of one goal is not at the authority ref; back on main when they are done."""
    git(folder, "switch", "--quiet", "--create", "topic")
    goal = sorted(folder.glob("goals/*/goal.yaml"))[0]
    goal.write_text(re.sub(r"(?m)^  stop_condition: .*", "  stop_condition: Stop for anything", goal.read_text()))
    git(folder, "commit", "--quiet", "--all", "--message", "one goal differs")
    found = edits(loopx, folder, minutes, seed=8)
    git(folder, "stash", "--quiet", "--include-untracked")
    git(folder, "stash", "drop", "--quiet")
    git(folder, "switch", "--quiet", "main")
    return found


def write(documents, minutes, found, rows):
    """Puts the rows into the page, between their marks."""
    page = ROOT / "docs" / "performance.md"
    head, rest = page.read_text().split("<!-- watched -->", 1)
    _, rest = rest.split("<!-- end of watched -->", 1)
    (first, _), (last, peak) = found["memory"][0], found["memory"][-1]
    said = (f"{documents:,} documents, {minutes:g} minutes, {found['edits']:,} edits: {found['missed']} missed changes in "
            f"{found['checks']} comparisons\nwith a cold plan, {found['late']} answers after more than {PATIENCE} s. Memory: "
            f"{first:.0f} MiB at the first change, {last:.0f} MiB at the last, {peak:.0f} MiB at most.\n")
    lines = ["| row | case | measured | first |", "|---|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    lines = "\n".join(lines)
    page.write_text(f"{head}<!-- watched -->\n{said}\n{lines}\n<!-- end of watched -->{rest}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--goals", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--receipts", type=int, default=20)
    parser.add_argument("--loopx", help="the program, instead of building one")
    parser.add_argument("--corpus", help="the generator, instead of building one")
    parser.add_argument("--write", action="store_true", help="write the rows into docs/performance.md, too")
    parser.add_argument("--state", help="copy this state directory instead of generating one")
    options = parser.parse_args()
    if not options.loopx or not (options.corpus or options.state):
        from measure import build

        tools = build()
        options.loopx, options.corpus = options.loopx or tools["loopx"], options.corpus or tools["corpus"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "state"
        if options.state:
            shutil.copytree(options.state, folder)
        else:
            subprocess.run([options.corpus, "--goals", str(options.goals), "--out", str(folder)], check=True)
        (folder / ".gitignore").write_text("/projections/\n/previews/\n/blockers/\n/attention.*\n/facts/\n")
        git(folder, "init", "--quiet", "--initial-branch=main")
        for name, value in (("user.name", "A User"), ("user.email", "user@users.noreply.example")):
            git(folder, "config", name, value)
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "start")
        documents = sum(1 for _ in folder.rglob("*.yaml"))
        subprocess.run([options.loopx, "-C", str(folder), "--now", NOW, "reconcile"], check=True, capture_output=True)
        found = edits(options.loopx, folder, options.minutes)
        (first, _), (last, peak) = found["memory"][0], found["memory"][-1]
        took, wall = found["took"], found["wall"]
        print(f"{documents:,} documents, {options.minutes:g} minutes, {found['edits']:,} edits, exit code {found['exit']}")
        print(f"memory: first {first:.0f} MiB, last {last:.0f} MiB, peak {peak:.0f} MiB")
        print(f"missed changes: {found['missed']} in {found['checks']} comparisons with a cold plan; answers after more than {PATIENCE} s: {found['late']}")
        print(f"3c, settled until on disk: median {statistics.median(took):.1f} ms, p99 {percentile(took, .99):.1f} ms (first: 5 / 25)")
        print(f"    edit until the line: median {statistics.median(wall):.1f} ms, p99 {percentile(wall, .99):.1f} ms")
        rows = [row_3c("settled until the outputs are on disk, median / p99", took)]
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "--message", "edited")
        branch = edits_on_a_branch(options.loopx, folder, options.minutes)
        print(f"    on a branch: median {statistics.median(branch['took']):.1f} ms, p99 {percentile(branch['took'], .99):.1f} ms, missed {branch['missed']}")
        found["missed"] += branch["missed"]
        found["checks"] += branch["checks"]
        rows.append(row_3c("the same on a branch where one goal differs from the ref", branch["took"]))
        if options.receipts:
            ours, cold, theirs = receipts(options.loopx, folder, options.receipts)
            beside = [our - run for our, run in zip(ours, cold)]
            print(f"3d, one receipt: {ours[0]:.3f} s wall, {ours[1]:.3f} s CPU; the run without it {cold[0]:.3f} s, {cold[1]:.3f} s;")
            print(f"    git add && git commit {theirs[0]:.3f} s, {theirs[1]:.3f} s; the commit alone / git: "
                  f"{beside[0] / theirs[0]:.2f} x wall, {beside[1] / theirs[1]:.2f} x CPU (first: 1.3 x)")
            rows.append(("3d", "committing one receipt, without the run that finds it / `git add && git commit`, wall; CPU",
                         f"{beside[0] / theirs[0]:.2f}; {beside[1] / theirs[1]:.2f}", "1.3 x"))
        if options.write:
            write(documents, options.minutes, found, rows)
        return 1 if found["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
