import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();

const BROKEN =
  "---\ntitle: Broken\n---\n\nA search, see [good](/good) and ![it](/a.png).\n\n- x\n\n<Card>\n\n{search\n";
const FILES = {
  "docs.json": '{ "name": "Acme", "navigation": ["index", "good", "other"] }\n',
  "index.mdx": "---\ntitle: Start\n---\n\n- The search is on the page, see [good](/Good).\n",
  "good.mdx": "---\ntitle: Good\n---\n\nThe search finds every page of it.\n\n## The Search\n\n- one\n\n![](/a.png)\n",
  "other.mdx": "---\ntitle: Other\ndescription: x\n---\n\nOther.\n",
  "broken.mdx": BROKEN,
  "latin.md": Buffer.from("caf\u00E9 search ![](/a.png)\n", "latin1"),
  "yaml.mdx": "---\ntitle: Yaml\nbad: [\n---\n\nThis page has a first sentence.\n",
  "a.png": "png",
};

async function run(tool: string, input: Record<string, unknown>) {
  const bench = createAgentBench(tools, FILES);
  const result = await bench.run(tool, input);
  if (!result.ok) throw new Error(result.message);
  const { notes, changed } = result.content as { notes: string[]; changed: string[] };
  return { summary: result.summary, notes: notes.join("\n"), changed, contents: await bench.contents() };
}

const PARSE = "`broken.mdx:12` does not parse (";
const LATIN = "`latin.md` is larger than 2 MB or not UTF-8 text.";
const YAML = "`yaml.mdx:4` cannot be edited: The front matter is not valid YAML";

describe("a page that cannot be read, parsed or edited is skipped and reported", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["replace_term", { from: "search", to: "lookup" }, [PARSE, LATIN]],
    ["normalise_style", { listMarker: "*" }, [PARSE, LATIN]],
    ["normalise_style", { headingCase: "sentence" }, [PARSE, LATIN]],
    ["set_alt_text", { image: "a.png", alt: "The console" }, [PARSE, LATIN]],
    ["report_missing_alt", {}, [PARSE, LATIN]],
    ["add_missing_descriptions", {}, [PARSE, YAML]],
    ["set_front_matter", { in: ["**"], key: "tag", value: "new" }, [YAML]],
    ["move_page", { page: "good.mdx", to: "better" }, ["`broken.mdx:12` does not parse, so links in it stay"]],
    ["remove_page", { page: "good.mdx", redirectTo: "other.mdx" }, ["`broken.mdx:12` does not parse, so links"]],
    ["check_links", {}, ["`broken.mdx:12` does not parse"]],
    ["fix_links", {}, ["`broken.mdx:12` does not parse"]],
    ["audit", {}, ["`broken.mdx:12` ("]],
  ])("by %s %j", async (tool, input, named) => {
    const { notes, changed, contents } = await run(tool, input);
    for (const each of named) expect(notes).toContain(each);
    expect(changed.length > 0).toBe(!["check_links", "report_missing_alt", "audit"].includes(tool));
    // A body that does not parse is no reason to skip the front matter above it.
    const tagged = BROKEN.replace("title: Broken\n", "title: Broken\ntag: new\n");
    expect(contents["broken.mdx"]).toBe(tool === "set_front_matter" ? tagged : BROKEN);
    expect(contents["yaml.mdx"]).toBe(FILES["yaml.mdx"]);
  });

  it("and counted in the summary", async () => {
    expect((await run("replace_term", { from: "search", to: "lookup" })).summary).toMatch(/; 2 pages had to be left$/);
    expect((await run("report_missing_alt", {})).summary).toMatch(/; 2 pages could not be read$/);
  });

  it("unless it is outside the scope of the chore", async () => {
    const { notes, summary } = await run("replace_term", { from: "search", to: "lookup", in: ["good.mdx"] });
    expect(notes).not.toMatch(/broken|latin/);
    expect(summary).not.toContain("left");
  });

  it("also when the new words cannot be written on it", async () => {
    const bench = createAgentBench(tools, { "a.mdx": "The `x` search\n", "b.md": "search\n" });
    const result = await bench.run("replace_term", { from: "search", to: "a `b", includeCode: true });
    expect(result.ok).toBe(true);
    expect((await bench.contents())["b.md"]).toBe("a `b\n");
  });

  it.each<[string, Record<string, unknown>]>([
    ["replace_term", { from: "search", to: "lookup" }],
    ["normalise_style", { listMarker: "*" }],
    ["set_alt_text", { image: "a.png", alt: "The console" }],
    ["set_front_matter", { in: ["**"], key: "tag", value: "new" }],
  ])("also when the check before publishing would block the whole job because of it: %s", async (tool, input) => {
    const bench = createAgentBench(tools, { ...FILES, "skills/acme/list.md": FILES["good.mdx"] });
    const result = await bench.run(tool, input);
    expect(JSON.stringify(result)).toContain("skills/acme/list.md");
    expect((await bench.contents())["skills/acme/list.md"]).toBe(FILES["good.mdx"]);
    expect((await bench.contents())["good.mdx"]).not.toBe(FILES["good.mdx"]);
  });

  it("and a refusal names the page that may be the cause", async () => {
    const bench = createAgentBench(tools, { "broken.mdx": BROKEN });
    const result = await bench.run("set_alt_text", { image: "a.png", alt: "x" });
    expect(result.ok ? "" : result.message).toContain(PARSE);
  });
});
