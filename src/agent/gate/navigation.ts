import { isJsonObject, type Json, type JsonObject, readJsonDocument } from "#docs/json-document.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { createProblemList } from "#docs/problems.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { type Finding, error, type Judge, type JudgedChange, type Judgement, warning, Multiset } from "./judge.ts";
import { namedStringsIn, stringsIn, unsafeTexts } from "./markup/unsafe-text.ts";

// Keys of docs.json with which some platform loads code or sends readers' data elsewhere.
const LOADS_CODE =
  /^(?:integrations|analytics|head|scripts?|customscripts|customjs|customcss|js|css|styles|api|metatags|plugins?|presets?|mcp(?:servers?)?|assistant|chat)$/i;
// Values that every reader's browser fetches.
const FETCHED = /^(?:fonts?|logo|favicon|background|thumbnails|icons?)$/i;
// Settings that chores and people change every day.
const USUAL = /^(?:navigation|redirects|tabs|groups|anchors|openapi)$/;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i;

/** Refuses new configuration errors, and new settings that load code, fetch from other hosts or run as an address. */
export const judgeNavigation: Judge = async (_deps, change) => {
  const { before, after, base, head } = change;
  const found = newProblems(change);
  if (after.configFile === null)
    return [...found, ...newRedirects(after.tool?.file ?? null, before.config, after.config)];
  const path = after.configFile;
  const old = await settingsOf(base, before);
  const now = await settingsOf(head, after);
  const finding = (message: string): Finding => ({ check: "navigation", path, line: null, message });
  const changed = changedKeys(old, now);
  for (const { key, isTop } of changed) {
    if (LOADS_CODE.test(key)) {
      found.push(error(finding(`The setting "${key}" can load code or send data elsewhere: only people change it.`)));
    } else if (!/^[\w$.-]{1,60}$/.test(key) || (isTop && key in Object.prototype)) {
      found.push(error(finding(`The setting "${key.slice(0, 60)}" is no name of a setting.`)));
    }
  }
  found.push(...newTexts(old, now).map((message) => error(finding(message))));
  const unusual = changed.filter(({ key, isTop }) => isTop && !LOADS_CODE.test(key) && !USUAL.test(key));
  if (unusual.length > 0 && before.configFile !== null) {
    const names = unusual.map(({ key }) => key).join(", ");
    found.push(warning(finding(`Settings of the site change: ${names.slice(0, 200)}.`)));
  }
  return [...found, ...newRedirects(path, old, now)];
};

/** Redirects to another host that were not there before. */
function newRedirects(path: string | null, old: WithRedirects, now: WithRedirects): Judgement[] {
  const known = new Set(redirectsElsewhere(old).map(describe));
  return redirectsElsewhere(now)
    .filter((each) => !known.has(describe(each)))
    .map((each) => warning({ check: "navigation", path, line: null, message: describe(each) }));
}

function newProblems({ before, after }: JudgedChange): Judgement[] {
  const key = (problem: { path: string; message: string }) => `${problem.path} ${problem.message}`;
  const known = new Set(before.problems.map(key));
  return after.problems
    .filter((problem) => problem.severity === "error" && !known.has(key(problem)))
    .map(({ path, line, message }) => error({ check: "navigation", path, line, message }));
}

/** The settings with every `$ref` resolved: included files count like the configuration itself. */
async function settingsOf(snapshot: Snapshot, { configFile }: Docs): Promise<JsonObject> {
  if (configFile === null) return {};
  const { value } = await readJsonDocument(snapshot, configFile, createProblemList());
  return isJsonObject(value) ? value : {};
}

/** Names of settings that are new or changed, including one level below objects such as `seo`. */
function changedKeys(old: JsonObject, now: JsonObject): { key: string; isTop: boolean }[] {
  const differing = (before: JsonObject, after: JsonObject) =>
    Object.getOwnPropertyNames(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  const top = differing(old, now);
  const nested = top
    .filter((key) => !USUAL.test(key))
    .flatMap((key) => {
      const value = now[key];
      const was = old[key];
      return isJsonObject(value) ? differing(isJsonObject(was) ? was : {}, value) : [];
    });
  return [...top.map((key) => ({ key, isTop: true })), ...nested.map((key) => ({ key, isTop: false }))];
}

/** Messages about values new to the configuration that would run, or be fetched from another host. */
function newTexts(old: JsonObject, now: JsonObject): string[] {
  const known = new Multiset(stringsIn(old));
  const texts = namedStringsIn(now).filter(({ text }) => !known.remove(text));
  const unsafe = unsafeTexts(texts).map(({ reason, text }) => `${reason}: ${text.slice(0, 150)}`);
  const fetched = new Set(fetchedElsewhere(old));
  return [
    ...unsafe,
    ...fetchedElsewhere(now)
      .filter((address) => !fetched.has(address))
      .map((address) => `Every reader would fetch ${address.slice(0, 150)}: only people add such an address.`),
  ];
}

function fetchedElsewhere(settings: JsonObject): string[] {
  return Object.entries(settings)
    .filter(([key]) => FETCHED.test(key))
    .flatMap(([, value]) => withoutLinks(value))
    .filter((text) => ELSEWHERE.test(text.trim()));
}

/** Without the logo's link, which readers follow by a click and browsers do not fetch. */
function withoutLinks(value: Json | undefined): string[] {
  if (!isJsonObject(value)) return stringsIn(value);
  return Object.entries(value).flatMap(([key, part]) => (key === "href" ? [] : stringsIn(part)));
}

interface Redirect {
  source: string;
  target: string;
}

const describe = ({ source, target }: Redirect) => `${source} will lead to another host: ${target}`;

/** The settings of a `docs.json`, or what was read of another tool's configuration. */
type WithRedirects = { readonly redirects?: unknown };

function redirectsElsewhere({ redirects }: WithRedirects): Redirect[] {
  if (!Array.isArray(redirects)) return [];
  return (redirects as readonly Json[]).slice(0, 10_000).flatMap((entry) => {
    const { source, destination } = isJsonObject(entry) ? entry : {};
    if (typeof destination !== "string" || !ELSEWHERE.test(destination.trim())) return [];
    return [{ source: (typeof source === "string" ? source : "").slice(0, 100), target: destination.slice(0, 150) }];
  });
}
