import { createTransport } from "nodemailer";
import type { Database } from "#db/database.ts";
import { startDueRows } from "#kit/tasks/due-rows.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { type ChatDeps, findChat, noteChatTrouble, postToChat } from "./chat.ts";
import { claimMail, type DueMail, mailFailed, removeMail, type MailText } from "./mail-queue.ts";

export interface MailSettings {
  /** `smtp://user:password@host:587`, or `smtps://…` for implicit TLS. */
  url: Secret;
  /** `Docent <docs@example.com>` */
  from: string;
}

export interface MailWorkerDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  vault: KeyVault;
  /** Null without a mail server: only messages to chats are sent. */
  settings: MailSettings | null;
  chat: ChatDeps;
  /** The text of a mail about a job; null if the job was deleted. */
  jobText(jobId: JobId): Promise<MailText | null>;
}

const CONNECT_MS = 20_000;
/** The operator waits for the result. */
const TRY_MS = 5_000;
/**
 * A server may scan a message for minutes before it accepts it (RFC 5321, 4.5.3.2.6); a client that disconnects has to
 * send it again.
 */
const ANSWER_MS = 4 * 60_000;
const AT_ONCE = 4;
const STOP_GRACE_MS = 2_000;
/**
 * Responses to these commands reject the mail itself. Earlier errors concern the connection, such as a wrong password,
 * and are retried.
 */
const ABOUT_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)$/;

/** Sends queued mail and messages to chats until disposed. Several processes can share a store; after a crash a mail may be sent twice. */
export function startMail(deps: MailWorkerDeps): AsyncDisposable {
  const { database, logger, settings } = deps;
  const transport = settings && connect(settings);
  async function send(mail: DueMail, signal: AbortSignal): Promise<void> {
    const { content } = mail;
    const text = content !== null && "jobId" in content ? await deps.jobText(content.jobId) : content;
    const chatUrl = await findChat(deps, mail.to);
    if (text === null || chatUrl === undefined) return await removeMail(database, mail);
    if (chatUrl !== null) return await post(mail, { url: chatUrl, text: text.text, signal });
    try {
      await orAborted(transport!.sendMail({ from: settings!.from, to: mail.to, ...text }), signal);
      await removeMail(database, mail);
      logger.info({ mailId: mail.id, attempt: mail.attempt }, "mail sent");
    } catch (error) {
      if (signal.aborted) return; // another process claims it after the lease
      // The server's response may contain the recipient, so only its code is logged.
      const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
      const isFinal = (responseCode ?? 0) >= 500 && ABOUT_THE_MAIL.test(command ?? "");
      const isLater = await mailFailed(deps, mail, { isFinal });
      const fields = { mailId: mail.id, attempt: mail.attempt, code, responseCode };
      if (isLater) logger.warn(fields, "mail could not be sent and is tried again");
      else logger.error(fields, "mail was given up");
    }
  }
  async function post(mail: DueMail, { url, text, signal }: { url: string; text: string; signal: AbortSignal }) {
    const failed = await postToChat(deps.chat, url, { text, signal });
    if (signal.aborted) return; // another process claims it after the lease
    const fields = { mailId: mail.id, attempt: mail.attempt };
    const trouble = failed && { problem: failed.problem, at: deps.clock.now() };
    await noteChatTrouble(database, mail.to, trouble);
    if (failed === null) {
      await removeMail(database, mail);
      logger.info(fields, "chat message sent");
    } else if (await mailFailed(deps, mail, failed)) {
      logger.warn({ ...fields, reason: failed.problem }, "chat message could not be sent and is tried again");
    } else logger.error({ ...fields, reason: failed.problem }, "chat message was given up");
  }
  const due = startDueRows<DueMail>(logger, {
    claim: () => claimMail({ ...deps, canMail: settings !== null }),
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
      transport?.close();
    },
  };
}

/** Connects to the mail server and signs in, but sends nothing; null if that works, else what went wrong. */
export async function tryMailServer(settings: MailSettings): Promise<string | null> {
  const transport = connect(settings, { connectMs: TRY_MS, answerMs: TRY_MS });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    transport.close();
  }
}

const connect = (settings: MailSettings, { connectMs = CONNECT_MS, answerMs = ANSWER_MS } = {}) =>
  createTransport({
    url: settings.url.reveal(),
    // Never sends a password unencrypted, except to this machine.
    requireTLS: !isLoopback(settings.url) && settings.url.reveal().startsWith("smtp://"),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

const isLoopback = (url: Secret): boolean => /^(?:127\.|\[::1\]|localhost$)/.test(new URL(url.reveal()).hostname);

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("The server is stopping."));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
