#!/usr/bin/env node
import { readFileSync } from "node:fs";

const USAGE = `Usage: rolecall [options]

Options:
  -h, --help     show this text
  -v, --version  show the version
`;

function version(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return manifest.version;
}

const [argument] = process.argv.slice(2);
if (argument === undefined || argument === "-h" || argument === "--help") {
  process.stdout.write(USAGE);
} else if (argument === "-v" || argument === "--version") {
  process.stdout.write(`${version()}\n`);
} else {
  process.stderr.write(`rolecall: unknown argument "${argument}"\n\n${USAGE}`);
  process.exitCode = 2;
}
