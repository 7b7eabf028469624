import { parse as parseJson } from "jsonc-parser";
import type { ChangedText } from "./change-inspection.ts";
import type { Finding } from "./finding.ts";

// Keys of docs.json by which a site loads code or sends its readers' data somewhere, on one platform or another.
const LOADS_CODE = [
  "integrations",
  "analytics",
  "head",
  "scripts",
  "script",
  "customScripts",
  "js",
  "css",
  "styles",
  "api",
];
// What chores and people ask for every day.
const USUAL = ["navigation", "redirects", "tabs", "groups", "anchors", "openapi"];

/** What a change does to the settings of the site: which of it people must decide, and which they should look at. */
export function changedSettings(
  texts: readonly ChangedText[],
  configFiles: readonly (string | null)[],
): { errors: Finding[]; warnings: Finding[] } {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  for (const { path, before, after } of texts) {
    if (!configFiles.includes(path) || after === "") continue;
    const old = topLevel(before);
    const now = topLevel(after);
    const changed = Object.keys(now).filter((key) => JSON.stringify(now[key]) !== JSON.stringify(old[key]));
    const finding = (message: string): Finding => ({ check: "navigation", path, line: null, message });
    for (const key of changed.filter((name) => LOADS_CODE.includes(name))) {
      errors.push(finding(`The setting "${key}" can load code or send data elsewhere: only people change it.`));
    }
    const unusual = changed.filter((name) => !LOADS_CODE.includes(name) && !USUAL.includes(name));
    if (unusual.length > 0 && before !== "")
      warnings.push(finding(`Settings of the site change: ${unusual.join(", ").slice(0, 200)}.`));
    for (const { source, target } of redirectsElsewhere(now).filter((each) => !isKnown(each, old))) {
      warnings.push(finding(`${source} will lead to another host: ${target}`));
    }
  }
  return { errors, warnings };
}

interface Redirect {
  source: string;
  target: string;
}

const isKnown = (redirect: Redirect, old: Record<string, unknown>) =>
  redirectsElsewhere(old).some((each) => each.source === redirect.source && each.target === redirect.target);

function redirectsElsewhere({ redirects }: Record<string, unknown>): Redirect[] {
  if (!Array.isArray(redirects)) return [];
  return redirects.slice(0, 1_000).flatMap((entry: unknown) => {
    const { source, destination } = (entry ?? {}) as { source?: unknown; destination?: unknown };
    if (typeof destination !== "string" || !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(destination.trim())) return [];
    return [{ source: String(source).slice(0, 100), target: destination.slice(0, 150) }];
  });
}

function topLevel(text: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
