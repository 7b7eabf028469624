/**
 * How to decide what a message should lead to. Think of a careful colleague who knows the repository and cannot ask:
 *
 * 1. `calls`: everybody who reads the message expects these chores and nothing else. Order counts.
 * 2. `refused`: a part of it is no chore, could mean two things, or takes something back. One such part refuses all of it.
 *    `names` is a word that the answer must contain; `readings` is how many sentences the answer must offer.
 * 3. `either`: honest people differ. Every alternative is harmless; `"refused"` is usually one.
 *
 * A reason beside a clear request (“We rebranded. Please replace …”) changes nothing: still 1. Where the request itself needs the
 * sentence before it (“The page is obsolete. Redirect it to …”), it is 3.
 *
 * What is misread does harm, what is refused costs a minute: in doubt, `refused`. An ability that the chores lack is no
 * reason to leave a message out: people write it, so it is here and is refused.
 */
export type ExpectedCall = readonly [tool: string, input: Readonly<Record<string, unknown>>];

export type Outcome =
  | { calls: readonly ExpectedCall[] }
  | { refused: true | { names?: string; readings?: number } }
  | { either: readonly (readonly ExpectedCall[] | "refused")[] };

/** Messages with one outcome. */
export type CorpusEntry = Outcome & { say: readonly string[]; why?: string };
