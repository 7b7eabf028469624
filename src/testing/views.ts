import type { ViewRecord } from "#features/visitors/view-record.ts";
import type { Queryable } from "#db/database.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";

/** A project's row, for tests of what refers to projects. */
export async function insertTestProject(queryable: Queryable, settings: object = {}): Promise<ProjectId> {
  const id = newProjectId();
  await queryable
    .insertInto("project")
    .values({
      id,
      slug: id.slice(4),
      name: "Test",
      source_url: null,
      code_host: "embedded",
      branch: "main",
      settings: JSON.stringify(settings),
      created_at: Date.now(),
    })
    .execute();
  return id;
}

export const userAgents = {
  chrome: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  chatGpt: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  googlebot: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  /** Runs on people's machines: no address contradicts it. */
  claudeCode: "claude-code/2.0.14",
  curl: "curl/8.14.1",
};

/** A confirmed view of `/` by Chrome from 192.0.2.1, with the given fields replaced. */
export function aView(project: ProjectId, given: Partial<ViewRecord> = {}): ViewRecord {
  return {
    project,
    time: Date.UTC(2026, 10, 20, 12),
    source: "confirmed",
    path: "/",
    surface: "html",
    found: true,
    address: "192.0.2.1",
    userAgent: userAgents.chrome,
    preference: "none",
    referrer: null,
    isPrivate: false,
    cookie: null,
    event: null,
    signatureAgent: null,
    isPrefetch: false,
    ...given,
  };
}
