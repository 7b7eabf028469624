import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { clientOperations, OPERATIONS_FILE, PYTHON_OPERATIONS_FILE, pythonOperations } from "./client-operations.ts";

const root = path.dirname(import.meta.dirname);

test("the clients know every operation as the document describes it; `npm run fix` writes it", () => {
  expect(readFileSync(path.join(root, OPERATIONS_FILE), "utf8")).toBe(clientOperations(root));
  expect(readFileSync(path.join(root, PYTHON_OPERATIONS_FILE), "utf8")).toBe(pythonOperations(root));
});

test("the client can call every operation but the stream, which has a method of its own", () => {
  const document = JSON.parse(readFileSync(path.join(root, "docs/openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const all = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? [])); // oxfmt-ignore
  const missing = all.filter((id) => !clientOperations(root).includes(`  ${id}: [`));
  expect(missing).toEqual(["followAgentJob"]);
});
