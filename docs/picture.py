#!/usr/bin/env python3
"""Draws docs/first-screen.svg from what `loopx status` really prints on state-example.

    python3 docs/picture.py [--check]

Runs `cargo run --release`, or the binary that the variable LOOPX names; --check fails when the committed picture is not
what would be drawn.
"""
import html
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "first-screen.svg"
COMMAND = ["loopx", "-C", "state-example", "--now", "2026-03-07T17:00:00Z", "status"]
COLOURS = {"high": "#b3261e", "action": "#8a5a00", "watch": "#3b5b8c"}


def screen():
    """What the command prints, without colour."""
    binary = os.environ.get("LOOPX")
    program = [binary] if binary else ["cargo", "run", "--quiet", "--release", "--"]
    run = [*program, *COMMAND[1:], "--color", "never"]
    return subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout.rstrip("\n").split("\n")


def line(number, text):
    shown = html.escape(text)
    for word, colour in COLOURS.items():
        shown = shown.replace(f" {word} ", f' <tspan fill="{colour}">{word}</tspan> ', 1)
    return f'<text x="16" y="{48 + number * 19}" xml:space="preserve">{shown}</text>'


def draw(lines):
    prompt = "$ " + " ".join(COMMAND[:3]) + " status"
    rows = [line(0, prompt), *(line(number + 1, text) for number, text in enumerate(lines))]
    width = 32 + 8.05 * max(len(text) for text in [prompt, *lines])
    height = 64 + 19 * len(rows)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}">',
            f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#fbfaf7" stroke="#d8d4ca"/>',
            '<g fill="#d8d4ca"><circle cx="18" cy="18" r="5"/><circle cx="36" cy="18" r="5"/><circle cx="54" cy="18" r="5"/></g>',
            '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#22201c">',
            *rows,
            "</g>",
            "</svg>",
            "",
        ]
    )


def main():
    picture = draw(screen())
    if "--check" in sys.argv:
        if PICTURE.read_text() != picture:
            sys.exit("docs/first-screen.svg is stale: python3 docs/picture.py")
    else:
        PICTURE.write_text(picture)


if __name__ == "__main__":
    main()
