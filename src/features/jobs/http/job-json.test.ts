import { describe, expect, it } from "vitest";
import type { Job } from "#features/jobs/job.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { jobEtag, jobToJson } from "./job-json.ts";

const at = new Date("2026-11-20T12:34:56.789Z");
const pullRequest = {
  number: 7,
  url: "http://localhost:4000/harbor-docs/pull/7",
  state: "open" as const,
  draft: false,
  previewUrl: "http://pr-7--harbor-docs.localhost:4000/",
};
const job: Job = {
  id: "job_1" as JobId,
  projectId: "prj_1" as ProjectId,
  status: "completed",
  phase: "idle",
  waiting: null,
  notice: null,
  changed: true,
  question: null,
  title: "Fix links",
  summary: "Fixed two links.",
  error: null,
  refusal: null,
  model: "docent/builtin-rules",
  baseRef: "main",
  dryRun: false,
  effort: null,
  plan: null,
  branch: "docent/fix-links",
  draft: false,
  pullRequest,
  messageCount: 1,
  handledCount: 1,
  usage: { steps: 2, inputTokens: 10, cachedTokens: 1, outputTokens: 5, costMicroUsd: 3 },
  automationId: null,
  revision: 9,
  createdAt: at,
  updatedAt: at,
  archivedAt: null,
  transcriptDeletedAt: null,
};

describe("a job as JSON", () => {
  it("has every field of the API", () => {
    expect(jobToJson(job, "http://localhost:4000/git/harbor-docs.git")).toEqual({
      id: "job_1",
      status: "completed",
      source: { repository: "http://localhost:4000/git/harbor-docs.git", ref: "docent/fix-links" },
      model: "docent/builtin-rules",
      prLink: "http://localhost:4000/harbor-docs/pull/7",
      createdAt: "2026-11-20T12:34:56.789Z",
      archivedAt: null,
      transcriptDeletedAt: null,
      pullRequest: { number: 7, url: "http://localhost:4000/harbor-docs/pull/7", state: "open", draft: false },
      title: "Fix links",
      summary: "Fixed two links.",
      dryRun: false,
      effort: null,
      plan: null,
      error: null,
      changed: true,
      lastMessage: { seq: 1, error: null, question: null },
      usage: { steps: 2, inputTokens: 10, cachedInputTokens: 1, outputTokens: 5, costUsd: 0.000003 },
      phase: "idle",
      waitingFor: null,
      notice: null,
      previewLink: "http://pr-7--harbor-docs.localhost:4000/",
    });
  });

  it("has no link while it is active, even with a pull request from an earlier message", () => {
    const active = jobToJson({ ...job, status: "active" }, "");
    expect(active.prLink).toBeNull();
    expect(active.pullRequest?.number).toBe(7);
  });

  it.each(["completed", "failed", "archived"] as const)("has the link while it is %s", (status) => {
    expect(jobToJson({ ...job, status }, "").prLink).toBe(pullRequest.url);
    expect(jobToJson({ ...job, status, pullRequest: null }, "").prLink).toBeNull();
  });

  it("keeps the link and drops the preview when a person merged or closed the pull request", () => {
    const merged = jobToJson({ ...job, pullRequest: { ...pullRequest, state: "merged" } }, "");
    expect(merged).toMatchObject({ prLink: pullRequest.url, previewLink: null });
  });
});

describe("a job's ETag", () => {
  it("changes with the row and with what people do to the pull request", () => {
    const versions = [
      job,
      { ...job, revision: 10 },
      { ...job, pullRequest: null },
      { ...job, pullRequest: { ...pullRequest, draft: true } },
      { ...job, pullRequest: { ...pullRequest, state: "merged" as const } },
      { ...job, pullRequest: { ...pullRequest, state: "closed" as const } },
    ];
    expect(new Set(versions.map(jobEtag)).size).toBe(versions.length);
    expect(jobEtag(job)).toMatch(/^"[\x21\x23-\x7e]+"$/);
  });
});
