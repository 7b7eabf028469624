import type { KnownAgent } from "./agents.ts";

/** Finds the first agent whose token occurs in a lower-case user agent. */
export type FindAgent = (lowerUserAgent: string) => KnownAgent | undefined;

export function createAgentFinder(agents: readonly KnownAgent[]): FindAgent {
  const tokens = agents.map((agent) => ({ token: agent.token.toLowerCase(), agent }));
  return (lower) =>
    tokens.find(({ token, agent }) =>
      // The next character is checked, too: Cursory is not Cursor.
      agent.isFirst === true ? hasWord(lower.slice(0, token.length + 1), token) : hasWord(lower, token),
    )?.agent;
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = at === 0 || !/[\w-]/.test(text[at - 1] ?? "");
    const isEnd = !/[\w-]/.test(text[at + word.length] ?? "");
    if (isStart && isEnd) return true;
  }
  return false;
}
