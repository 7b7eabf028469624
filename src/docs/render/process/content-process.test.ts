import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { MarkdownFormat } from "#docs/parser.ts";
import { AppError } from "#lib/app-error.ts";
import { silentLogger } from "#lib/logger.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { type ContentProcess, createContentProcess } from "./content-process.ts";
import { brokenInstallation, renderProcesses } from "./render-child.ts";

let content: ContentProcess;

beforeAll(() => {
  content = createContentProcess({ logger: silentLogger, isWarmedUp: false, processes: 1 });
});

afterAll(() => content[Symbol.asyncDispose]());

function render(
  source: string,
  format: MarkdownFormat = "mdx",
  readInclude = (_path: string) => Promise.resolve<string | null>(null),
) {
  return content.render({ path: "guides/page.mdx", source, format, readInclude });
}

test("a rendered page has everything that a site needs", async () => {
  const source = [
    "---",
    "title: Deploy",
    "description: In a minute.",
    "---",
    "",
    "## Before you start",
    "",
    "Read [the guide](./start.md#top) and see ![a diagram](../images/a.png).",
    "",
    '<Step title="Push">Go.</Step>',
  ].join("\n");
  const page = await render(source);
  expect(page).toMatchObject({
    title: "Deploy",
    description: "In a minute.",
    headings: [{ depth: 2, text: "Before you start", id: "before-you-start" }],
    anchors: ["before-you-start", "push"],
    links: [{ href: "/guides/start#top", written: "./start.md#top", line: 8 }],
    images: [{ src: "/images/a.png", alt: "a diagram", line: 8 }],
    text: "Before you start\nRead the guide and see a diagram.\nPush\nGo.",
    warnings: [],
    degraded: "none",
  });
  expect(page.html).toContain('<a href="/guides/start#top">the guide</a>');
});

test("the reason why render processes do not start is in the error, apart from what clients get", async () => {
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = "/bin/false";
  await using own = createContentProcess({ logger: silentLogger, isWarmedUp: false, processes: 1 });
  await expect(
    own.render({ path: "a.md", source: "# A", format: "md", readInclude: async () => null }),
  ).rejects.toMatchObject({
    message: "Pages cannot be rendered at the moment.",
    reason: "Pages cannot be rendered, because the process that renders them did not start: exit code 1",
  });
});

test("a package that is missing for a page makes pages unavailable, and is named apart from what clients get", () => {
  const answer = { kind: "failed", id: 1, message: "Cannot find package 'temml'", isIncomplete: true } as const;
  expect(brokenInstallation(answer)).toMatchObject({
    code: "unavailable",
    message: "Pages cannot be rendered at the moment.",
    reason: "Pages cannot be rendered: Cannot find package 'temml'",
  });
  expect(brokenInstallation({ ...answer, isIncomplete: false })).toBeNull();
});

test("code has colors unless they are turned off, and is the same text without them", async () => {
  const input = {
    path: "a.md",
    source: "```js\nconst a = 1;\n```\n",
    format: "md",
    readInclude: async () => null,
  } as const;
  const [coloured, plain] = [await content.render(input), await content.render({ ...input, isColoured: false })];
  expect(coloured.html).toContain('class="token-');
  expect(plain.html).not.toContain('class="token-');
  expect({ ...plain, html: "" }).toEqual({ ...coloured, html: "" });
});

test("the first level-one heading is the title when the front matter has none", async () => {
  expect((await render("# Hello *there*\n")).title).toBe("Hello there");
});

test("snippets are requested by their path in the site, and get their variables", async () => {
  const asked: string[] = [];
  const snippets: Record<string, string> = {
    "snippets/hello.mdx": 'import { place } from "./names.mdx"\n\nHello {name} of {place}.\n\n## Setup',
    "snippets/names.mdx": 'export const place = "Kyoto";',
  };
  const page = await render(
    'import Hello from "../snippets/hello.mdx"\n\n## Setup\n\n<Hello name="Ada" />\n',
    "mdx",
    (path) => {
      asked.push(path);
      return Promise.resolve(snippets[path] ?? null);
    },
  );
  expect(asked).toEqual(["snippets/hello.mdx", "snippets/names.mdx"]);
  expect(page.includes).toEqual(asked);
  expect(page.text).toContain("Hello Ada of Kyoto.");
  expect(page.headings.map(({ id }) => id)).toEqual(["setup", "setup-1"]);
});

