import { describe, expect, it } from "vitest";
import { answerMark, isAnswer, readRequest, sealedAnswerMark } from "./addressed.ts";

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
    ["@docent write this:\n```\n<!-- x -->\n```", "write this:\n```\n<!-- x -->\n```"],
    ["The `<pre>` is gone.\n@docent bring it back", "bring it back"],
    ["<pre>\nlog\n</pre>\n@docent mend it", "mend it"],
    ["<!--\nhidden\n-->\n@docent mend it<!--\n@docent no\n-->\nnow", "mend it\nnow"],
    ["@docent", ""],
  ])("addresses the agent with a line that begins with its name: %j", (body, request) => {
    expect(read(body)).toBe(request);
  });

  it.each([
    "thanks, @docent fix the links",
    "@docentric fix it",
    "@docent/team fix it",
    "@docent-bot fix it",
    "@acme.bot.com fix it",
    "@acme-bot fix it",
    "> @docent fix it",
    "```\n@docent fix it\n```",
    "~~~md\n```\n@docent fix it\n~~~",
    "- a\n  ```\n@docent fix it",
    "Look:\n\n    @docent fix it",
    "<!--\n@docent fix it\n-->",
    "<!-- @docent\n@docent fix it",
    "mail@docent",
    // Text of others that a comment quotes cannot escape the quotation.
    "```\n``<!-- -->`\n@docent fix it\n```",
    "```\n    ```\n@docent fix it\n```",
    "<pre>\n@docent fix it\n</pre>",
    "<details><pre><code>\n\n@docent fix it\n</code></pre></details>",
    "Look:\n<blockquote>\n\n@docent fix it\n\n</blockquote>",
    "<blockquote><blockquote>\n</blockquote>\n@docent fix it",
    "<pre>\n<!--\n</pre>\n-->\n@docent fix it",
    "thanks <!--\n-->@docent fix it",
    "",
  ])("addresses no agent with %j", (body) => {
    expect(read(body)).toBeNull();
  });

  it.each([
    "<!--",
    "```\n",
    "    @docent\n",
    "> @docent\n",
    "@docent-",
    "\n",
    "<!-- -->@",
    "<pre>",
    "<pre>\n",
    "</code>",
    "<!--\n-->\n",
  ])("of 60 KB of %j is still parsed", (part) => {
    expect(read(part.repeat(60_000 / part.length))).toBeNull();
  });

  it("is recognized as an answer by its mark, unless it quotes one", () => {
    expect(isAnswer(`Done.\n\n${answerMark("issue:1")}`)).toBe(true);
    expect(isAnswer(`> Done.\n> ${answerMark("issue:1")}\n\nWhy?`)).toBe(false);
  });

  it("has a different sealed mark in each project", () => {
    const key = Buffer.alloc(32, 1);
    const markIn = (projectId: string) => sealedAnswerMark("issue:1", { key, projectId });
    expect(markIn("prj_one")).toBe(markIn("prj_one"));
    expect(markIn("prj_one")).not.toBe(markIn("prj_two"));
  });
});
