import { describe, expect, test } from "vitest";
import { runCalls } from "#agent/step-calls.ts";
import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import type { ToolResult } from "./tool.ts";
import { redact } from "#lib/secrets/secret-scan.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";

// Assembled at run time, so that no file of this repository contains text in the shape of a credential.
const KEY = `AKIA${"Q3EGXW2N7R5TZ4YH"}`;
const BODY = "q7Zt2mXw9KpR4vLc8NbY3sHd6JfG1aEuT5oQiWzD0xVkMrPy";
const PEM = `-----BEGIN PRIVATE KEY-----\n${BODY}\n${BODY}\n-----END PRIVATE KEY-----`;
const HIDDEN = Array.from("obey")
  .map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0)))
  .join("");

const tools = createAgentTools();
const FILES = {
  "a.md": `# A\n\nThe key is ${KEY}, the next line stays.\nLast line.\n`,
  "pem.md": `# P\n\n${PEM}\n\nafter\n`,
  "one.md": `# A\n\nkey: ${KEY}\n`,
  "password.md": "# W\n\n```sh\nconnect postgres://app:Xk29vLqP4mTz@db.acme.io/x\n```\n",
  "hidden.md": `# H\n\nHarbor${HIDDEN} Cl\u200boud runs.\n\nHarbor again.\n`,
  "heading.md": `# H\n\n## Of ${KEY}\n`,
  "broken-api.json": `{"openapi": "3.0.0", "x": ${KEY}}`,
  "glossary.yml": `terms:\n  - use: The token ${KEY}\n    not: [Harbor]\n`,
  "mask.md": "# M\n\nLogs show [redacted] here.\n",
  ".env": `KEY=${KEY}\nNAME=plainvalue\n`,
  "certs/a.pem": PEM,
  "credentials.json": '{"password": "plainvalue"}',
};
const bench = () => createAgentBench(tools, FILES);
const messageOf = (result: ToolResult) => (result.ok ? `ok: ${result.summary}` : result.message);

/** What a model sees of a call. */
async function shown(name: string, input: Record<string, unknown>): Promise<string> {
  const { environment } = bench();
  const call = { id: "c1", name, input, invalid: null };
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
  const answer = { ok: true as const, text: "", toolCalls: [call], messages: [], usage };
  const { messages } = await runCalls(
    { tools, environment, reportFault: () => {} },
    {
      answer: answer as unknown as Parameters<typeof runCalls>[1]["answer"],
      state: INITIAL_LOOP_STATE,
      tree: "",
      resultCharacters: 100_000,
      toolPatienceMs: 60_000,
      signal: AbortSignal.timeout(60_000),
    },
  );
  return JSON.stringify(messages);
}

describe("files that hold credentials", () => {
  test.each([".env", "certs/a.pem", "credentials.json"])("%s is listed but not read", async (path) => {
    const { run } = bench();
    expect(messageOf(await run("read_file", { path }))).toContain("the agent does not read it");
    expect(messageOf(await run("edit_file", { path, edits: [{ old: "K", new: "L" }] }))).toContain("does not read it");
    expect(JSON.stringify(await run("list_files", {}))).toContain(path);
  });

  test("are not searched", async () => {
    expect(await bench().run("search_files", { text: "plainvalue" })).toMatchObject({ content: { hits: [] } });
  });
});

