import { readJsonDocument } from "#docs/json-document.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { createProblemList } from "#docs/problems.ts";
import { joinContentRoot, stripContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { type Judge, type JudgedChange, type Judgement, policyError, warning } from "./judge.ts";

const MAX_NAMED = 5;

/**
 * The site must keep its folder and configuration, and unpublished files of the repository must stay unpublished. No
 * instruction overrides this: a site that moves up to the repository's root publishes files never meant for readers. The
 * chore that moves a site to a docs.json may choose a folder within that of the site.
 */
export const judgeSite: Judge = async (_deps, change) => [
  ...movedSite(change),
  ...newlyPublished(change),
  ...(await newOutsiders(change)),
];

function movedSite({ before, after, movesSite }: JudgedChange): Judgement[] {
  const { configFile } = before;
  if (configFile !== null && after.configFile !== configFile) {
    const now = after.configFile === null ? "would be gone" : `would give way to ${JSON.stringify(after.configFile)}`;
    return [policyError(configFile, `The configuration of the site ${now}: only people delete, move or replace it.`)];
  }
  const isNarrower = stripContentRoot(joinContentRoot("x", after.contentRoot), before.contentRoot) !== null;
  if (movesSite && configFile === null && after.config.dialect === "native" && isNarrower) return [];
  const isFirstConfiguration = before.config.dialect === "plain" && after.config.dialect === "native";
  if (after.config.dialect !== before.config.dialect && !isFirstConfiguration) {
    const tool = before.tool?.title ?? "Markdown files alone";
    const message = `The site would no longer be that of ${tool}: only people choose another tool.`;
    return [policyError(after.configFile ?? after.tool?.file ?? null, message)];
  }
  if (after.contentRoot === before.contentRoot) return [];
  const [from, to] = [before, after].map(({ contentRoot }) => JSON.stringify(`/${contentRoot}`));
  return [
    policyError(after.configFile, `The site would be the folder ${to} in place of ${from}: only people move it.`),
  ];
}

/** Files that the change publishes without having written them. */
function newlyPublished({ before, after, edits }: JudgedChange): Judgement[] {
  const was = publishedPaths(before);
  const shown = [...publishedPaths(after)].filter((path) => !was.has(path) && !edits.has(path));
  if (shown.length === 0) return [];
  const names = shown.slice(0, MAX_NAMED).join(", ") + (shown.length > MAX_NAMED ? " …" : "");
  const message = `${shown.length} files of the repository that the site did not show would be published: ${names}.`;
  // With an unchanged configuration only its navigation does that, page by page, which a reviewer sees.
  const isNamed = before.configFile !== null && before.configFile === after.configFile;
  return isNamed
    ? [warning({ check: "policy", path: after.configFile, line: null, message })]
    : [policyError(after.configFile, message)];
}

const publishedPaths = ({ pagesByPath, assets }: Docs): Set<string> =>
  new Set([...pagesByPath.keys(), ...[...assets.values()].map(({ path }) => path)]);

/** Files outside the documentation that the configuration newly includes. */
async function newOutsiders({ base, head, before, after }: JudgedChange): Promise<Judgement[]> {
  const known = new Set(await takenIn(base, before));
  return (await takenIn(head, after))
    .filter((path) => !known.has(path) && stripContentRoot(path, after.contentRoot) === null)
    .map((path) =>
      policyError(
        after.configFile,
        `${JSON.stringify(path)} lies outside of the docs: only people take it in by $ref.`,
      ),
    );
}

async function takenIn(snapshot: Snapshot, { configFile }: Docs): Promise<readonly string[]> {
  return configFile === null ? [] : (await readJsonDocument(snapshot, configFile, createProblemList())).files;
}
