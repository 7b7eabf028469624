import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { createAgentFinder } from "./agent-finder.ts";
import { type AgentList, builtInAgents } from "./agent-list.ts";
import { isPlainBrowser, MAX_USER_AGENT_LENGTH } from "./classify.ts";

const MAX_KNOWN = 5_000;
/** Looking at one costs some 10 µs, so that a flood of user agents takes 1 % of the thread that serves pages. */
const MAX_NEW_PER_SECOND = 1_000;
const SECOND_MS = 1_000;

/**
 * Whether a page served to this client is a view only once its script says so. False also means that it is not known
 * yet: the fold will find out.
 */
export function createBrowserFinder({ clock, agents = () => builtInAgents }: { clock: Clock; agents?(): AgentList }) {
  let list = agents();
  let findAgent = createAgentFinder(list.agents);
  let known = createLruCache<string, boolean>({ maxWeight: MAX_KNOWN });
  let second = 0;
  let newInSecond = 0;
  return (userAgent: string): boolean => {
    if (agents() !== list) {
      list = agents();
      findAgent = createAgentFinder(list.agents);
      known = createLruCache<string, boolean>({ maxWeight: MAX_KNOWN });
    }
    const remembered = known.get(userAgent);
    if (remembered !== undefined) return remembered;
    const now = Math.floor(clock.now().getTime() / SECOND_MS);
    if (now !== second) {
      second = now;
      newInSecond = 0;
    }
    if (userAgent.length > MAX_USER_AGENT_LENGTH || ++newInSecond > MAX_NEW_PER_SECOND) return false;
    const isBrowser = isPlainBrowser(userAgent, findAgent);
    known.set(userAgent, isBrowser);
    return isBrowser;
  };
}
