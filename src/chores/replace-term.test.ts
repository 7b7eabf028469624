import fc from "fast-check";
import type { Nodes, Root } from "mdast";
import { describe, expect, it } from "vitest";
import { readFrontMatter } from "#docs/front-matter.ts";
import { createInProcessParser, parseWithMicromark } from "#docs/in-process-parser.ts";
import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownParser } from "#docs/parser.ts";
import { parseInDialect } from "#docs/syntax/syntax.ts";
import { loadParser } from "#docs/render/fast-parser.ts";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const tools = createAgentTools();

async function replaced(
  text: string,
  input: Record<string, unknown> = {},
  { path = "page.mdx", parser }: { path?: string; parser?: MarkdownParser } = {},
): Promise<string> {
  const bench = createAgentBench(tools, { [path]: text }, parser ? { parser } : {});
  const result = await bench.run("replace_term", { from: "Harbor Cloud", to: "Harbor Platform", ...input });
  if (!result.ok) throw new Error(result.message);
  return (await bench.contents())[path] ?? "";
}

async function report(files: Record<string, string>, input: Record<string, unknown>) {
  const bench = createAgentBench(tools, files);
  const result = await bench.run("replace_term", input);
  if (!result.ok) throw new Error(result.message);
  const content = result.content as {
    summary: string;
    notes: string[];
    replaced: number;
    left: Record<string, number>;
  };
  return { ...content, contents: await bench.contents(), broken: await bench.brokenLinks() };
}

it.each([
  ["[redacted]", "x"],
  ["x", "a [redacted]"],
])("a credential in the words is not reported as a term that does not occur: %s for %s", async (from, to) => {
  const bench = createAgentBench(tools, { "page.mdx": "Use sk-live-0123.\n" });
  const result = await bench.run("replace_term", { from, to });
  expect(result).toMatchObject({ ok: false, message: expect.stringContaining("a person makes this change") as string });
});

describe("where a reader sees the term", () => {
  const cases: [name: string, before: string, after: string][] = [
    ["in prose", "Use Harbor Cloud.\n", "Use Harbor Platform.\n"],
    ["in a heading, bold, a list and a quote", "# Harbor Cloud\n\n- **Harbor Cloud**\n\n> *Harbor Cloud*\n", "# Harbor Platform\n\n- **Harbor Platform**\n\n> *Harbor Platform*\n"],
    ["in a table", "| A | B |\n| - | - |\n| Harbor Cloud | x |\n", "| A | B |\n| - | - |\n| Harbor Platform | x |\n"],
    ["in a link's text and title", '[Harbor Cloud](/x "Harbor Cloud")\n', '[Harbor Platform](/x "Harbor Platform")\n'],
    ["in an image's text", "![Harbor Cloud console](/a.png)\n", "![Harbor Platform console](/a.png)\n"],
    ["over a line break", "about Harbor\nCloud and\n", "about Harbor\nPlatform and\n"],
    ["over a space that does not break", "a Harbor&nbsp;Cloud and Harbor\u00A0Cloud\n", "a Harbor&nbsp;Platform and Harbor\u00A0Platform\n"],
    ["over a line break in a quote", "> about Harbor\n> Cloud and\n", "> about Harbor\n> Platform and\n"],
    ["in component attributes", '<Card title="Harbor Cloud" icon="x">\n  Harbor Cloud\n</Card>\n', '<Card title="Harbor Platform" icon="x">\n  Harbor Platform\n</Card>\n'],
    ["in a string expression", '<Card title={"Harbor Cloud"} />\n', '<Card title={"Harbor Platform"} />\n'],
    ["in the front matter", "---\ntitle: Harbor Cloud\ndescription: 'All of Harbor Cloud'\nsidebarTitle: \"Harbor Cloud\"\n---\n", "---\ntitle: Harbor Platform\ndescription: 'All of Harbor Platform'\nsidebarTitle: \"Harbor Platform\"\n---\n"],
    ["in a folded description", "---\ndescription: >-\n  About Harbor\n  Cloud.\n---\n", "---\ndescription: >-\n  About Harbor\n  Platform.\n---\n"],
    ["beside punctuation", "(Harbor Cloud), “Harbor Cloud”; Harbor Cloud’s Harbor Cloud-based\n", "(Harbor Platform), “Harbor Platform”; Harbor Platform’s Harbor Platform-based\n"],
    ["in a footnote", "x[^1]\n\n[^1]: Harbor Cloud\n", "x[^1]\n\n[^1]: Harbor Platform\n"],
  ]; // oxfmt-ignore
  it.each(cases)("is replaced %s", async (_name, before, after) => {
    expect(await replaced(before)).toBe(after);
  });

  it("is kept in a longer name, and replaced at the end of a sentence", async () => {
    const input = { from: "Vue", to: "Nova" };
    expect(await replaced("Vue.js and Vue. Vue.Next, Vue…\n", input)).toBe("Vue.js and Nova. Nova.Next, Nova…\n");
    expect((await report({ "a.md": "# Vue.js\n" }, input)).left).toEqual({ "in longer names": 1 });
    expect(await replaced("Vue.js\n", { ...input, wholeWord: false })).toBe("Nova.js\n");
  });

  it("is replaced in a heading, but not in its explicit id", async () => {
    const input = { from: "cloud", to: "platform" };
    expect(await replaced("## The cloud {#the-cloud}\n", input, { path: "page.md" })).toBe(
      "## The platform {#the-cloud}\n",
    );
    expect(await replaced("## The cloud \\{#the-cloud}\n", input)).toBe("## The platform \\{#the-cloud}\n");
    const { left } = await report({ "a.md": "## A cloud {#cloud}\n" }, input);
    expect(left).toEqual({ "in addresses": 1 });
  });

  it("is replaced in HTML blocks of plain Markdown, but not in their code and addresses", async () => {
    const before =
      '<div title="Harbor Cloud" data-x="Harbor Cloud">\nHarbor Cloud <code>Harbor Cloud</code> <a href="/Harbor Cloud">x</a>\n</div>\n';
    const after =
      '<div title="Harbor Platform" data-x="Harbor Cloud">\nHarbor Platform <code>Harbor Cloud</code> <a href="/Harbor Cloud">x</a>\n</div>\n';
    expect(await replaced(before, {}, { path: "page.md" })).toBe(after);
  });

  it("is replaced in docs.json only in labels", async () => {
    const config =
      '{\r\n  "name": "Harbor Cloud", // ours\r\n  "navigation": { "groups": [{ "group": "Harbor Cloud", "pages": ["Harbor Cloud"], "icon": "Harbor Cloud" }] }\r\n}\r\n';
    const { contents, left } = await report(
      { "docs.json": config, "index.mdx": "x\n" },
      { from: "Harbor Cloud", to: "Harbor Platform" },
    );
    expect(contents["docs.json"]).toBe(
      '{\r\n  "name": "Harbor Platform", // ours\r\n  "navigation": { "groups": [{ "group": "Harbor Platform", "pages": ["Harbor Cloud"], "icon": "Harbor Cloud" }] }\r\n}\r\n',
    );
    expect(left).toEqual({ "in the configuration": 2 });
  });
});

