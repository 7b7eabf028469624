import { z } from "zod";
import { type HostCall, hostMessage } from "#hosts/remote/host-call.ts";

/**
 * Relative to the REST address: `/graphql` at api.github.com and api.SUBDOMAIN.ghe.com, `/api/graphql` on an Enterprise
 * server, whose REST address ends in `/api/v3`.
 */
const GRAPHQL = "/../graphql";

const Answer = z.looseObject({ data: z.unknown(), errors: z.array(z.unknown()).optional() });

/**
 * Requests that REST does not support. `refusal`: GitHub's message, which it sends with status 200; null on success.
 */
export async function askGraphql(
  call: HostCall,
  query: string,
  variables: Record<string, string>,
): Promise<{ data: unknown; refusal: string | null }> {
  const answer = await call({ method: "POST", path: GRAPHQL, body: { query, variables } });
  const { data, errors = [] } = answer.read(Answer);
  return { data, refusal: errors.length === 0 ? null : hostMessage(answer.body) };
}
