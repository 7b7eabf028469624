import { expect, test } from "vitest";
import { createAgentFinder } from "./agent-finder.ts";
import { knownAgents } from "./agents.ts";

const find = createAgentFinder(knownAgents);
const nameOf = (userAgent: string) => find(userAgent.toLowerCase())?.name;

test("finds an agent by its whole name and not by a part of another word", () => {
  expect(["GPTBot", "GPTBot/1.2", "Mozilla/5.0 (compatible; GPTBot/1.2)", "x GPTBot"].map(nameOf)).toEqual(
    Array.from({ length: 4 }, () => "GPTBot"),
  );
  for (const other of ["GPTBotany/1.0", "myGPTBot/1.0", "GPTBot-like/1.0", "not-GPTBot", "GPTBot_2"])
    expect(nameOf(other)).toBeUndefined();
  // The whole name may follow a longer one.
  expect(nameOf("GPTBotany/1.0 GPTBot/1.0")).toBe("GPTBot");
});

test("finds an editor only at the start, for its built-in browser contains its name too", () => {
  expect(nameOf("Cursor/1.0")).toBe("Cursor");
  expect(nameOf("Cursory/1.0")).toBeUndefined();
  expect(nameOf("Mozilla/5.0 (X11) Cursor/1.7.44 Chrome/138.0.0.0")).toBeUndefined();
});

test("finds the first agent of the list among several in one text", () => {
  expect(nameOf("Claude-User (claude-code/2.0)")).toBe("Claude Code");
});
