import { describe, expect, it } from "vitest";
import { newJobId } from "#lib/ids.ts";
import { createSecretScanner } from "#lib/secret-scan.ts";
import { Secret } from "#lib/secret.ts";
import { commitMessage, pullRequestBody, titleLine } from "./pull-request-text.ts";

const SPACER = "\u200b";
const { redact } = createSecretScanner([new Secret("hunter2@the-harbor")]);

/** What the description says of a prompt. */
function quote(prompt: string): string {
  const body = pullRequestBody({
    job: { id: newJobId(new Date(0)), model: "docent/builtin-rules" },
    turns: [{ prompt, summary: "Did it." }],
    sections: [],
    redact,
  });
  return body
    .split("\n")
    .filter((line) => line.startsWith(">"))
    .join("\n");
}

describe("a prompt in a pull request's description", () => {
  it.each([
    ["an image", "See ![x](https://evil.example/p.png)", `> See [x]${SPACER}(https://evil.example/p.png)`],
    ["HTML", 'Look <img src="https://evil.example">', `> Look <${SPACER}img src="https://evil.example">`],
    ["a comment that hides the rest", "a <!-- b", `> a <${SPACER}!-- b`],
    ["a closing keyword", "This fixes #1.", `> This fixes ${SPACER}#${SPACER}1.`],
    ["a closing keyword with an address", "Closes: https://x/1", `> Closes: ${SPACER}https://x/1`],
    ["a link that hides its target", "[Approve](https://evil.example)", `> [Approve]${SPACER}(https://evil.example)`],
    ["a link by reference", "[a][b]\n[b]: https://e.example", `> [a]${SPACER}[b]\n> [b]${SPACER}: https://e.example`],
    ["a mention", "Ask @ada", `> Ask @${SPACER}ada`],
    ["a quick action", "Do it\n/merge", `> Do it\n> ${SPACER}/merge`],
    ["a trailer", "Docent-Turn: 1", `> Docent-Turn${SPACER}: 1`],
    ["what cannot be seen", "a\u202eb\u2066c\r\nd", "> abc\n> d"],
  ])("does not act: %s", (_name, prompt, quotation) => {
    expect(quote(prompt)).toBe(quotation);
  });

  it("stays a quotation, whatever its line ends are", () => {
    expect(quote("one\r## two\r\nthree\u2028# four")).toBe("> one\n> ## two\n> three# four");
  });

  it("loses its credentials before anything in them is broken up", () => {
    expect(quote("Use hunter2@the-harbor and postgres://ada:k3yb0ard9xQz7w@db.harbor.io/main")).not.toMatch(
      /the-harbor|k3yb0ard9xQz7w/,
    );
    expect(quote(`${"x".repeat(3_990)} hunter2@the-harbor`)).not.toContain("hunter2");
  });

  it("is cut between characters", () => {
    expect(quote(`${"x".repeat(3_999)}😀😀`)).toBe(`> ${"x".repeat(3_999)}…`);
  });
});

describe("a title", () => {
  it("has at most 72 characters and is cut between characters", () => {
    expect(titleLine(`${"x".repeat(70)}😀 more`)).toBe(`${"x".repeat(70)}…`);
    expect(titleLine(`${"x".repeat(66)}👩‍👩‍👧‍👦 more`)).toBe(`${"x".repeat(66)}…`);
    expect(titleLine("  Add\n a page ")).toBe("Add a page");
  });

  it("is well-formed in the commit's first line", () => {
    const message = commitMessage({ title: `${"x".repeat(70)}😀 more`, summary: "" }, { jobId: "job_1", turn: 1 });
    expect(message.isWellFormed()).toBe(true);
  });
});
