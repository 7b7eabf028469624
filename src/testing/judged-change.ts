import type { ShownText } from "#agent/gate/judge.ts";
import { checkChange, type GateDeps, type GateReport } from "#agent/gate/gate.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { findSecrets, type SecretScanner } from "#lib/secrets/secret-scan.ts";
import { createTestSnapshot } from "./snapshot.ts";

export type TestFiles = Record<string, string | Uint8Array | { linkTo: string }>;

/**
 * The gate's findings for a change from one set of files to another. An empty text means that the file does not exist.
 */
export async function judge(
  before: TestFiles,
  after: TestFiles,
  options: {
    prompts?: string[];
    contentRoot?: string;
    findSecrets?: SecretScanner["findSecrets"];
    shown?: ShownText[];
    /** Enables the search for invisible text. */
    render?: GateDeps["render"];
    refusesUnseenWords?: boolean;
    movesSite?: boolean;
  } = {},
): Promise<GateReport> {
  const base = createTestSnapshot(present(before));
  const head = createTestSnapshot(present(after));
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = await Promise.all(
    [...paths].map(async (path) => ({ path, before: await base.read(path), after: await head.read(path) })),
  );
  const changed = changes.filter(
    (change) => change.before === null || change.after === null || Buffer.compare(change.before, change.after) !== 0,
  );
  return checkChange(
    {
      parser: createInProcessParser(),
      findSecrets: options.findSecrets ?? findSecrets,
      linkCache: createLinkCache(),
      render: options.render,
    },
    {
      base,
      head,
      contentRoot: options.contentRoot ?? null,
      changes: changed,
      changedLines: changed.length,
      prompts: options.prompts ?? [],
      shownOfSources: options.shown ?? [],
      refusesUnseenWords: options.refusesUnseenWords ?? false,
      movesSite: options.movesSite ?? false,
    },
  );
}

const present = (files: TestFiles): TestFiles =>
  Object.fromEntries(Object.entries(files).filter(([, content]) => content !== ""));
