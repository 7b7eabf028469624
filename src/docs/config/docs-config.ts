import { posix } from "node:path";
import { z } from "zod";
import { readAppearance, type DocsAppearance, type SiteFont } from "./appearance.ts";
import { readPageOptions, type PageOption } from "./page-actions.ts";
import { findConfigFile } from "./config-file.ts";
import { readNavigation, type ConfigNode, readApiSource, type ApiSource } from "./written-navigation.ts";
import type { DialectName } from "#docs/dialect.ts";
import { NO_RULES, type PageRules } from "#docs/page-rules.ts";
import { findToolSite, type OpenedSite } from "./find-site.ts";
import {
  isJsonObject,
  readJsonDocument,
  type Json,
  type JsonDocument,
  type JsonObject,
  listIn,
} from "#docs/json-document.ts";
import { warnOfSettingNames } from "./setting-names.ts";
import { translateMintConfig } from "./mint-config.ts";
import { createProblemList, type Problem, type ProblemList } from "#docs/problems.ts";
import { useOwnSchemaWords } from "#lib/schema-words.ts";
import { trimContentRoot } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { fillVariables, isVariableName, newFilling, type Variables } from "#docs/variables.ts";

export type { SiteFont };

/** A redirect as written: `source` may contain `:name` and `:name*` parts, which `destination` may repeat. */
export interface ConfigRedirect {
  source: string;
  destination: string;
  permanent: boolean;
}

/** The configuration of a docs project, read leniently: absent and invalid fields get their defaults. */
export interface DocsConfig extends DocsAppearance {
  /** The tool that the repository is written for; `native` with a `docs.json`, `plain` with only Markdown. */
  dialect: DialectName;
  /** What the tool's configuration changes about the content of pages. */
  rules: PageRules;
  api: ApiSettings;
  /** The actions that a page offers, in the order of its menu; empty for no menu. */
  pageOptions: readonly PageOption[];
  /** Null to derive the navigation from the tree. */
  navigation: readonly ConfigNode[] | null;
  redirects: readonly ConfigRedirect[];
  /** Values for `{{name}}` in pages. */
  variables: Variables;
  /** Patterns of files that are neither pages nor served, in the syntax of a `.gitignore`. */
  exclude: readonly string[];
}

export interface LoadedDocsConfig {
  /** Folder of the site's content, without slashes at its ends; `""` is the repository's root. */
  contentRoot: string;
  /** Path of `docs.json` or `mint.json`; null when the repository has none. */
  file: string | null;
  config: DocsConfig;
  /** The site of another tool, if the repository has no `docs.json`. */
  tool: OpenedSite | null;
  problems: readonly Problem[];
}

export const MAX_REDIRECTS = 10_000;

const Redirect = z.looseObject({
  source: z.string().min(1).max(2_000),
  destination: z.string().min(1).max(2_000),
  permanent: z.boolean().optional().catch(undefined),
});

/**
 * Finds and reads the configuration of a docs project. It never throws because of a file's content: a broken configuration
 * results in the defaults, no navigation, and problems that include an error.
 *
 * `contentRoot` fixes the folder; otherwise it is the folder of the configuration, or the repository's root.
 */
export async function loadDocsConfig(
  snapshot: Snapshot,
  options: { contentRoot?: string | null } = {},
): Promise<LoadedDocsConfig> {
  useOwnSchemaWords();
  const given = typeof options.contentRoot === "string" ? trimContentRoot(options.contentRoot) : null;
  const problems = createProblemList();
  const file = await findConfigFile(snapshot, given);
  if (file === null) {
    const tool = await findToolSite(snapshot, given);
    const place = { path: tool?.file ?? tool?.contentRoot ?? "", line: null };
    const document: JsonDocument = { value: {}, files: [], locate: () => place };
    const dialect = tool?.dialect.name ?? "plain";
    const config = readConfig(tool?.site.settings ?? {}, { document, problems, variables: {}, dialect });
    const rules = tool?.site.rules ?? NO_RULES;
    const contentRoot = tool?.contentRoot ?? given ?? "";
    return { contentRoot, file, config: { ...config, rules }, tool, problems: problems.all() };
  }
  const document = await readJsonDocument(snapshot, file, problems);
  let root: JsonObject = {};
  if (isJsonObject(document.value)) root = document.value;
  else if (problems.all().length === 0) problems.error({ path: file, line: 1 }, "The file must hold a JSON object.");
  if (posix.basename(file) === "docs.json") warnOfSettingNames(root, document, problems);
  const variables = readVariables(root, document, problems);
  fillTexts(root, variables);
  const isMint = posix.basename(file) === "mint.json" && isJsonObject(document.value);
  const config = readConfig(isMint ? translateMintConfig(root) : root, {
    document,
    problems,
    variables,
    dialect: "native",
  });
  const folder = posix.dirname(file);
  return { contentRoot: folder === "." ? "" : folder, file, config, tool: null, problems: problems.all() };
}

interface Reading {
  document: JsonDocument;
  problems: ProblemList;
  variables: Variables;
  dialect: DialectName;
}

function readConfig(root: JsonObject, { document, problems, variables, dialect }: Reading): DocsConfig {
  return {
    dialect,
    rules: NO_RULES,
    ...readAppearance(root, document, problems),
    api: readApiSettings(root, document, problems),
    pageOptions: readPageOptions(root, document, problems),
    navigation: readNavigation(root, document, problems),
    redirects: readRedirects(root, document, problems),
    variables,
    exclude: readExclude(root, document, problems),
  };
}

const MAX_VARIABLE = 1_000;