describe("where the term means something else", () => {
  const untouched: [name: string, text: string, path?: string][] = [
    ["code blocks", "```bash\n# Harbor Cloud\n```\n\n    Harbor Cloud\n", "page.md"],
    ["inline code", "`Harbor Cloud` and ``Harbor Cloud``\n"],
    ["addresses", "[x](</Harbor Cloud>) ![x](<Harbor Cloud.png>)\n\n[x]: </Harbor Cloud>\n", "page.md"],
    ["attributes that are no text", '<Card href="/Harbor Cloud" id="Harbor Cloud" icon="Harbor Cloud" product="Harbor Cloud" />\n'],
    ["imports and exports", 'import X from "/Harbor Cloud.mdx";\nexport const name = "Harbor Cloud";\n'],
    ["expressions", "{`Harbor Cloud`}\n"],
    ["comments", "{/* Harbor Cloud */}\n\n<X>{/* Harbor Cloud */}</X>\n"],
    ["HTML comments", "<!-- Harbor Cloud -->\n", "page.md"],
    ["keys and other values of the front matter", "---\nHarbor Cloud: yes\nproduct: Harbor Cloud\ntags: [Harbor Cloud]\n---\n"],
    ["other words", "Harbor Cloudy, MyHarbor Cloud, Harbor Clouds\n"],
    ["other capitals", "harbor cloud HARBOR CLOUD\n"],
    ["code elements", "<pre>Harbor Cloud</pre>\n\n<code>Harbor Cloud</code>\n"],
  ]; // oxfmt-ignore
  it.each(untouched)("%s stay unchanged", async (_name, text, path = "page.mdx") => {
    expect(await replaced(text, {}, { path })).toBe(text);
  });

  it("is reported with its place", async () => {
    const page = "`Harbor Cloud`\n\n[x](</Harbor Cloud>)\n\nHarbor Cloud\n";
    const { notes, replaced: times, left } = await report({ "a.md": page }, { from: "Harbor Cloud", to: "B" });
    expect(times).toBe(1);
    expect(left).toEqual({ "in code": 1, "in addresses": 1 });
    expect(notes).toEqual(["Left 1 in code: `a.md:1`.", "Left 1 in addresses: `a.md:3`."]);
  });

  it("is kept in addresses that are plain text", async () => {
    const page =
      "cloud at https://cloud.example/cloud or cloud.example.com, mail cloud@example.com, ./cloud/x.md, cloud/server\n";
    expect(await replaced(page, { from: "cloud", to: "sky" }, { path: "page.md" })).toBe(
      "sky at https://cloud.example/cloud or cloud.example.com, mail cloud@example.com, ./cloud/x.md, sky/server\n",
    );
  });

  const MAIL = { from: "old@acme.dev", to: "new@acme.dev" };
  it.each([
    ["page.mdx", "Write to [old@acme.dev](mailto:old@acme.dev) or old@acme.dev today.\n"],
    ["page.md", "Write to <old@acme.dev>, old@acme.dev. Or <mailto:old@acme.dev>\n\n[x]: mailto:old@acme.dev?subject=Hi\n"],
    ["page.mdx", '<Card title="Mail old@acme.dev" href="mailto:old@acme.dev" /> <a href="mailto:a@b.dev,old@acme.dev">x</a>\n'],
    ["page.md", '<p><a href="mailto:old@acme.dev">Mail</a> old@acme.dev</p>\n'],
    ["page.mdx", "---\ntitle: A\ndescription: Mail old@acme.dev\n---\n"],
    ["docs.json", '{ "navbar": { "links": [{ "label": "Mail", "href": "mailto:old@acme.dev?subject=Hi" }] } }\n'],
  ])("is replaced if it is a whole mail address (%s): %s", async (path, text) => {
    expect(await replaced(text, MAIL, { path })).toBe(text.replaceAll("old@acme.dev", "new@acme.dev"));
  }); // oxfmt-ignore

  it("is kept in other mail addresses, and in targets for which the new words are not an address", async () => {
    const others =
      "x.old@acme.dev, old@acme.dev.uk, `old@acme.dev`, [x](mailto:x.old@acme.dev) https://a.dev/old@acme.dev\n";
    expect(await replaced(others, MAIL)).toBe(others);
    const page = "Mail [us](mailto:old@acme.dev) or old@acme.dev.\n";
    expect(await report({ "page.mdx": page }, { from: "old@acme.dev", to: "our form" })).toMatchObject({
      contents: { "page.mdx": "Mail [us](mailto:old@acme.dev) or our form.\n" },
      notes: ["Left 1 in addresses: `page.mdx:1`."],
    });
  });

  it("is not reported as absent when it is kept", async () => {
    const { summary, left } = await report({ "a.md": "Write to ada@acme.dev.\n" }, { from: "ada", to: "bob" });
    expect(summary).toBe("Replaced nothing: “ada” stands only in places that are left unchanged");
    expect(left).toEqual({ "in addresses": 1 });
  });

  it("is replaced in code on request, but not in addresses", async () => {
    expect(
      await replaced("`Harbor Cloud` [x](</Harbor Cloud>)\n\n```\nHarbor Cloud\n```\n", { includeCode: true }),
    ).toBe("`Harbor Platform` [x](</Harbor Cloud>)\n\n```\nHarbor Platform\n```\n");
  });
});

