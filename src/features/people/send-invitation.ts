import type { Context } from "hono";
import type { Actor } from "#features/accounts/audit.ts";
import { type Invitation, invite, type Offer, offeredRole } from "#features/accounts/invitations.ts";
import { actorOf, doerOf } from "#features/keys/actor.ts";
import { withoutAddresses } from "#features/mail/mail-text.ts";
import type { Database } from "#db/database.ts";
import { noteSubject } from "#kit/http/context.ts";
import type { Clock } from "#lib/clock.ts";

export interface InvitingDeps {
  database: Database;
  clock: Clock;
  baseUrl(): string;
  /** Whether the rate limits of the address and the sender admit another invitation. */
  mayMailInvitation(invitation: { to: string; by: Actor }): boolean;
  /** Queues a mail; null if no mail server is configured. */
  sendMail: ((to: string, mail: { subject: string; text: string }) => Promise<void>) | null;
}

export interface NewInvitation extends Invitation {
  url: string;
  isSent: boolean;
  /** Host and port that the browser opened. */
  openedAt: string;
}

/** Invites an address on behalf of the caller. The link is shown once, and mailed if a mail server is configured. */
export async function inviteByMail(
  c: Context,
  deps: InvitingDeps,
  { projectName, ...asked }: { email: string; offer: Offer; projectName: string | null },
): Promise<NewInvitation> {
  const { baseUrl, sendMail, mayMailInvitation } = deps;
  noteSubject(c, `${asked.email} as ${offeredRole(asked.offer)}`);
  const by = await actorOf(deps.database, doerOf(c)!.doer);
  const { invitation, token } = await invite(deps, { ...asked, invitedBy: by.name });
  const { email, offer, expiresAt } = invitation;
  const url = `${baseUrl()}/-/join/${token}`;
  const openedAt = c.req.header("host") ?? new URL(c.req.url).host;
  if (sendMail === null || !mayMailInvitation({ to: email, by }))
    return { ...invitation, url, isSent: false, openedAt };
  const project = withoutAddresses(projectName ?? "");
  const offered =
    offer.projectId === null
      ? `to work on documentation${offer.isOwner ? ", as an owner of the server," : ""}`
      : `to the documentation ${project === "" ? "project" : `project "${project}"`} as ${offer.role}`;
  await sendMail(email, {
    subject: `Invitation to Docent at ${new URL(baseUrl()).host}`,
    text: `${withoutAddresses(by.name) || "An admin"} invites you ${offered} at ${baseUrl()}. Accept here:

${url}

The link works once, until ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC.
`,
  });
  return { ...invitation, url, isSent: true, openedAt };
}
