// Installs the coding agents that `npm run test:agents` starts, where that has not been done since their manifest changed. It has no lock file: an
// agent lists optional packages that registries do not have, and `npm ci` calls every lock file out of sync then.
import { installFolder } from "./install-folder.mjs";

/** Vitest calls it before the tests of the agents. */
export function setup() {
  installFolder("packages/gateway/test/agents");
}
