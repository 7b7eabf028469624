import { sql } from "kysely";
import { dayOf } from "#features/visitors/day.ts";
import { currentSecret } from "#features/visitors/secrets.ts";
import { readAnalyticsSettings } from "#features/visitors/settings.ts";
import type { Database } from "#db/database.ts";
import type { TrustedTime } from "#db/trusted-time.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { type Classify, createClassifier } from "#features/visitors/clients/classify.ts";
import { identityText, keyedNumber, type VisitorTraits } from "#features/visitors/clients/visitor-key.ts";
import { redact } from "#lib/secrets/secret-scan.ts";

/** Feedback on a page. */
export interface GivenFeedback extends FeedbackAuthor {
  projectId: ProjectId;
  /** Route of a page of the site. */
  page: string;
  /** Null when an agent does not say. */
  helpful: boolean | null;
  /** As returned by `keptWords`. */
  comment: string | null;
  address: string;
  cookie: string | null;
  /** The browser sends GPC or DNT. */
  isPrivate: boolean;
}

/** More than this in a day is not believed, so that a script cannot fill the disk. */
const MAX_ENTRIES_PER_DAY = 2_000;
const HOUR_SECONDS = 3_600;

interface BookDeps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  /** The clock that decides when the visitor secret is destroyed. */
  time: TrustedTime;
}

/**
 * Stores feedback on a page. A reader's new feedback on the same page replaces the old vote; a comment stays until
 * another one replaces it. False when the project's settings or the reader's wish exclude it.
 *
 * @throws AppError `rate_limited` when the project has reached its entries of the day.
 */
export async function keepFeedback({ database, vault, clock, time }: BookDeps, given: GivenFeedback): Promise<boolean> {
  const { projectId, page, comment, author } = given;
  const settings = await readAnalyticsSettings(database.kysely, projectId);
  if (settings === null || !settings.collect || settings.isExcluded(given.address)) return false;
  if (given.isPrivate && !settings.countPrivate) return false;
  const now = clock.now();
  const trusted = await time.now();
  const created_at = now.getTime();
  const day = dayOf(created_at);
  const { retentionDays, identity } = settings;
  const helpful = given.helpful === null ? null : Number(given.helpful);
  await database.transaction(async (transaction) => {
    const secret = await currentSecret({ queryable: transaction, vault }, projectId, {
      now: trusted.getTime(),
      retentionDays,
    });
    const voter = voterNumber(
      {
        mode: identity,
        secret,
        address: given.address,
        product: given.keyProduct,
        cookie: given.cookie,
        isPrivate: given.isPrivate,
        day,
      },
      { page, agentWords: author === "agent" ? (comment ?? "") : null },
    );
    const ofProject = transaction.selectFrom("feedback").where("project_id", "=", projectId);
    const known = await ofProject.select("id").where("voter", "=", voter).executeTakeFirst();
    const { entries } = await ofProject
      .where("day", "=", day)
      .select(sql<number>`count(*)`.as("entries"))
      .executeTakeFirstOrThrow();
    if (known === undefined && Number(entries) >= MAX_ENTRIES_PER_DAY) {
      throw new AppError("rate_limited", "This site has reached its limit of feedback for today. Try again tomorrow.", {
        retryAfterSeconds: HOUR_SECONDS,
      });
    }
    await transaction
      .insertInto("feedback")
      .values({
        id: newId("fbk", now),
        project_id: projectId,
        day,
        page,
        author,
        helpful,
        comment,
        status: "pending",
        voter,
        created_at,
      })
      .onConflict((conflict) =>
        conflict.columns(["project_id", "voter"]).doUpdateSet({
          day,
          created_at,
          helpful: sql`coalesce(excluded.helpful, feedback.helpful)`,
          comment: sql`coalesce(excluded.comment, feedback.comment)`,
          // A new comment has to be read again; a vote alone does not.
          status: sql`case when excluded.comment is null or excluded.comment = feedback.comment then feedback.status else 'pending' end`,
        }),
      )
      .execute();
  });
  return true;
}

/** The author of feedback: a reader at the page itself, or a program. `keyProduct` is its part of the voter number. */
export interface FeedbackAuthor {
  author: "reader" | "agent";
  keyProduct: string;
}

export interface FeedbackSender {
  userAgent: string;
  signatureAgent: string | null;
  /** A browser confirms that the site's own page sent it. */
  isOwnPage: boolean;
  /** The page's script reports an automated browser. */
  isAutomated: boolean;
}

/** Distinguishes readers from agents, by the list in use; null for crawlers, whose feedback is refused. */
export function createAuthorFinder({ agents = () => builtInAgents }: { agents?(): AgentList }) {
  let list: AgentList | null = null;
  let classify: Classify;
  return ({ userAgent, signatureAgent, isOwnPage, isAutomated }: FeedbackSender): FeedbackAuthor | null => {
    if (list !== agents()) {
      list = agents();
      classify = createClassifier(list.agents);
    }
    const { category, keyProduct } = classify(userAgent, signatureAgent);
    if (category === "search" || category === "training" || category === "other_bot") return null;
    const isReader = category === "browser" && isOwnPage && !isAutomated;
    return { author: isReader ? "reader" : "agent", keyProduct };
  };
}

/** What identifies an entry besides its author. */
export interface VotedPage {
  page: string;
  /** The text of an agent's entry; null for a reader's. */
  agentWords: string | null;
}

/**
 * The number that finds a reader's vote again when they vote a second time. The page is part of it: nothing links a
 * reader's feedback on two pages, or feedback with the pages that they read. The agents of many people share an
 * address, so their text is part of it: only the same text is the same entry.
 */
export function voterNumber(traits: VisitorTraits, { page, agentWords }: VotedPage): number {
  const kind = agentWords === null ? "feedback" : `feedback of an agent\n${agentWords.length}\n${agentWords}`;
  return keyedNumber(traits.secret, `${kind}\n${page}\n${identityText(traits)}`);
}

/** UTF-16 units, as a browser's `maxlength` counts them. */
export const MAX_COMMENT_CHARACTERS = 1_000;

/**
 * The stored form of a comment: without control characters, and with passwords and keys masked. Null when nothing is
 * left. Markup stays as text.
 *
 * @throws AppError `invalid` for more than 1,000 characters.
 */
export function keptWords(written: string): string | null {
  const text = written.replaceAll(/\r\n?/g, "\n");
  if (text.length > MAX_COMMENT_CHARACTERS) {
    const message = `has at most ${MAX_COMMENT_CHARACTERS.toLocaleString("en")} characters`;
    throw new AppError("invalid", `The comment ${message}.`, { details: [{ path: "comment", message }] });
  }
  const kept = text
    .toWellFormed()
    .normalize("NFC")
    // oxlint-disable-next-line no-control-regex -- PostgreSQL takes no zero byte, and nobody writes the others
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return kept === "" ? null : redact(kept);
}
