import type { DialectName } from "#docs/dialect.ts";
import type { FrontMatter } from "#docs/front-matter.ts";
import { didYouMean } from "#lib/nearest.ts";
import { MAX_HEAD_TEXTS } from "./page-head.ts";

/** A text of the front matter that readers do not get as written. */
interface HeadProblem {
  /** From 1. */
  line: number;
  message: string;
}

const TEXTS = ["title", "sidebarTitle", "sidebar_label", "description", "tag"] as const;

/** Keys of the format, for hints at a mistyped one. */
const KNOWN = [
  ...TEXTS, "icon", "iconType", "hidden", "draft", "noindex", "groups", "canonical", "url", "openapi", "asyncapi", "api", "playground",
  "sidebar_position", "nav_order", "weight", "order", "mode", "keywords", "deprecated", "searchable",
  "timestamp", "suggestEdit",
]; // oxfmt-ignore

/** Keys that other hosts of the format act on, with the value that changes nothing. */
const WITHOUT_EFFECT: Readonly<Record<string, unknown>> = {
  boost: 1,
  related: false,
  contextual: null,
  lastUpdatedDate: null,
  hideFooterPagination: false,
  hideApiMarker: false,
};

/**
 * What is left out of a page's front matter: texts that are too long or are no texts, keys without effect, and keys that look
 * like a mistyped one. Keys of other tools are reported once for a site (`ignoredKeys`), and other keys are the author's own.
 */
export function headProblems(source: string, { attributes, range }: FrontMatter, dialect: DialectName): HeadProblem[] {
  const found: HeadProblem[] = [];
  const lines = range === null ? [] : source.slice(0, range.end).split(/\r\n|\n|\r/);
  const add = (key: string, message: string) => {
    const index = lines.findIndex((line) => line.replaceAll(/["']/g, "").startsWith(`${key}:`));
    found.push({ line: index === -1 ? 1 : index + 1, message });
  };
  // The pages of a repository without a configuration may be those of any tool.
  const none = dialect === "native" ? WITHOUT_EFFECT : {};
  for (const [key, value] of Object.entries(attributes)) {
    const most = MAX_HEAD_TEXTS[key === "sidebar_label" ? "sidebarTitle" : (key as keyof typeof MAX_HEAD_TEXTS)];
    const isText = TEXTS.some((each) => each === key);
    if (isText && typeof value === "string" && most !== undefined && value.length > most)
      add(key, `Of "${key}" in the front matter the first ${most} characters are shown.`);
    else if (isText && typeof value === "object" && value !== null)
      add(key, `"${key}" in the front matter is left out: it is not a text.`);
    else if (Object.hasOwn(none, key) && value !== none[key]) add(key, `"${key}" in the front matter has no effect.`);
    else if (dialect === "native" && !KNOWN.includes(key) && !Object.hasOwn(none, key)) {
      const hint = /^[a-z]\w{3,30}$/i.test(key) ? didYouMean(key, KNOWN) : "";
      if (hint !== "") add(key, `"${key}" in the front matter has no effect.${hint}`);
    }
  }
  return found;
}
