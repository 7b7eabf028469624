import { describe, expect, it } from "vitest";
import { judge } from "#testing/judged-change.ts";

const FENCE = "```";

const OTHERS = { "snippets/x.mdx": "Part.\n", "data/plans.json": "{}", ".env": "KEY=1\n", LICENSE: "Text\n" };

async function findingsIn(path: string, after: string, before = ""): Promise<string[]> {
  const { errors } = await judge({ ...OTHERS, [path]: before }, { ...OTHERS, [path]: after });
  return errors
    .filter(({ check }) => check === "markup" || check === "pages")
    .map(({ check, line, message }) => `${check}:${line} ${message.split(":")[0]}`);
}

async function hostsIn(path: string, after: string, before = ""): Promise<string[]> {
  return (await judge({ [path]: before }, { [path]: after })).newHosts;
}

describe("markup that could run code", () => {
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
    ["an embedding element", "<IFRAME src=/x></IFRAME>", "embedding element"],
    ["a style sheet", "<style>@import url(//e.invalid)</style>", "embedding element"],
    ["a script link", "[a](javascript:alert(1))", "script address"],
    ["a script link in character references", "[a](java&#115;cript&colon;alert(1))", "script address"],
    ["a script link with a tab", '<a href="java&Tab;script:x">a</a>', "script address"],
    ["a script link in references without semicolons", '<a href="&#106avascript:x">a</a>', "script address"],
    ["a page as an address", '<a href="data:text/html,x">a</a>', "script address"],
    ["a file that VitePress embeds as code", "<<< @/../.env", "takes in another file"],
    ["a file that MkDocs includes", '--8<-- "../.env"', "takes in another file"],
    ["a file that VitePress includes", "<!--@include: ../.env-->", "takes in another file"],

    ["a field for a password", "<p>Sign in: <input name=x type=password></p>", "what they type"],
    ["an element over the page", '<div style="top:0; position : fixed">x</div>', "cover the page"],
    ["a class that covers the page", "<div class='z-50 fixed'>x</div>", "cover the page"],
    ["a button that sends elsewhere", '<button formaction="//e.invalid">x</button>', "what they type"],
    ["front matter that is code", "---js\n{ title: process.exit() }\n---\n\nText.", "another language"],
    ["front matter that is code after blank lines", "\ufeff\n\n--- javascript\n({})\n---\n\nText.", "another language"],
    ["front matter in TOML", "---toml\na = 1\n---\n\nText.", "another language"],
    ["tags in the head", "---\nhead: [[x, {src: a}]]\n---\n\nText.", "load code or tags"],
    ["a script of a page", "---\nscripts:\n  - /x.js\n---\n\nText.", "load code or tags"],
    ["a layout by its path", "---\nlayout: ../../evil.astro\n---\n\nText.", "load code or tags"],
    ["a permalink", "---\npermalink: /index.html\n---\n\nText.", "by its place or a redirect"],
    ["data of a build", "---\ndata: ../../x.js\n---\n\nText.", "load code or tags"],
    ["tags within an unknown value", "---\ntheme:\n  head: [x]\n---\n\nText.", "load code or tags"],
    ["a tag that continues after a blank line", "<div title='\n\n' onmouseover=alert(1) x='\n", "different ways"],
    ["a comment that a browser ends earlier", "<!--> <b>x</b> -->", "different ways"],
    ["editable text", "<p contenteditable>x</p>", "attribute that is not"],
    ["a binding that a build runs", '<Foo :bar="globalThis.x">x</Foo>', "attribute that is not"],
    ["a style with a comment", '<div style="position/**/:fixed">x</div>', "cover the page"],
    ["a style with an escape", '<div style="p\\6fsition:fixed">x</div>', "cover the page"],
    ["a style out of bounds", '<div style="margin-top:-9999px;height:99999px">x</div>', "cover the page"],
    ["a style that loads", '<div style="background:url(https://e.invalid/x)">x</div>', "cover the page"],
    ["a template of Vue", "Now {{ constructor.constructor('x')() }}.", "template that a build"],
    ["a template over two lines", "Now {{\n  x() }}.", "template that a build"],
    ["a template next to one in code", "`{{ a }}` {{ x }}", "template that a build"],
    ["a template of Liquid", "{% assign a = site.github %}", "template that a build"],
    ["a comment of Jinja", "{# It's old #} Text", "template that a build"],
    ["a slot of Vue", "<template #none>Text</template>", "some builds read as HTML"],
    ["a list that hides a paragraph", "Text\n{: hidden }", "Attributes that a build"],
    ["a list that hides a word", '*Text*{: .note hidden="hidden" }', "Attributes that a build"],
    ["a shortcode", "{{< readfile ../.env >}}", "template that a build"],
    ["a template in indented code", "Text.\n\n    {{ x }}", "template that a build"],
    ["an image with a slash", "Now <img/src=x/onerror=alert(1)>", "some builds read as HTML"],
    ["a link with a slash", "<a/href=javascript:alert(1)>x</a>", "some builds read as HTML"],
    ["a script with a slash", "<script/x>alert(1)</script >", "some builds read as HTML"],
    ["code between braces", "Now {fetch('https://e.invalid')} it.", "Code that runs"],
    ["code between braces with a brace in a string", 'Now {fetch("}")} it.', "Code that runs"],
    ["code between braces over lines", "{\n  (() => 1)()\n}", "Code that runs"],
    ["an import", 'import X from "evil"', "files of the docs"],
    ["an import after words", 'Text.\n\nimport {\n  x\n} from "evil"\n\nText.', "files of the docs"],
    ["an export", "export const x = fetch(1)", "Code that runs"],
    ["an export over a blank line", "export const x = [\n\n  fetch(1)]", "cannot be read"],
    ["attributes of kramdown", '[a](/b){: onclick="x()"}', "Attributes that a build"],
    ["attributes of markdown-it", "# A {style=position:fixed}", "Attributes that a build"],
    ["a script address in a definition", "[a][b]\n\n[b]: vbscript:x", "script address"],
  ])("finds %s in Markdown", async (_name, source, reason) => {
    expect(await findingsIn("a.md", source)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["an address behind a quote", '<div><a d=e"g=" href=javascript:alert(1) f=">x</a></div>', "different ways"],
    ["a field behind a quote", '<p><input d=e"type="radio" name=password></p>', "what they type"],
    ["a style behind a quote", '<div d=e"g=" style=position:fixed;inset:0 f=">x</div>', "different ways"],
    [
      "an attribute that an animation sets",
      '<svg><animate attributeName="href" values="#;javascript:alert(1)"></svg>',
      "not among those",
    ],
    ["a handler after a slash", "<div>\n<img/onerror=alert(1) src=x>\n</div>", "event handler"],
    [
      "a CDATA section, which only drawings have",
      '<svg><![CDATA[><a title="]]><script>x()</script>"></svg>',
      "different ways",
    ],
  ])("finds %s among the rest of its findings in Markdown", async (_name, source, reason) => {
    expect(await findingsIn("a.md", source)).toContainEqual(expect.stringContaining(reason));
  });

  it.each([
    ["an import from another host", 'import X from "https://e.invalid/x.js"', "files of the docs"],
    ["an import over several lines", 'import {\n  x\n} from "//e.invalid/x.js"', "files of the docs"],
    ["an import for its side effects", 'import "https://e.invalid/x.js"', "files of the docs"],
    ["an import from an address that is code", 'import X from "data:text/javascript,x"', "files of the docs"],
    ["an export from another host", 'export * from "https://e.invalid/x.js"', "files of the docs"],
    ["a call by conversion to a string", "{`${{toString: process.exit}}`}", "Code that runs"],
    ["a call by conversion to a number", '{"" + {valueOf: x}}', "Code that runs"],
    ["a call by conversion to a string, with the name in quotes", '{"" + {"toString": x}}', "Code that runs"],
    ["a computed method name", '{"" + {["to" + "String"]: x}}', "Code that runs"],
    ["a call by awaiting an object", "{({then: x})}", "Code that runs"],
    ["a function of the browser as a component", "export default globalThis.alert", "Code that runs"],
    ["a function of the browser by another name", "export const X = setTimeout", "Code that runs"],
    ["a function of the browser as a tag", "<globalThis.alert/>", "not among those that pages need"],
    ["a method on an element", "<Card toString={x}/>", "attribute that is not"],
    ["a method on an element in code", "{<Card valueOf={x}/>}", "attribute that is not"],
    ["a variable of the build", "{process.env.TOKEN}", "Code that runs"],
    ["a variable of the build that is exported", "export const u = process.env.TOKEN", "Code that runs"],
    ["the constructor of a value", '{"".constructor}', "Code that runs"],
    ["the constructor of a value, with the name in quotes", '{""["constructor"]}', "Code that runs"],
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
    ["an address in a template", "<a href={`javascript:alert(1)`}>x</a>", "script address"],
    ["an address in a component's template", "<Card href={`javascript:alert(1)`}>x</Card>", "script address"],
    ["an address in an exported template", "export const u = `javascript:alert(1)`", "script address"],
    ["an address in two templates", "export const u = {a: [`java\nscript:alert(1)`]}", "script address"],
    ["a handler in braces", "{<b onClick={run}>x</b>}", "event handler"],
    ["a component's handler in lower case", '<Card onclick="x">x</Card>', "event handler"],
    ["a form in braces", '{<form action="/x"><b>x</b></form>}', "embedding element"],
    ["a field for a password in braces", '{<input name="password" type="password" />}', "what they type"],
    ["a field for a password", '<input type="password" />', "what they type"],
    ["a field whose type is an expression", '<input type={"password"} />', "what they type"],
    ["a refresh in braces", '{<meta httpEquiv="refresh" content="0;url=//e.invalid" />}', "embedding element"],
    ["a base in braces", '{<base href="//e.invalid/" />}', "embedding element"],
    ["a style sheet in braces", '{<link rel="stylesheet" href="/x.css" />}', "embedding element"],
    ["a style in braces", "{<style>a</style>}", "embedding element"],
    ["a document in braces", '{<Frame srcDoc="<b>x</b>" />}', "Raw markup"],
    ["an address of a template in braces", "{<a href={`javascript:x`}>x</a>}", "script address"],
    ["an address put together in braces", '{<a href={"java" + name}>x</a>}', "address put together"],
    ["attributes from an object in braces", "{<Card {...props}>x</Card>}", "Attributes put together"],
    ["a form in an export", 'export const F = <form action="/x"><b /></form>', "embedding element"],
    ["a frame deep in an export", 'export const F = {a: [<b><i><iframe src="/x" /></i></b>]}', "embedding element"],
    ["markup of another namespace", "<svg><foreignObject><b>x</b></foreignObject></svg>", "embedding element"],
    ["an import of a package", 'import X from "evil-npm-package"', "files of the docs"],
    ["an import of a hidden file", 'import env from "../.env?raw"', "files of the docs"],
    ["a plain import of a hidden file", 'import env from "./.env"', "files of the docs"],
    ["an import by a loader", 'import env from "!!raw-loader!./snippets/x.mdx"', "files of the docs"],
    ["an import of a file as text", 'import env from "./snippets/x.mdx?raw"', "files of the docs"],
    ["an import of a file outside the repository", 'import x from "/etc/passwd?raw"', "files of the docs"],
    ["an import out of the docs", 'import x from "../../x.mdx"', "files of the docs"],
    ["a percent-encoded import out of the docs", 'import x from "./%2e%2e/x.mdx"', "files of the docs"],
    ["an import of a missing file", 'import x from "/snippets/gone.mdx"', "files of the docs"],
    ["an import of a file of another kind", 'import x from "/LICENSE"', "files of the docs"],
    ["an export of a hidden file", 'export * from "../.env"', "files of the docs"],
    ["a named export of a package", 'export { x } from "evil"', "files of the docs"],
    ["an element over the page", '<div style={{position: "fixed", inset: 0}}>x</div>', "cover the page"],
    ["an element over the page as text", '<div style="position:absolute;top:0">x</div>', "cover the page"],
    ["a class that covers the page", '<div className="fixed inset-0">x</div>', "cover the page"],
    ["a class that covers larger pages", '<div className="md:fixed top-0">x</div>', "cover the page"],
    ["a class that covers, from code", '<div className={"absolute"}>x</div>', "cover the page"],
    ["classes that shift over the page", '<div className="relative -top-96 h-screen">x</div>', "cover the page"],
    ["a class that lifts over the page", '<div className="relative md:z-50">x</div>', "cover the page"],
    ["a class that moves up", '<div className="-mt-96 h-screen">x</div>', "cover the page"],
    ["a class that moves by half", '<div className="-translate-y-full">x</div>', "cover the page"],
    ["a class with arbitrary CSS", '<div className="[position:fixed] w-full">x</div>', "cover the page"],
    ["a class put together", '<div className={"fix" + "ed"}>x</div>', "cover the page"],
    ["a style put together", "<div style={{['pos'+'ition']: 'fix'+'ed'}}>x</div>", "cover the page"],
    ["a style put together in braces", "{<div style={{['pos'+'ition']: 'fix'+'ed'}}>x</div>}", "cover the page"],
    ["a style with a computed property name", "{<div style={{[color]: 'red'}}>x</div>}", "cover the page"],
    ["a style of a variable", "<div style={props}>x</div>", "cover the page"],
    ["an attribute that a build interprets", '<Card client:load="x">x</Card>', "attribute that is not"],
    ["a button that sends elsewhere", '<button formAction="//e.invalid">x</button>', "what they type"],
    ["a link with a ping", '<a href="/x" ping="//e.invalid">x</a>', "what they type"],
    ["a diagram that runs", '```mermaid\ngraph TD\n  click A "javascript:x"\n```', "script address"],
    ["front matter with a script address", "---\ncanonical: 'java\tscript:x'\n---\n\nText.", "script address"],
    ["front matter with markup", '---\ntitle: "<script>x</script>"\n---\n\nText.', "script element"],
    ["a tag of YAML", "---\ntitle: !!python/object/apply:os.system [x]\n---\n\nText.", "A YAML tag"],
    ["a tag of YAML behind an anchor", "---\na: {b: &x !ruby/object:Gem x}\n---\n\nText.", "A YAML tag"],
    ["a script component", '<Script src="/x.js" />', "script element"],
  ])("finds %s in MDX", async (_name, source, reason) => {
    expect(await findingsIn("a.mdx", source)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["a.md", "Write `<script>` so:\n\n```html\n<script>x()</script>\n```\n"],
    ["a.md", "JavaScript: the good parts. <b>Bold</b> and <details><summary>x</summary></details>"],
    ["a.mdx", 'import X from "/snippets/x.mdx"\n\n<X />\n'],
    ["a.mdx", '<Link href="/x" style={{ color: "red" }} cols={2}>a</Link> {/* note */} {name}'],
    ["a.mdx", 'import plans from "./data/plans.json"\nimport X from "snippets/x.mdx"\n\n<X />\n'],
    ["a.mdx", "export const plans = [{ name: `Pro`, badge: <b>new</b> }]\n\n{plans[0].badge}\n"],
    [
      "a.mdx",
      '<Card title="Fixed" className="not-prose affixed -mt-2 z-0 topmost" once only="x" style={{ color: `red` }}>x</Card>',
    ],
    ["a.mdx", '<input type="checkbox" disabled /> <a href="/x" className="underline">absolute position: fixed</a>'],
    [
      "a.md",
      '<div style="color: #f00; width: 50%; text-align:center" class="w-[320px] md:p-4"><img src=/a.png width=40 /></div>',
    ],
    [
      "a.md",
      '<p align="center"><a href="/x" target="_blank">x</a><br/>a < b &amp c</p>\n\n<Badge type="tip" text="new" />',
    ],
    [
      "a.mdx",
      '<div style={{ color: "red", marginTop: 8, background: `var(--x)` }} className={dark ? "p-2" : "bg-[#fff]"}>x</div>',
    ],
    [
      "a.md",
      "---\nlayout: home\naside: false\ncustom: /a/b\nhero: {name: A, actions: [{link: /x}]}\ntheme: {dark: yes}\n---\n\nText.\n",
    ],
    [
      "a.md",
      '---\ntitle: !!str 1\na: "!!python/x" # !!js/y\nb: |\n  Use: !important, and a !!b c\n---\n\n!!python/x\n',
    ],
    ["a.md", "- [ ] task\n\nA `<<< x` in code, `{{ name }}`, {name} and position: fixed in words.\n"],
    [
      "a.md",
      "```js\nimport x from 'y'\n{{ a }} {% b %} {fetch(1)}\n```\n\nGET /users/{id}/{a.b} {not code at all!} \\{fetch(1)}",
    ],
    [
      "a.md",
      'import data from the old system, then\nexport the list.\n\n# A {#own-id}\n\n[x](/y){:target="_blank"}{.wide}',
    ],
    ["a.md", 'import X from "/snippets/x.mdx"\n\nText.\n'],
    ["a.mdx", "A page of MDX with {{ a: 1 }.a}."],
    ["a.md", "---\ntitle: 'JavaScript: an introduction'\ntags: ['javascript: x']\ndescription: a < b\n---\n\nText.\n"],
    ["a.mdx", 'export const name = "Harbor"\n\n<Frame caption="on tour"><img src="/a.png" /></Frame>'],
  ])("accepts markup that documentation needs in %s: %s", async (path, source) => {
    expect(await findingsIn(path, source)).toEqual([]);
  });

  it("allows markup that the page already had, or that moved to another page", async () => {
    const page = "# A\n\n<iframe src=/x></iframe>\n";
    expect(await findingsIn("a.md", `${page}\nMore.\n`, page)).toEqual([]);
    const moved = await judge({ "a.md": page }, { "b.md": page });
    expect(moved.errors.filter(({ check }) => check === "markup")).toEqual([]);
    expect(moved.newHosts).toEqual([]);
  });

  it.each([
    ["a.md", '<iframe src="/x" title="Harbor Cloud"></iframe>', '<iframe src="/x" title="Harbor"></iframe>'],
    ["a.mdx", '<iframe src="/x" title="Harbor Cloud" />', '<iframe src="/x" title="Harbor" />'],
    ["a.mdx", "<Card onClick={run}>\n  Harbor Cloud\n</Card>", "<Card onClick={run}>\n  Harbor\n</Card>"],
    ["a.mdx", "import X from 'x'\nexport const a = 'b'", "import X from 'x'\nexport const a = 'c'"],
    ["a.mdx", "<Card icon={icon()} title='Harbor Cloud'>x</Card>", "<Card icon={icon()} title='Harbor'>x</Card>"],
    ["a.md", "![A](/a.svg){ loading=lazy } Harbor Cloud.", "![A](/a.svg){ loading=lazy } Harbor."],
    ["a.md", "{load(\n  1\n)} Harbor Cloud.", "{load(\n  1\n)} Harbor."],
  ])("allows changes of the text around existing markup in %s: %s", async (path, before, after) => {
    expect(await findingsIn(path, after, before)).toEqual([]);
  });

  it.each([
    ["a.md", '<iframe src="/x" title="a"></iframe>', '<iframe src="/y" title="a"></iframe>'],
    ["a.md", '<iframe src="/x" title="a"></iframe>', '<iframe src="/x" title="a"></iframe><iframe src="/z"></iframe>'],
    ["a.md", '<script>let title="a"</script>', '<script>let title="b"</script>'],
    ["a.md", '<style>a { title="a" }</style><iframe src="/x">', '<style>a { title="b" }</style><iframe src="/x">'],
    ["a.md", "{ width=300 } Text.", "{ width=other() } Text."],
    ["a.md", "{ width=300 } Text.", "{ width=300; other() } Text."],
    ["a.md", "{load(\n  1\n)} Text.", "{load(\n  2\n)} Text."],
    ["a.mdx", '<iframe src="/x" title="a" />', '<iframe src="/y" title="a" />'],
    ["a.mdx", '<iframe src="/x" title="a" />', '<iframe src="/x" title={run()} />'],
    ["a.mdx", "<style>a</style>", "<style>b</style>"],
    ["a.mdx", "export const a = 1\nimport X from 'x'", "export const a = 1\nimport Y from 'y'"],
    ["a.mdx", "<Card onClick={run}>x</Card>", "<Card onClick={away}>x</Card>"],
    ["a.mdx", "<Card onClick={run}>x</Card>", "<Card onClick={run} onBlur={run}>x</Card>"],
  ])("finds changes of existing markup in %s: %s", async (path, before, after) => {
    expect(await findingsIn(path, after, before)).not.toEqual([]);
  });

  it("counts code that builds run: existing pieces may stay and move, one more is new", async () => {
    const page = "# A\n\n{{ $frontmatter.title }}\n";
    expect(await findingsIn("a.md", `${page}\nMore.\n`, page)).toEqual([]);
    expect(await findingsIn("a.md", `${page}\n{{ $frontmatter.title }}\n`, page)).toHaveLength(1);
    expect(await findingsIn("a.md", page.replace("title", "x()"), page)).toHaveLength(1);
    expect(await findingsIn("a.md", page.replace("}}", "}} {{ x }}"), page)).toHaveLength(1);
    const moved = await judge({ "a.md": page }, { "b.md": page });
    expect(moved.errors.filter(({ check }) => check === "markup")).toEqual([]);
  });

  it.each([
    ["MkDocs", "![A](a.svg){ width=300 }", 0],
    ["MkDocs", '![A](a.svg){ height="20px" loading=lazy .wide #a }', 0],
    ["MkDocs", "![A](a.svg){ width=load() }", 1],
    ["MkDocs", "![A](a.svg){ width=300 onload=load }", 1],
    ["MkDocs", "![A](a.svg){ width=300 style=a }", 1],
    ["Markdown", "![A](a.svg){ width=300 }", 1],
  ])("on a site of %s, %s has the expected number of findings", async (tool, added, findings) => {
    const site = { ...(tool === "MkDocs" && { "mkdocs.yml": "site_name: T\n" }), "docs/a.svg": "<svg/>" };
    const page = "# A\n";
    const { errors } = await judge({ ...site, "docs/a.md": page }, { ...site, "docs/a.md": `${page}\n${added}\n` });
    expect(errors.filter(({ check }) => check === "markup")).toHaveLength(findings);
  });

  it("judges a page that cannot be parsed line by line, including code blocks", async () => {
    const broken = "<Card>\n\n```\nx\n```\n";
    expect(await findingsIn("a.mdx", `${broken}<script>x</script>\n`, broken)).toEqual([
      "markup:6 A script element may not be added",
    ]);
  });
});

