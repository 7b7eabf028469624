import { expect, it } from "vitest";
import { createProblemList } from "#docs/problems.ts";
import { textAfter } from "#docs/slugs.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { readConfigModule } from "./evaluate.ts";
import { isQuickPattern } from "./quick-pattern.ts";
import { readTextFunction } from "./text-function.ts";

async function read(code: string) {
  const files = { "config.js": code, "own.js": "export const lower = (s) => s.toLowerCase();" };
  const config = await readConfigModule(createTestSnapshot(files), { path: "config.js" }, createProblemList());
  return readTextFunction((config as { slugify: unknown }).slugify);
}

const value = (code: string) => `export default { slugify: ${code} };`;

it.each([
  ["(s) => s.trim().toLowerCase().replace(/\\s+/g, '-')", " Set Up ", "set-up"],
  ["(s) => String(s).replace(/[^\\p{L}\\p{N}\\s_-]/gu, '').replace(/\\s/g, '-')", "Über: das", "Über-das"],
  ["(s) => encodeURIComponent(s.trim().replaceAll(' ', '_'))", "ä b", "%C3%A4_b"],
  ["function (s) { const t = (s || '').toUpperCase(); return t.slice(0, 2); }", "abc", "AB"],
  ["(s) => { if (!s) return ''; return s.trim(); }", " a", "a"],
  ["(s) => lower(s).replace(/^-+|-+$/g, '')", "-A-", "a"],
  ["(s) => slugify(s).replace('-', '_')", "A b c", "a_b-c"],
  ["slug", "A.b C", "ab-c"],
])("reads %s as data", async (code, text, expected) => {
  const imports =
    'import { slugify } from "@mdit-vue/shared"; import { slug } from "github-slugger"; import { lower } from "./own";\n';
  const found = await read(imports + value(code));
  expect(found).toMatchObject({ steps: expect.any(Array) as unknown });
  expect(found !== null && "steps" in found && textAfter(found.steps, text)).toBe(expected);
});

it.each([
  ["a loop", "(s) => {\n  for (const a of s) s = a;\n  return s;\n}", 2],
  ["an assignment", "(s) => {\n  s = s.trim();\n  return s;\n}", 2],
  ["a condition", "(s) => {\n  if (/^a/.test(s)) return 'b';\n  return s;\n}", 1],
  ["a package", "(s) =>\n  pinyin(s)", 2],
  ["a replacing function", "(s) =>\n  s.replace(/a/g, (a) => a)", 2],
  ["a slow pattern", "(s) =>\n  s.replace(/(a+)+b/g, '')", 2],
])("says where %s is", async (_, code, line) => {
  expect(await read(`import { pinyin } from "pinyin"; ${value(code)}`)).toEqual({ place: { path: "config.js", line } });
});

it("reads nothing from what is no function", async () => {
  expect([await read(value("undefined")), await read(value("'a'"))]).toEqual([null, null]);
});

it.each([
  ["[\\s~`!@#$%^&*()\\-_+=[\\]{}|\\\\;:\"'“”‘’<>,.?/]+", true],
  ["^-+|-+$", true],
  ["(^-|-$)", true],
  ["-{2,}", true],
  ["^(\\d)", true],
  ["[\\u0300-\\u036F]", true],
  ["\\p{L}+", true],
  ["(^-|-$)+", false],
  ["(a|a)*b", false],
  ["(a+)b", false],
  ["a+b+c", false],
  ["a?a?a?aaa", false],
  ["(?=a)b", false],
  ["(a)\\1", false],
  [".*.*.*=", false],
])("takes %s as quick: %s", (pattern, expected) => {
  expect(isQuickPattern(pattern)).toBe(expected);
});
