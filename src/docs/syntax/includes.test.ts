import { expect, it } from "vitest";
import { putIncludesIn } from "./includes.ts";

it("counts the size of included files after nested indentation", async () => {
  const files = new Map([["docs/s0.md", "a\n".repeat(100_000)]]);
  const indent = " ".repeat(200);
  for (let at = 1; at <= 10; at++) files.set(`docs/s${at}.md`, `${indent}--8<-- "docs/s${at - 1}.md"\n`);
  const warned: string[] = [];
  const { source } = await putIncludesIn('--8<-- "docs/s10.md"\n', "docs/index.md", {
    dialect: "mkdocs",
    contentRoot: "docs",
    readsValues: false,
    read: async (path) => files.get(path) ?? null,
    warn: (_offset, message) => warned.push(message),
  });
  expect(source.length).toBeLessThan(2_000_000);
  expect(warned.join("\n")).toContain("with 2 MB in all");
});
