import process from "node:process";
import { processEnvironment } from "./environment.ts";
import { fileReason } from "./input/file.ts";
import { exitCodes } from "./mistake.ts";
import { run } from "./run.ts";

/** Ends the process when one of its outputs fails. Whatever was to be printed is incomplete then, so that going on is of no use. */
function endOnFailure(stream: NodeJS.WriteStream, name: string): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that stops reading, such as `head`, is no error of ours.
    if (error.code === "EPIPE") process.exit();
    // Where standard error itself failed, the exit code alone has to tell.
    if (stream !== process.stderr) {
      process.stderr.write(`rolecall: cannot write ${name}: ${fileReason(error) ?? error.message}\n`);
    }
    process.exit(exitCodes.mistake);
  });
}

endOnFailure(process.stdout, "standard output");
endOnFailure(process.stderr, "standard error");

process.exitCode = await run(process.argv.slice(2), processEnvironment(process));
