// Installs the clients that the tests of the gateway start, where that has not been done since their lock file changed. They are apart from the
// workspace: they are half as large as everything else together, and nothing but these tests needs them. Type checks and tests call this.
import { fileURLToPath } from "node:url";
import { installFolder } from "./install-folder.mjs";

/** Vitest calls it before the tests of these clients. */
export function setup() {
  installFolder("packages/gateway/test/clients");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
