import type { Database } from "#db/database.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import { createClassifier, CHATGPT_AGENT, UNNAMED_AGENT, UNNAMED_EDITOR } from "#features/visitors/clients/classify.ts";
import { readClient, httpClients, type KnownAgent } from "#features/visitors/clients/agents.ts";
import { labelKinds } from "#features/visitors/labels.ts";
import { readKeptSecrets, type VisitorSecret } from "#features/visitors/secrets.ts";
import { type VisitorTraits, visitorNumber } from "#features/visitors/clients/visitor-key.ts";
import { type VotedPage, voterNumber } from "#features/visitors/feedback/feedback-book.ts";
import { browserFamilies } from "#features/visitors/clients/browser-family.ts";

/** Every visitor number that readers of an address may have been counted under. */
export interface AddressKeys {
  /** The numbers from keys without a day. */
  stable: ReadonlySet<number>;
  /** The numbers from keys that are valid for this day only. */
  ofDay(day: number): Set<number>;
  /** The numbers under which they may have given feedback on a page on a day. */
  votersOf(day: number, voted: VotedPage): Set<number>;
  products: number;
  /**
   * Views before this time cannot be found, because their secret was destroyed; null when every secret still exists.
   */
  destroyedUntil: number | null;
}

/**
 * Computes the numbers from the kept secrets. A key contains only the product of a client, and the products are
 * enumerable: those that Docent knows, and those that the project has seen.
 */
export async function findAddressKeys(
  { database, vault, agents }: { database: Database; vault: KeyVault; agents: AgentList },
  given: {
    projectId: ProjectId;
    number: number;
    address: string;
    userAgents: readonly string[];
    cookies: readonly string[];
  },
): Promise<AddressKeys> {
  const { address, cookies } = given;
  const { kept, destroyedUntil } = await readKeptSecrets({ queryable: database.kysely, vault }, given.projectId);
  const classify = createClassifier(agents.agents);
  const named = given.userAgents.map((userAgent) => classify(userAgent));
  const products = new Set([
    ...knownKeyProducts(agents.agents),
    ...(await seenProducts(database, given.number)),
    ...named.flatMap(({ product, keyProduct }) => [product, keyProduct]),
  ]);
  const traitsOf = (
    secret: VisitorSecret,
    rest: { product?: string; cookie?: string; day?: number },
  ): VisitorTraits => ({
    mode: rest.cookie === undefined ? (rest.day === undefined ? "stable" : "daily") : "cookie",
    secret,
    address,
    product: rest.product ?? "",
    cookie: rest.cookie ?? null,
    isPrivate: false,
    day: rest.day ?? 0,
  });
  const ofProducts = (day?: number) =>
    kept.flatMap((secret) =>
      [...products].map((product) => traitsOf(secret, { product, ...(day === undefined ? {} : { day }) })),
    );
  const ofCookies = kept.flatMap((secret) => cookies.map((cookie) => traitsOf(secret, { cookie })));
  const stable = [...ofProducts(), ...ofCookies];
  return {
    stable: new Set(stable.map(visitorNumber)),
    ofDay: (day) => new Set(ofProducts(day).map(visitorNumber)),
    votersOf: (day, voted) => new Set([...stable, ...ofProducts(day)].map((traits) => voterNumber(traits, voted))),
    products: products.size,
    destroyedUntil,
  };
}

/**
 * Tests whether a visitor's number on a day is one of these. Days come in order: only the last one's numbers are
 * cached.
 */
export function createNumberTest({
  stable,
  ofDay,
}: Pick<AddressKeys, "stable" | "ofDay">): (day: number, visitor: number) => boolean {
  let known: { day: number; numbers: Set<number> } | null = null;
  return (day, visitor) => {
    if (stable.has(visitor)) return true;
    if (known?.day !== day) known = { day, numbers: ofDay(day) };
    return known.numbers.has(visitor);
  };
}

/** Earlier versions included an unknown program's name in keys, and lists of agents change. */
async function seenProducts({ kysely }: Database, project: number): Promise<string[]> {
  const rows = await kysely
    .selectFrom("analytics_label")
    .select("text")
    .where("project", "=", project)
    .where("kind", "=", labelKinds.client)
    .execute();
  return rows.map(({ text }) => readClient(text).product);
}

/** The product of an unknown program: see `ClientFacts.keyProduct`. */
const NO_PRODUCT = "";

/** Every product that a visitor key can contain: with an address and a secret they give all of its keys. */
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
