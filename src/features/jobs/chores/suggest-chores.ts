import { entryOf } from "#agent/toolbox/chore-calls.ts";
import type { NearChore } from "#agent/toolbox/near-moves.ts";
import { nearestChores } from "#agent/toolbox/nearest-chores.ts";
import { loadDocs } from "#docs/tree/page-tree.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ChoreSuggestion } from "#features/jobs/job.ts";
import type { Project } from "#features/projects/project.ts";
import type { Trial, TryDeps } from "./try-chores.ts";

const MAX_SUGGESTIONS = 3;
/** The reply to a refused instruction waits for the search. */
const LONGEST_SEARCH_MS = 15_000;

export interface SuggestDeps extends Pick<TryDeps, "repoStore" | "gate"> {
  tryChores(trial: {
    commit: ObjectId;
    chores: NearChore["call"][];
    withoutChecks: true;
    signal: AbortSignal;
  }): Promise<Trial>;
  /** The chores that a sentence requests; empty when it is not understood. */
  readChores(sentence: string): NearChore["call"][];
}

interface Refused {
  project: Project;
  commit: ObjectId;
  prompt: string;
  /** Sentences to send instead, one a line. */
  hint: string;
  signal: AbortSignal;
}

/**
 * Up to three chores that are close to an instruction that was not understood. Each was tried on the docs and would
 * change something. Chores that cannot be tried in time are not suggested.
 */
export async function suggestChores(deps: SuggestDeps, refused: Refused): Promise<ChoreSuggestion[]> {
  const { project, commit, prompt, hint } = refused;
  const { heads } = deps.gate;
  const { pages } = await loadDocs(commitSnapshot(deps.repoStore, project.id, commit), {
    contentRoot: project.settings.contentRoot ?? null,
    ...(heads && { heads }),
  });
  const near = [...choresOfHint(deps, { prompt, hint }), ...nearestChores(prompt, [...pages.values()])];
  const late = AbortSignal.timeout(LONGEST_SEARCH_MS);
  const signal = AbortSignal.any([refused.signal, late]);
  const found: ChoreSuggestion[] = [];
  const patches = new Set<string>();
  for (const { title, call } of near) {
    if (found.length === MAX_SUGGESTIONS || late.aborted) break;
    let trial: Trial;
    try {
      trial = await deps.tryChores({ commit, chores: [call], withoutChecks: true, signal });
    } catch (error) {
      refused.signal.throwIfAborted();
      if (late.aborted) break;
      if (error instanceof AppError && error.code !== "internal") continue;
      throw error;
    }
    const { ok, files, moreFiles, diff } = trial;
    if (!ok || files.length === 0 || patches.has(diff)) continue;
    patches.add(diff);
    const places = files.reduce((sum, file) => sum + Math.max(file.additions ?? 0, file.deletions ?? 0), 0);
    found.push({ chore: entryOf(call), title, files: files.length + moreFiles, places });
  }
  return found;
}

/**
 * The sentences of a hint whose quoted names all occur in the prompt, each once. Other sentences are general examples of the
 * rules.
 */
function choresOfHint({ readChores }: SuggestDeps, { prompt, hint }: Pick<Refused, "prompt" | "hint">): NearChore[] {
  const lowercasePrompt = prompt.toLowerCase();
  const sentences = hint.split(/\n|(?<=\.) (?=\p{Lu})/u).map((sentence) => sentence.replace(/\.$/, ""));
  return [...new Set(sentences)].flatMap((title) => {
    const isTheirs = [...title.matchAll(/"([^"]*)"/g)].every(([, name = ""]) =>
      lowercasePrompt.includes(name.toLowerCase()),
    );
    const [call, second] = isTheirs ? readChores(title) : [];
    return call && !second ? [{ title, call }] : [];
  });
}
