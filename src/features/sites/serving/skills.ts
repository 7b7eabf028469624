import { createHash } from "node:crypto";
import { cutText } from "#lib/cut-text.ts";
import { markdownLine, markdownWords } from "#docs/markup/markdown-line.ts";
import { MAX_SKILL_DESCRIPTION, readSkills, type Skill, skillName } from "#features/sites/skill-files.ts";
import { listedAddress, listedLink, navigationSections } from "#features/sites/site-texts.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";

/** The response to an address of skills: a file, or a redirect to it. */
export type SkillAnswer = { type: "text/markdown" | "application/json"; text: string } | { location: string };

interface SkillSource {
  version: SiteVersion;
  siteName: string;
  origin: string;
  /** Of what Docent serves. */
  ownOrigin: string;
  /** The path below which this site is mounted on another one. */
  base: string;
  isSearched: boolean;
  /** Address of the MCP server; null where there is none. */
  mcpAddress: string | null;
}

const MAX_SECTIONS = 40;
const MAX_PAGES = 8;
const WELL_KNOWN = /^\/\.well-known\/(agent-skills|skills)\/(.+)$/;

/** Whether an address belongs to skills, which excludes all other lookups. */
export const isSkillPath = (path: string): boolean => path === "/skill.md" || WELL_KNOWN.test(path);

/**
 * Serves `/skill.md`, and the indexes of the discovery drafts with their files: `/.well-known/agent-skills/` (version
 * 0.2.0) and `/.well-known/skills/` (0.1). Null for a skill that does not exist.
 */
export async function skillAnswer(source: SkillSource, path: string): Promise<SkillAnswer | null> {
  const { single, skills } = await skillsOf(source);
  if (path === "/skill.md")
    return single ? { type: "text/markdown", text: single.text } : { location: "/.well-known/agent-skills/index.json" };
  const [, convention = "", rest = ""] = WELL_KNOWN.exec(path) ?? [];
  if (rest === "index.json") {
    const index = convention === "skills" ? oldIndex(skills) : newIndex(source.base, skills);
    return { type: "application/json", text: `${JSON.stringify(index, null, 2)}\n` };
  }
  const name = /^([a-z\d-]+)\/skill\.md$/i.exec(rest)?.[1];
  const skill = skills.find((each) => each.name === name);
  return skill === undefined ? null : { type: "text/markdown", text: skill.text };
}

const oldIndex = (skills: readonly Skill[]): object => ({
  skills: skills.map(({ name, description }) => ({ name, description, files: ["SKILL.md"] })),
});

const newIndex = (base: string, skills: readonly Skill[]): object => ({
  $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
  skills: skills.map(({ name, description, text }) => ({
    name,
    type: "skill-md",
    description,
    url: `${base}/.well-known/agent-skills/${name}/SKILL.md`,
    digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
  })),
});

/** The repository's own skills, or one generated from the site. `single` is the one at `/skill.md`. */
async function skillsOf(source: SkillSource): Promise<{ single: Skill | null; skills: readonly Skill[] }> {
  const read = await readSkills(source.version, source.siteName);
  const skills = read.skills.length === 0 ? [madeSkill(source)] : read.skills;
  return { single: read.own ?? (skills.length === 1 ? skills[0]! : null), skills };
}

/** A skill that needs no knowledge of the content: how to look something up, and what exists. */
function madeSkill({ version, siteName, origin, ownOrigin, isSearched, mcpAddress }: SkillSource): Skill {
  const { docs } = version;
  const about = docs.config.description;
  const name = skillName(siteName) ?? "docs";
  const use = `Looks up ${siteName} in its documentation. Use it for questions about ${siteName} and for work with it.`;
  const description = cutText(about === null ? use : `${use} ${about}`, MAX_SKILL_DESCRIPTION);
  const sections = navigationSections(docs.navigation);
  const covered = sections.slice(0, MAX_SECTIONS).flatMap(({ title, routes }) => {
    const pages = routes.flatMap((route) => docs.pages.get(route) ?? []).filter(({ noindex }) => !noindex);
    const links = pages
      .slice(0, MAX_PAGES)
      .map((page) => listedLink(page.title, listedAddress({ origin, ownOrigin }, page.route)));
    const more = pages.length > MAX_PAGES ? `, and ${pages.length - MAX_PAGES} more` : "";
    return links.length === 0 ? [] : [`- ${markdownWords(title)}: ${links.join(", ")}${more}`];
  });
  const text = [
    `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---`,
    `# ${markdownWords(siteName)}`,
    ...(about === null ? [] : [markdownLine(about)]),
    "## How to look something up",
    [
      `- ${ownOrigin}/llms.txt lists every page.`,
      origin === ownOrigin
        ? `- The address of a page with \`.md\` at its end is its Markdown: ${origin}/index.md.`
        : `- The path of a page at ${ownOrigin} with \`.md\` at its end is its Markdown: ${ownOrigin}/index.md.`,
      ...(isSearched
        ? [`- ${ownOrigin}/_docent/search?q=WORDS answers with the sections that have the words, as JSON.`]
        : []),
      ...(mcpAddress === null ? [] : [`- ${mcpAddress} is an MCP server (streamable HTTP) with the same.`]),
      "",
      "Read the pages before you answer: what you remember may be of another version.",
    ].join("\n"),
    "## What there is",
    covered.join("\n"),
    ...(sections.length > MAX_SECTIONS
      ? [`${sections.length - MAX_SECTIONS} more sections are in ${ownOrigin}/llms.txt.`]
      : []),
  ];
  return { name, description, text: `${text.join("\n\n")}\n` };
}
