import { isJsonObject, type Json, type JsonDocument, type JsonObject, listIn } from "#docs/json-document.ts";
import { didYouMean } from "#lib/nearest.ts";
import type { ProblemList } from "#docs/problems.ts";

/** The names of settings, with those inside; null where any name may stand. Some are of other hosts of the format. */
type Names = { readonly [name: string]: Names | null };

const namesIn = (text: string): Names => Object.fromEntries(text.split(" ").map((name) => [name, null]));

const SETTINGS: Names = {
  ...namesIn(
    "$schema $ref name description language logo favicon exclude redirects variables openapi asyncapi theme background thumbnails search interaction integrations errors",
  ),
  navigation: null,
  colors: namesIn("primary light dark"),
  appearance: namesIn("default strict"),
  navbar: namesIn("links primary"),
  footer: {
    socials: namesIn(
      "x twitter x-twitter website facebook youtube discord slack github gitlab linkedin instagram hacker-news medium telegram earth-americas bluesky threads reddit podcast mastodon",
    ),
    links: null,
    copyright: null,
  },
  banner: namesIn("content dismissible type color"),
  feedback: namesIn("suggestEdit raiseIssue thumbsRating"),
  metadata: namesIn("timestamp"),
  fonts: { ...namesIn("family source weight format"), body: null, heading: null },
  icons: namesIn("library"),
  api: {
    ...namesIn("openapi asyncapi params url spec baseUrl proxy"),
    playground: namesIn("display proxy credentials"),
    examples: namesIn("languages defaults prefill autogenerate"),
    mdx: { server: null, auth: namesIn("method name") },
  },
  contextual: namesIn("options display"),
  styling: namesIn("latex eyebrows codeblocks"),
  seo: namesIn("indexing metatags organization"),
};

/** Settings of other hosts of the format that do nothing here. */
const WITHOUT_EFFECT = [
  "theme", "background", "thumbnails", "search", "interaction", "errors", "appearance.strict", "banner.dismissible", "banner.type",
  "banner.color", "styling.eyebrows", "styling.codeblocks", "contextual.display", "seo.organization", "fonts.format", "api.proxy",
  "api.params", "api.url", "api.spec", "api.examples.defaults", "api.examples.prefill", "api.examples.autogenerate",
  "api.playground.proxy", "api.playground.credentials",
]; // oxfmt-ignore

/** Of the integrations, the refusal to count readers has an effect. */
const OWN_INTEGRATIONS: ReadonlySet<string> = new Set(["telemetry"]);

const objectIn = (object: JsonObject, name: string): JsonObject => {
  const value = object[name] ?? null;
  return isJsonObject(value) ? value : {};
};

/** Names all settings without effect at the first of them: a line for each would be there for good. */
function warnOfNoEffect(root: JsonObject, document: JsonDocument, problems: ProblemList): void {
  const integrations = Object.keys(objectIn(root, "integrations")).filter((name) => !OWN_INTEGRATIONS.has(name));
  const found = [...WITHOUT_EFFECT, ...integrations.map((name) => `integrations.${name}`)].flatMap((path) => {
    const keys = path.split(".");
    const name = keys.pop() ?? "";
    const object = keys.reduce(objectIn, root);
    return Object.hasOwn(object, name) ? [{ path: path.slice(0, 100), name, object }] : [];
  });
  const [first] = found;
  if (first === undefined) return;
  const message = `Without effect in Docent: ${found.map(({ path }) => path).join(", ")}.`;
  problems.warning(() => document.locate(first.object, first.name), message);
}

const IN_NAVIGATION = [
  "languages", "language", "versions", "version", "products", "product", "dropdowns", "dropdown", "tabs", "tab", "anchors", "anchor", "menu",
  "item", "groups", "group", "pages", "global", "href", "link", "root", "icon", "iconType", "tag", "hidden", "default", "label", "openapi", "asyncapi",
  "description", "expanded", "color", "directory", "drilldown", "boost", "searchable", "align", "navbar", "footer", "banner", "$ref",
]; // oxfmt-ignore

/** Warns of settings without effect, and of those whose name resembles a known one. Other unknown names are left alone: they are other programs'. */
export function warnOfSettingNames(root: JsonObject, document: JsonDocument, problems: ProblemList): void {
  const warn = (object: JsonObject, name: string, known: readonly string[]) => {
    const hint = known.includes(name) ? "" : didYouMean(name, known);
    if (hint === "") return;
    const message = `"${name.slice(0, 100)}" is not a setting of a docs.json.${hint}`;
    problems.warning(() => document.locate(object, name), message);
  };
  const visit = (object: JsonObject, names: Names): void => {
    for (const [name, value] of Object.entries(object)) {
      warn(object, name, Object.keys(names));
      const inside = Object.hasOwn(names, name) ? names[name] : null;
      if (inside && isJsonObject(value)) visit(value, inside);
    }
  };
  visit(root, SETTINGS);
  warnOfNoEffect(root, document, problems);
  // Bounded by the number of values that a configuration may have.
  const open: Json[] = [root["navigation"] ?? null];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    for (const item of listIn(value)) open.push(item);
    if (!isJsonObject(value)) continue;
    for (const [name, inside] of Object.entries(value)) {
      warn(value, name, IN_NAVIGATION);
      open.push(inside);
    }
  }
}