test("a snippet that is missing, or whose reader fails, is a warning", async () => {
  const missing = await render('<Snippet file="gone.mdx" />\n\nrest');
  expect(missing.warnings).toMatchObject([
    { line: 1, message: "The snippet gone.mdx is left out: there is no such file." },
  ]);
  const failing = await render('import A from "/a.mdx"\n\n<A />\n\nrest', "mdx", () =>
    Promise.reject(new Error("disk")),
  );
  expect(failing.text).toBe("rest");
});

test("known variables are filled in", async () => {
  const variables = { product: "Docent" };
  const page = await content.render({
    path: "a.md",
    source: "Use {{product}}, not {{other}}.",
    format: "md",
    variables,
    readInclude: () => Promise.resolve(null),
  });
  expect(page.text).toBe("Use Docent, not {{other}}.");
});

test("an MDX syntax error is repaired, and the warning has its place", async () => {
  const page = await render(
    "# Fine\n\nI <3 braces like {this one\n\nA line<br>break <!-- note --> and <https://a.example>.\n",
  );
  expect(page.degraded).toBe("repaired");
  expect(page.text).toBe("Fine\nI <3 braces like {this one\nA line break and https://a.example.");
  expect(page.html).toContain("line<br>break");
  expect(page.html).toContain('<a href="https://a.example" rel="noopener nofollow">');
  expect(page.warnings[0]).toMatchObject({ line: 3 });
});

test("parse gives offsets into the source in UTF-16 units", async () => {
  const source = "\uFEFF---\ntitle: é\n---\n\n# 🎉 **Bold**\n";
  const outcome = await content.parse(source, "mdx");
  if (!outcome.ok) throw new Error(outcome.message);
  const heading = outcome.root.children[1];
  expect(source.slice(heading?.position?.start.offset, heading?.position?.end.offset)).toBe("# 🎉 **Bold**");
});

test("parse reports the place of a syntax error", async () => {
  expect(await content.parse("a\n\nb {c", "mdx")).toMatchObject({ ok: false, line: 3 });
});

test("a page of 5 MB is truncated and shown as text", async () => {
  const page = await render(`---\ntitle: Big\n---\n${"<b>word</b> ".repeat(450_000)}`);
  expect(page.title).toBe("Big");
  expect(page.degraded).toBe("plain");
  expect(page.html.length).toBeLessThan(4_000_000);
  expect(page.html).toContain("&lt;b&gt;word");
  expect(page.warnings.map(({ message }) => message)).toEqual([expect.stringContaining("cut after 1 MB")]);
});

const repeat = (text: string, count: number) => text.repeat(count);

