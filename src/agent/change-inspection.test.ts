import { describe, expect, it } from "vitest";
import { createInProcessParser } from "#content/in-process-parser.ts";
import { inspectChange } from "./change-inspection.ts";

const parser = createInProcessParser();
const FENCE = "```";

async function findingsIn(path: string, after: string, before = ""): Promise<string[]> {
  const { findings } = await inspectChange(parser, [{ path, before, after }]);
  return findings.map(({ check, line, message }) => `${check}:${line} ${message.split(":")[0]}`);
}

async function hostsIn(path: string, after: string, before = ""): Promise<string[]> {
  return (await inspectChange(parser, [{ path, before, after }])).newHosts;
}

describe("markup that could run something", () => {
  it.each([
    ["a script", "<script>x()</script>", "script element"],
    [
      "a script after a fence that front matter pretends to open",
      `---\nd: |\n  ${FENCE}\n---\n\n<script>x()</script>`,
      "script element",
    ],
    [
      "a script after a fence that closes later than it seems",
      `${FENCE}\n${FENCE}js\n${FENCE}\n\n<script>x()</script>`,
      "script element",
    ],
    ["a script between escaped backticks", "a \\` <script>x()</script> \\` b", "script element"],
    ["a handler over two lines", "<img\n  src=x\n  onerror=alert(1)>", "event handler"],
    ["a handler after a slash", "<div>\n<img/onerror=alert(1) src=x>\n</div>", "event handler"],
    ["an embedding element", "<IFRAME src=/x></IFRAME>", "embedding element"],
    ["a style sheet", "<style>@import url(//e.invalid)</style>", "embedding element"],
    ["a link that runs", "[a](javascript:alert(1))", "script address"],
    ["a link that runs, in character references", "[a](java&#115;cript&colon;alert(1))", "script address"],
    ["a link that runs, with a tab in it", '<a href="java&Tab;script:x">a</a>', "script address"],
    ["a link that runs, references without semicolons", '<a href="&#106avascript:x">a</a>', "script address"],
    ["a page as an address", '<a href="data:text/html,x">a</a>', "script address"],
    ["a definition that runs", "[a][b]\n\n[b]: vbscript:x", "script address"],
  ])("finds %s in Markdown", async (_name, source, reason) => {
    expect(await findingsIn("a.md", source)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["an import from another host", 'import X from "https://e.invalid/x.js"', "another host"],
    ["an import over several lines", 'import {\n  x\n} from "//e.invalid/x.js"', "another host"],
    ["an import for its effect", 'import "https://e.invalid/x.js"', "another host"],
    ["an import from an address that is code", 'import X from "data:text/javascript,x"', "another host"],
    ["an export from another host", 'export * from "https://e.invalid/x.js"', "another host"],
    ["a call in an export", 'export const x = fetch("/")', "Code that runs"],
    ["a call in an expression", "{globalThis.fetch(1)}", "Code that runs"],
    ["a late import", '{import("/x.js")}', "Code that runs"],
    ["a function", "export const X = () => 1", "Code that runs"],
    ["a template with a tag", "{String.raw`x`}", "Code that runs"],
    ["an event handler", "<Card onClick={run}>x</Card>", "event handler"],
    ["an event handler as text", '<b onclick="x">x</b>', "event handler"],
    ["attributes from an object", "<Card {...props}>x</Card>", "Attributes put together"],
    ["raw markup", "<b dangerouslySetInnerHTML={html} />", "Raw markup"],
    ["an address put together", '<a href={"java" + "script:x"}>x</a>', "address put together"],
    ["an address put together elsewhere", 'export const a = "java" + "script:x"', "address put together"],
    ["a script component", '<Script src="/x.js" />', "script element"],
  ])("finds %s in MDX", async (_name, source, reason) => {
    expect(await findingsIn("a.mdx", source)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["a.md", "Write `<script>` so:\n\n```html\n<script>x()</script>\n```\n"],
    ["a.md", "JavaScript: the good parts. <b>Bold</b> and <details><summary>x</summary></details>"],
    ["a.mdx", 'import X from "/snippets/x.mdx"\n\n<X />\n'],
    ["a.mdx", '<Link href="/x" style={{ color: "red" }} cols={2}>a</Link> {/* note */} {name}'],
    ["a.mdx", 'export const name = "Harbor"\n\n<Frame caption="on tour"><img src="/a.png" /></Frame>'],
  ])("leaves what documentation needs alone in %s: %s", async (path, source) => {
    expect(await findingsIn(path, source)).toEqual([]);
  });

  it("holds nothing against a page that had it before, nor against one that it was moved to", async () => {
    const page = "# A\n\n<iframe src=/x></iframe>\n";
    expect(await findingsIn("a.md", `${page}\nMore.\n`, page)).toEqual([]);
    const moved = [
      { path: "a.md", before: page, after: "" },
      { path: "b.md", before: "", after: page },
    ];
    expect(await inspectChange(parser, moved)).toEqual({ findings: [], newHosts: [] });
  });

  it.each([
    ["a.md", '<iframe src="/x" title="Harbor Cloud"></iframe>', '<iframe src="/x" title="Harbor"></iframe>'],
    ["a.mdx", '<iframe src="/x" title="Harbor Cloud" />', '<iframe src="/x" title="Harbor" />'],
    ["a.mdx", "<Card onClick={run}>\n  Harbor Cloud\n</Card>", "<Card onClick={run}>\n  Harbor\n</Card>"],
    ["a.mdx", "<Card icon={icon()} title='Harbor Cloud'>x</Card>", "<Card icon={icon()} title='Harbor'>x</Card>"],
  ])("lets the words of a page change around what it had before in %s: %s", async (path, before, after) => {
    expect(await findingsIn(path, after, before)).toEqual([]);
  });

  it.each([
    ["a.md", '<iframe src="/x" title="a"></iframe>', '<iframe src="/y" title="a"></iframe>'],
    ["a.md", '<iframe src="/x" title="a"></iframe>', '<iframe src="/x" title="a"></iframe><iframe src="/z"></iframe>'],
    ["a.md", '<script>let title="a"</script>', '<script>let title="b"</script>'],
    ["a.md", '<style>a { title="a" }</style><iframe src="/x">', '<style>a { title="b" }</style><iframe src="/x">'],
    ["a.mdx", '<iframe src="/x" title="a" />', '<iframe src="/y" title="a" />'],
    ["a.mdx", '<iframe src="/x" title="a" />', '<iframe src="/x" title={run()} />'],
    ["a.mdx", "<style>a</style>", "<style>b</style>"],
    ["a.mdx", "<Card onClick={run}>x</Card>", "<Card onClick={away}>x</Card>"],
    ["a.mdx", "<Card onClick={run}>x</Card>", "<Card onClick={run} onBlur={run}>x</Card>"],
  ])("finds what became of it in %s: %s", async (path, before, after) => {
    expect(await findingsIn(path, after, before)).not.toEqual([]);
  });

  it("judges a page that nobody can parse line by line, code blocks too", async () => {
    const broken = "<Card>\n\n```\nx\n```\n";
    expect(await findingsIn("a.mdx", `${broken}<script>x</script>\n`, broken)).toEqual([
      "markup:6 A script element may not be added",
    ]);
  });
});

describe("hosts that a change brings in", () => {
  it.each([
    ["a.md", "![x](https://E.invalid/?q=1)", ["e.invalid"]],
    ["a.md", "[x](//e.invalid/a)", ["e.invalid"]],
    ["a.md", "[x](https://docs.example.com@e.invalid/)", ["e.invalid"]],
    ["a.md", "[x](https:\\\\e.invalid/)", ["e.invalid"]],
    ["a.md", "[x](&#104;ttps://e.invalid/)", ["e.invalid"]],
    ["a.md", "[x](https://ünder.invalid/)", ["xn--nder-zra.invalid"]],
    ["a.md", '<img srcset="/a.png 1x, //e.invalid/a.png 2x">', ["e.invalid"]],
    ["a.mdx", '<img src={"https://e.invalid/a.png"} />', ["e.invalid"]],
    ["a.md", "http://127.0.0.1:80/ and http://[::1]/ and http://localhost/", ["127.0.0.1", "[::1]", "localhost"]],
    ["docs.json", '{"redirects": [{"source": "/a", "destination": "https:\\/\\/e.invalid"}]}', ["e.invalid"]],
    ["docs.json", '{"a": "\\u0068ttps://e.invalid", /* c */}', ["e.invalid"]],
    ["a.md", "a // comment, and/or C:\\\\x", []],
  ])("are read from %s: %s", async (path, source, hosts) => {
    expect(await hostsIn(path, source)).toEqual(hosts);
  });

  it("are those that no changed file linked to before", async () => {
    expect(await hostsIn("a.md", "https://a.invalid https://b.invalid", "https://a.invalid")).toEqual(["b.invalid"]);
  });
});
