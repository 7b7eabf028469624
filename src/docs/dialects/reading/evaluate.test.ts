import { describe, expect, it } from "vitest";
import { createProblemList } from "#docs/problems.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { Computed, PackageCall } from "./computed.ts";
import { readConfigModule } from "./evaluate.ts";

async function read(files: Record<string, string>, path = "config.ts") {
  const problems = createProblemList();
  const value = await readConfigModule(createTestSnapshot(files), { path }, problems);
  return { value, problems: problems.all() };
}
const valueOf = async (text: string, more: Record<string, string> = {}) =>
  (await read({ "config.ts": text, ...more })).value;

describe("readConfigModule", () => {
  it.each([
    ["export default { a: [1, -2, 'x', `y${1}z`, null, true] };", { a: [1, -2, "x", "y1z", null, true] }],
    ["const a = { x: 1 }; export default { ...a, y: [...[1, 2]] } satisfies object as any;", { x: 1, y: [1, 2] }],
    ["interface A { b: string } const c: A = { b: 'c' }; export { c as default };", { b: "c" }],
    ["export default defineConfig({ a: 1 }); import { defineConfig } from 'tool';", { a: 1 }],
    ["export default async function config() { const { a } = { a: 2 }; if (!a) return 1; return { a }; }", { a: 2 }],
    ["const f = (x: number, { y } = { y: 2 }) => [x, y]; export default f(1, { y: 3 });", [1, 3]],
    [
      "export default ['a', 'b'].map((name) => ({ name })).concat([{ name: 'c' }]);",
      [{ name: "a" }, { name: "b" }, { name: "c" }],
    ],
    [
      "export default [process.env.NODE_ENV, process.env.KEY ?? 'none', false && 1].filter(Boolean);",
      ["production", "none"],
    ],
    ["import path from 'node:path'; export default path.join(__dirname, './x');", "x"],
    ["export default Object.entries({ a: 1, b: 2 }).map(([key, value]) => key + value).slice(1);", ["b2"]],
  ])("reads %s", async (text, expected) => {
    expect(JSON.parse(JSON.stringify(await valueOf(text)))).toEqual(expected);
  });

  it("reads the text of elements, in files with plain types too", async () => {
    const text =
      "import type { Meta } from 'x';\nconst meta: Meta = { a: <b>Hello <i>there</i></b> };\nexport default meta satisfies Meta;";
    const { value } = await read({ "meta.tsx": text }, "meta.tsx");
    expect(value).toEqual({ a: "Hello there" });
  });

  it("follows imports of the repository, circular ones included, and no others", async () => {
    const files = {
      "config.ts":
        "import { a } from './lib/a.js'; import data from './data.json'; import out from '../../etc/passwd';\nexport default { a, data, out };",
      "lib/a.ts": "import b from '../b'; export const a = { name: 'a', b };",
      "b.js": "const { a } = require('./lib/a'); module.exports = [a && 1, require('./data.json').x];",
      "data.json": '{"x": 7}',
    };
    const { value, problems } = await read(files);
    expect(value).toMatchObject({ a: { name: "a" }, data: { x: 7 }, out: expect.any(Computed) as unknown });
    expect(problems).toEqual([]);
  });

  it("reads no file of credentials, and no configuration of too many or too large files", async () => {
    const secret = { "config.ts": "import a from './credentials.json'; export default a;", "credentials.json": '"x"' };
    expect((await read(secret)).value).toBeInstanceOf(Computed);
    const importing = (names: readonly string[], text: string) => ({
      "config.js": `${names.map((name) => `import ${name} from "./${name}.json";`).join("")} export default 1;`,
      ...Object.fromEntries(names.map((name) => [`${name}.json`, text])),
    });
    const many = importing(
      Array.from({ length: 60 }, (_, at) => `f${at}`),
      "1",
    );
    const large = importing(["a", "b", "c", "d", "e"], JSON.stringify("x".repeat(900_000)));
    for (const files of [many, large])
      expect((await read(files, "config.js")).problems).toMatchObject([
        { message: expect.stringContaining("too large for a configuration, or one of too many") as string },
      ]);
  });

  it("keeps the place of a value that only a program can compute", async () => {
    const value = (await valueOf("export default {\n  a: 1,\n  b: readdirSync('.'),\n  c: Date.now(),\n};")) as Record<
      string,
      unknown
    >;
    expect(value).toMatchObject({ a: 1, b: expect.any(PackageCall) as unknown });
    expect((value["c"] as Computed).place).toEqual({ path: "config.ts", line: 4 });
  });

  it("knows the year, as in a copyright", async () => {
    const year = new Date().getFullYear();
    expect(await valueOf("export default `© ${new Date().getFullYear()} Harbor`;")).toBe(`© ${year} Harbor`);
  });

  it.each([
    "const more = (() => { switch (process.env.CONTEXT) { case 'production': return ''; } })();\nexport default `Vite${more}`;",
    "\nexport default `Vite${process.env.SUFFIX}`;",
    "const list = () => { const all = []; for (const each of ['a']) all.push(each); return all; };\nexport default list();",
  ])("treats code that it cannot follow as computed, and uses no part of it as a value: %s", async (text) => {
    expect(await valueOf(text)).toBeInstanceOf(Computed);
  });

  it("reads a function past statements that only have effects", async () => {
    const text = "export default () => { if (!process.env.A) throw new Error('A'); console.log(1); return { a: 1 }; };";
    expect(await valueOf(text)).toEqual({ a: 1 });
  });

  it("says of brackets that are too deep to parse that they are", async () => {
    const { problems } = await read({ "config.js": `export default ${"[".repeat(50_000)}` }, "config.js");
    expect(problems).toMatchObject([{ message: expect.stringMatching(/^The file cannot be read: .*deep/) as string }]);
  });

  it.each([
    ["names that go in a circle", "const a = b; const b = a; export default [a];"],
    ["a function that calls itself", "const f = (x) => [f(x), f(x)]; export default f(1);"],
    [
      "lists that double",
      `const a0 = [1, 1];${Array.from({ length: 40 }, (_, n) => `const a${n + 1} = [...a${n}, ...a${n}];`).join("")}export default a40;`,
    ],
    ["deep nesting", `export default ${"[".repeat(450)}1${"]".repeat(450)};`],
    ["brackets without end", `export default ${"[".repeat(50_000)}`],
    ["a long chain of operators", `export default ${"!".repeat(30_000)}1;`],
    ["prototypes", "export default { ['__proto__']: { a: 1 }, b: ({}).constructor, c: 'x'.length };"],
  ])("ends with %s", async (_, text) => {
    await read({ "config.ts": text });
    // The thread that strips types still works afterwards.
    expect(await valueOf("const a: number = 1; export default a;")).toBe(1);
  });
});
