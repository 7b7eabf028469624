import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppError, ShuttingDown } from "#lib/app-error.ts";
import { createLogger, silentLogger } from "#lib/logger.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { keepLog } from "./keep-log.ts";
import { logDirectory, nodeName } from "./log-files.ts";
import { type KeptLine, type LogQuery, readKeptLog } from "./read-log.ts";

async function createFolder() {
  const directory = await createTestDirectory();
  onTestFinished(directory.dispose);
  return logDirectory(directory.path);
}

const ALL: LogQuery = { level: "trace", since: null, before: null, limit: 1_000 };
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, 0) + second * 1_000).toISOString();
const lineAt = (second: number, msg: string, more: object = {}) =>
  `${JSON.stringify({ level: 30, time: at(second), ...more, msg })}\n`;
const messages = (lines: readonly KeptLine[]) => lines.map(({ message }) => message);
const SMALL = { fileBytes: 2_000, waitingBytes: 100_000, files: 16, retryMs: 50 };

describe("a kept log", () => {
  test("reads back as it was logged, and only its owner can read the files", async () => {
    const directory = await createFolder();
    const kept = keepLog({ logger: silentLogger }, { directory, node: "docs-1-4000" });
    const logger = createLogger({ level: "info", keep: kept.write });
    logger.child({ requestId: "req_1" }).warn({ err: new Error("no room"), apiKey: "docent_secret" }, "not written");
    logger.debug("is below the level");
    await kept.settled();
    const [line, ...others] = await readKeptLog(directory, ALL);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ id: "docs-1-4000.1.0", node: "docs-1-4000", level: "warn", message: "not written" });
    expect(line!.fields).toMatchObject({ requestId: "req_1", apiKey: "[redacted]", err: { message: "no room" } });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(directory, "docs-1-4000.1.jsonl"))).mode & 0o777).toBe(0o600);
  });

  test("has the lines that arrived while others were being written", async () => {
    const directory = await createFolder();
    const kept = keepLog({ logger: silentLogger }, { directory, node: "a-1" });
    const written = Array.from({ length: 30 }, (_, second) => `line ${second}`);
    for (const [second, line] of written.entries()) {
      kept.write(lineAt(second, line));
      if (second % 7 === 0) await setImmediate();
    }
    await kept.settled();
    expect(messages(await readKeptLog(directory, ALL)).toReversed()).toEqual(written);
  });

  test("has stacks of faults, and none of requests that a stopping server refuses", async () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "info", keep: (line) => void lines.push(line) });
    logger.error({ err: new AppError("unavailable", "Not now.", { cause: new ShuttingDown() }) }, "request failed");
    logger.error({ err: new AppError("unavailable", "Not now.") }, "request failed");
    expect(lines.map((line) => line.includes("logs.test.ts"))).toEqual([false, true]);
    expect(lines[0]).toContain('"err":{"type":"AppError","message":"Not now."}');
  });

  test("contains no client address", async () => {
    const directory = await createFolder();
    const kept = keepLog({ logger: silentLogger }, { directory, node: "a-1" });
    createLogger({ level: "info", keep: kept.write }).info({ address: "203.0.113.7", perAddress: 5 }, "told");
    await kept.settled();
    expect(await readFile(path.join(directory, "a-1.1.jsonl"), "utf8")).not.toContain("203.0.113.7");
    expect((await readKeptLog(directory, ALL))[0]!.fields).toEqual({ address: "[on standard error]", perAddress: 5 });
  });

  test("keeps two files of the given size, whichever thread starts the next one", async () => {
    const directory = await createFolder();
    const folder = { directory, node: "a-1" };
    const threads = [
      keepLog({ logger: silentLogger }, folder, SMALL),
      keepLog({ logger: silentLogger }, folder, SMALL),
    ];
    for (let second = 0; second < 300; second++) {
      const thread = threads[second % 7 === 0 ? 1 : 0]!;
      thread.write(lineAt(second, `line ${second}`));
      await thread.settled();
    }
    const names = await readdir(directory);
    expect(names).toHaveLength(2);
    for (const name of names) expect((await stat(path.join(directory, name))).size).toBeLessThanOrEqual(2_000);
    const lines = messages(await readKeptLog(directory, ALL));
    expect(lines.length).toBeGreaterThan(25);
    expect(lines).toEqual(lines.map((_, index) => `line ${299 - index}`));
  });

  test("continues where the previous process stopped, and keeps the newest files of nodes that no longer run", async () => {
    const directory = await createFolder();
    await mkdir(directory, { recursive: true });
    for (let gone = 1; gone <= 30; gone++) {
      const file = path.join(directory, `gone-${gone}.1.jsonl`);
      await writeFile(file, lineAt(gone, "gone"));
      await utimes(file, gone, gone);
    }
    await writeFile(path.join(directory, "a-1.7.jsonl"), lineAt(0, "before"));
    await writeFile(path.join(directory, "notes.txt"), "somebody's");
    const kept = keepLog({ logger: silentLogger }, { directory, node: "a-1" }, SMALL);
    kept.write(lineAt(1, "after"));
    await kept.settled();
    expect(await readFile(path.join(directory, "a-1.7.jsonl"), "utf8")).toBe(lineAt(0, "before") + lineAt(1, "after"));
    kept.write(lineAt(2, "x".repeat(1_950)));
    await kept.settled();
    const names = await readdir(directory);
    expect(names.filter((name) => name.startsWith("gone-"))).toHaveLength(14);
    expect(names).toEqual(expect.arrayContaining(["a-1.7.jsonl", "a-1.8.jsonl", "gone-30.1.jsonl", "notes.txt"]));
  });

  test("never blocks callers where it cannot be written, says so once, and resumes when it can", async () => {
    const directory = await createFolder();
    await mkdir(path.dirname(directory), { recursive: true });
    await writeFile(directory, "no folder");
    const logged: string[] = [];
    const logger = createLogger({ level: "info", keep: (line) => void logged.push(line) });
    const kept = keepLog({ logger }, { directory, node: "a-1" }, { ...SMALL, fileBytes: 100_000, waitingBytes: 2_000 });
    for (let second = 0; second < 100; second++) {
      kept.write(lineAt(second, `line ${second}`));
      await kept.settled();
    }
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain("the log could not be kept in the data directory");
    await rm(directory);
    await expect.poll(() => readKeptLog(directory, ALL), { timeout: 20_000 }).not.toEqual([]);
    await kept.settled();
    const lines = await readKeptLog(directory, { ...ALL, level: "info" });
    expect(messages(lines)).toContain("line 0");
    expect(lines.find(({ level }) => level === "warn")).toMatchObject({ fields: { lines: 100 - (lines.length - 1) } });
    expect(logged.at(-1)).toContain("trouble is over");
  });

  test("truncates a very long line", async () => {
    const directory = await createFolder();
    const kept = keepLog({ logger: silentLogger }, { directory, node: "a-1" });
    kept.write(lineAt(0, "git failed", { stderr: "x".repeat(500_000) }));
    await kept.settled();
    const [line] = await readKeptLog(directory, ALL);
    expect(line).toMatchObject({
      level: "info",
      message: "git failed",
      fields: { characters: expect.any(Number) as number },
    });
    expect(JSON.stringify(line).length).toBeLessThan(10_000);
  });
});

