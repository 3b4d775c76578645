// Writes the npm packages: one for each platform, which holds the program, and `loopx`, which starts it.
//
//   node packaging/npm/build.mjs OUT PLATFORM=PROGRAM ...
//
// PLATFORM is `process.platform-process.arch` as Node.js says it, such as linux-x64; PROGRAM is the built file.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
const version = /^version = "([^"]+)"$/m.exec(manifest)?.[1];
const [out, ...programs] = process.argv.slice(2);
if (!version || !out || programs.length === 0) {
  console.error("usage: node packaging/npm/build.mjs OUT PLATFORM=PROGRAM ...");
  process.exit(2);
}

const shared = {
  version,
  description: "Git-reviewed state for long-running agent goals: lint, reconcile, review.",
  license: "MIT OR Apache-2.0",
};

function write(folder, fields) {
  mkdirSync(folder, { recursive: true });
  for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(root, licence), join(folder, licence));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...shared, ...fields }, null, 2)}\n`);
}

const optionalDependencies = {};
for (const given of programs) {
  const [platform, program] = given.split("=");
  const [os, cpu] = platform.split("-");
  const name = `@loopx/${platform}`;
  const folder = join(out, platform);
  write(folder, { name, os: [os], cpu: [cpu], preferUnplugged: true });
  copyFileSync(program, join(folder, basename(program)));
  chmodSync(join(folder, basename(program)), 0o755);
  optionalDependencies[name] = version;
}
const main = join(out, "loopx");
write(main, { name: "loopx", bin: { loopx: "loopx.js" }, files: ["loopx.js"], engines: { node: ">=18" }, optionalDependencies });
copyFileSync(join(here, "loopx.js"), join(main, "loopx.js"));
copyFileSync(join(root, "README.md"), join(main, "README.md"));
