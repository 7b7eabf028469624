import type { Page } from "playwright-core";
import { findByEmail } from "#features/accounts/people.ts";
import { insertComment, type NewComment } from "#features/pull-requests/comments.ts";
import type { Showcase } from "./showcase.ts";

/** The pull request with a review, an answer and a thread on a line; the page shows it as Ada. */
export async function talkAbout(page: Page, { server }: Showcase): Promise<void> {
  const { database } = server.instance;
  const address = `${server.baseUrl}/harbor/pull/1`;
  const known = await database.kysely.selectFrom("pull_request_comment").select("id").limit(1).execute();
  if (known.length === 0) {
    await page.goto(`${address}/files`);
    const row = page.locator("tr.added:has(.pick)").first();
    await row.hover();
    await row.locator(".pick").click();
    await page.fill("#comment-line textarea", "Is this the word that the **glossary** uses?");
    await page.click("#comment-line button:has-text('Comment')");
    await page.waitForURL(/#thr_/);
    const { id: threadId } = await database.kysely
      .selectFrom("pull_request_thread")
      .select("id")
      .executeTakeFirstOrThrow();
    const { head_sha: commit, project_id: projectId } = await database.kysely
      .selectFrom("pull_request")
      .select(["head_sha", "project_id"])
      .executeTakeFirstOrThrow();
    const say = async (name: string, words: Pick<NewComment, "body" | "verdict" | "on" | "note">) => {
      const { person } = (await findByEmail(database.kysely, `${name}@example.com`))!;
      const comment = { projectId, number: 1, commit, by: person, at: new Date(), message: null };
      await database.transaction((transaction) => insertComment(transaction, { ...comment, ...words }));
    };
    await say("grace", { body: "Yes, since version 2.", verdict: "comment", on: { threadId }, note: null });
    await say("alan", {
      body: "Looks good to me. One more page says `given up`:\n\n@docent change it in the changelog too",
      verdict: "comment",
      on: null,
      note: "your role must be editor or admin to start it.",
    });
    await say("grace", { body: "All links work now.", verdict: "approve", on: null, note: null });
  }
  await page.goto(address, { waitUntil: "networkidle" });
}
