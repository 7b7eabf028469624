import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createTestSite } from "#testing/site.ts";

const docs = JSON.stringify({
  name: "Harbor: Cloud",
  description: "Boats.",
  redirects: [{ source: "/old", destination: "/guide#top" }],
  navigation: { groups: [{ group: "Start", pages: ["guide", "long"] }] },
});
const files = { "docs.json": docs, "guide.md": "# Guide\n\nText.\n", "long.md": "# Long\n\nMore.\n" };
const skill = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n# ${name}\n`;

test("a site has a generated skill until its repository has some, and both indexes list them", async () => {
  await using site = await createTestSite(files);
  const textOf = async (path: string) => (await site.request(path)).text();
  const made = await textOf("/skill.md");
  expect(made).toContain('---\nname: harbor-cloud\ndescription: "Looks up Harbor: Cloud in its documentation.');
  expect(made).toContain("- Start: [Guide](http://harbor.localhost:4000/guide.md), [Long](");
  const index = JSON.parse(await textOf("/.well-known/agent-skills/index.json")) as {
    skills: [{ digest: string; url: string }];
  };
  expect(index).toMatchObject({ skills: [{ name: "harbor-cloud", type: "skill-md" }] });
  const [{ digest, url }] = index.skills;
  expect(digest).toBe(
    `sha256:${createHash("sha256")
      .update(await textOf(url))
      .digest("hex")}`,
  );

  await site.push({ "skill.md": skill("Own Skill") });
  site.passTime(1_000);
  expect(await textOf("/skill.md")).toBe(skill("Own Skill"));
  expect((await site.request("/skill")).status).toBe(404); // it is not a page

  const two = { ".mintlify/skills/pay/SKILL.md": skill("pay"), ".mintlify/skills/pay/notes/SKILL.md": skill("inner") };
  await site.push({ "skill.md": null, ...two, ".mintlify/skills/track/SKILL.md": skill("track") });
  site.passTime(1_000);
  const moved = await site.request("/skill.md");
  expect([moved.status, moved.headers.get("location")]).toEqual([307, "/.well-known/agent-skills/index.json"]);
  expect(JSON.parse(await textOf("/.well-known/skills/index.json"))).toEqual({
    skills: ["pay", "track"].map((name) => ({ name, description: `Does ${name}.`, files: ["SKILL.md"] })),
  });
  expect(await textOf("/.well-known/skills/track/skill.md")).toBe(skill("track"));
  for (const path of ["/.well-known/skills/inner/SKILL.md", "/.well-known/agent-skills/..%2fx/SKILL.md"])
    expect((await site.request(path)).status).toBe(404);
});

test("a generated skill says how many sections of the navigation it does not list", async () => {
  const groups = Array.from({ length: 42 }, (_, index) => ({ group: `Group ${index}`, pages: ["a"] }));
  await using site = await createTestSite({
    "docs.json": JSON.stringify({ name: "Harbor", navigation: { groups } }),
    "a.md": "# A\n",
  });
  const skill = await (await site.request("/skill.md")).text();
  expect(skill).toContain("- Group 39: ");
  expect(skill).not.toContain("- Group 40: ");
  expect(skill).toMatch(/\n2 more sections are in \S+\/llms\.txt\.\n$/);
});

test("Markdown is at its page's address, also for pages that moved and the first one", async () => {
  await using site = await createTestSite(files);
  const page = await site.request("/guide");
  expect(page.headers.get("link")).toBe('</guide.md>; rel="alternate"; type="text/markdown"');
  for (const [path, location] of [
    ["/old.md", "/guide.md"],
    ["/index.md", "/guide.md"],
  ] as const) {
    const answer = await site.request(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([307, location]);
  }
  expect((await site.request("/nowhere.md")).status).toBe(404);
  expect(await (await site.request("/.well-known/llms.txt")).text()).toBe(
    await (await site.request("/llms.txt")).text(),
  );
});

test("llms-full.txt comes in parts, each with the address of the next one", async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`p${index}.md`, `# P${index}\n\n${"é word ".repeat(200_000)}`]),
  );
  await using site = await createTestSite({
    ...pages,
    "docs.json": JSON.stringify({ navigation: { pages: Object.keys(pages) } }),
  });
  let address: string | undefined = "/llms-full.txt";
  const titles: string[] = [];
  for (let part = 0; address !== undefined && part < 5; part += 1) {
    const text: string = await (await site.request(address)).text();
    expect(text.length).toBeLessThan(4_100_000);
    titles.push(...[...text.matchAll(/^# (P\d)$/gm)].map((match) => match[1] ?? ""));
    address = /The text continues at http:\/\/harbor\.localhost:4000(\S+)/.exec(text)?.[1];
  }
  expect(titles).toEqual(["P0", "P1", "P2", "P3", "P4"]);
});
