/**
 * An AsyncAPI document with these texts in every place that has room for one. The page of its channel is at `evil` in
 * the folder, that of the whole at the folder itself.
 */
export function asyncApiOf(vectors: readonly string[], folder: string) {
  const [first = ""] = vectors;
  const each = <T>(make: (vector: string) => T) => Object.fromEntries(vectors.map((vector) => [vector, make(vector)]));
  const named = (vector: string) => ({ title: vector, description: vector, format: vector, enum: [vector] });
  const schema = {
    ...named(first),
    type: "object",
    pattern: first,
    default: first,
    properties: each((vector) => ({ ...named(vector), type: vector, oneOf: [{ title: vector, const: vector }] })),
  };
  const security = vectors.map((name) => ({
    type: "httpApiKey",
    in: "query",
    name,
    description: name,
    scopes: [name],
  }));
  const message = (vector: string) => ({
    name: vector,
    title: `The ${vector}`,
    description: vector,
    contentType: vector,
    headers: schema,
    payload: schema,
    examples: [{ name: vector, summary: vector, payload: { [vector]: vector } }],
  });
  const channel = {
    address: `{${first}} ${vectors.join(" ")}`,
    title: first,
    summary: first,
    description: vectors.join("\n\n"),
    tags: vectors.map((name) => ({ name })),
    "x-mint": { href: `/${folder}/evil` },
    parameters: each((vector) => ({ description: vector, enum: [vector], default: vector, examples: [vector] })),
    bindings: each((vector) => ({ [vector]: vector })),
    messages: {
      ...each(message),
      foreign: { payload: { schemaFormat: first, schema: each((vector) => vector) } },
    },
  };
  const operation = (vector: string) => ({
    action: "send",
    title: vector,
    description: vector,
    channel: { $ref: "#/channels/evil" },
    messages: [message(vector)],
    security,
    bindings: { [vector]: { [vector]: vector } },
    reply: { address: { location: vector }, messages: [message(`reply ${vector}`)] },
  });
  return {
    asyncapi: "3.0.0",
    info: { title: first, version: vectors.join(" "), description: vectors.join("\n\n") },
    defaultContentType: first,
    servers: each((vector) => ({ host: vector, pathname: vector, protocol: vector, description: vector, security })),
    channels: {
      evil: channel,
      ...each((vector) => ({ title: vector, description: vector, tags: [{ name: vector }] })),
    },
    operations: each(operation),
  };
}
