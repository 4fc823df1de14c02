import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const catalogSource = fileURLToPath(new URL("./packages/catalog/src/providers", import.meta.url));
const coreSource = fileURLToPath(new URL("./packages/core/src", import.meta.url));

/** Tests of core run against its sources. The command line is tested as it is built, so its project has no alias. */
export const coreAlias = [
  { find: /^@rolecall\/core$/, replacement: `${coreSource}/index.ts` },
  { find: /^@rolecall\/core\/(providers\/.+)$/, replacement: `${coreSource}/$1.ts` },
  { find: /^@rolecall\/core\/(.+)$/, replacement: `${coreSource}/$1/index.ts` },
  { find: /^@rolecall\/catalog\/(.+)$/, replacement: `${catalogSource}/$1.ts` },
];

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/reporter.ts"],
    // Commands are started as processes, and machines of a build may be busy.
    testTimeout: 30_000,
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], reporter: ["text", "json-summary"] },
    projects: [
      {
        extends: true,
        resolve: { alias: coreAlias },
        test: { name: "core", include: ["packages/core/test/**/*.test.ts"] },
      },
      {
        extends: true,
        resolve: { alias: coreAlias },
        test: { name: "catalog", include: ["packages/catalog/test/**/*.test.ts"] },
      },
      {
        extends: true,
        resolve: { alias: coreAlias },
        test: {
          name: "gateway",
          include: ["packages/gateway/test/**/*.test.ts"],
          exclude: ["packages/gateway/test/clients/**", "packages/gateway/test/agents/**"],
        },
      },
      {
        extends: true,
        resolve: { alias: coreAlias },
        test: {
          name: "clients",
          include: ["packages/gateway/test/clients/*.test.ts"],
          globalSetup: "./scripts/install-clients.mjs",
        },
      },
      {
        extends: true,
        test: { name: "cli", include: ["packages/cli/test/**/*.test.ts"] },
      },
      {
        extends: true,
        resolve: { alias: coreAlias },
        test: { name: "workspace", include: ["test/**/*.test.ts"] },
      },
    ],
  },
});
