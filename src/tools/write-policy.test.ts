import { describe, expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { createWritePolicy, MAX_CHANGED_FILES, MAX_FILE_BYTES, refusedEdits } from "./write-policy.ts";

const base = createTestSnapshot({
  "docs.json": "{}",
  "index.mdx": "# Home\n",
  "guides/install.mdx": "# Install\n",
  "link.mdx": { linkTo: "/etc/passwd" },
  linked: { linkTo: "/etc" },
  "images/a.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]),
  LICENSE: "text",
});

describe("paths", () => {
  const allowed = [
    "index.mdx",
    "guides/new page.mdx",
    "guides/ünïcode-名前.md",
    "guides/agents.mdx",
    "guides/claude.mdx",
    "integrations/cursor.md",
    "docs.json",
    "reference/openapi.yaml",
    "data/prices.csv",
    "[[...slug]]/page.md",
    "a+b (c).mdx",
  ];
  const refused = [
    ["", "is not a path"],
    [`openapi${"-a".repeat(120)}.txt`, "would be a new data file"], // if each dash could match in two ways, there would be 2 to the 120th
    ["/etc/passwd.md", "is not a path"],
    ["../outside.md", "is not a path"],
    ["guides/../../outside.md", "is not a path"],
    ["guides/./a.md", "is not a path"],
    ["guides//a.md", "is not a path"],
    ["guides\\a.md", "is not a path"],
    ["guides/a.md/", "is not a path"],
    [".git/config", "starts with a dot"],
    [".git/hooks/pre-commit.md", "starts with a dot"],
    ["docs/.git/config.md", "starts with a dot"],
    [".github/workflows/ci.yml", "starts with a dot"],
    [".gitlab-ci.yml", "starts with a dot"],
    [".docent/AGENTS.md", "starts with a dot"],
    [".GIT/config.md", "starts with a dot"],
    ["g\u200Cit.md", "invisible"],
    [".g\u200Cit/config.md", "invisible"],
    ["guides/\u202Exdm.md", "invisible"],
    ["a\0.md", "invisible"],
    ["a\n.md", "invisible"],
    ["guides/a.md:stream", "reserved"],
    ["guides/a?.md", "reserved"],
    ["git~1/config.md", "another file"],
    ["guides./a.md", "another file"],
    ["guides/a.md ", "another file"],
    ["guides/con.md", "reserved name"],
    ["-rf.md", "as an option"],
    ["guides/--upload-pack=x.md", "as an option"],
    ["node_modules/x/readme.md", "not part of the documentation"],
    ["AGENTS.md", "instructions for agents"],
    ["agents.md", "instructions for agents"],
    ["docs/AGENTS.md", "instructions for agents"],
    ["docs/CLAUDE.local.md", "instructions for agents"],
    ["skills/x/SKILL.md", "instructions for agents"],
    ["package.json", "configures a tool"],
    ["docs/package-lock.json", "configures a tool"],
    ["pnpm-lock.yaml", "configures a tool"],
    ["mkdocs.yml", "configures a tool"],
    ["azure-pipelines.yml", "configures a tool"],
    ["docker-compose.prod.yml", "configures a tool"],
    ["requirements-dev.txt", "configures a tool"],
    ["robots.txt", "configures a tool"],
    ["llms.txt", "configures a tool"],
    ["amplify.yml", "configures a tool"],
    ["prices.csv", "would be a new data file next to"],
    ["QWEN.md", "instructions for agents"],
    ["NEWTOOL.md", "is in capitals"],
    ["guides/NEW-TOOL.mdx", "is in capitals"],
    ["ＡGENTS.md", "instructions for agents"],
    ["ｎotes.md", "look like others"],
    ["guides/Аgenda.md", "look like others"],
    ["guides/a#b.md", "characters that a new file's name"],
    ["build.sh", "not a documentation file"],
    ["Makefile", "not a documentation file"],
    ["index.html", "not a documentation file"],
    ["snippets/widget.jsx", "not a documentation file"],
    ["Dockerfile", "not a documentation file"],
    ["LICENSE", "not a documentation file"],
    ["images/new.png", "can be moved or deleted"],
    ["link.mdx", "is a symlink"],
    ["linked/passwd.md", "not a folder"],
    ["index.mdx/x.md", "not a folder"],
    ["Guides/other.mdx", "differs only in case"],
    ["guides/Install.mdx", "differs only in case"],
    ["guides/cafe\u0301.md", "normal form C"],
    [`${"a".repeat(197)}/${"b".repeat(200)}.md`, "longer than 400 bytes"],
    [`${"a".repeat(253)}.md`, "longer than 255 bytes"],
    [`${"é".repeat(130)}.md`, "longer than 255 bytes"],
  ] as const;

  it.each(allowed)("lets %j be written", async (path) => {
    expect((await createWritePolicy(base)).refuseWrite(path, "text")).toBeNull();
  });

  it.each(refused)("refuses %j", async (path, reason) => {
    expect((await createWritePolicy(base)).refuseWrite(path, "text")).toContain(reason);
  });

  it("limits everything to the documentation's folder", async () => {
    const policy = await createWritePolicy(
      createTestSnapshot({ "docs/docs.json": "{}", "docs-internal/a.json": "{}" }),
      "docs",
    );
    expect(policy.refuseWrite("docs/docs.json", "{}")).toBeNull();
    expect(policy.refuseWrite("docs/data/plans.json", "{}")).toBeNull();
    expect(policy.refuseWrite("docs/page.md", "# Hello")).toBeNull();
    for (const path of ["config/data.json", "docs-internal/a.json", "README.md", "docs.json", "docs.md"]) {
      expect(policy.refuseWrite(path, "{}")).toContain("outside of the documentation's folder");
      expect(policy.refuseRemove(path)).toContain("outside of the documentation's folder");
    }
  });
});

describe("contents", () => {
  it("refuses content that is too large, binary or not UTF-8", async () => {
    const policy = await createWritePolicy(base);
    expect(policy.refuseWrite("index.mdx", "x".repeat(MAX_FILE_BYTES))).toBeNull();
    expect(policy.refuseWrite("index.mdx", "x".repeat(MAX_FILE_BYTES + 1))).toContain("at most 2097152");
    expect(policy.refuseWrite("index.mdx", "a\0b")).toContain("NUL");
    expect(policy.refuseWrite("index.mdx", "a\uD800b")).toContain("not valid Unicode");
    expect(policy.refuseWrite("index.mdx", new Uint8Array([0x61, 0xff]))).toContain("UTF-8");
    expect(policy.refuseWrite("index.mdx", new Uint8Array([0x61, 0]))).toContain("UTF-8");
  });
});

describe("moving and removing", () => {
  it("allows pages and assets, and refuses everything that cannot be written", async () => {
    const policy = await createWritePolicy(base);
    expect(policy.refuseRemove("images/a.png")).toBeNull();
    expect(policy.refuseRemove("link.mdx")).toContain("symlink");
    expect(policy.refuseRemove("LICENSE")).toContain("not a documentation file");
    expect(policy.refuseMove("images/a.png", "images/b.png")).toBeNull();
    expect(policy.refuseMove("guides/install.mdx", "guides/setup.md")).toBeNull();
    expect(policy.refuseMove("guides/install.mdx", "guides/Install.mdx")).toBeNull();
    expect(policy.refuseMove("images/a.png", "images/a.md")).toContain("keeps its kind");
    expect(policy.refuseMove(".gitbook/assets/a.png", "assets/a.png")).toBeNull();
    expect(policy.refuseMove(".gitbook/vars.yaml", "assets/vars.yaml")).toContain("starts with a dot");
    expect(policy.refuseMove(".github/assets/a.png", "assets/a.png")).toContain("starts with a dot");
    expect(policy.refuseMove("guides/install.mdx", ".github/install.mdx")).toContain("starts with a dot");
  });
});

describe("a finished set of edits", () => {
  const text = new TextEncoder().encode("text\n");

  it("passes when every edit is allowed", async () => {
    const edits = new Map([
      ["index.mdx", text],
      ["guides/install.mdx", null],
      ["start/install.mdx", text],
    ]);
    expect(await refusedEdits(base, edits)).toEqual([]);
  });

  it("allows an image to move only with the same bytes", async () => {
    const bytes = await base.read("images/a.png");
    const moved = new Map([
      ["images/a.png", null],
      ["images/b.png", bytes],
    ]);
    expect(await refusedEdits(base, moved)).toEqual([]);
    const made = new Map([["images/b.png", new Uint8Array([1, 2, 3])]]);
    expect(await refusedEdits(base, made)).toEqual([expect.stringContaining("content is new")]);
  });

  it("lets a page change the case of its name", async () => {
    const edits = new Map([
      ["guides/install.mdx", null],
      ["guides/Install.mdx", text],
    ]);
    expect(await refusedEdits(base, edits)).toEqual([]);
  });

  it("limits the number of files and their size", async () => {
    const many = new Map(Array.from({ length: MAX_CHANGED_FILES + 1 }, (_, index) => [`p${index}.md`, text]));
    expect(await refusedEdits(base, many)).toEqual([expect.stringContaining("2001 files would change")]);
    const huge = new Map(
      Array.from({ length: 20 }, (_, index) => [`p${index}.md`, new Uint8Array(2_000_000).fill(97)]),
    );
    expect(await refusedEdits(base, huge)).toEqual([expect.stringContaining("40000000 bytes")]);
  });

  it("refuses symbolic links and hidden files, whatever their origin", async () => {
    const edits = new Map([
      ["link.mdx", text],
      [".github/workflows/x.yml", text],
    ]);
    expect(await refusedEdits(base, edits)).toEqual([
      expect.stringContaining("symlink"),
      expect.stringContaining("starts with a dot"),
    ]);
  });
});
