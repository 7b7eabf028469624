import { identityText, keyedNumber, type VisitorTraits } from "#features/visitors/clients/visitor-key.ts";

/** What an entry is known by besides who made it. */
export interface VotedPage {
  page: string;
  /** Of an agent's entry what it wrote; null for a reader's. */
  agentWords: string | null;
}

/**
 * The number by which a reader's vote is found again when they vote a second time. The page is part of it: nothing joins
 * what a reader says of two pages, or that with the pages that they read. Agents of many people have one address, so
 * what they write is part of theirs: only the same words are the same entry.
 */
export function voterNumber(traits: VisitorTraits, { page, agentWords }: VotedPage): number {
  const kind = agentWords === null ? "feedback" : `feedback of an agent\n${agentWords.length}\n${agentWords}`;
  return keyedNumber(traits.secret, `${kind}\n${page}\n${identityText(traits)}`);
}
