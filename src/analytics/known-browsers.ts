import type { Clock } from "#lib/clock.ts";
import { type Classify, MAX_USER_AGENT_LENGTH } from "./classify.ts";
import { BoundedMap } from "./counts-cache.ts";
import { sources, surfaces } from "./facts.ts";
import { classOf } from "./rules.ts";

const MAX_KNOWN = 5_000;
/** Classifying costs up to 0.1 ms, so that even a flood of user agents takes 1 % of the thread that serves pages. */
const MAX_NEW_PER_SECOND = 100;
const SECOND_MS = 1_000;

/**
 * Whether a page that a client is given waits for its script to be a view. False also says that it is not known yet:
 * the fold will find out.
 */
export function createBrowserFinder({ classify, clock }: { classify: Classify; clock: Clock }) {
  const known = new BoundedMap<string, boolean>(MAX_KNOWN);
  let second = 0;
  let newInSecond = 0;
  return (userAgent: string): boolean => {
    const remembered = known.get(userAgent);
    if (remembered !== undefined) return remembered;
    const now = Math.floor(clock.now().getTime() / SECOND_MS);
    if (now !== second) {
      second = now;
      newInSecond = 0;
    }
    if (userAgent.length > MAX_USER_AGENT_LENGTH || ++newInSecond > MAX_NEW_PER_SECOND) return false;
    const { category } = classify(userAgent);
    const { exclusion } = classOf({ category, source: sources.served, surface: surfaces.html });
    known.set(userAgent, exclusion === "unconfirmed");
    return exclusion === "unconfirmed";
  };
}
