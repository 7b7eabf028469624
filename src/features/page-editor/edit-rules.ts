import { readJsonDocument } from "#docs/json-document.ts";
import { createProblemList } from "#docs/problems.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { findComplaint, isStorable, lineRules, type TextRule } from "#kit/http/text-rules.ts";
import { AppError } from "#lib/app-error.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import type { Entered } from "./editor-page.ts";
import { readNewPath } from "./new-page.ts";
import { kibibytes, MAX_EDITED_BYTES, readSourceFile, writeProblem } from "./source-file.ts";

export const MAX_TITLE = 200;
const MAX_DESCRIPTION = 10_000;

// Terminals and review pages obey them: a title could read as another one.
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const TITLE_RULES: readonly TextRule[] = [
  ...lineRules(MAX_TITLE),
  { holds: (text) => !STEERING.test(text), message: "must not contain control characters" },
];

/** `AppError invalid` for a text that cannot be a file here. */
export function refuseUnfit({ text, description }: Entered): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_EDITED_BYTES)
    throw new AppError(
      "invalid",
      `The text has ${kibibytes(bytes)}. The limit of the editor is ${kibibytes(MAX_EDITED_BYTES)}.`,
    );
  if (!isStorable(text))
    throw new AppError("invalid", "The text contains a NUL character, which text files do not have.");
  if (!isStorable(description))
    throw new AppError("invalid", "The description contains a NUL character, which cannot be stored.");
  if (description.length > MAX_DESCRIPTION)
    throw new AppError(
      "invalid",
      `The description may have at most ${MAX_DESCRIPTION.toLocaleString("en")} characters.`,
    );
}

/**
 * `AppError invalid` for a file that the editor does not open, and for a new one that is no page. `version`: the newest
 * one, as a form may name any commit as its base; `isInBase`: the form's base has the file.
 */
export async function refuseOutsideDocs(
  version: SiteVersion,
  { path, text, isInBase }: { path: string; text: string; isInBase: boolean },
): Promise<void> {
  const file = await readSourceFile(version, path);
  if (file.kind === "refused") throw new AppError("invalid", file.reason);
  if (file.kind === "missing" && !isInBase && (await readNewPath(version, { path, title: "" })) !== path)
    throw new AppError("invalid", "The path of a page ends in .md or .mdx and is in the docs folder.");
  const before = file.kind === "text" ? file.source : null;
  const problem = await writeProblem(version, { path, text, before });
  if (problem !== null) throw new AppError("invalid", problem);
}

/** `AppError invalid` for a change that must not be proposed: by its title, or because the site would lose its navigation. */
export async function refuseUnproposable(
  { docs, snapshot }: SiteVersion,
  { path, text, title }: { path: string; text: string; title: string },
): Promise<void> {
  const complaint = findComplaint(TITLE_RULES, title);
  if (complaint !== null) throw new AppError("invalid", `The title ${complaint}.`);
  if (path !== docs.configFile || !path.endsWith(".json")) return;
  const problems = createProblemList(1);
  const { value } = await readJsonDocument(
    createVirtualTree(snapshot, new Map([[path, Buffer.from(text)]])),
    path,
    problems,
  );
  const [problem] = problems.all();
  if (value !== null || !problem) return;
  const where = problem.line === null ? "" : ` in line ${problem.line}`;
  throw new AppError(
    "invalid",
    `${path} cannot be read${where}, and the site would lose its navigation. ${problem.message}`,
  );
}
