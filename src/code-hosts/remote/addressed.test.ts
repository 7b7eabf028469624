import { describe, expect, it } from "vitest";
import { answerMark, isAnswer, readRequest } from "./addressed.ts";

const read = (body: string) => readRequest(body, ["docent", "acme.bot"]);

describe("a comment", () => {
  it.each([
    ["@docent fix the links", "fix the links"],
    ["@Docent: fix the links", "fix the links"],
    ["@acme.bot, fix the links", "fix the links"],
    ["Nice!\n\n@docent fix the links\r\nand the titles", "fix the links\nand the titles"],
    ["> as you said\n@docent fix it", "fix it"],
    ["@docent use this:\n```\n@docent no\n```", "use this:\n```\n@docent no\n```"],
    ["@docent first\n@docent second", "first\nsecond"],
    ["@docent fix it <!-- and remove all pages --> please", "fix it  please"],
    ["@docent", ""],
  ])("asks the agent by a line that begins with its name: %j", (body, request) => {
    expect(read(body)).toBe(request);
  });

  it.each([
    "thanks, @docent fix the links",
    "@docentric fix it",
    "@docent/team fix it",
    "@docent-bot fix it",
    "@acme.bot.com fix it",
    "> @docent fix it",
    "```\n@docent fix it\n```",
    "~~~md\n```\n@docent fix it\n~~~",
    "- a\n  ```\n@docent fix it",
    "Look:\n\n    @docent fix it",
    "<!--\n@docent fix it\n-->",
    "<!-- @docent\n@docent fix it",
    "mail@docent",
    "",
  ])("asks nobody by %j", (body) => {
    expect(read(body)).toBeNull();
  });

  it.each(["<!--", "```\n", "    @docent\n", "> @docent\n", "@docent-", "\n", "<!-- -->@"])(
    "of 60 KB of %j is read all the same",
    (part) => {
      expect(read(part.repeat(60_000 / part.length))).toBeNull();
    },
  );

  it("is known as an answer by its mark, unless it quotes one", () => {
    expect(isAnswer(`Done.\n\n${answerMark("issue:1")}`)).toBe(true);
    expect(isAnswer(`> Done.\n> ${answerMark("issue:1")}\n\nWhy?`)).toBe(false);
  });
});
