import type { Invitation } from "#features/accounts/invitations.ts";

export interface SendInvitationDeps {
  baseUrl(): string;
  /** Whether one more may go to an address, for who invites. */
  mayMailInvitation(invitation: { to: string; by: string }): boolean;
  /** Queues a mail; null where this server sends none. */
  sendMail: ((to: string, mail: { subject: string; text: string }) => Promise<void>) | null;
}

/** The link of an invitation as it is shown once, sent by mail too where that is set up. */
export async function sendInvitation(
  { baseUrl, sendMail, mayMailInvitation }: SendInvitationDeps,
  { email, invitedBy, expiresAt, offer }: Invitation,
  { token, projectName }: { token: string; projectName: string | null },
): Promise<{ email: string; url: string; expiresAt: Date; isSent: boolean }> {
  const url = `${baseUrl()}/-/join/${token}`;
  if (sendMail === null || !mayMailInvitation({ to: email, by: invitedBy }))
    return { email, url, expiresAt, isSent: false };
  const project = withoutAddresses(projectName ?? "");
  const offered =
    offer.projectId === null
      ? `to work on documentation${offer.isOwner ? ", as an owner of the server," : ""}`
      : `to the documentation ${project === "" ? "project" : `project "${project}"`} as ${offer.role}`;
  await sendMail(email, {
    subject: `Invitation to Docent at ${new URL(baseUrl()).host}`,
    text: `${withoutAddresses(invitedBy) || "An admin"} invites you ${offered} at ${baseUrl()}. Accept here:

${url}

The link works once, until ${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC.
`,
  });
  return { email, url, expiresAt, isSent: true };
}

/** A name as it stands in a mail from this server: mail programs make links of whatever looks like an address. */
const withoutAddresses = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N} '’-]+/gu, " ").trim();
