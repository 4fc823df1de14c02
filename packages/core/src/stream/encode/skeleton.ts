import type { Report } from "../../loss/index.ts";

/** Writes a copy of a node, such as a part without what comes in pieces; what that loses has its place where the node itself stands. */
export function writeCopy<T>(report: Report, copy: object, node: object, write: () => T): T {
  const { drafts } = report;
  const from = drafts.length;
  const written = write();
  for (let index = from; index < drafts.length; index++) {
    const draft = drafts[index];
    if (draft?.node === copy) drafts[index] = { ...draft, node };
  }
  return written;
}
