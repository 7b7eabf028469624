import { z } from "zod";
import { type HostCall, hostMessage } from "#hosts/remote/host-call.ts";

/** Beside the REST interface: `/graphql` at api.github.com and api.SUBDOMAIN.ghe.com, `/api/graphql` of an Enterprise server, whose REST is `/api/v3`. */
const GRAPHQL = "/../graphql";

const Answer = z.looseObject({ data: z.unknown(), errors: z.array(z.unknown()).optional() });

/** What the REST interface cannot do. `refusal`: GitHub's words, which it sends with status 200; null when it did it. */
export async function askGraphql(
  call: HostCall,
  query: string,
  variables: Record<string, string>,
): Promise<{ data: unknown; refusal: string | null }> {
  const answer = await call({ method: "POST", path: GRAPHQL, body: { query, variables } });
  const { data, errors = [] } = answer.read(Answer);
  return { data, refusal: errors.length === 0 ? null : hostMessage(answer.body) };
}
