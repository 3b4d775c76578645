#!/usr/bin/env node
// Starts the program of this platform, which npm installed beside this package, and ends as it ends.
"use strict";

const { spawnSync } = require("node:child_process");

const name = `@loopx/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "loopx.exe" : "loopx";

let program;
try {
  program = require.resolve(`${name}/${file}`);
} catch {
  console.error(`loopx: ${name} is not installed; npm leaves it out with --omit=optional, and not every platform has one`);
  process.exit(3);
}

const run = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`loopx: ${run.error.code}`);
  process.exit(3);
}
if (run.signal) {
  process.kill(process.pid, run.signal);
}
process.exit(run.status ?? 3);
