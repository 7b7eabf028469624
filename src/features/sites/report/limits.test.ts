import { expect, it } from "vitest";
import { problemLines, reportOf } from "#testing/reports.ts";

// Whatever a limit leaves out of search or of what agents get is in the report.

it("names a page with more sections than the search has", async () => {
  const sections = Array.from({ length: 1_001 }, (_, index) => `## Part ${index}\n\nText.\n`).join("\n");
  const report = await reportOf({ "index.md": "# Start\n\n[a](/long)", "long.md": `# Long\n\n${sections}` });
  expect(problemLines(report)).toEqual([
    "long.md warning left_out: The search finds only the first 1,000 sections of the page.",
  ]);
});

it("names skills that are not served", async () => {
  const skills = Array.from({ length: 51 }, (_, index) => [
    `.mintlify/skills/s${String(index).padStart(2, "0")}/SKILL.md`,
    index === 0 ? "a".repeat(262_145) : "# A skill\n",
  ]);
  expect(problemLines(await reportOf({ "index.md": "# A\n", ...(Object.fromEntries(skills) as object) }))).toEqual([
    ".mintlify/skills/s00/SKILL.md error left_out: The skill is not served: it is larger than 256 KB.",
    ".mintlify/skills/s50/SKILL.md error left_out: The skill is not served: a site has at most 50, in the order of their names.",
  ]);
});

it("names skills with the name of another, and files beside a skill", async () => {
  const skill = "---\nname: Pay\n---\n";
  const files = {
    "index.md": "# A\n",
    ".mintlify/skills/a/SKILL.md": skill,
    ".mintlify/skills/a/scripts/pay.py": "",
    ".mintlify/skills/a/LICENSE": "",
    ".mintlify/skills/b/SKILL.md": skill,
    ".mintlify/skills/b/SKILL.md.bak": "",
  };
  expect(problemLines(await reportOf(files))).toEqual([
    ".mintlify/skills/a/SKILL.md warning left_out: 2 files, such as .mintlify/skills/a/LICENSE, are not served: agents get only the SKILL.md of a skill.",
    '.mintlify/skills/b/SKILL.md error left_out: The skill is not served: .mintlify/skills/a/SKILL.md has the same name, "pay".',
    ".mintlify/skills/b/SKILL.md warning left_out: The file .mintlify/skills/b/SKILL.md.bak is not served: agents get only the SKILL.md of a skill.",
  ]);
});