it("reads markup in time linear in its length", async () => {
  const long = "a".repeat(200_000);
  expect(await findingsIn("a.md", `<div>\n${long}\n</div>`)).toEqual([]);
  for (const unit of ["{{\n", "{", "{a(", "{on", "import a", "\n\nexport const a = f(;", "{{a}}"]) {
    const { length } = await findingsIn("a.md", unit.repeat(20_000 / unit.length));
    expect([unit, length < 2_000]).toEqual([unit, true]);
  }
  const attributes = Array.from({ length: 30_000 }, (_, index) => `x${index}`).join(" ");
  expect(await findingsIn("a.md", `<div ${attributes}>x</div>`)).toEqual(
    expect.arrayContaining([expect.stringContaining("different ways")]),
  );
});

describe("new hosts of a change", () => {
  it.each([
    ["a.md", "![x](https://E.invalid/?q=1)", ["e.invalid"]],
    ["a.md", "[x](//e.invalid/a)", ["e.invalid"]],
    [
      "a.md",
      "See www.e.invalid/a and [write](mailto:me@mail.e.invalid?subject=x).",
      ["mail.e.invalid", "www.e.invalid"],
    ],
    ["a.md", "[x](https://e。invalid/)", ["e.invalid"]],
    ["a.md", "[x](https://2130706433/)", ["127.0.0.1"]],
    ["api/o.yaml", "servers:\n  - url: https://e.invalid/v1\n", ["e.invalid"]],
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

  it("are those that no changed file linked to before the change", async () => {
    expect(await hostsIn("a.md", "https://a.invalid https://b.invalid", "https://a.invalid")).toEqual(["b.invalid"]);
  });
});

describe("changed text in an existing element", () => {
  const BEFORE =
    '<Listing number="2-6" caption="Complete guessing game code" to="/a" data-on="x" style="color: red">\n\nText.\n\n</Listing>';

  it("does not count as a new element", async () => {
    const after = BEFORE.replace("guessing", "riddle").replace("2-6", "2-7");
    expect(await findingsIn("a.md", after, BEFORE)).toEqual([]);
    const [lower, changed] = ["<listing caption='Old code'>x</listing>", "<listing caption='New code'>x</listing>"];
    expect(await findingsIn("a.mdx", changed, lower)).toEqual([]);
  });

  it.each([
    ["another attribute", BEFORE.replace(" to=", ' file="a" to=')],
    ["another address", BEFORE.replace('"/a"', '"https://e.invalid"')],
    ["an address among words", BEFORE.replace("Complete", "https://e.invalid")],
    ["markup", BEFORE.replace("Complete", "&lt;img&gt;")],
    ["code of a build", BEFORE.replace('"x"', '"y"')],
    ["another style", BEFORE.replace("color: red", "color: blue")],
    ["another element", BEFORE.replaceAll("Listing", "Xmp")],
  ])("must not add %s", async (_, after) => {
    expect(await findingsIn("a.md", after, BEFORE)).not.toEqual([]);
  });

  it("must not add an event handler, or change the target of an animation", async () => {
    expect(await findingsIn("a.md", BEFORE.replace(" to=", ' onclick="a" to='), BEFORE)).not.toEqual([]);
    const animation = "<svg><animate attributeName='fill' values='red'/></svg>";
    expect(await findingsIn("a.md", animation.replace("fill", "href"), animation)).not.toEqual([]);
  });
});
