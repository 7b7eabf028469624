import { INITIAL_LOOP_STATE } from "#agent/loop-state.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { finishTurn, type TurnOutcome } from "#features/jobs/turn/finish-turn.ts";
import { jobError } from "#features/jobs/job.ts";
import { keepWork } from "#features/jobs/publishing/keep-work.ts";
import { prepareTurn } from "#features/jobs/turn/prepare.ts";
import { type PublicationDeps, publishTurn } from "#features/jobs/publishing/publication.ts";
import { claimJob } from "#features/jobs/queue/queue.ts";
import { addMessage, createJob } from "#features/jobs/requests/submit.ts";
import { commitStep, findTurn, recordProgress } from "#features/jobs/turn/turns.ts";
import { findSecrets, redact } from "#lib/secrets/secret-scan.ts";
import type { Project } from "#features/projects/project.ts";
import { createTestApp } from "./test-app.ts";
import { testVault } from "./vault.ts";

type Files = Record<string, string | null>;

/** Runs turns of one job step by step over real stores, up to the point where they are published or kept. */
export async function carryJob(
  files: Record<string, string> = { "index.md": "# Welcome\n", "log.md": "# Log\n" },
  settings: Project["settings"] = {},
) {
  const app = await createTestApp("sqlite", { files });
  const deps: PublicationDeps = {
    database: app.database,
    clock: app.clock,
    redact,
    vault: testVault,
    repoStore: app.repoStore,
    codeHost: app.codeHost,
    gate: { parser: createInProcessParser(), findSecrets, linkCache: createLinkCache() },
    reviewUrl: (_project, jobId) => `http://docent.test/docs/jobs/${jobId}/review`,
    previewUrl: (_project, number) => `http://pr-${number}.localhost/`,
  };
  const { repository } = app;
  const project = { ...app.project, settings };
  const request = { model: "docent/builtin-rules", baseRef: "main", draft: false, title: null };
  const { job } = await createJob(app.lifecycle, { ...request, projectId: project.id, prompt: "Turn 1" }, null);

  async function claim() {
    const claimed = await claimJob(deps, { owner: "test", leaseMs: 60_000 });
    if (!claimed) throw new Error("no job waits");
    return claimed;
  }
  /**
   * The next turn with its edits stored as a step. A turn that was started before continues. `deliveredSeq`: the last
   * message that the agent has seen.
   */
  async function work(edits: Files, { deliveredSeq }: { deliveredSeq?: number } = {}) {
    const claimed = await claim();
    const number = claimed.job.handledCount + 1;
    let turn = await findTurn(deps, claimed, number);
    if (!turn) {
      const prompt = `Turn ${number}`;
      const prepared = await prepareTurn(deps, { claim: claimed, turn: number, repository, prompt });
      if (!prepared.ok) throw new Error(prepared.error.message);
      turn = prepared.turn;
      await recordProgress(deps, claimed, { turn: number, start: turn, events: [] });
    }
    const finish = { outcome: "done", title: `Do ${number}`, summary: `Did ${number}.` } as const;
    const tree = await app.repoStore.snapshot(project.id, {
      base: turn.baseCommit,
      edits: Object.entries(edits).map(([path, text]) => ({ path, content: text === null ? null : Buffer.from(text) })),
    });
    const rows = await app.database.kysely.selectFrom("job_step").select("step").where("turn", "=", number).execute();
    if (rows.length === 0) {
      const usage = { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
      const step = { turn: number, step: 1, messages: [], tree, deliveredSeq: deliveredSeq ?? number, events: [] };
      await commitStep(deps, claimed, {
        ...step,
        state: { loop: INITIAL_LOOP_STATE, finish },
        usage,
        weightedTokens: 0,
        costMicroUsd: 0,
      });
    }
    return { claim: claimed, project, repository, turn, finish, tree };
  }
  type Worked = Awaited<ReturnType<typeof work>>;
  const publish = ({ finish, tree, ...context }: Worked, with_: Partial<PublicationDeps> = {}) =>
    publishTurn(
      { ...deps, ...with_ },
      { ...context, end: { kind: "done", finish, tree, handledSeq: context.turn.turn, report: null } },
    );
  const keep = ({ finish, tree, ...context }: Worked) => {
    const error = jobError("validation_failed", "A link is broken.");
    return keepWork(deps, {
      ...context,
      end: { kind: "failed", error, handledSeq: context.turn.turn, work: { tree, finish } },
    });
  };
  const finish = (worked: Worked, outcome: TurnOutcome) =>
    finishTurn(deps, { claim: worked.claim, turn: worked.turn.turn, outcome });
  return {
    app,
    deps,
    jobId: job.id,
    work,
    publish,
    keep,
    finish,
    /** A whole turn. */
    async carry(edits: Files) {
      const worked = await work(edits);
      const outcome = await publish(worked);
      await finish(worked, outcome);
      if (!outcome.ok) throw new Error(outcome.error.message);
      return { ...worked, outcome };
    },
    say: (prompt: string) => addMessage(app.lifecycle, { projectId: project.id, jobId: job.id, prompt }),
    row: () => app.database.kysely.selectFrom("job").selectAll().executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
