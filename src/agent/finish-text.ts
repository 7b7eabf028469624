import type { FinishInput } from "#tools/tool.ts";

// U+200B: invisible, but it breaks the match of every code host's parser.
const SPACER = "\u200b";

// Control, formatting (bidirectional overrides, tags, joiners) and private characters; line feed and tab stay.
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Text with side effects in a pull request or commit message: an image is fetched from its host, a mention notifies
 * people, a keyword closes an issue at the merge, a line with a slash is a GitLab quick action, a trailer signs, a
 * bracket skips CI. Each is broken up or displayed as plain text.
 */
const ACTING: readonly [RegExp, string][] = [
  [/!(?=\[)/g, ""],
  [/<(?=[a-z/!?])/gi, `<${SPACER}`],
  [/@(?=[a-z0-9])/gi, `@${SPACER}`],
  [
    /\b((?:clos|fix|resolv|implement)(?:e[sd]?|es|ed|s|ing)?(?:[ \t]*:)?\s+)(?=#|https?:|[\w.-]+\/[\w.-]+#)/gi,
    `$1${SPACER}`,
  ],
  [/([#!&])(?=\d)/g, `$1${SPACER}`],
  [/\bGH-(?=\d)/g, `GH-${SPACER}`],
  [/^([ \t>*-]*)\/(?=[a-z])/gim, `$1${SPACER}/`],
  [/^((?:[a-z]+-){1,4}by|docent-[a-z-]+|change-id|skip-checks)(?=[ \t]*:)/gim, `$1${SPACER}`],
  [/\[(?=[ \t]*(?:skip|no|ci)[ -])/gi, `[${SPACER}`],
  [/\*{3}(?=NO_CI)/g, `*${SPACER}**`],
];

/** A text without invisible characters. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
}

/** A text without side effects on a code host. Remove credentials first: they would not be recognized afterwards. */
export function inertText(text: string): string {
  return ACTING.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

/**
 * The model's final text for the dashboard, the API and the command line: without credentials and invisible characters.
 * `inertText` is applied later, to texts for a code host.
 */
export function presentable(
  finish: FinishInput,
  redact: (text: string) => string,
): { text: FinishInput; hadSecret: boolean } {
  let hadSecret = false;
  const clean = (text: string) => {
    const visible = cleanText(text);
    const redacted = redact(visible);
    hadSecret ||= redacted !== visible;
    return redacted;
  };
  const text: FinishInput = {
    outcome: finish.outcome,
    title: clean(finish.title.replace(/\s+/g, " ")).trim(),
    summary: clean(finish.summary),
    ...(finish.hint !== undefined && { hint: clean(finish.hint) }),
    ...(finish.question !== undefined && { question: clean(finish.question) }),
    ...(finish.files !== undefined && {
      files: finish.files.map(({ path, why }) => ({
        path: clean(path.trim().replace(/^(?:\.?\/)+/, "")),
        why: clean(why.replace(/\s+/g, " ")).trim(),
      })),
    }),
    ...(finish.forLaterJobs !== undefined && {
      forLaterJobs: finish.forLaterJobs.map((rule) => clean(rule.replace(/\s+/g, " ")).trim()),
    }),
  };
  return { text, hadSecret };
}