describe("a link whose text is its label", () => {
  const input = { from: "webhook", to: "event" };
  const definition = '\n[webhook]: /index "webhook"\n';
  const cases: [name: string, before: string, after: string][] = [
    ["of all kinds", "See [webhook] and [webhook][] and ![webhook] and ![webhook][].\n", "See [event][webhook] and [event][webhook] and ![event][webhook] and ![event][webhook].\n"],
    ["with a label of its own", "See [webhook][webhook] and [a webhook](/x).\n", "See [event][webhook] and [an event](/x).\n"],
    ["with emphasis in it", "See [**webhook**].\n\n[**webhook**]: /x\n", "See [**event**][**webhook**].\n\n[**webhook**]: /x\n"],
    ["around an image", "See [![webhook]](/x).\n", "See [![event][webhook]](/x).\n"],
    ["over a line break in a quote", "> See [my\n> webhook].\n\n[my webhook]: /x\n", "> See [my\n> event][my webhook].\n\n[my webhook]: /x\n"],
    ["that is none, as nothing defines it", "See [a webhook].\n", "See [an event].\n"],
    ["beside footnotes and tasks", "See[^webhook].\n\n- [x] webhook\n\n[^webhook]: A webhook.\n", "See[^webhook].\n\n- [x] event\n\n[^webhook]: An event.\n"],
  ]; // oxfmt-ignore
  it.each(cases)("keeps its target: %s", async (_name, before, after) => {
    const files = { "page.mdx": before + definition, "index.mdx": "x\n", "x.mdx": "x\n" };
    const { contents, broken } = await report(files, input);
    expect(contents["page.mdx"]).toBe(after + definition.replace('"webhook"', '"event"'));
    expect(broken).toEqual(await createAgentBench(tools, files).brokenLinks());
    expect((await report(contents as Record<string, string>, input)).contents).toEqual(contents);
  });

  it("keeps its form if only capitals change, which labels ignore", async () => {
    const page = "See [github] and [github][].\n\n[github]: /x\n";
    expect(await replaced(page, { from: "github", to: "GitHub" })).toBe(
      "See [GitHub] and [GitHub][].\n\n[github]: /x\n",
    );
  });

  it("reports the definition as an address", async () => {
    const { left } = await report({ "a.md": "[webhook]\n\n[webhook]: /x\n" }, input);
    expect(left).toEqual({ "in addresses": 1 });
  });
});

