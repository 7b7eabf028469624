import type { InterfaceDocument } from "./described-interface.ts";

/** What was sent and answered: by operation, in the shape that the document's examples are kept in. */
export interface RealAnswers {
  [operationId: string]: { body?: unknown; answers: { [status: string]: { [type: string]: unknown } } };
}

export interface Call {
  project: string;
  /** Whose answer is kept, by its id in the document. */
  operation: string;
  /** Identifiers in its path beside the project's. */
  ids?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  key: string;
}

/** Calls operations of a server by their names, and keeps what the first call of each with each status was answered. */
export function createRecorder(document: InterfaceDocument, answers: RealAnswers = {}) {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }]),
    ),
  );
  return {
    answers,
    async call(baseUrl: string, { operation, project, ids = {}, query = "", body, headers, key }: Call) {
      const { method, path } = operations.get(operation)!;
      const at = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? project);
      const response = await fetch(`${baseUrl}${at}${query}`, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const type = response.headers.get("content-type")?.split(";")[0] ?? "";
      const value: unknown = type === "application/json" ? JSON.parse(text) : text;
      const kept = (answers[operation] ??= { answers: {} });
      if (response.ok && body !== undefined) kept.body ??= body;
      if (type !== "") (kept.answers[response.status] ??= {})[type] ??= value;
      return { status: response.status, value: value as Record<string, never> & { id: string; status: string } };
    },
  };
}

const INSTANT = "2026-11-20T12:34:56.789Z";

/** Real answers without what differs from one run to the next: names are counted, and all happened at the same moment. */
export function withoutChance(answers: RealAnswers, places: Record<string, string>): RealAnswers {
  const named = new Map<string, string>();
  const nameOf = (text: string, make: (number: number) => string) => {
    if (!named.has(text)) named.set(text, make(named.size + 1));
    return named.get(text)!;
  };
  const number = (count: number, digits: number) => String(count).padStart(digits, "0");
  let text = JSON.stringify(answers);
  for (const [real, shown] of Object.entries(places)) text = text.replaceAll(real, shown);
  text = text
    .replaceAll(/http:\/\/([\w-]+)\.localhost:\d+/g, "https://$1.docs.example.com")
    .replaceAll(/branch-[0-9a-f]{10}--/g, "branch-1f4c7aa175--")
    .replaceAll(/preview=[\w-]+/g, "preview=nhCm04K8Jd9rjCp5UnGChJdnBIDtIVPT")
    .replaceAll(/(docent\/[a-z-]+-)[0-9a-z]{8}\b/g, "$1vy3p31v1")
    .replaceAll(/ in \d+ seconds/g, " in 1406 seconds")
    .replaceAll(/\b([a-z]{3})_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, kind: string) =>
      nameOf(id, (count) => `${kind}_01m7xv5hckfkpv35y27gys${number(count, 4)}`),
    ) // oxfmt-ignore
    .replaceAll(/\b[0-9a-f]{40}\b/g, (id) =>
      nameOf(id, (count) => `4f2a9c1b7d0e5a3c8f6b2d1e9a7c4b0f3d5e${number(count, 4)}`),
    ) // oxfmt-ignore
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, INSTANT)
    .replaceAll(/(?<!\d)20\d\d-\d\d-\d\d(?!T)/g, INSTANT.slice(0, 10))
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":42')
    // Whether a site's first commit counts as pushed depends on which of two came first.
    .replaceAll(/"liveAfterMs":(?:null|\d+)/g, '"liveAfterMs":42')
    .replaceAll('"address":"127.0.0.1"', '"address":"203.0.113.7"')
    .replaceAll(/http:\/\/docs\.example\.com:\d+/g, "https://docs.example.com")
    // It is written down every half minute.
    .replaceAll(/"lastUsedAt":(?:null|"[^"]*")/g, '"lastUsedAt":null')
    // How far the following of a host has come.
    .replaceAll(/"(triedAt|webhookAt)":(?:null|"[^"]*")/g, `"$1":"${INSTANT}"`)
    .replaceAll(/"remarks":\[[^\]]*\]/g, '"remarks":[]')
    .replaceAll(/"version":"[0-9a-f]{16}"/g, '"version":"9c1b7d0e5a3c8f6b"')
    .replaceAll(
      /\blink\.[0-9a-z]+\.[\w-]+\.[\w-]{43}/g,
      "link.tp3ml1.6GHNl6FG.qOhwhsW-tMQJwB340qAEHtUrfM7oGcHNuDNX97UTnYM",
    )
    .replaceAll(/\/-\/join\/[\w-]{43}/g, "/-/join/Jx0mUbpS1v3fR8t2Zc5nQwYk7LhGdEaTiOoPsXyVzB4")
    .replaceAll(/docent_[0-9A-Za-z]{38}/g, "docent_KEY")
    .replaceAll(/"hint":"[0-9A-Za-z]{4}"/g, '"hint":"k3Yz"')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  return JSON.parse(text) as RealAnswers;
}