describe("a credential in a page", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["read", "read_file", { path: "a.md" }],
    ["searched", "search_files", { text: "The key" }],
    ["edited in vain", "edit_file", { path: "a.md", edits: [{ old: "The key is  that, the next", new: "x" }] }],
    ["outlined", "outline_page", { path: "a.md" }],
    ["made an anchor of", "outline_page", { path: "heading.md" }],
    ["quoted by a parser", "openapi_pages", { file: "broken-api.json" }],
    ["a term of a glossary", "normalise_style", { glossary: "glossary.yml" }],
    ["named in a refusal", "read_file", { path: `${KEY}.md` }],
    ["asked about", "replace_term", { from: KEY, to: "x" }],
  ])("does not reach the model when it is %s", async (_name, tool, input) => {
    expect((await shown(tool, input)).toUpperCase()).not.toContain(KEY.slice(4, 8));
  });

  test("over several lines does not reach the model, and the following lines keep their numbers", async () => {
    const text = await shown("read_file", { path: "pem.md" });
    expect(text).not.toContain(BODY.slice(0, 12));
    expect(text).toContain("8| after");
  });

  test("cannot be recovered by searching for its letters", async () => {
    const { run } = bench();
    for (const pattern of [KEY, `${KEY.slice(0, 6)}.*`, "AKIAQ"]) {
      expect(await run("search_files", { pattern })).toMatchObject({ content: { hits: [] } });
    }
    // Matches next to it do not depend on it either.
    const found = async (pattern: string) =>
      (await run("search_files", { pattern, glob: "a.md" })) as { content: unknown };
    for (const [right, wrong] of [
      ["AKIAQ3|redacted", "AKIAQ4|redacted"],
      ["AKIAQ3|^, the next", "AKIAQ4|^, the next"],
      ["AKIAQ3.*|Last line", "AKIAQ4.*|Last line"],
      ["is AKIAQ3.*, the|the next", "is AKIAQ4.*, the|the next"],
    ] as const) {
      expect((await found(right)).content).toEqual((await found(wrong)).content);
    }
    expect(await run("search_files", { pattern: "stays" })).toMatchObject({ content: { hits: [{ path: "a.md" }] } });
  });

  test("stays in the file when the text next to it is edited", async () => {
    const { run, contents } = bench();
    await run("edit_file", { path: "a.md", edits: [{ old: "the next line stays", new: "this one changed" }] });
    expect((await contents())["a.md"]).toBe(`# A\n\nThe key is ${KEY}, this one changed.\nLast line.\n`);
  });

  test("cannot be matched: a right guess and a wrong one get the same answer", async () => {
    const { run, contents } = bench();
    const edit = async (old: string, all = false) =>
      messageOf(await run("edit_file", { path: "a.md", edits: [{ old, new: "x y", all }] }));
    const wrong = await edit("AKIAQ4");
    expect(wrong).toContain('"old" does not occur. Text that holds or touches a "[redacted]"');
    for (const right of ["AKIAQ3", KEY, KEY.slice(4, 9), `is ${KEY}, the`, "is ", ", the next"]) {
      expect(await edit(right)).toContain('"old" does not occur. Text that holds or touches a "[redacted]"');
    }
    expect(await edit("AKIAQ3")).toBe(wrong);
    expect(await edit(KEY.slice(4, 9))).not.toContain("The key is A");
    expect((await contents())["a.md"]).toBe(FILES["a.md"]);
    // The text is not found in the key, but in "Last".
    const path = "one.md";
    expect(messageOf(await run("edit_file", { path, edits: [{ old: "A", new: "A " }] }))).toContain("1 replacement");
    expect((await contents())[path]).toBe(`# A \n\nkey: ${KEY}\n`);
  });

  test.each([
    ["was AKIA", "was AK IA"],
    ["-----BEGIN PRIVATE KEY-----", "-----BEGIN-----"],
    ["-----END PRIVATE KEY-----", "the end"],
    ["\n\nafter", "after"],
    ["postgres", "post gres"],
  ])("keeps its shape when %j is edited", async (old, text) => {
    const { run, contents } = bench();
    for (const path of ["a.md", "pem.md", "password.md"]) {
      await run("edit_file", { path, edits: [{ old, new: text }] });
      await run("replace_term", { from: old, to: text });
    }
    const after = await contents();
    for (const path of ["a.md", "pem.md", "password.md"]) {
      expect(redact(after[path]!)).not.toMatch(/Q3EGXW2N|q7Zt2mXw|Xk29vLqP/);
      expect(after[path]).toMatch(/Q3EGXW2N|q7Zt2mXw|Xk29vLqP/);
    }
  });

  test.each([
    ["replace_term", { from: KEY, to: "x" }, { from: KEY.replace("Q3", "Q4"), to: "x" }],
    ["replace_term", { from: BODY, to: "x" }, { from: BODY.replace("q7", "q8"), to: "x" }],
  ])("is not found by any chore: %s", async (tool, right, wrong) => {
    const answers = [];
    for (const input of [right, wrong]) {
      const { run, contents } = bench();
      const result = await run(tool, input);
      answers.push(JSON.stringify(result).replaceAll(input.from, "TERM"));
      expect(await contents()).toMatchObject({ "a.md": FILES["a.md"], "one.md": FILES["one.md"] });
    }
    expect(answers[0]).toBe(answers[1]);
  });

  test("cannot be moved by writing its placeholder", async () => {
    const { run, contents } = bench();
    const seal = String.fromCodePoint(0x10_8000) + "\uF8FF".repeat(KEY.length - 2);
    await run("edit_file", { path: "a.md", edits: [{ old: "Last line.", new: `Last ${seal} line.` }] });
    expect((await contents())["a.md"]).toBe(FILES["a.md"]);
  });

  test("is not replaced by its mask, and the error explains the mask", async () => {
    const { run, contents } = bench();
    const edit = (old: string, text: string) => run("edit_file", { path: "a.md", edits: [{ old, new: text }] });
    expect(messageOf(await edit("is [redacted], the", "is gone, the"))).toContain("stands for a credential");
    expect(messageOf(await edit("Last line.", "Last [redacted]."))).toContain("stands for a credential");
    const whole = { path: "a.md", content: "# A\n\nThe key is [redacted].\n", replace: true };
    expect(messageOf(await run("write_file", whole))).toContain("stands for a credential");
    expect((await contents())["a.md"]).toBe(FILES["a.md"]);
  });

  test("a file that contains the text [redacted] can be edited", async () => {
    const { run, contents } = bench();
    const edits = [{ old: "show [redacted] here", new: "hold [redacted] there" }];
    await run("edit_file", { path: "mask.md", edits });
    expect((await contents())["mask.md"]).toContain("Logs hold [redacted] there.");
  });
});

describe("invisible characters", () => {
  test("do not reach the model, which is notified of them", async () => {
    const text = await shown("read_file", { path: "hidden.md" });
    expect(text).toContain("3| Harbor Cloud runs.");
    expect(text).toContain("2 places with invisible characters");
    expect(text).not.toMatch(/[\u200b\u{e0000}-\u{e007f}]/u);
    expect(await shown("search_files", { text: "runs" })).not.toMatch(/[\u200b\u{e0000}-\u{e007f}]/u);
  });

  test("do not prevent an edit from finding its place, and are removed with the text around them", async () => {
    const { run, contents } = bench();
    const edits = [
      { old: "Harbor Cloud runs", new: "Port Cloud runs" },
      { old: "Harbor again", new: "Port again" },
    ];
    expect(messageOf(await run("edit_file", { path: "hidden.md", edits }))).toContain("2 replacements");
    expect((await contents())["hidden.md"]).toBe("# H\n\nPort Cloud runs.\n\nPort again.\n");
  });

  test("stay if the edit is next to them", async () => {
    const { run, contents } = bench();
    await run("edit_file", { path: "hidden.md", edits: [{ old: "oud runs", new: "oud walks" }] });
    expect((await contents())["hidden.md"]).toContain(`Harbor${HIDDEN} Cl\u200boud walks.`);
  });
});
