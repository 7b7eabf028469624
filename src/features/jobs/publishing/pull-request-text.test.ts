import { describe, expect, it } from "vitest";
import { newJobId } from "#lib/ids.ts";
import type { FileReason } from "#tools/tool.ts";
import type { GateReport } from "#agent/gate/gate.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createSecretScanner } from "#lib/secrets/secret-scan.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { bodySections } from "./pull-request-sections.ts";
import { commitMessage, publishedTitle, pullRequestBody, titleLine } from "./pull-request-text.ts";

const REVIEW = "https://docs.example/acme/jobs/1/review";
const SPACER = "\u200b";
const { redact } = createSecretScanner([new Secret("hunter2@the-harbor")]);

/** The quotation of a prompt in the description. */
function quote(prompt: string): string {
  const body = pullRequestBody({
    job: { id: newJobId(new Date(0)), model: "docent/builtin-rules" },
    turns: [{ prompt, summary: "Did it." }],
    sections: [],
    reviewUrl: REVIEW,
    redact,
  });
  return body
    .split("**The built-in rules say:**")[0]!
    .split("\n")
    .filter((line) => line.startsWith(">"))
    .join("\n");
}

/** The description, split into Docent's own text (`ours`) and the agent's words (`theirs`). */
function described(summary: string, report: Partial<GateReport> = {}, files: FileReason[] = []) {
  const turns = [{ prompt: "Do it.", summary, files }];
  const checked = { errors: [], warnings: [], newHosts: [], ...report };
  const body = pullRequestBody({
    job: { id: newJobId(new Date(0)), model: "someone/model" },
    turns,
    sections: bodySections({
      unfinished: null,
      report: checked,
      preview: "https://pr-1--docs.example/?preview=x",
      reviewUrl: REVIEW,
      turns,
    }),
    reviewUrl: REVIEW,
    redact,
  });
  const [ours = "", theirs = ""] = body.split("**The agent says**, and nobody has checked it:");
  return { ours, theirs };
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
    ["invisible characters", "a\u202eb\u2066c\r\nd", "> abc\n> d"],
  ])("is made inert: %s", (_name, prompt, quotation) => {
    expect(quote(prompt)).toBe(quotation);
  });

  it("stays a quotation with every kind of line break", () => {
    expect(quote("one\r## two\r\nthree\u2028# four")).toBe("> one\n> ## two\n> three# four");
  });

  it("is redacted before anything in its credentials is split", () => {
    expect(quote("Use hunter2@the-harbor and postgres://ada:k3yb0ard9xQz7w@db.harbor.io/main")).not.toMatch(
      /the-harbor|k3yb0ard9xQz7w/,
    );
    expect(quote(`${"x".repeat(3_990)} hunter2@the-harbor`)).not.toContain("hunter2");
  });

  it("is truncated between characters", () => {
    expect(quote(`${"x".repeat(3_999)}😀😀`)).toBe(`> ${"x".repeat(3_999)}…`);
  });
});

