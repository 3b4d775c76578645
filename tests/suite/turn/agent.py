"""A stand-in for an agent: it can do its todos, and knows of loopx only what the text of the skill `/loopx` says."""

import json
import pathlib
import subprocess
import sys

AGENT = sys.argv[1]


def run(words, more=()):
    """Runs a command; exit 1 is an answer, too."""
    done = subprocess.run([*words, *more], capture_output=True, text=True)
    assert done.returncode in (0, 1), (words, done.stderr)
    return done.stdout


def do(todo):
    """Does a todo below the write scope; gives the question that stops it instead."""
    if "flag" in todo["title"] and not pathlib.Path("goals/ledger/gates").exists():
        return "May the staging read flag be switched?"
    file_of(todo).write_text("does not compile\n" if "all of" in todo["title"] else "done\n")


def file_of(todo):
    return pathlib.Path(f"services/ledger/{todo['todo_id']}.txt")


def commit(subject):
    """Commit what settle wrote with your work."""
    run(["git", "add", "--all"])
    who = ["-c", f"user.name={AGENT}", "-c", f"user.email={AGENT}@users.noreply.example"]
    run(["git", *who, "commit", "--quiet", "--message", subject])


def ask_next():
    """1. Run: loopx next --agent A --format json"""
    return json.loads(run(["loopx", "next", "--agent", AGENT, "--format", "json"]))


packet = ask_next()
while True:
    decision, commands, todo = packet["decision"], packet["commands"], packet["todo"]
    if decision == "work":
        # 2. Run commands.first, then do todo and only it; stop at boundary.stop_condition.
        for command in commands["first"]:
            run(command)
        question = do(todo)
        if question:
            run(commands["ask"], [question])
        # 3. Run commands.settle; its `next` is your next packet.
        outcome = ["--outcome", "blocked", "--summary", "a person is asked"] if question else ["--done"]
        settled = json.loads(run(commands["settle"], [*outcome, "--format", "json"]))
        commit(todo["title"])
        packet = settled["next"]
    elif decision in ("settle", "report"):
        # 4. Run the named command, then 1.
        run(packet["pending_steps"][0]["command"] if decision == "settle" else commands["first"][0])
        packet = ask_next()
    elif decision == "replan":
        # 4. Do not repeat the todo; block it, or add a smaller one.
        file_of(todo).unlink(missing_ok=True)
        run(commands["block"])
        smaller = todo["title"].replace("all of 2025", "March 2025")
        add = ["loopx", "todo", "add", smaller, "--goal", packet["goal_id"], "--agent", AGENT, "--assignee", AGENT]
        run(add, ["--execute"])
        packet = ask_next()
    else:
        # 5. ask, wait, repair, stop: tell the person next_action and end.
        print(f"{decision}: {packet['next_action']}")
        break
