import { posix } from "node:path";
import { readFrontMatter } from "#docs/front-matter.ts";
import type { Severity } from "#docs/problems.ts";
import { joinContentRoot } from "#docs/routes.ts";
import { cutText } from "#lib/cut-text.ts";
import type { SiteVersion } from "./site-version.ts";

const MAX_SKILLS = 50;
const MAX_SKILL_BYTES = 256 * 1024;
export const MAX_SKILL_DESCRIPTION = 1_024;
const MAX_NAME = 64;

/** Instructions for agents in the format of agentskills.io: Markdown whose front matter describes their purpose. */
export interface Skill {
  name: string;
  description: string;
  text: string;
}

interface SkillProblem {
  severity: Severity;
  path: string;
  message: string;
}

/**
 * The skills of a repository that are served, in order: first the one at the root, which is also `own`, then those of the
 * folder. `problems` name what is left out.
 */
export async function readSkills(
  version: SiteVersion,
  siteName: string,
): Promise<{ own: Skill | null; skills: Skill[]; problems: SkillProblem[] }> {
  const { root, inFolder, beside } = skillFiles(version);
  const skills = new Map<string, Skill & { path: string }>();
  let own: Skill | null = null;
  const problems: SkillProblem[] = inFolder.slice(MAX_SKILLS).map((path) => {
    return notServed(path, `a site has at most ${MAX_SKILLS}, in the order of their names`);
  });
  for (const path of [...root, ...inFolder.slice(0, MAX_SKILLS)]) {
    const bytes = await version.snapshot.read(path);
    if (bytes === null) continue;
    if (bytes.length > MAX_SKILL_BYTES) {
      problems.push(notServed(path, `it is larger than ${MAX_SKILL_BYTES / 1024} KB`));
      continue;
    }
    const isOwn = root.includes(path);
    const skill = readSkill(new TextDecoder().decode(bytes), isOwn ? siteName : posix.basename(posix.dirname(path)));
    if (isOwn) own = skill;
    const same = skills.get(skill.name);
    if (same === undefined) skills.set(skill.name, { ...skill, path });
    else problems.push(notServed(path, `${same.path} has the same name, "${skill.name}"`));
    problems.push(...besideProblem(path, beside));
  }
  return { own, skills: [...skills.values()], problems };
}

const notServed = (path: string, reason: string): SkillProblem => ({
  severity: "error",
  path,
  message: `The skill is not served: ${reason}.`,
});

function besideProblem(path: string, beside: ReadonlyMap<string, readonly string[]>): SkillProblem[] {
  const files = beside.get(posix.dirname(path)) ?? [];
  const [first] = files;
  if (first === undefined) return [];
  const named = files.length === 1 ? `The file ${first} is` : `${files.length} files, such as ${first}, are`;
  return [{ severity: "warning", path, message: `${named} not served: agents get only the SKILL.md of a skill.` }];
}

/** Files of skills: the one at the root, if there is one, those of the folder in order, and by folder what is beside them. */
function skillFiles({ files, docs }: SiteVersion) {
  const root = ["skill.md", "SKILL.md"].map((name) => joinContentRoot(name, docs.contentRoot));
  const folder = joinContentRoot(".mintlify/skills/", docs.contentRoot);
  const inFolder: string[] = [];
  const others: string[] = [];
  for (const path of [...files.keys()].filter((each) => each.startsWith(folder)).toSorted()) {
    const isSkill = /^[^/]+\/skill\.md$/i.test(path.slice(folder.length));
    (isSkill ? inFolder : others).push(path);
  }
  const beside = Map.groupBy(others, (path) => path.slice(0, path.indexOf("/", folder.length)));
  return { root: root.filter((path) => files.has(path)).slice(0, 1), inFolder, beside };
}

function readSkill(text: string, otherwise: string): Skill {
  const { name, description } = readFrontMatter(text).attributes;
  return {
    name: skillName(typeof name === "string" ? name : "") ?? skillName(otherwise) ?? "docs",
    description: typeof description === "string" ? cutText(description, MAX_SKILL_DESCRIPTION) : "",
    text,
  };
}

/** A text as the name of a skill, which is also part of its address; null without a letter or digit. */
export function skillName(text: string): string | null {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .slice(0, 200)
      .match(/[a-z\d]+/g) ?? [];
  const name = words.join("-").slice(0, MAX_NAME).replace(/-$/, "");
  return name === "" ? null : name;
}
