import { jobMailText } from "#features/jobs/job-mail.ts";
import { type MailText, queueMail } from "#features/mail/mail-queue.ts";
import { startMail } from "#features/mail/mail-worker.ts";
import { findProject } from "#features/projects/projects.ts";
import type { Context } from "./context.ts";
import type { Store } from "./store.ts";

type MailStore = Pick<Store, "database" | "vault">;

/** Queues a mail; null where this server sends none. */
export const composeSendMail = ({ config, clock }: Context, { database, vault }: MailStore) =>
  config.mail && ((to: string, mail: MailText) => queueMail({ database, vault, clock }, to, mail));

/** Sends what is queued, if a server for it is configured. */
export const startMailing = ({ config, clock, logger, address }: Context, { database, vault }: MailStore) =>
  config.mail &&
  startMail({
    database,
    vault,
    clock,
    logger,
    settings: config.mail,
    jobText: (jobId) =>
      jobMailText(
        { database, baseUrl: address.baseUrl, findProjectById: (id) => findProject({ database }, id) },
        jobId,
      ),
  });
