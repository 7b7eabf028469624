import { posix } from "node:path";
import { z } from "zod";
import { readApiSettings, type ApiSettings } from "./docs-api.ts";
import { readAppearance, type DocsAppearance, type SiteFont } from "./docs-appearance.ts";
import { readPageOptions, type PageOption } from "./docs-contextual.ts";
import { findConfigFile } from "./docs-config-file.ts";
import { readNavigation, type ConfigNode } from "./docs-navigation.ts";
import { isJsonObject, readJsonDocument, type Json, type JsonDocument, type JsonObject } from "./json-document.ts";
import { translateMintConfig } from "./mint-config.ts";
import { createProblemList, type Problem, type ProblemList } from "./problems.ts";
import { trimContentRoot } from "./routes.ts";
import type { Snapshot } from "./snapshot.ts";

export type { SiteFont };

/** Redirect as written: `source` may hold `:name` and `:name*` parts, which `destination` may repeat. */
export interface ConfigRedirect {
  source: string;
  destination: string;
  permanent: boolean;
}

/** What a docs project says about itself, read leniently: what is absent or wrong has its default. */
export interface DocsConfig extends DocsAppearance {
  api: ApiSettings;
  /** What readers can do with a page, in the order of its menu; empty: there is no menu. */
  pageOptions: readonly PageOption[];
  /** Null: the navigation is to be derived from the tree. */
  navigation: readonly ConfigNode[] | null;
  redirects: readonly ConfigRedirect[];
  /** Values for `{{name}}` in pages. */
  variables: Readonly<Record<string, string>>;
}

export interface LoadedDocsConfig {
  /** Folder of the site's content, without slashes at its ends; `""` is the repository's root. */
  contentRoot: string;
  /** Path of `docs.json` or `mint.json`; null when the repository has none. */
  file: string | null;
  config: DocsConfig;
  problems: readonly Problem[];
}

const MAX_REDIRECTS = 10_000;
const MAX_VARIABLES = 1_000;

const Redirect = z.looseObject({
  source: z.string().min(1).max(2_000),
  destination: z.string().min(1).max(2_000),
  permanent: z.boolean().optional().catch(undefined),
});

/**
 * Finds and reads the configuration of a docs project. It never throws on what the files hold: a broken configuration
 * gives the defaults, no navigation, and problems with an error among them.
 *
 * `contentRoot` fixes the folder; otherwise it is the folder of the configuration, or the repository's root.
 */
export async function loadDocsConfig(
  snapshot: Snapshot,
  options: { contentRoot?: string | null } = {},
): Promise<LoadedDocsConfig> {
  const given = typeof options.contentRoot === "string" ? trimContentRoot(options.contentRoot) : null;
  const problems = createProblemList();
  const file = await findConfigFile(snapshot, given);
  if (file === null) {
    const config = readConfig({}, emptyDocument, problems);
    return { contentRoot: given ?? "", file, config, problems: problems.all() };
  }
  const document = await readJsonDocument(snapshot, file, problems);
  let root: JsonObject = {};
  if (isJsonObject(document.value)) root = document.value;
  else if (problems.all().length === 0) problems.error({ path: file, line: 1 }, "The file must hold a JSON object.");
  const isMint = posix.basename(file) === "mint.json" && isJsonObject(document.value);
  const config = readConfig(isMint ? translateMintConfig(root) : root, document, problems);
  const folder = posix.dirname(file);
  return { contentRoot: folder === "." ? "" : folder, file, config, problems: problems.all() };
}

const emptyDocument: JsonDocument = { value: {}, files: [], locate: () => ({ path: "", line: null }) };

function readConfig(root: JsonObject, document: JsonDocument, problems: ProblemList): DocsConfig {
  return {
    ...readAppearance(root, document, problems),
    api: readApiSettings(root, document),
    pageOptions: readPageOptions(root, document, problems),
    navigation: readNavigation(root, document, problems),
    redirects: readRedirects(root, document, problems),
    variables: readVariables(root["variables"]),
  };
}

function readVariables(variables: Json | undefined): Record<string, string> {
  if (!isJsonObject(variables)) return {};
  const texts = Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(texts.slice(0, MAX_VARIABLES));
}

function readRedirects(root: JsonObject, document: JsonDocument, problems: ProblemList): ConfigRedirect[] {
  const list = root["redirects"];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    problems.error(() => document.locate(root, "redirects"), '"redirects" must be a list.');
    return [];
  }
  return list.slice(0, MAX_REDIRECTS).flatMap((entry: Json, index) => {
    const parsed = Redirect.safeParse(entry);
    if (parsed.success) {
      const { source, destination, permanent } = parsed.data;
      return [{ source, destination, permanent: permanent ?? true }];
    }
    problems.warning(() => document.locate(list, index), 'A redirect needs a "source" and a "destination".');
    return [];
  });
}