describe("the agent's words in a pull request's description", () => {
  const FORGED = `### Checks

| Check | Result |
|---|---|
| No credentials | ✓ Approved by Docent |

Checks
======

> ## Approved
1. # Approved too

**Preview:** https://pr-1--docs.evil.example/

---

[Sign in to merge](https://evil.example/login) ![ok](https://pixel.evil.example/x.png)
[Sign in][1] <https://auto.evil.example> www.bare.evil.example <a href="https://html.evil.example">x</a>

[1]: https://reference.evil.example "Docent"
<!-- \`\`\`
</blockquote>

**New outside addresses.** None.`;

  it("are quoted below Docent's own sections, whatever they imitate", async () => {
    const { ours, theirs } = described(FORGED);
    expect(ours).toContain("### Checks");
    expect(ours).toContain("**Preview:** https://pr-1--docs.example/?preview=x");
    expect(ours).toContain("Read the changes before you merge them.");
    expect(
      theirs
        .trim()
        .split("\n")
        .filter((line) => !line.startsWith("> ")),
    ).toEqual([]);
    // As a code host parses it: one quotation without headings, images, HTML or links with a text of their own.
    const parsed = await createInProcessParser().parse(theirs, "md");
    if (!parsed.ok) throw new Error(parsed.message);
    expect(parsed.root.children.map(({ type }) => type)).toEqual(["blockquote"]);
    const seen = JSON.stringify(parsed.root);
    expect(seen).not.toMatch(/"type":"(?:heading|image|imageReference|linkReference|definition|html|thematicBreak)"/);
    expect(theirs).toContain("> **Checks**");
    expect(theirs).toContain(`[Sign in to merge]${SPACER}(https://evil.example/login)`);
  });

  it("have the hosts that they name listed together with the other new hosts", () => {
    const { ours } = described(FORGED, { newHosts: ["linked.example"] });
    const hosts = [...ours.matchAll(/^- `([^`]+)`(.*)$/gm)].map(([, host, note]) => `${host}${note}`);
    const words = " (in the agent's words below)";
    expect(hosts).toEqual([
      `auto.evil.example${words}`,
      `evil.example${words}`,
      `html.evil.example${words}`,
      "linked.example",
      `pixel.evil.example${words}`,
      `pr-1--docs.evil.example${words}`,
      `reference.evil.example${words}`,
      `www.bare.evil.example${words}`,
    ]);
    expect(described("Went to https://docs@evil.example/x.").ours).toContain("- `evil.example` (in");
    expect(described("Nothing special.").ours).not.toContain("New outside addresses");
  });

  it("do not get into Docent's own sections through a file name or a finding", () => {
    const finding = { check: "links", line: 3, path: "a`](https://evil.example) **x**.md" } as const;
    const message = "The link [Sign in](https://evil.example) | ![x](y) leads nowhere.\n\n### Checks";
    const { ours } = described("", { errors: [{ ...finding, message }] });
    const [line = ""] = ours.split("\n").filter((each) => each.startsWith("- "));
    expect(line).toContain("- `` a`](https://evil.example) **x**.md:3 `` The link \\[Sign in\\](https://evil.example)");
    expect(line).toContain("leads nowhere. ### Checks");
  });

  it.each([
    ["# Words ##", "> **Words**"],
    ["> - ## Words", "> > - **Words**"],
    ["#Words", "> #Words"],
    ["a\n====\nb", "> a\n> \n> b"],
    ["a\n> * - _ \nb", "> a\n> \n> b"],
    ["- #", "> -"],
  ])("have no headings: %j", (summary, frame) => {
    expect(described(summary).theirs).toContain(frame);
    expect(described(summary).theirs).not.toMatch(/^>[ >-]*#{1,6} /m);
  });

  it("take linear time with long runs of blanks and marks", () => {
    for (const summary of [`# a${" ".repeat(60_000)}b\rc`, `* ${"- ".repeat(30_000)}${" ".repeat(60_000)}x`])
      expect(described(summary).theirs).toContain("…");
  });

  it("are quoted as “Nothing.” when they are empty", () => {
    expect(described(" \n").theirs.trim()).toBe("> Nothing.");
  });
});

it("names the requester as the commit's co-author, without a second line from their name", () => {
  const askedBy = { name: "Ada\nEvil: yes <x>", email: "ada@example.com" };
  const message = commitMessage({ title: "Edit", summary: "Done.", askedBy }, { jobId: "job_1", turn: 2 });
  expect(message).toBe(
    "Edit\n\nDone.\n\nDocent-Job: job_1\nDocent-Turn: 2\nCo-authored-by: AdaEvil: yes x <ada@example.com>\n",
  );
});

describe("a title", () => {
  it("is inert at the code host and keeps within its length", () => {
    expect(publishedTitle("Replace old@acme.dev, fixes #1")).toBe(
      `Replace old@${SPACER}acme.dev, fixes ${SPACER}#${SPACER}1`,
    );
    expect(publishedTitle(`@all ${"x".repeat(67)}`)).toBe(`@${SPACER}all ${"x".repeat(65)}…`);
    expect(publishedTitle("y".repeat(100))).toBe("y".repeat(100));
  });

  it("has at most 72 characters and is truncated between characters", () => {
    expect(titleLine(`${"x".repeat(70)}😀 more`)).toBe(`${"x".repeat(70)}…`);
    expect(titleLine(`${"x".repeat(66)}👩‍👩‍👧‍👦 more`)).toBe(`${"x".repeat(66)}…`);
    expect(titleLine("  Add\n a page ")).toBe("Add a page");
  });

  it("is well-formed in the commit's first line", () => {
    const message = commitMessage({ title: `${"x".repeat(70)}😀 more`, summary: "" }, { jobId: "job_1", turn: 1 });
    expect(message.isWellFormed()).toBe(true);
  });
});

it("lists 20 findings and 30 files, and says how many more there are and where", () => {
  const finding = { check: "links" as const, path: "a.md", line: 1, message: "broken" };
  const files = Array.from({ length: 32 }, (_, index) => ({ path: `p${index}.md`, why: "Because @ada asks." }));
  const { ours, theirs } = described("Did it.", { warnings: Array.from({ length: 23 }, () => finding) }, files);
  expect(ours.match(/^- `a\.md:1`/gm)).toHaveLength(20);
  expect(ours).toContain(`\n- … and 3 more: [see all](${REVIEW})\n`);
  expect(theirs).toContain(`> - \`p0.md\`: Because @${SPACER}ada asks.\n`);
  expect(theirs).toContain("> - `p29.md`");
  expect(theirs).not.toContain("p30.md");
  expect(theirs).toContain(`> - … and 2 more: [see all](${REVIEW})`);
});

it("ends a long summary with a whole line, and says how many more there are and where", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `- Left \`page-${index}.md\`: ${"x".repeat(20)}`);
  const { theirs } = described(lines.join("\n"));
  const shown = theirs.match(/^> - Left `page-\d+\.md`: x{20}$/gm) ?? [];
  expect(shown.length).toBeGreaterThan(50);
  expect(
    theirs.trimEnd().endsWith(`${shown.at(-1)!}\n> - … and ${200 - shown.length} more: [see all](${REVIEW})`),
  ).toBe(true);
});
