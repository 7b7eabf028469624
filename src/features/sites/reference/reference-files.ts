import { createHash } from "node:crypto";
import type { Snapshot, SnapshotFile } from "#docs/snapshot.ts";
import type { Guides } from "./guides.ts";

const DOCUMENT = "openapi.json";
/** The server's address in the code of our documentation; as a word in its text it is what a new server listens at. */
const EXAMPLE_ADDRESS = /http:\/\/localhost:4000(?![\w`])/g;
const LANGUAGES = ["curl", "javascript", "python", "go", "php", "ruby", "java", "csharp", "rust", "kotlin"];

/** The interface's document as it is served, with what tells it from others. */
export interface ServedDocument {
  json: string;
  etag: string;
  /** Address of this server, without a slash at the end. */
  serverUrl: string;
}

/** The files that the site of the interface is made of, in memory: a `docs.json`, the served document, and the guides. */
export function referenceFiles(guides: Guides, { json, serverUrl }: ServedDocument): Snapshot {
  const config = {
    name: "Docent API",
    description: "The HTTP API of this Docent server: every operation, with code, examples and a form to try it.",
    ...guides.look,
    api: { examples: { languages: LANGUAGES } },
    navbar: { links: [{ label: "Sign in", href: `${serverUrl}/sign-in` }] },
    navigation: {
      groups: [...guides.groups, { group: "Operations", openapi: { source: DOCUMENT, directory: "/" } }],
    },
  };
  const files = [...guides.files].map(
    ([path, text]) => [path, text.replaceAll(EXAMPLE_ADDRESS, () => serverUrl)] as const,
  );
  return snapshotOf([["docs.json", JSON.stringify(config)], [DOCUMENT, json], ...files]);
}

function snapshotOf(given: Iterable<readonly [path: string, text: string]>): Snapshot {
  const contents = new Map<string, Uint8Array>();
  const files: SnapshotFile[] = [];
  for (const [path, text] of given) {
    const bytes = new TextEncoder().encode(text);
    const version = createHash("sha256").update(bytes).digest("hex");
    contents.set(path, bytes);
    files.push({ path, version, sizeBytes: bytes.length, kind: "file" });
  }
  return {
    files: () => Promise.resolve(files),
    read: (path) => Promise.resolve(contents.get(path) ?? null),
  };
}