describe("the edges of a word", () => {
  const input = { from: "webhook", to: "event" };
  const cases: [name: string, before: string, after: string][] = [
    ["stand where emphasis begins and ends", "_webhook_ and __webhook__ and ___a webhook___ and **_webhook_**\n", "_event_ and __event__ and ___an event___ and **_event_**\n"],
    ["stand where emphasis begins in headings, cells and links", "## _webhook_\n\n| _webhook_ |\n| - |\n| __webhook__ |\n\n[_webhook_](/x)\n", "## _event_\n\n| _event_ |\n| - |\n| __event__ |\n\n[_event_](/x)\n"],
    ["are no underscores that readers see", "webhook_x, webhook\\_x, x\\_webhook, x_webhook_x and \\_webhook_\n", "webhook_x, webhook\\_x, x\\_webhook, x_webhook_x and \\_webhook_\n"],
    ["are no letters that are written by reference", "&#120;webhook, webhook&#x78; &eacute;webhook &amp;webhook&nbsp;\n", "&#120;webhook, webhook&#x78; &eacute;webhook &amp;event&nbsp;\n"],
    ["stand beside code", "`x`_webhook_ and webhook`x`\n", "`x`_event_ and event`x`\n"],
  ]; // oxfmt-ignore
  it.each(cases)("%s", async (_name, before, after) => {
    expect(await replaced(before, input)).toBe(after);
    expect(await replaced(before, input, { path: "page.md" })).toBe(after);
  });

  it("depend on the visible text: a word that markup splits is kept and counted", async () => {
    const page = "**webhook**s, re*webhook*, [web](/x)hook and *webhook*-like\n";
    const { contents, left } = await report({ "a.mdx": page }, input);
    expect(contents["a.mdx"]).toBe("**webhook**s, re*webhook*, [web](/x)hook and *event*-like\n");
    expect(left).toEqual({ "split by markup": 2 });
  });

  it("apply to other forms of the term as well", async () => {
    const { notes } = await report({ "a.mdx": "_webhooks_\n" }, input);
    expect(notes[0]).toContain("Left 1 plural form “webhooks”: `a.mdx:1`.");
  });

  it("are found in a term with character references or escapes, which is kept and counted", async () => {
    const { contents, left } = await report({ "a.mdx": "&#119;ebhook\n", "b.mdx": "a webhook &amp; `x`\n" }, input);
    expect(contents).toEqual({ "a.mdx": "&#119;ebhook\n", "b.mdx": "an event &amp; `x`\n" });
    expect(left).toEqual({ "written with escapes or character references": 1 });
    const escaped = await report({ "a.mdx": "web\\_hook\n" }, { from: "web_hook", to: "event" });
    expect(escaped.left).toEqual({ "written with escapes or character references": 1 });
  });

  it.each([
    ["Vue", "**Vue**.js, [Vue](/x).js and *Vue*\\.js beside **Vue**. _Vue_: Vue\n", "**Vue**.js, [Vue](/x).js and *Vue*\\.js beside **Nova**. _Nova_: Nova\n", 3],
    ["C", "**C**++, [C](/x)&#35; and _C_\\+\\+ beside **C**\n", "**C**++, [C](/x)&#35; and _C_\\+\\+ beside **Nova**\n", 3],
    ["C++", "**C++**11, *C++*\n", "**C++**11, *Nova*\n", 1],
    [".NET", "ASP.NET, **ASP**.NET, .NET and (.NET) for 語.NET\n", "ASP.NET, **ASP**.NET, Nova and (Nova) for 語Nova\n", 2],
  ])("are not found inside longer names, whatever markup splits them: %s", async (from, before, after, names) => {
    const { contents, left } = await report({ "a.md": before, "x.md": "x\n" }, { from, to: "Nova" });
    expect(contents["a.md"]).toBe(after);
    expect(left).toEqual({ "in longer names": names });
  }); // oxfmt-ignore

  it("include a comma or a hyphen after a letter", async () => {
    expect(await replaced("hosts, etc. and cloud-based\n", { from: ", etc.", to: "; more" })).toBe(
      "hosts; more and cloud-based\n",
    );
    expect(await replaced("cloud-based\n", { from: "-based", to: "-like" })).toBe("cloud-like\n");
    expect(await replaced("ASP.NET\n", { from: ".NET", to: "dotnet", wholeWord: false })).toBe("ASPdotnet\n");
  });

  it("do not include signs that names end with", async () => {
    const toRust = { from: "C++", to: "Rust" };
    expect(await replaced("C++11, C++x, C++, C++. (C++) C++-like C++/CLI **C++**\n", toRust)).toBe(
      "C++11, C++x, Rust, Rust. (Rust) Rust-like Rust/CLI **Rust**\n",
    );
    expect(await replaced("C#10 C#語 C#\n", { from: "C#", to: "Rust" })).toBe("C#10 Rust語 Rust\n");
    expect(await replaced("key:value f(x)y a/b\n", { from: "key:", to: "name:" })).toBe("name:value f(x)y a/b\n");
    expect(await replaced("f(x)y\n", { from: "f(x)", to: "g" })).toBe("gy\n");
    expect(await replaced("1 ++x\n", { from: "++", to: "plus" })).toBe("1 plusx\n");
  });

  it("are not found inside a longer name that ends with such a sign, but between keys", async () => {
    const page = "C++, C# and C++11: press Ctrl+C, C.\n";
    const { contents, left } = await report({ "a.mdx": page }, { from: "C", to: "Rust" });
    expect(contents["a.mdx"]).toBe("C++, C# and C++11: press Ctrl+Rust, Rust.\n");
    expect(left).toEqual({ "in longer names": 3 });
    expect(await replaced("Ctrl+C\n", { from: "Ctrl", to: "Control" })).toBe("Control+C\n");
  });
});

describe("words and case", () => {
  const cases: [name: string, before: string, input: Record<string, unknown>, after: string][] = [
    ["a small term also at the start of a sentence", "Web hooks: a web hook. WEB HOOK\n", { from: "web hook", to: "webhook" }, "Web hooks: a webhook. WEB HOOK\n"],
    ["a small term with its capital", "Endpoint and endpoint\n", { from: "endpoint", to: "target" }, "Target and target\n"],
    ["any case, carried over", "api key, API KEY, Api Key, API key\n", { from: "API key", to: "access token", letterCase: "any" }, "access token, ACCESS TOKEN, access token, access token\n"],
    ["parts of words when asked for", "Clouds and clouds\n", { from: "cloud", to: "sky", wholeWord: false }, "Skys and skys\n"],
    ["Chinese, which has no spaces", "我们使用海港云服务。\n", { from: "海港云", to: "海港平台" }, "我们使用海港平台服务。\n"],
    ["Latin beside Japanese", "これはHarbor Cloudです。\n", {}, "これはHarbor Platformです。\n"],
    ["a Korean word before its particle", "하버는 좋다, 새하버\n", { from: "하버", to: "포트" }, "포트는 좋다, 새하버\n"],
    ["Cyrillic as whole words", "кот и который\n", { from: "кот", to: "пёс" }, "пёс и который\n"],
    ["letters with marks", "café cafés\n", { from: "café", to: "bar" }, "bar cafés\n"],
    ["a term with signs of regular expressions", "C++ (a.b) [x]* $1\n", { from: "C++", to: "C#" }, "C# (a.b) [x]* $1\n"],
    ["a replacement with dollar signs", "cost\n", { from: "cost", to: "$& $1 $$" }, "$& $1 $$\n"],
    ["a replacement that MDX would read as markup", "cost\n", { from: "cost", to: "a < {b}" }, "a \\< \\{b\\}\n"],
    ["a replacement with quotes in an attribute", '<Card title="cost" />\n', { from: "cost", to: 'the "cost"' }, '<Card title="the &quot;cost&quot;" />\n'],
    ["a replacement that YAML would misread", "---\ntitle: cost\n---\n", { from: "cost", to: "price: #1" }, '---\ntitle: "price: #1"\n---\n'],
    ["a longer term by a shorter one over a line break", "about Harbor\nCloud and\n", { to: "Port" }, "about Port\nand\n"],
    ["line ends and byte order mark kept", "\uFEFFHarbor Cloud\r\nx\r\n", {}, "\uFEFFHarbor Platform\r\nx\r\n"],
  ]; // oxfmt-ignore
  it.each(cases)("%s", async (...[, before, input, after]) => {
    expect(await replaced(before, input)).toBe(after);
  });
});