describe("reading a log", () => {
  test("filters by level and time, in pages without gaps or repeats, over files and nodes", async () => {
    const directory = await createFolder();
    await mkdir(directory, { recursive: true });
    const levels = [20, 30, 40, 50];
    const texts = new Map<string, string>();
    for (let second = 0; second < 4_000; second++) {
      const name = `${second % 3 === 0 ? "b-1" : "a-1"}.${second < 2_000 ? 1 : 2}.jsonl`;
      // Many lines share a timestamp, and the file is long enough for several chunks.
      const line = lineAt(second >> 3, `ü ${second}`, { level: levels[second % 4], pad: "·".repeat(200) });
      texts.set(name, (texts.get(name) ?? "") + line);
    }
    for (const [name, text] of texts) await writeFile(path.join(directory, name), text);
    const read: string[] = [];
    for (let before: KeptLine | null = null; ;) {
      const page: KeptLine[] = await readKeptLog(directory, { ...ALL, level: "warn", before, limit: 101 });
      const shown = page.slice(0, 100);
      read.push(...messages(shown));
      for (const { level } of shown) expect(["warn", "error"]).toContain(level);
      if (page.length < 101) break;
      before = shown.at(-1)!;
    }
    const times = read.map((text) => Number(text.slice(2)) >> 3);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(new Set(read).size).toBe(2_000);
    expect(read).toHaveLength(2_000);
    const since = await readKeptLog(directory, { ...ALL, since: new Date(at(498)) });
    expect(messages(since).map((text) => Number(text.slice(2)) >> 3).toSorted((a, b) => a - b)).toEqual([...Array<number>(8).fill(498), ...Array<number>(8).fill(499)]); // oxfmt-ignore
  });

  test("skips lines that a crash or a full disk tore, and returns nothing where there is no log", async () => {
    const directory = await createFolder();
    expect(await readKeptLog(directory, ALL)).toEqual([]);
    await mkdir(directory, { recursive: true });
    const file = path.join(directory, "a-1.1.jsonl");
    await writeFile(file, `${lineAt(1, "one").slice(0, 40)}\n\u0000\u0000\n${lineAt(2, "two")}[]\n{"level":30}\n`);
    await appendFile(file, lineAt(3, "is just being written").slice(0, -5));
    await writeFile(path.join(directory, "../a-1.2.jsonl"), lineAt(4, "elsewhere"));
    expect(messages(await readKeptLog(directory, ALL))).toEqual(["two"]);
  });
});

test("a node is named after its host and port", () => {
  expect(nodeName("Docs-1.example.com", 4000)).toBe("docs-1-example-com-4000");
  expect(nodeName("../..", 1)).toBe("--1");
  expect(nodeName("", 1)).toBe("node-1");
});
