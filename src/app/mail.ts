import { jobMailText } from "#features/jobs/job-mail.ts";
import type { ChatDeps } from "#features/mail/chat.ts";
import { type MailText, queueMail } from "#features/mail/mail-queue.ts";
import { startNotices } from "#features/mail/notice-worker.ts";
import { findProject } from "#features/projects/projects.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

type MailStore = Pick<Store, "database" | "vault">;

/** Queues a mail; null if no mail server is configured. */
export const composeSendMail = ({ config, clock }: Context, { database, vault }: MailStore) =>
  config.mail && ((to: string, mail: MailText) => queueMail({ database, vault, clock }, to, mail));

/** Sends queued mail, and queues the notices that people chose. Without a mail server, only messages to chats. */
export async function startMailing(
  { config, clock, logger, address }: Context,
  { database, vault, chat }: MailStore & { chat: ChatDeps },
) {
  const { startMail } = await import("#features/mail/mail-worker.ts"); // on demand: most servers do not need it
  const deps = { database, vault, clock, logger, baseUrl: address.baseUrl, canMail: config.mail !== null };
  const stack = new AsyncDisposableStack();
  stack.use(
    startMail({
      ...deps,
      settings: config.mail,
      chat,
      jobText: (jobId) => jobMailText({ ...deps, findProjectById: (id) => findProject({ database }, id) }, jobId),
    }),
  );
  stack.use(startNotices(deps));
  return stack;
}
