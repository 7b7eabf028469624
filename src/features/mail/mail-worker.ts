import { createTransport } from "nodemailer";
import type { Database } from "#db/database.ts";
import { startDueRows } from "#kit/tasks/due-rows.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { claimMail, type DueMail, mailFailed, mailSent, type MailText } from "./mail-queue.ts";

export interface MailSettings {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the first byte. */
  url: Secret;
  /** `Docent <docs@example.com>` */
  from: string;
}

export interface MailWorkerDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  vault: KeyVault;
  settings: MailSettings;
  /** What a mail about a job says; null when the job is gone. */
  jobText(jobId: JobId): Promise<MailText | null>;
}

const TIMEOUT_MS = 20_000;
const AT_ONCE = 2;

/** Sends what is queued until disposed. Any number of processes may do it on one store; a mail may come twice after a crash. */
export function startMail(deps: MailWorkerDeps): AsyncDisposable {
  const { database, logger, settings } = deps;
  const transport = createTransport({
    url: settings.url.reveal(),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  async function send(mail: DueMail): Promise<void> {
    const text = "jobId" in mail.content ? await deps.jobText(mail.content.jobId) : mail.content;
    if (text === null) return await mailSent(database, mail);
    try {
      await transport.sendMail({ from: settings.from, to: mail.to, ...text });
      await mailSent(database, mail);
      logger.info({ mailId: mail.id, attempt: mail.attempt }, "mail sent");
    } catch (error) {
      // 5xx: the server will not take it. What it says may name the recipient, so the log has its code alone.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      const isLater = await mailFailed(deps, mail, { isFinal: (responseCode ?? 0) >= 500 });
      const fields = { mailId: mail.id, attempt: mail.attempt, code, responseCode };
      if (isLater) logger.warn(fields, "mail could not be sent and is tried again");
      else logger.error(fields, "mail was given up");
    }
  }
  const due = startDueRows<DueMail>(logger, {
    claim: () => claimMail(deps),
    ownerOf: ({ id }) => id,
    run: send,
    describe: ({ id }) => ({ mailId: id }),
    messages: { all: "mail could not be claimed", one: "mail broke off" },
    atOnce: AT_ONCE,
    atOncePerOwner: AT_ONCE,
    graceMs: 2_000,
  });
  const unsubscribe = database.wakeUp.subscribe("mail", due.ring);
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await due[Symbol.asyncDispose]();
      transport.close();
    },
  };
}