/** Input that stalls or crashes one of the parsers, with a size in bytes that takes seconds there. The gate has some. */
const killers: [name: string, source: string, format: MarkdownFormat][] = [
  ["20,000 open brackets in an export", `export const a = ${repeat("[", 20_000)}`, "mdx"],
  ["20,000 open parentheses in an expression", `{${repeat("(", 20_000)}}`, "mdx"],
  ["400 brackets in an attribute", `<A b={${repeat("[", 400)}${repeat("]", 400)}} />`, "mdx"],
  ["100,000 nested tags in an export", `export const a = ${repeat("<a>", 100_000)}${repeat("</a>", 100_000)}`, "mdx"],
  ["60,000 nested tags", `${repeat("<div>\n", 60_000)}${repeat("</div>\n", 40_000)}`, "mdx"],
  ["20,000 nested inline tags", `${repeat("<b>", 20_000)}x${repeat("</b>", 20_000)}`, "mdx"],
  ["40,000 character references", repeat("&amp;", 40_000), "mdx"],
  ["100 KB of quotes", repeat(">", 100_000), "mdx"],
  ["quotes 90 deep on 5,000 lines", repeat(`${repeat("> ", 90)}x\n`, 5_000), "md"],
  [
    "lists nested by indentation",
    Array.from({ length: 1_200 }, (_, depth) => `${repeat(" ", depth * 2)}- a`)
      .join("\n")
      .slice(0, 900_000),
    "md",
  ],
  ["lists nested on one line", repeat("- ", 4_500), "md"],
  ["runs of backticks", Array.from({ length: 1_200 }, (_, length) => repeat("`", length)).join(" a "), "md"],
  ["links in links", repeat("[a](", 20_000), "md"],
  ["emphasis without end", repeat("*a **b ", 60_000), "md"],
  ["underscores", repeat("a_", 200_000), "md"],
  ["200,000 raw tags", repeat("<b>", 200_000), "md"],
  ["100,000 script tags", repeat("<script>", 100_000), "md"],
  ["brackets in a block of Markdown", `\`\`\`md\n${repeat("[", 50_000)}\n\`\`\``, "md"],
  ["angle brackets in a block of TypeScript", `\`\`\`tsx\n${repeat(`${repeat("<", 1_900)}\n`, 100)}\`\`\``, "md"],
  ["marks on every line of code", `\`\`\`js\n${repeat("x // [!code ++:9999]\n", 20_000)}\`\`\``, "md"],
  [
    "content used twice, 30 levels deep",
    `export const a0 = <b>x</b>\n\n${Array.from({ length: 30 }, (_, i) => `export const a${i + 1} = <i>{a${i}}{a${i}}</i>\n\n`).join("")}{a30}`,
    "mdx",
  ],
  ["a component that calls itself twice", "export const A = () => <><A /><A /></>\n\n<A />", "mdx"],
  ["300,000 footnote references", `${repeat("[^1]", 240_000)}\n\n[^1]: x`, "md"],
  ["a table of 50 million cells", `${repeat("|a", 500)}\n${repeat("|-", 500)}\n${repeat("|\n", 100_000)}`, "md"],
];

/** One that exceeds its CPU time, and those that its process survives: each process that ends costs a second. */
const IN_THE_GATE = new Set([
  "40,000 character references",
  "lists nested by indentation",
  "links in links",
  "angle brackets in a block of TypeScript",
  "a component that calls itself twice",
]);

describe("pages that kill parsers", () => {
  // A shorter deadline than the server's, for shorter tests.
  let guarded: ContentProcess;
  const logged: string[] = [];
  beforeAll(() => {
    guarded = createContentProcess({
      logger: pino({}, { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) }),
      isWarmedUp: false,
      processes: 1,
      deadline: { cpuMs: 1_000, asleepMs: 120_000 },
    });
  });
  afterAll(() => guarded[Symbol.asyncDispose]());
  const show = (source: string, format: MarkdownFormat) =>
    guarded.render({ path: "page.mdx", source, format, readInclude: () => Promise.resolve(null) });

  test.each(LONG_TESTS ? killers : killers.filter(([name]) => IN_THE_GATE.has(name)))(
    "%s: the page is shown, and the next one renders",
    async (_name, source, format) => {
      const page = await show(source, format);
      expect(page.html.length).toBeLessThan(20_000_000);
      expect((await show("# Alive\n", "md")).title).toBe("Alive");
    },
  );

  test("parse rejects input that would take too long", async () => {
    expect(await guarded.parse(repeat("&amp;", 40_000), "mdx")).toEqual({
      ok: false,
      message: "The page takes too long to parse.",
      line: null,
    });
    expect(await guarded.parse(`{${repeat("(", 20_000)}}`, "mdx")).toMatchObject({ ok: false, line: null });
  });

  test("a page whose snippet crashed its process is rendered once the snippet is mended, for other projects at once", async () => {
    const crash = `${repeat("<div>\n", 60_001)}${repeat("</div>\n", 40_000)}`;
    const showWith = (snippet: string) =>
      guarded.render({
        path: "a.mdx",
        source: '<Snippet file="a.mdx" />\n',
        format: "mdx",
        readInclude: () => Promise.resolve(snippet),
      });
    const plain = await showWith(crash);
    expect(plain.degraded).toBe("plain");
    expect(plain.includes.length).toBeGreaterThan(0);
    expect((await showWith("Fine.\n")).text).toContain("Fine.");
  });

  test("a page that crashed its process is not retried", async () => {
    const source = `${repeat("<div>\n", 60_001)}${repeat("</div>\n", 40_000)}`;
    logged.length = 0;
    expect(await show(source, "mdx")).toEqual(await show(source, "mdx"));
    expect(logged).toEqual(["page ended its render process"]);
  });
});

