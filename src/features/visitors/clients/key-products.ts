import { browserFamilies } from "./browser-family.ts";
import { UNNAMED_EDITOR } from "./editor-fetch.ts";
import { httpClients, type KnownAgent } from "./agents.ts";
import { CHATGPT_AGENT, UNNAMED_AGENT } from "./classify.ts";

/** Stands for a client that is no known program: see `ClientFacts.keyProduct`. */
const NO_PRODUCT = "";

/** Every product that a visitor key can be made with: with an address and a secret they give all of its keys. */
export function knownKeyProducts(agents: readonly KnownAgent[]): Set<string> {
  return new Set([
    NO_PRODUCT,
    CHATGPT_AGENT,
    UNNAMED_AGENT.keyProduct,
    ...browserFamilies(),
    UNNAMED_EDITOR,
    ...httpClients,
    ...agents.map(({ name }) => name),
  ]);
}
