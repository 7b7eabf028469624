// Writes what src/testing/hosts/descriptions/ holds: the hosts' own descriptions of the requests that are used here, out of
// packages that are too large to be installed with this one. Run it again for another version, or with more paths:
//   node scripts/host-descriptions.ts
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostDescription } from "#testing/hosts/host-description.ts";
import { write } from "./host-descriptions/description.ts";
import { sliceOpenApi } from "./host-descriptions/from-openapi.ts";
import { sliceTypes } from "./host-descriptions/from-types.ts";

const REPOSITORY =
  "(?:/(?:pulls|issues/comments|statuses|commits|compare|hooks|collaborators|contents|git/(?:refs?|commits|trees|blobs)|branches|installation|check-runs)(?:/.*)?|/issues/\\{[a-z_]+\\}/(?:comments|labels|reactions)|/rules/branches/\\{branch\\})?";
const GITHUB = new RegExp(
  `^(?:/repos/\\{owner\\}/\\{repo\\}${REPOSITORY}|/user|/users/\\{username\\}(?:/installation)?|/user/installations(?:/.*)?|/meta|/rate_limit|/app|/app/.*|/apps/\\{app_slug\\}|/app-manifests/\\{code\\}/conversions|/installation/.*|/orgs/\\{org\\}/installation)$`,
);
const GITEA = new RegExp(
  `^(?:/repos/\\{owner\\}/\\{repo\\}${REPOSITORY}|/repos/\\{owner\\}/\\{repo\\}/assignees|/repositories/\\{id\\}|/user|/users/\\{username\\}|/version|/settings/api)$`,
);
/** Nothing here asks for these, and they are large. */
const UNWANTED = /\/(?:protection|codespaces|check-suites|dependency-graph|hook\/deliveries)(?:\/|$)|^\/app\/hook\//;

const SOURCES = [
  { file: "github", name: "@octokit/openapi", version: "23.0.2", document: "generated/api.github.com.json" },
  { file: "gitea", name: "gitea-js", version: "1.23.0", document: "dist/index.d.ts" },
  { file: "forgejo", name: "forgejo-js", version: "11.0.0", document: "dist/index.d.ts" },
];
const TARGET = new URL("../src/testing/hosts/descriptions/", import.meta.url);

const directory = mkdtempSync(join(tmpdir(), "docent-host-descriptions-"));
try {
  writeFileSync(join(directory, "package.json"), "{}");
  const packages = SOURCES.map(({ name, version }) => `${name}@${version}`);
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...options, ...packages], { cwd: directory, stdio: "inherit" });
  for (const { file, name, version, document } of SOURCES) {
    const read = (path: string) => readFileSync(join(directory, "node_modules", name, path), "utf8");
    const { license } = JSON.parse(read("package.json")) as { license: string };
    const source = { package: name, version, license };
    const isWanted = (pattern: RegExp) => (path: string) => pattern.test(path) && !UNWANTED.test(path);
    const slice = document.endsWith(".json")
      ? sliceOpenApi(JSON.parse(read(document)) as Record<string, unknown>, isWanted(GITHUB))
      : sliceTypes(read(document), isWanted(GITEA));
    const description: HostDescription = { source, ...slice };
    writeFileSync(new URL(`${file}.json`, TARGET), write(description));
    writeFileSync(new URL(`${file}.license.txt`, TARGET), read("LICENSE"));
    process.stdout.write(`${file}.json: ${slice.operations.length} operations of ${name} ${version}\n`);
  }
} finally {
  rmSync(directory, { recursive: true });
}
