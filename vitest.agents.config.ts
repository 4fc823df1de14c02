import { defineConfig } from "vitest/config";
import { coreAlias } from "./vitest.config.ts";

/** Coding agents in front of the gateway: `npm run test:agents`. Apart from the other tests, because it installs 260 MB and takes minutes. */
export default defineConfig({
  resolve: { alias: coreAlias },
  test: {
    include: ["packages/gateway/test/agents/*.test.ts"],
    globalSetup: "./scripts/install-agents.mjs",
    reporters: ["default", "./scripts/reporter.ts"],
    fileParallelism: false,
  },
});
