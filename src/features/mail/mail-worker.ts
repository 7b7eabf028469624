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

const CONNECT_MS = 20_000;
/** A server may look through a message for minutes before it takes it (RFC 5321, 4.5.3.2.6); who hangs up gets it sent twice. */
const ANSWER_MS = 4 * 60_000;
const AT_ONCE = 4;
const STOP_GRACE_MS = 2_000;
/** In answers to these the server refuses the mail. What it refuses before, it refuses to us: a wrong password is mended. */
const ABOUT_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)$/;

/** Sends what is queued until disposed. Any number of processes may do it on one store; a mail may come twice after a crash. */
export function startMail(deps: MailWorkerDeps): AsyncDisposable {
  const { database, logger, settings } = deps;
  const transport = createTransport({
    url: settings.url.reveal(),
    // A password is not sent in clear, except to this machine.
    requireTLS: !isLoopback(settings.url) && settings.url.reveal().startsWith("smtp://"),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  async function send(mail: DueMail, signal: AbortSignal): Promise<void> {
    const text = "jobId" in mail.content ? await deps.jobText(mail.content.jobId) : mail.content;
    if (text === null) return await mailSent(database, mail);
    try {
      await orAborted(transport.sendMail({ from: settings.from, to: mail.to, ...text }), signal);
      await mailSent(database, mail);
      logger.info({ mailId: mail.id, attempt: mail.attempt }, "mail sent");
    } catch (error) {
      if (signal.aborted) return; // another process takes it when its time is up
      // What the server says may name the recipient, so the log has its code alone.
      const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
      const isFinal = (responseCode ?? 0) >= 500 && ABOUT_THE_MAIL.test(command ?? "");
      const isLater = await mailFailed(deps, mail, { isFinal });
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
    graceMs: STOP_GRACE_MS,
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

const isLoopback = (url: Secret): boolean => /^(?:127\.|\[::1\]|localhost$)/.test(new URL(url.reveal()).hostname);

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("The server is stopping."));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
