#!/usr/bin/env node
import process from "node:process";
import { processEnvironment } from "./environment.ts";
import { run } from "./run.ts";

// A reader that stops reading, such as `head`, is no error of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

process.exitCode = await run(process.argv.slice(2), processEnvironment(process));
