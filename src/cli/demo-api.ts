import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "#lib/app-error.ts";
import type { AgentJobBody } from "#features/jobs/http/schemas.ts";

/** The demo's own client of the interface: what anybody's client would send. */
export interface DemoApi {
  createJob(prompt: string): Promise<AgentJobBody>;
  sendMessage(id: string, prompt: string): Promise<AgentJobBody>;
  /** Polls until the job is no longer active; `onPhase` hears of each new phase. */
  waitForJob(id: string, onPhase: (phase: string) => void): Promise<AgentJobBody>;
  visitors(): Promise<VisitorsAnswer>;
  /** Merges a pull request the way a person does: signs in with the key and presses the button. */
  mergePullRequest(prLink: string): Promise<void>;
}

export interface VisitorsAnswer {
  totals: { human: number; ai: number; total: number };
  visitors: { path: string; human: number; ai: number; total: number }[];
  hasMore: boolean;
}

const POLL_MS = 100;
const PATIENCE_MS = 120_000;

export function createDemoApi(options: {
  baseUrl: string;
  projectId: string;
  key: string;
  signal: AbortSignal;
}): DemoApi {
  const { baseUrl, projectId, key, signal } = options;
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    if (!response.ok)
      throw new AppError("unavailable", `${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const jobs = `/v2/agent/${projectId}/job`;
  return {
    createJob: (prompt) => call("POST", jobs, { prompt }),
    sendMessage: (id, prompt) => call("POST", `${jobs}/${id}/message`, { prompt }),
    async waitForJob(id, onPhase) {
      let phase = "";
      for (const start = Date.now(); Date.now() - start < PATIENCE_MS; await sleep(POLL_MS, undefined, { signal })) {
        const job = await call<AgentJobBody>("GET", `${jobs}/${id}`);
        if (job.phase !== phase) onPhase((phase = job.phase));
        if (job.status !== "active") return job;
      }
      throw new AppError("unavailable", `Job ${id} was not done after ${PATIENCE_MS / 1000} seconds.`);
    },
    visitors: () => call("GET", `/v1/analytics/${projectId}/visitors`),
    async mergePullRequest(prLink) {
      const path = new URL(prLink).pathname;
      const signIn = await postForm(`${baseUrl}/sign-in`, { key, to: path }, "");
      const cookie = (signIn.headers.get("set-cookie") ?? "").split(";")[0]!;
      const page = await (await fetch(baseUrl + path, { headers: { cookie }, signal })).text();
      const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1];
      if (!csrf) throw new AppError("internal", "The pull request page offers no merge button.");
      const merged = await postForm(`${baseUrl}${path}/merge`, { csrf }, cookie);
      if (merged.status >= 400)
        throw new AppError("conflict", `The merge was refused with ${merged.status}: ${await merged.text()}`);
    },
  };

  function postForm(url: string, fields: Record<string, string>, cookie: string): Promise<Response> {
    return fetch(url, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { cookie },
      redirect: "manual",
      signal,
    });
  }
}
