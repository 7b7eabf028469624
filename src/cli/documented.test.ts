import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";

const PAGE = readFileSync(new URL("../../docs/operate/cli.md", import.meta.url), "utf8");

/** Options of every command, which the page lists once. */
const COMMON = ["--data", "--server", "--project", "--json", "--quiet"];

const optionsIn = (text: string) => (text.match(/--[a-z][a-z-]*/g) ?? []).filter((option) => !COMMON.includes(option));

/** The words and options in a synopsis. */
function offer(line: string) {
  const [, words = ""] = /^docent ((?:[a-z][a-z-]*(?: |$))+)/.exec(`${line} `) ?? [];
  return { command: words.trim(), options: optionsIn(line) };
}

/** The synopsis of each command, and the options that only its list of options names. */
function offeredBy(usage: string) {
  const synopsis = usage.split("\n\n", 1)[0]!.split("\n").map(offer);
  const listed = usage.split("\n").flatMap((line) => (line.startsWith("  --") ? optionsIn(line).slice(0, 1) : []));
  return { synopsis, options: new Set([...synopsis.flatMap(({ options }) => options), ...listed]) };
}

const commands = await Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, usage: (await load()).usage })));

const rows = [...PAGE.matchAll(/^\| `(docent .*?)` \|(.*)$/gm)].map(([, line = "", text = ""]) => ({
  ...offer(line.replaceAll(String.raw`\|`, "|")),
  options: [...optionsIn(line), ...optionsIn(text)],
}));

it("docs/operate/cli.md has a row for every command, and no other rows", () => {
  const offered = commands.flatMap(({ usage }) => offeredBy(usage).synopsis.map(({ command }) => command));
  expect(rows.map(({ command }) => command).sort()).toEqual(offered.sort());
});

it.each(commands)("docs/operate/cli.md lists exactly the options of docent $name", ({ name, usage }) => {
  const own = rows.filter(({ command }) => command.split(" ", 1)[0] === name);
  const offered = offeredBy(usage);
  expect([...new Set(own.flatMap((row) => row.options))].sort()).toEqual([...offered.options].sort());
  for (const { command, options } of offered.synopsis) {
    expect(own.find((row) => row.command === command)?.options).toEqual(expect.arrayContaining(options));
  }
});