describe("the capital of a replaced word at the start of a heading or sentence", () => {
  const cli = { from: "CLI", to: "command line app" };
  it.each([
    ["# CLI completion\n\nCLI help. The CLI. CLI!\n", "# Command line app completion\n\nCommand line app help. The command line app. Command line app!\n"],
    ["- CLI\n- **CLI** and CLI\n", "- Command line app\n- **Command line app** and command line app\n"],
    ["Tools, e.g. CLI tools, and `x` CLI.\n", "Tools, e.g. command line app tools, and `x` command line app.\n"],
    ['---\ntitle: "CLI help"\n---\n\nText with a\nCLI.\n', '---\ntitle: "Command line app help"\n---\n\nText with a\ncommand line app.\n'],
  ])("is kept: %j", async (before, after) => {
    expect(await replaced(before, cli)).toBe(after);
  });
  it("is not added to a name, or where the letter case is exact", async () => {
    expect(await replaced("# CLI\n", { from: "CLI", to: "iPhone app" })).toBe("# iPhone app\n");
    expect(await replaced("# Yarn\n", { from: "Yarn", to: "npm" })).toBe("# npm\n");
    expect(await replaced("# CLI\n", { ...cli, letterCase: "exact" })).toBe("# command line app\n");
    expect(await replaced("# Cli\n", { from: "Cli", to: "cli" })).toBe("# cli\n");
  });
  it("is kept in a label of the navigation", async () => {
    const files = { "docs.json": '{"navigation": [{"group": "CLI tools", "pages": ["a"]}]}', "a.mdx": "# A\n" };
    expect((await report(files, cli)).contents["docs.json"]).toContain('"Command line app tools"');
  });
}); // oxfmt-ignore

describe("the rest of the docs", () => {
  it("can be left out", async () => {
    const files = {
      "a.mdx": "cost\n",
      "guides/b.mdx": "cost\n",
      "guides/c.mdx": "cost\n",
      "docs.json": '{"name": "cost"}',
    };
    const { contents } = await report(files, { from: "cost", to: "price", in: ["guides/", "a"] });
    expect(contents).toEqual({
      "a.mdx": "price\n",
      "guides/b.mdx": "price\n",
      "guides/c.mdx": "price\n",
      "docs.json": '{"name": "cost"}',
    });
    const one = await report(files, { from: "cost", to: "price", in: ["guides/b"] });
    expect(one.contents).toMatchObject({ "a.mdx": "cost\n", "guides/b.mdx": "price\n", "guides/c.mdx": "cost\n" });
  });

  it("follows headings whose address changes", async () => {
    const files = {
      "index.mdx": "[a](/run#run-harbor-cloud) [b](./run.mdx#run-harbor-cloud) [c](/run#other)\n",
      "run.mdx":
        '[self](#run-harbor-cloud)\n\n## Run Harbor Cloud\n\n<Step title="Open Harbor Cloud">x</Step>\n\n## Other\n\n[step](#open-harbor-cloud)\n',
    };
    const { contents, notes, broken } = await report(files, { from: "Harbor Cloud", to: "Harbor Platform" });
    expect(contents["index.mdx"]).toBe(
      "[a](/run#run-harbor-platform) [b](./run.mdx#run-harbor-platform) [c](/run#other)\n",
    );
    expect(contents["run.mdx"]).toBe(
      '[self](#run-harbor-platform)\n\n## Run Harbor Platform\n\n<Step title="Open Harbor Platform">x</Step>\n\n## Other\n\n[step](#open-harbor-platform)\n',
    );
    expect(notes[0]).toBe("Corrected 4 links to headings whose address changed.");
    expect(broken).toEqual([]);
  });

  it("leaves and reports pages that do not parse and protected files", async () => {
    const files = { "a.mdx": "<Note>\ncost\n", "AGENTS.md": "cost\n", "b.mdx": "cost\n" };
    const { contents, left } = await report(files, { from: "cost", to: "price" });
    expect(contents).toEqual({ ...files, "b.mdx": "price\n" });
    expect(left).toEqual({ "in pages that do not parse": 1, "in files that only people change": 1 });
  });

  it("succeeds without a change when the term does not occur", async () => {
    const { summary, contents } = await report({ "a.md": "x\n" }, { from: "cost", to: "price" });
    expect(summary).toBe("Found no “cost” to replace");
    expect(contents).toEqual({ "a.md": "x\n" });
  });

  it("refuses a scope that names nothing", async () => {
    const bench = createAgentBench(tools, { "a.md": "x\n" });
    const result = await bench.run("replace_term", { from: "a", to: "b", in: ["nowhere"] });
    expect(result).toMatchObject({
      ok: false,
      message: expect.stringContaining("There is no page “nowhere”") as string,
    });
  });
});

