import { z } from "zod";
import { readChoreBlocks } from "./chores-block.ts";
import type { ChoreCall } from "./chores/chore-form.ts";
import { protectQuotes } from "./grammar/prompt-text.ts";
import type { FailedChore } from "./report.ts";
import { sentencesOf } from "./message.ts";
import { trimClause } from "./remarks.ts";
import { understand } from "./understanding.ts";

const Check = z.object({
  pageCount: z.number(),
  results: z.array(z.looseObject({ tool: z.string(), changedCount: z.number().catch(0) })),
});
/** From this many changed files by one chore on, a request has to say that it means all of them. */
const MANY_FILES = 500;
/** Below this a reviewer looks through all files anyway, however few pages there are. */
const FEW_FILES = 50;
// Words about the docs: “Hi all” and “all plurals, too” say nothing about the extent.
const SAYS_ALL =
  /\b(?:everywhere|everything|throughout|globally|site-?wide|docs-?wide|consistently|(?:all|every|each|whole|entire|across|all over)(?: of)?(?: the| our| these| those)?(?: [\p{L}-]+){0,2}? ?(?:\uE000|docs?\b|documentation|pages?\b|files?\b|articles?\b|documents?\b|places?\b|mentions?\b|occurrences?\b|instances?\b|references?\b|uses?\b|usages?\b|links?\b|headings?\b|titles?\b|images?\b|descriptions?\b|lists?\b|site\b|website|wiki|repo(?:sitory)?\b|project|guides\b))/iu;

/**
 * The chore that would change more than half of the pages, or 500 files, for a request that does not say so: it needs a
 * confirmation, for which a sentence is offered. Null for every other request. `check`: JSON of `check_chores`.
 */
export function widerThanSaid(check: string, request: string, calls: readonly ChoreCall[]): FailedChore | null {
  if (saysAll(request, calls)) return null;
  const parsed = Check.safeParse(jsonOf(check));
  if (!parsed.success) return null;
  const { pageCount, results } = parsed.data;
  const at = results.findIndex(({ changedCount }) => changedCount > MANY_FILES || (changedCount >= FEW_FILES && changedCount * 2 > pageCount)); // oxfmt-ignore
  const call = calls[at];
  // For an undo, the request that made the changes has already confirmed them.
  if (!call || call.tool === "undo_changes") return null;
  const files = results[at]?.changedCount ?? 0;
  const sentence = `${trimClause(request)} everywhere`;
  const read = understand(sentence, [...new Set(calls.map(({ tool }) => tool))]);
  const isSame = read.refused.length === 0 && JSON.stringify(read.calls) === JSON.stringify(calls);
  const message = `it would change ${files} files of a documentation with ${pageCount} pages. Say “everywhere” if all of them are meant, or name a part`;
  return { call, message, ...(isSame && { hint: sentence }) };
}

/** Whether the words of a request say that all is meant, outside greetings and quotations. A block of chores is explicit. */
function saysAll(request: string, calls: readonly ChoreCall[]): boolean {
  const blocks = readChoreBlocks(request, [...new Set(calls.map(({ tool }) => tool))]);
  if (blocks.calls.length > 0) return true;
  const { text, quotes } = protectQuotes(blocks.rest);
  const sentences = sentencesOf(text, quotes);
  return Array.isArray(sentences) && sentences.some((each) => SAYS_ALL.test(`${each.lead ?? ""} ${each.text}`));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
