import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { clientFiles } from "./client-files.ts";
import { pythonOperations } from "./python-client.ts";
import { typescriptOperations } from "./typescript-client.ts";

const root = path.dirname(import.meta.dirname);

test("the clients know every operation and body as the document describes them; `npm run fix` writes it", () => {
  for (const [file, text] of clientFiles(root))
    expect({ file, text: readFileSync(path.join(root, file), "utf8") }).toEqual({ file, text });
});

test("the clients can call every operation that is not deprecated but the stream, which has a method of its own", () => {
  const document = JSON.parse(readFileSync(path.join(root, "docs/openapi.json"), "utf8")) as {
    paths: Record<string, Record<string, { operationId?: string; deprecated?: boolean }>>;
  };
  const all = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ operationId, deprecated }) => (deprecated ? [] : (operationId ?? [])))); // oxfmt-ignore
  const [typescript, python] = [typescriptOperations(root), pythonOperations(root)];
  expect(all.filter((id) => !typescript.includes(`  ${id}: [`))).toEqual(["followAgentJob"]);
  expect(all.filter((id) => !python.includes(`self._ask("${id}"`))).toEqual(["followAgentJob"]);
});