describe("any page", () => {
  const term = "Harbor Cloud";
  const piece = fc.constantFrom(
    "plain words", term, `**${term}**`, `\`${term}\``, `[${term}](/x)`, `[x](</${term}>)`, `![${term}](<${term}.png>)`,
    `<b title="${term}" id="${term}">x ${term}</b>`, `Harbor\nCloud`, "émile 日本", `{"${term}"}`, `<Note>${term}</Note>`, `*a ${term}*`, "&amp; \\*",
  ); // oxfmt-ignore
  const paragraph = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(" "));
  const block = fc.oneof(
    paragraph,
    paragraph.map((text) => `## ${text.replaceAll("\n", " ")}`),
    fc.constant(`\`\`\`sh\n${term}\n\`\`\``),
    paragraph.map((text) => `> ${text.replaceAll("\n", "\n> ")}`),
    paragraph.map((text) => `- ${text.replaceAll("\n", "\n  ")}`),
    fc.constant(`<Card title="${term}" href="/${term}">\n  ${term}\n</Card>`),
    fc.constant(`| ${term} | \`${term}\` |\n| - | - |\n| x | ${term} |`),
    fc.constant(`import A from "/${term}.mdx"`),
  );
  const page = fc
    .record({ blocks: fc.array(block, { maxLength: 6 }), head: fc.boolean(), crlf: fc.boolean() })
    .map(({ blocks, head, crlf }) => {
      const text = `${head ? `---\ntitle: About ${term}\n${term}: x\nslug: ${term}\n---\n\n` : ""}${blocks.join("\n\n")}\n`;
      return crlf ? text.replaceAll("\n", "\r\n") : text;
    });

  // The server uses satteri in a separate process, or micromark if there is no binary.
  it.each([
    ["micromark", () => Promise.resolve(createInProcessParser())],
    [
      "satteri",
      async (): Promise<MarkdownParser> => {
        const { parse } = await loadParser();
        return { parse: (source, format) => Promise.resolve(parse(source, format)) };
      },
    ],
  ])("parses as before, changes only at the term, and keeps code, addresses and keys (%s)", async (_name, connect) => {
    const parser = await connect();
    await fc.assert(
      fc.asyncProperty(page, async (before) => {
        const parsed = parseWithMicromark(before, "mdx");
        fc.pre(parsed.ok);
        const after = await replaced(before, { to: "Harbor Qlatform" }, { parser });
        const again = parseWithMicromark(after, "mdx");
        expect(again.ok).toBe(true);
        expect(after.replaceAll("Qlatform", "Cloud")).toBe(before);
        if (!parsed.ok || !again.ok) return;
        expect(literals(again.root)).toEqual(literals(parsed.root));
        expect(Object.keys(readFrontMatter(after).attributes)).toEqual(Object.keys(readFrontMatter(before).attributes));
        expect(textsWith(again.root, term)).toEqual([]);
      }),
      { numRuns: LONG_TESTS ? 150 : 40 },
    );
  });

  /** Code, addresses, imports and expressions. */
  function literals(root: Root): string[] {
    return collect(root, (node) => {
      if (node.type === "code" || node.type === "inlineCode" || node.type === "mdxjsEsm") return [node.value];
      if (node.type === "mdxTextExpression" || node.type === "mdxFlowExpression") return [node.value];
      return node.type === "link" || node.type === "image" ? [node.url] : [];
    });
  }

  function textsWith(root: Root, wanted: string): string[] {
    return collect(root, (node) => (node.type === "text" && node.value.includes(wanted) ? [node.value] : []));
  }

  function collect(node: Nodes, pick: (node: Nodes) => string[]): string[] {
    const inner = "children" in node ? node.children.flatMap((child) => collect(child, pick)) : [];
    return [...pick(node), ...inner];
  }
});

describe("pages that are too large or not UTF-8 text", () => {
  const files = {
    "index.md": "Harbor Cloud\n",
    "guides/old.md": Buffer.from("Harbor Cloud \xe9\n", "latin1"),
    "other/wide.mdx": Buffer.from("Harbor Cloud", "utf16le"),
  };

  it("are reported, because they were not searched", async () => {
    const bench = createAgentBench(tools, { ...files, "other/wide.mdx": Buffer.from([0xff, 0xfe, 0x48, 0x00]) });
    const input = { from: "Harbor Cloud", to: "Harbor Platform" };
    const result = await bench.run("replace_term", input);
    expect(result).toMatchObject({
      content: {
        summary: "Replaced “Harbor Cloud” with “Harbor Platform” 1 time in 1 file; 2 pages had to be left",
        notes: ["`guides/old.md`", "`other/wide.mdx`"].map((path) => `${path} is larger than 2 MB or not UTF-8 text.`),
      },
    });
    expect([...bench.tree.edits().keys()]).toEqual(["index.md"]);
  });

  it("are also reported when they are larger than what a chore reads", async () => {
    const bench = createAgentBench(tools, { "index.md": "Start\n", "large.md": "Harbor Cloud\n\n".repeat(160_000) });
    const result = await bench.run("replace_term", { from: "Harbor Cloud", to: "Harbor Platform" });
    expect(result).toMatchObject({
      content: {
        summary: "Found no “Harbor Cloud” to replace; 1 page had to be left",
        notes: ["`large.md` is larger than 2 MB or not UTF-8 text."],
      },
    });
  });

  it("are not reported outside the part of the docs that the chore works on", async () => {
    const bench = createAgentBench(tools, files);
    const result = await bench.run("replace_term", { from: "Harbor Cloud", to: "Harbor Platform", in: ["index"] });
    expect(result).toMatchObject({ content: { notes: [] } });
  });
});

