import type { ProtocolId } from "@rolecall/core";
import { protocolIds } from "@rolecall/core";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import { wholeNumber } from "../arguments.ts";
import type { AuditPlan, FilesAudit } from "../audit/audit-files.ts";
import { auditFiles, listFiles } from "../audit/audit-files.ts";
import type { Comparison } from "../audit/baseline.ts";
import { compareWithBaseline, isBaseline, readBaseline, writeBaseline } from "../audit/baseline.ts";
import { renderAudit } from "../audit/render.ts";
import type { Environment } from "../environment.ts";
import type { Operation } from "../input/body.ts";
import { refuseOverwriting } from "../input/overwrite.ts";
import { readProfile } from "../input/profile.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { writeJson } from "../terminal/json.ts";
import { createProgress } from "../terminal/progress.ts";

const DEFAULT_LEAVES = 200;
const DEFAULT_SEED = 1;

export const auditDefinition: CommandDefinition = {
  name: "audit",
  about: "Measures on your own bodies that no conversion loses anything in silence, or reports a loss that is none.",
  operands: "FILE|DIRECTORY…",
  options: [
    { name: "from", value: "P", choices: protocolIds, about: "protocol of the bodies; detected unless stated" },
    { name: "to", value: "Q", choices: protocolIds, about: "protocol to convert to; all unless stated" },
    { name: "target", value: "FILE|JSON", about: "profile of the receiver, with --to; losses depend on it" },
    { name: "kind", value: "K", choices: ["request", "response"], about: "audit only these" },
    { name: "baseline", value: "FILE", about: "findings that are known; only others count" },
    { name: "write-baseline", value: "FILE", about: "write what is found there; it holds kinds of places, no content" },
    { name: "leaves", value: "N", about: `at most N leaves and N objects of a body (${DEFAULT_LEAVES})` },
    { name: "seed", value: "N", about: `which of them, where there are more (${DEFAULT_SEED})` },
    { name: "json", about: "print the findings as JSON" },
  ],
  notes: [
    "Each leaf is changed and removed, each object gets an unknown key, and the body is converted. That must show in the\n" +
      'output, stand in the report as "dropped" at its place, or be refused with a typed error. Content must be found in\n' +
      'the output where it is the same to a model. What is reported as "dropped" must not arrive. A conversion to the\n' +
      "same protocol, unless for a --target, must give the same value without losses. Exempt is what the redundancy\n" +
      "list of a protocol names, and what the services of that protocol would refuse.",
    "Of a directory all *.json below it are read, each a body or a recorded {request: {body}, response: {body}}.\n" +
      "Exit codes: 0 no findings but known ones, 1 findings, 2 usage or input is wrong, 70 internal error.",
  ],
};

/** Runs `rolecall audit`; the result is its exit code. */
export async function auditCommand(args: Arguments, environment: Environment): Promise<number> {
  const { baseline, "write-baseline": target } = args.values;
  if (args.operands.length === 0) throw new Mistake("name the files or directories to audit");
  if (baseline !== undefined && target !== undefined) {
    throw new Mistake("--baseline and --write-baseline exclude each other: compare first, then write");
  }
  const plan = await planOf(args);
  const known = baseline === undefined ? [] : await readBaseline(baseline);
  const files = listFiles(args.operands);
  // A baseline may lie among the bodies, and is written again and again.
  if (target !== undefined && !(await isBaseline(target))) refuseOverwriting("write-baseline", target, files);
  const audit = await auditFiles(files, plan, createProgress(environment));
  if (target !== undefined) writeBaseline(target, audit.pairs);
  const comparison = compareWithBaseline(audit.pairs, known);
  if (args.switches.has("json")) writeJson(jsonOf(audit, comparison), environment.output);
  else if (audit.pairs.length + audit.unread.length > 0) {
    environment.output.write(renderAudit(audit, comparison, environment.output));
  }
  if (audit.pairs.length === 0) {
    throw new Mistake("nothing to audit: no file holds a body of a protocol that is asked for");
  }
  if (audit.pairs.every(({ bodies, refused }) => bodies === refused)) {
    throw new Mistake("nothing was measured: every body was refused; state another --from or --to");
  }
  const isClean = audit.pairs.every(({ findings }) => findings.every(comparison.isKnown));
  return isClean || target !== undefined ? exitCodes.done : exitCodes.findings;
}

async function planOf(args: Arguments): Promise<AuditPlan> {
  const { from, to, kind, target } = args.values;
  if (target !== undefined && to === undefined) throw new Mistake("--target is a profile of one protocol: state --to");
  return {
    ...(from !== undefined && { from: from as ProtocolId }),
    ...(to !== undefined && { to: to as ProtocolId }),
    ...(target !== undefined && { target: await readProfile("--target", target, to as ProtocolId) }),
    ...(kind !== undefined && { operation: kind as Operation }),
    leaves: wholeNumber(args, "leaves", 1, DEFAULT_LEAVES),
    seed: wholeNumber(args, "seed", 0, DEFAULT_SEED),
  };
}

function jsonOf({ pairs, unread }: FilesAudit, { isKnown, vanished }: Comparison): object {
  return {
    pairs: pairs.map((pair) => ({
      ...pair,
      findings: pair.findings.map(({ problem, place, count, first, ...group }) => ({
        problem,
        place,
        count,
        known: isKnown({ problem, place, count, first, ...group }),
        first,
      })),
    })),
    vanished,
    unread,
  };
}
