import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const tools = createAgentTools();
const config = `{
  "navigation": {
    "tabs": [
      {
        "tab": "Docs",
        "groups": [
          { "group": "Start", "pages": ["index"] },
          {
            "group": "Guides",
            "icon": "book",
            "pages": ["use", { "group": "Deep", "pages": ["deep"] }, "last"]
          },
          { "group": "More", "pages": ["more"] }
        ]
      },
      { "tab": "API", "groups": [{ "group": "Start", "pages": ["api"] }] }
    ]
  }
}
`;
const files = Object.fromEntries(
  ["index", "use", "deep", "last", "more", "api"].map((name) => [`${name}.mdx`, `---\ntitle: ${name}\n---\n`]),
);

async function run(name: string, input: Record<string, unknown>, written = config) {
  const bench = createAgentBench(tools, { ...files, "docs.json": written });
  const result = await bench.run(name, input);
  const after = (await bench.contents())["docs.json"] ?? "";
  return { after, message: result.ok ? (result.content as { summary: string }).summary : result.message };
}

describe("rename_group", () => {
  it("changes the title alone", async () => {
    const { after } = await run("rename_group", { group: "guides", to: 'How "to"' });
    expect(after).toBe(config.replace('"group": "Guides"', String.raw`"group": "How \"to\""`));
    expect((await run("rename_group", { group: "API > Start", to: "Basics" })).after).toBe(
      config.replace('[{ "group": "Start", "pages": ["api"] }]', '[{ "group": "Basics", "pages": ["api"] }]'),
    );
  });

  it.each([
    [{ group: "Start", to: "Begin" }, "has 2 groups “Start”: “Docs > Start”, “API > Start”"],
    [{ group: "Guidez", to: "Begin" }, "Did you mean “Guides”?"],
    [{ group: "Guides", to: "more" }, "There is already a group “More” next to it"],
  ])("refuses %j", async (input, message) => {
    const { after, message: said } = await run("rename_group", input);
    expect(said).toContain(message);
    expect(after).toBe(config);
  });
});

describe("move_group", () => {
  const order = (text: string) =>
    (JSON.parse(text) as { navigation: { tabs: { groups: { group: string }[] }[] } }).navigation.tabs[0]?.groups.map(
      ({ group }) => group,
    );

  it.each([
    [{ group: "More", before: "Guides" }, ["Start", "More", "Guides"]],
    [{ group: "Docs > Start", after: "Guides" }, ["Guides", "Start", "More"]],
    [{ group: "More", position: "first" }, ["More", "Start", "Guides"]],
    [{ group: "Docs > Start", position: "last" }, ["Guides", "More", "Start"]],
  ])("%j", async (input, groups) => {
    const { after } = await run("move_group", input);
    expect(order(after)).toEqual(groups);
    expect(after.length).toBe(config.length);
    expect((await run("move_group", input, after)).after).toBe(after);
  });

  it("moves a group among pages", async () => {
    expect((await run("move_group", { group: "Deep", position: "first" })).after).toBe(
      config.replace(
        '["use", { "group": "Deep", "pages": ["deep"] }, "last"]',
        '[{ "group": "Deep", "pages": ["deep"] }, "use", "last"]',
      ),
    );
  });

  it("only moves inside its own list, and says so", async () => {
    const { after, message } = await run("move_group", { group: "More", after: "API > Start" });
    expect(message).toContain("stand in different lists");
    expect(after).toBe(config);
    expect((await run("move_group", { group: "More", after: "More" })).message).toContain("are one group");
  });

  it("has nothing to move if the navigation is derived from the folders", async () => {
    expect((await run("move_group", { group: "More", position: "first" }, "{}")).message).toContain(
      "There is no configured navigation",
    );
  });
});