function readVariables(root: JsonObject, document: JsonDocument, problems: ProblemList): Variables {
  const written = root["variables"];
  if (written === undefined || written === null) return {};
  if (!isJsonObject(written)) {
    problems.warning(() => document.locate(root, "variables"), '"variables" must be an object of names and texts.');
    return {};
  }
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(written)) {
    const at = () => document.locate(written, name);
    const what = name.slice(0, 100);
    if (typeof value === "string" && value.length > MAX_VARIABLE)
      problems.error(at, `The variable ${what} is left out: its value has more than ${MAX_VARIABLE} characters.`);
    else if (typeof value !== "string")
      problems.warning(at, `The variable ${what} is left out: write its value in quotation marks.`);
    else if (!isVariableName(name))
      problems.warning(
        at,
        `The variable ${what} has no effect: a name consists of up to 100 letters from A to Z, digits, _, . and -.`,
      );
    else variables[name] = value;
  }
  for (const [name, value] of Object.entries(variables)) {
    if (fillVariables(value, variables) === value) continue;
    problems.warning(
      () => document.locate(written, name),
      `The value of the variable ${name} contains the name of a variable, which is shown as text: write the value of that variable instead.`,
    );
  }
  return variables;
}

const MAX_EXCLUDED = 500;
const Excluded = z.array(z.string().min(1).max(199)).max(MAX_EXCLUDED);

/** Invalid patterns are an error: without them, files would be served that should not be. */
function readExclude(root: JsonObject, document: JsonDocument, problems: ProblemList): readonly string[] {
  const written = root["exclude"] ?? [];
  const parsed = Excluded.safeParse(written);
  if (parsed.success) return parsed.data;
  const message = `"exclude" must be a list of at most ${MAX_EXCLUDED} patterns of up to 199 characters. It is ignored.`;
  problems.error(() => document.locate(root, "exclude"), message);
  return [];
}

/** Replaces variables in the configuration in place, so that each text keeps its line. */
function fillTexts(root: JsonObject, variables: Variables): void {
  if (Object.keys(variables).length === 0) return;
  const open: Record<string, Json>[] = [];
  const filling = newFilling();
  const set = (container: Record<string, Json>, name: string, value: Json) => {
    if (typeof value === "string") container[name] = fillVariables(value, variables, filling);
    else if (typeof value === "object" && value !== null) open.push(value as Record<string, Json>);
  };
  for (const [name, value] of Object.entries(root))
    if (name !== "variables") set(root as Record<string, Json>, name, value);
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const [name, value] of Object.entries(next)) set(next, name, value);
}

function readRedirects(root: JsonObject, document: JsonDocument, problems: ProblemList): ConfigRedirect[] {
  const list = root["redirects"];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    problems.error(() => document.locate(root, "redirects"), '"redirects" must be a list.');
    return [];
  }
  if (list.length > MAX_REDIRECTS) {
    const message = `Of ${list.length} redirects the first ${MAX_REDIRECTS} are read.`;
    problems.error(() => document.locate(list, MAX_REDIRECTS), message);
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

/** The `api` settings of a docs.json. */
export interface ApiSettings {
  /** The files that describe operations unless a page or its place in the navigation names another. */
  source: ApiSource | null;
  /** Languages of code samples, by name; empty for the default ones. */
  languages: readonly string[];
  /** Whether readers can send requests from the page. */
  hasPlayground: boolean;
  /** For pages that state method and path themselves (`api:`). */
  server: string | null;
  auth: { method: "bearer" | "basic" | "key" | "none"; name: string | null };
}

const DISPLAYS = ["interactive", "simple", "auth", "none"] as const;
const AUTH_METHODS = ["bearer", "basic", "key", "none"] as const;

/** Reads `api` leniently: absent and invalid fields get their defaults. */
function readApiSettings(root: JsonObject, document: JsonDocument, problems: ProblemList): ApiSettings {
  const api = objectAt(root, "api");
  const mdx = objectAt(api, "mdx");
  const auth = objectAt(mdx, "auth");
  const servers = Array.isArray(mdx["server"]) ? (mdx["server"] as readonly Json[]) : [mdx["server"] ?? api["baseUrl"]];
  const server = servers.find((each) => typeof each === "string" && /^https?:\/\//i.test(each));
  const languages = objectAt(api, "examples")["languages"];
  const method = AUTH_METHODS.find((each) => each === auth["method"]) ?? "none";
  const complain = (object: JsonObject, key: string, message: string) =>
    problems.warning(() => document.locate(object, key), message);
  const playground = objectAt(api, "playground");
  const display = playground["display"] ?? null;
  if (display !== null && !DISPLAYS.some((each) => each === display))
    complain(playground, "display", `"api.playground.display" is one of ${DISPLAYS.join(", ")}. It is ignored.`);
  if ((auth["method"] ?? null) !== null && method !== auth["method"])
    complain(auth, "method", `"api.mdx.auth.method" is one of ${AUTH_METHODS.join(", ")}. It is ignored.`);
  if ((languages ?? null) !== null && !Array.isArray(languages))
    complain(objectAt(api, "examples"), "languages", '"api.examples.languages" must be a list. It is ignored.');
  return {
    source: readApiSource(api["openapi"] ?? root["openapi"] ?? api["asyncapi"] ?? root["asyncapi"], () =>
      document.locate(api, "openapi"),
    ),
    languages: listIn(languages).filter((each) => typeof each === "string"),
    hasPlayground: display !== "none",
    server: typeof server === "string" ? server : null,
    auth: { method, name: typeof auth["name"] === "string" ? auth["name"] : null },
  };
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}