test("concurrent callers each get their own page", async () => {
  const titles = Array.from({ length: 60 }, (_, index) => `Page ${index}`);
  const pages = await Promise.all(titles.map((title) => render(`# ${title}\n\n\`\`\`js\nconst a = 1;\n\`\`\`\n`)));
  expect(pages.map(({ title }) => title)).toEqual(titles);
});

test("a page whose snippet cannot be read at the moment is not rendered without it", async () => {
  const away = new AppError("unavailable", "The repository is away.");
  await expect(render('<Snippet file="a.mdx" />\n', "mdx", () => Promise.reject(away))).rejects.toBe(away);
});

const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");

test("one page after another is rendered by the same process", async () => {
  await render("# Warm\n");
  const before = children();
  for (let count = 0; count < 50; count += 1) await render(`# Page ${count}\n`);
  expect(before).not.toEqual([""]);
  expect(children().filter((child) => !before.includes(child))).toEqual([]);
});

test("of processes without work all but one end, and the next page needs no new one", async () => {
  const changes: number[] = [];
  using _ = renderProcesses.subscribe(({ change }) => changes.push(change));
  await using own = createContentProcess({ logger: silentLogger, isWarmedUp: false, processes: 2, idleMs: 100 });
  const show = (title: string) =>
    own.render({ path: "a.md", source: `# ${title}\n`, format: "md", readInclude: () => Promise.resolve(null) });
  await Promise.all([show("One"), show("Two")]);
  await vi.waitFor(() => expect(changes).toEqual([1, 1, -1]), { timeout: 60_000 });
  await new Promise((resolve) => setTimeout(resolve, 300)); // longer than the last one was idle
  expect((await show("Three")).title).toBe("Three");
  expect(changes).toEqual([1, 1, -1]);
});

test("a process that works again does not end for having been idle before", async () => {
  await using own = createContentProcess({ logger: silentLogger, isWarmedUp: false, processes: 2, idleMs: 100 });
  const show = (readInclude: () => Promise<string | null>) =>
    own.render({ path: "a.md", source: '<Snippet file="a.md" />\n', format: "mdx", readInclude });
  await Promise.all([show(async () => "Once."), show(async () => "Once.")]);
  let reads = 0;
  const late = async () => {
    reads += 1;
    await new Promise((resolve) => setTimeout(resolve, 300)); // longer than both were allowed to be idle
    return "Late.";
  };
  const pages = await Promise.all([show(late), show(late)]);
  expect(pages.map(({ html }) => html)).toEqual(["<p>Late.</p>\n", "<p>Late.</p>\n"]);
  expect(reads).toBe(2); // a page whose process ends is read again
});

