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

/** What somebody says of a page. */
export interface GivenFeedback extends FeedbackAuthor {
  projectId: ProjectId;
  /** Route of a page of the site. */
  page: string;
  /** Null where an agent does not say. */
  helpful: boolean | null;
  /** As `keptWords` leaves it. */
  comment: string | null;
  address: string;
  cookie: string | null;
  /** The browser asks not to be followed. */
  isPrivate: boolean;
}

/** So much of a day is believed to be people's, and a script fills no disk. */
const MAX_ENTRIES_PER_DAY = 2_000;
const HOUR_SECONDS = 3_600;

interface BookDeps {
  database: Database;
  vault: KeyVault;
  clock: Clock;
  /** The visitor secret is destroyed by it. */
  time: TrustedTime;
}

/**
 * Stores what somebody says of a page. A reader who speaks again of the same page changes what they said; words stay
 * until others come. False where the project's settings or the reader's wish keep it out of the counts.
 *
 * @throws AppError `rate_limited` when the project has as many entries of the day as it takes.
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
      throw new AppError("rate_limited", "This site has had as much feedback today as it takes. Try again tomorrow.", {
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
          // New words are to be read again; a vote alone is not.
          status: sql`case when excluded.comment is null or excluded.comment = feedback.comment then feedback.status else 'pending' end`,
        }),
      )
      .execute();
  });
  return true;
}

/** Who says something of a page: a reader at the page itself, or a program. `keyProduct` is its part of the voter number. */
export interface FeedbackAuthor {
  author: "reader" | "agent";
  keyProduct: string;
}

export interface FeedbackSender {
  userAgent: string;
  signatureAgent: string | null;
  /** A browser says that the page of the site itself sent it. */
  isOwnPage: boolean;
  /** The page's script says that a program drives the browser. */
  isAutomated: boolean;
}

/** Tells readers from agents, by the list in use; null for crawlers, which have nothing to say. */
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

/** What an entry is known by besides who made it. */
export interface VotedPage {
  page: string;
  /** Of an agent's entry what it wrote; null for a reader's. */
  agentWords: string | null;
}

/**
 * The number by which a reader's vote is found again when they vote a second time. The page is part of it: nothing joins
 * what a reader says of two pages, or that with the pages that they read. Agents of many people have one address, so
 * what they write is part of theirs: only the same words are the same entry.
 */
export function voterNumber(traits: VisitorTraits, { page, agentWords }: VotedPage): number {
  const kind = agentWords === null ? "feedback" : `feedback of an agent\n${agentWords.length}\n${agentWords}`;
  return keyedNumber(traits.secret, `${kind}\n${page}\n${identityText(traits)}`);
}

/** UTF-16 units, as a browser's `maxlength` counts them. */
export const MAX_COMMENT_CHARACTERS = 1_000;

/**
 * What somebody wrote, as it is stored: without control characters, and with a mask where a password or key stood.
 * Null when nothing is left. Markup stays the text that it is.
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
