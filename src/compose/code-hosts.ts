import type { CodeHost } from "#code-hosts/code-host.ts";
import { createCodeHosts } from "#code-hosts/code-hosts.ts";
import { createEmbeddedCodeHost, type EmbeddedCodeHost } from "#code-hosts/embedded/embedded-code-host.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

export interface CodeHosts {
  /** Whichever host a project's repository is on. */
  codeHost: CodeHost;
  /** Docent's own, which has pages and takes pushes besides. */
  embedded: EmbeddedCodeHost;
}

/** A further code host is a line here, and a kind of its port. */
export function composeCodeHosts(
  { clock, logger, address }: Context,
  { database, repoStore }: Pick<Store, "database" | "repoStore">,
): CodeHosts {
  const embedded = createEmbeddedCodeHost({ database, repoStore, clock, logger, baseUrl: address.baseUrl });
  return { codeHost: createCodeHosts({ embedded }), embedded };
}