describe("processes that something other than the server stops or kills", () => {
  const description = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: { "/pets": { get: {} } } }); // oxfmt-ignore

  /** A content process, with a way to signal the process that it works with. */
  async function start(deadline = { cpuMs: 1_000, asleepMs: 400 }) {
    const others = new Set(children());
    const own = createContentProcess({ logger: silentLogger, isWarmedUp: false, processes: 1, deadline });
    onTestFinished(() => own[Symbol.asyncDispose]());
    await own.parse("# Warm\n", "md");
    const signal = (name: NodeJS.Signals) => {
      for (const child of children()) if (!others.has(child)) process.kill(Number(child), name);
    };
    return { own, signal };
  }

  test("a page whose process gets no CPU time for a while is still rendered by that process", async () => {
    const { own, signal } = await start();
    const before = children();
    signal("SIGSTOP");
    const page = own.render({ path: "a.md", source: "# Late\n", format: "md", readInclude: async () => null });
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // longer than the page's limit
    signal("SIGCONT");
    expect([(await page).title, children()]).toEqual(["Late", before]);
  });

  test.runIf(LONG_TESTS)(
    "an API description whose process was killed from outside is read by another process",
    async () => {
      const { own, signal } = await start();
      let reads = 0;
      const read = async () => {
        reads += 1;
        if (reads < 3) signal("SIGKILL");
        return description;
      };
      const { operations, problems } = await own.readApi({ path: "pets.json", owner: "p", read });
      expect([operations.map(({ path }) => path), problems]).toEqual([["/pets"], []]);
    },
  );

  /** Kills the process each time that it requests the page's snippet, `kills` times. */
  function page(signal: (name: NodeJS.Signals) => void, kills: number) {
    let killed = 0;
    const readInclude = async () => {
      if (killed++ < kills) signal("SIGKILL");
      return "Read.";
    };
    return { path: "a.mdx", source: '<Snippet file="a.mdx" />\n', format: "mdx" as const, readInclude };
  }

  test("a page whose processes were killed twice, one of them just started, is rendered", async () => {
    const { own, signal } = await start();
    expect(await own.render(page(signal, 2))).toMatchObject({ text: "Read.", warnings: [] });
  });

  test("a page whose processes are killed again and again is not cached as one that cannot be rendered", async () => {
    const { own, signal } = await start();
    await expect(own.render(page(signal, 3))).rejects.toMatchObject({ name: "MachineBusy" });
    expect(await own.render(page(signal, 0))).toMatchObject({ text: "Read.", warnings: [] });
  });

  test.runIf(LONG_TESTS)("a page is blamed after nine of its processes were killed", async () => {
    const { own, signal } = await start();
    const rendered = page(signal, 9);
    for (const _round of [1, 2]) await expect(own.render(rendered)).rejects.toMatchObject({ name: "MachineBusy" });
    expect((await own.render(rendered)).warnings).toMatchObject([
      { message: "The page cannot be rendered. It is shown as plain text." },
    ]);
  });

  test.runIf(LONG_TESTS)(
    "a description whose processes are killed again and again is not reported as a problem of the file",
    async () => {
      const { own, signal } = await start();
      const read = async () => {
        signal("SIGKILL");
        return description;
      };
      await expect(own.readApi({ path: "pets.json", owner: "p", read })).rejects.toMatchObject({ name: "MachineBusy" });
    },
  );
});

test("pages that readers wait for come before those in the background", async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<string | null>();
  const done: string[] = [];
  const show = (name: string, by: Pick<ContentProcess, "render">, source = "# Page") =>
    by
      .render({ path: "a.mdx", source, format: "mdx", owner: "p", readInclude: () => held })
      .then(() => done.push(name));
  const first = show("first", content, '<Snippet file="held.mdx" />\n');
  const all = [
    first,
    show("index", content.inBackground),
    show("report", content.inBackground),
    show("reader", content),
  ];
  letGo(null);
  await Promise.all(all);
  expect(done).toEqual(["first", "reader", "index", "report"]);
});

test("an aborted render rejects", async () => {
  const signal = AbortSignal.abort(new Error("gone"));
  await expect(
    content.render({ path: "a.md", source: "x", format: "md", readInclude: () => Promise.resolve(null), signal }),
  ).rejects.toThrow("gone");
});

test("six slow pages of one owner do not delay a page of another", async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<string | null>();
  const slow = Array.from({ length: 6 }, (_, index) =>
    content.render({
      path: "a.mdx",
      source: `# Slow ${index}\n\n<Snippet file="held.mdx" />\n`,
      format: "mdx",
      owner: "slow",
      readInclude: () => held,
    }),
  );
  const quick = { path: "b.md", source: "# Quick", format: "md" as const, readInclude: () => Promise.resolve(null) };
  const done: string[] = [];
  const all = Promise.all(slow).then(() => done.push("slow"));
  expect((await content.render({ ...quick, owner: "quick" })).title).toBe("Quick");
  expect((await content.parserFor("quick").parse("# Quick", "md")).ok).toBe(true);
  done.push("quick");
  letGo(null);
  await all;
  expect(done).toEqual(["quick", "slow"]);
});

test("after disposal renders are rejected, including running ones", async () => {
  const short = createContentProcess({ logger: silentLogger, isWarmedUp: false, processes: 1 });
  const input = { path: "a.md", source: "x", format: "md" as const, readInclude: () => Promise.resolve(null) };
  const waiting = [short.render(input), short.render(input)].map((promise) => promise.catch((error: unknown) => error));
  await short[Symbol.asyncDispose]();
  for (const outcome of [...(await Promise.all(waiting)), await short.render(input).catch((error: unknown) => error)]) {
    expect(outcome).toMatchObject({ code: "unavailable" });
  }
});
