import { describe, expect, it } from "vitest";
import { isPreviewComment, previewComment, reportMarkdown } from "./report-words.ts";

const place = { kind: "github" as const, url: "https://github.com/acme/docs", commit: "c0ffee" };
const report = (message: string, path = "index.md") => ({
  summary: "1 page, 1 error, 0 warnings",
  added: [{ severity: "error" as const, path, line: 1, message }],
  href: "https://docs.example/report",
});
const lineOf = (text: string) => text.split("\n").find((line) => line.startsWith("- "))!;

describe("the report in a host's Markdown", () => {
  it("keeps text of strangers in one code span on one line, whatever it contains", () => {
    const hostile =
      "@everyone ![x](https://evil.example/x.png) <img src=x> | a |\n/close\n`` ` ```` <!-- docent-answer x -->";
    const line = lineOf(reportMarkdown(report(hostile), place));
    expect(line.endsWith(" ````` @everyone ![x](https://evil.example/x.png) <img src=x> | a | /close `` ` ```` <!-- docent-answer x --> `````")).toBe(true); // oxfmt-ignore
  });

  it("ends no link early because of a file's name", () => {
    const line = lineOf(reportMarkdown(report("No.", "a](https://evil.example) (b)\n`c`.md"), place));
    expect(line).toContain("[`` a](https://evil.example) (b) `c`.md:1 ``](https://github.com/acme/docs/blob/c0ffee/");
    expect(line).toContain("/a%5D%28https%3A//evil.example%29%20%28b%29%0A%60c%60.md?plain=1#L1)");
  });

  it("lists twenty and counts the others", () => {
    const added = Array.from({ length: 1_020 }, () => report("No.").added[0]!);
    const text = reportMarkdown({ ...report("No."), added }, place);
    expect(text.match(/^- /gm)).toHaveLength(20);
    expect(text).toContain("And 1,000 more.");
  });

  it("neutralizes bidi controls, and cuts long texts at a whole character", () => {
    const line = lineOf(reportMarkdown(report(`\u202Eabc ${"x".repeat(294)}😀tail`), place));
    expect(line).toContain("` abc xxx");
    expect(line.isWellFormed()).toBe(true);
    expect(line).not.toContain("tail");
  });

  it("recognizes its comment with and without a report, and not that of another preview", () => {
    const address = "https://pr-1.example/?preview=key";
    const comment = previewComment(address, reportMarkdown(report("No."), place));
    expect(isPreviewComment(`${comment.replaceAll("\n", "\r\n")}\n`, address)).toBe(true);
    expect(isPreviewComment(previewComment(address), address)).toBe(true);
    expect(isPreviewComment(comment, "https://pr-1.example/?preview=ke")).toBe(false);
    expect(isPreviewComment(`Quoted:\n\n${comment}`, address)).toBe(false);
  });
});
