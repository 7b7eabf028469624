import { expect, test } from "vitest";
import { COMPONENTS } from "#docs/components/registry.ts";
import { JOB_STATES, TRANSITIONS } from "#features/jobs/transitions/job-states.ts";
import { componentTable } from "./component-table.ts";
import { decisionTable } from "./decision-table.ts";
import { deprecatedTable } from "./deprecated-table.ts";
import { readDocsPage, withTable } from "./docs-table.ts";
import { jobStateTable } from "./job-state-table.ts";

test("the documentation names every component with every attribute; `npm run fix` writes it", () => {
  const docs = readDocsPage(componentTable);
  expect(withTable(componentTable, docs)).toBe(docs);
  for (const { names, attributes = {} } of COMPONENTS) {
    const row = docs.split("\n").find((line) => line.startsWith(`| \`${names[0]}\``)) ?? "";
    for (const name of [...names, ...Object.keys(attributes)]) expect(row).toContain(`\`${name}\``);
  }
});

test("the documentation has every state of a job and what leads on from it; `npm run fix` writes it", () => {
  const docs = readDocsPage(jobStateTable);
  expect(withTable(jobStateTable, docs)).toBe(docs);
  for (const state of Object.keys(JOB_STATES)) expect(docs).toContain(`\n| ${state} | `);
  expect(docs).toContain(`${TRANSITIONS.followUp.event}: waiting`);
});

test("the documentation names every deprecated operation; `npm run fix` writes it", () => {
  const docs = readDocsPage(deprecatedTable);
  expect(withTable(deprecatedTable, docs)).toBe(docs);
  expect(docs).toContain(
    "\n| `GET /v1/agent/{projectId}/jobs` | 24 November 2027 | `GET /v2/agent/{projectId}/jobs` |\n",
  );
});

test("the index of decisions names every one; `npm run fix` writes it", () => {
  const docs = readDocsPage(decisionTable);
  expect(withTable(decisionTable, docs)).toBe(docs);
  expect(docs).not.toContain("undefined");
});