describe("a part of the words", () => {
  const page =
    "---\ntitle: Use Harbor Cloud\ndescription: Harbor Cloud\n---\n\n# Harbor Cloud\n\nHarbor Cloud\n\n## Run Harbor Cloud\n\n<Steps>\n  <Step>\n    ### In Harbor Cloud\n  </Step>\n</Steps>\n";

  it("is the headings, not the title", async () => {
    const to = (text: string) => text.replace("Harbor Cloud", "Harbor Platform");
    expect(await replaced(page, { only: "headings" })).toBe(page.replace(/^ *#+ .*$/gm, to));
    expect(await replaced("# Harbor Cloud\n\n## Harbor Cloud\n", { only: "headings" })).toBe(
      "# Harbor Cloud\n\n## Harbor Platform\n",
    );
  });

  it("is the titles, wherever a page defines them", async () => {
    expect(await replaced(page, { only: "titles" })).toBe(page.replace("Use Harbor Cloud", "Use Harbor Platform"));
    expect(await replaced("# Harbor Cloud\n\n## Harbor Cloud\n", { only: "titles" })).toBe(
      "# Harbor Platform\n\n## Harbor Cloud\n",
    );
  });

  it("is all pages except the excluded ones", async () => {
    const files = { "a.mdx": "Harbor Cloud\n", "guides/b.mdx": "Harbor Cloud\n", "guides/c.mdx": "Harbor Cloud\n" };
    const input = { from: "Harbor Cloud", to: "Harbor Platform" };
    const { contents, summary } = await report(files, { ...input, except: ["guides/"] });
    expect(contents).toEqual({ ...files, "a.mdx": "Harbor Platform\n" });
    expect(summary).toBe("Replaced “Harbor Cloud” with “Harbor Platform” 1 time in 1 file, not in guides/");
    expect((await report(files, { ...input, in: ["guides/"], except: ["guides/b"] })).contents).toEqual({
      ...files,
      "guides/c.mdx": "Harbor Platform\n",
    });
  });
});

describe("an article before a term", () => {
  it.each([
    ["webhook", "event", "A webhook, a *webhook* and a [webhook](/x).\n", "An event, an *event* and an [event](/x).\n"],
    ["access token", "token", "Send an access\ntoken.\n", "Send a token.\n"],
    ["event", "HTTP call", "an event; the event\n", "an HTTP call; the HTTP call\n"],
    ["webhook", "event", "---\ndescription: What a webhook is\n---\n", "---\ndescription: What an event is\n---\n"],
    [
      "webhook",
      "event",
      "`a` webhook and plan-a webhook, grade: A\n\nwebhook\n",
      "`a` event and plan-a event, grade: A\n\nevent\n",
    ],
    ["SQL file", "query", "an SQL file, a SQL file\n", "a query, a query\n"],
  ])("follows the new words: %s to %s", async (from, to, before, after) => {
    expect(await replaced(before, { from, to })).toBe(after);
  });
});

describe("a new term that contains the old one", () => {
  it("is kept, so that a second run changes nothing", async () => {
    const input = { from: "Harbor", to: "Harbor Cloud" };
    const once = await replaced("Harbor, Harbor Cloud, Harbor\nCloud, Harbor Clouds, the Harbor\n", input);
    expect(once).toBe("Harbor Cloud, Harbor Cloud, Harbor\nCloud, Harbor Clouds, the Harbor Cloud\n");
    expect(await replaced(once, input)).toBe(once);
    expect(await replaced("an API and an API key\n", { from: "API", to: "the API key" })).toBe(
      "an the API key and an the API key key\n",
    );
  });
});

describe("other forms of a term", () => {
  const files = { "a.mdx": "webhook, webhooks, WEBHOOK and `webhooks`\n", "b.mdx": "Webhooks\n" };
  const input = { from: "webhook", to: "callback" };

  it("are kept, counted, and listed with the sentence that changes them", async () => {
    const { contents, notes } = await report(files, input);
    expect(contents["a.mdx"]).toBe("callback, webhooks, WEBHOOK and `webhooks`\n");
    expect(notes).toEqual([
      'Left 2 plural forms “webhooks”: `a.mdx:1`, `b.mdx:1`. To change them, send: Replace "webhooks" with "callbacks".',
      'Left 1 in other capitals: `a.mdx:1`. To change them, send: Replace "webhook" with "callback", in any case.',
    ]);
  });

  it("are changed as well when plurals are requested", async () => {
    const { contents } = await report(files, { ...input, plural: true });
    expect(contents).toEqual({ "a.mdx": "callback, callbacks, WEBHOOK and `webhooks`\n", "b.mdx": "Callbacks\n" });
  });

  it("are refused when they are unknown", async () => {
    await expect(report(files, { from: "webhook", to: "status", plural: true })).rejects.toThrow(
      "The other number of “webhook” and “status” is not known",
    );
  });
});

describe("in pages for other tools", () => {
  const inDialect = (dialect: DialectName): MarkdownParser => ({
    parse: (source, format) => Promise.resolve(parseInDialect(parseWithMicromark, source, { format, dialect })),
  });
  it.each<[DialectName, string]>([
    [
      "mkdocs",
      '!!! note "Harbor Cloud tips"\n    Use Harbor Cloud, **Harbor Cloud**.\n\n    - a Harbor Cloud\n\n--8<-- "Harbor Cloud.md"\n',
    ],
    [
      "docusaurus",
      ":::note[Harbor Cloud]\nUse Harbor Cloud.\n:::\n\n## Harbor Cloud {#Harbor}\n\n<Own>Harbor Cloud</Own>\n",
    ],
    ["gitbook", '{% hint style="info" %}\nHarbor Cloud :tada: Harbor Cloud\n{% endhint %}\n'],
  ])("replaces words and titles of %s, but no syntax", async (dialect, text) => {
    const path = "page.md";
    const expected = text.replaceAll(/Harbor Cloud(?!\.md)/g, "Harbor Platform");
    expect(await replaced(text, {}, { path, parser: inDialect(dialect) })).toBe(expected);
  });
});

describe("labels of another tool's navigation", () => {
  it.each([
    [
      "MkDocs",
      "mkdocs.yml",
      "site_name: Harbor\nnav:\n  - Harbor Cloud: index.md # first\n  - More:\n      - About Harbor Cloud: a.md\nextra:\n  note: Harbor Cloud\n",
      "site_name: Harbor\nnav:\n  - Harbor Platform: index.md # first\n  - More:\n      - About Harbor Platform: a.md\nextra:\n  note: Harbor Cloud\n",
      ["index.md", "a.md"].map((name) => `docs/${name}`),
      "mkdocs.yml:7",
    ],
    [
      "VitePress",
      ".vitepress/config.mts",
      'export default {\n  themeConfig: {\n    nav: [{ text: "Harbor Cloud", link: "/" }],\n    sidebar: [\n      { text: "Harbor Cloud", link: "/" },\n      { text: "A", link: "/a" },\n    ],\n  },\n};\n',
      'export default {\n  themeConfig: {\n    nav: [{ text: "Harbor Cloud", link: "/" }],\n    sidebar: [\n      { text: "Harbor Platform", link: "/" },\n      { text: "A", link: "/a" },\n    ],\n  },\n};\n',
      ["index.md", "a.md"],
      ".vitepress/config.mts:3",
    ],
    [
      "Starlight",
      "astro.config.mjs",
      'import starlight from "@astrojs/starlight";\nexport default {\n  integrations: [\n    starlight({\n      title: "Harbor Cloud",\n      sidebar: [\n        { label: "Harbor Cloud", items: ["a"] },\n      ],\n    }),\n  ],\n};\n',
      'import starlight from "@astrojs/starlight";\nexport default {\n  integrations: [\n    starlight({\n      title: "Harbor Cloud",\n      sidebar: [\n        { label: "Harbor Platform", items: ["a"] },\n      ],\n    }),\n  ],\n};\n',
      ["index.md", "a.md"].map((name) => `src/content/docs/${name}`),
      "astro.config.mjs:5",
    ],
  ])("are replaced on a site of %s, and what is left is named", async (_, file, before, after, pages, left) => {
    const { contents, notes } = await report(
      { [file]: before, ...Object.fromEntries(pages.map((path) => [path, "# Page\n\nText\n"])) },
      { from: "Harbor Cloud", to: "Harbor Platform" },
    );
    expect(contents[file]).toBe(after);
    expect(notes).toEqual([`Left 1 in the configuration: \`${left}\`.`]);
  });
});

it("replaces the labels of Docusaurus's categories, and names what is left in them", async () => {
  const docusaurus = 'export default { title: "T", presets: ["classic"] };\n';
  const json = (term: string) =>
    `{\n  "label": "${term} guides",\n  "position": 2,\n  "link": { "type": "generated-index", "title": "All of \\"${term}\\"", "slug": "/harbor" },\n  "className": "Harbor"\n}\n`;
  const yaml = (term: string) =>
    `# Folder\nlabel: '${term}''s API' # shown\nlink:\n  type: generated-index\n  description: With ${term}.\n`;
  const { contents, notes } = await report(
    {
      "docusaurus.config.js": docusaurus,
      "docs/a.md": "# A\n",
      "docs/g/_category_.json": json("Harbor"),
      "docs/g/b.md": "# B\n",
      "docs/h/_category_.yml": yaml("Harbor"),
      "docs/h/c.md": "# C\n",
    },
    { from: "Harbor", to: "Harbor Platform" },
  );
  expect(contents["docs/g/_category_.json"]).toBe(json("Harbor Platform"));
  expect(contents["docs/h/_category_.yml"]).toBe(yaml("Harbor Platform"));
  expect(notes).toEqual(["Left 1 in the configuration: `docs/g/_category_.json:5`."]);
});

it("replaces the value of a variable that readers see, and leaves one that code uses", async () => {
  const docs = (shown: string) =>
    `{"variables": {"product": "Pay", "shown": "${shown}"}, "navigation": {"pages": ["index"]}}\n`;
  const { contents, notes } = await report(
    { "docs.json": docs("Pay"), "index.md": "# {{shown}}\n\n`npm i @acme/{{product}}`\n" },
    { from: "Pay", to: "Money" },
  );
  expect(contents["docs.json"]).toBe(docs("Money"));
  expect(notes).toEqual(["Left 1 in variables that code uses: `docs.json:1`."]);
});
