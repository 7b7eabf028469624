import type { AuditEvent } from "#features/accounts/audit.ts";

/**
 * Predicates for recorded actions, which follow the name of the actor, by kind. API operations are listed by ID,
 * dashboard forms by the end of their path. A part in brackets is omitted if its `{subject}` or `{number}` is unknown.
 */
const SENTENCES = {
  Jobs: {
    createAgentJob: "created a job",
    jobs: "created a job",
    sendAgentMessage: "sent a follow-up to a job",
    "jobs/message": "sent a follow-up to a job",
    retryAgentJob: "retried a job",
    "jobs/retry": "retried a job",
    cancelAgentJob: "canceled a job",
    "jobs/cancel": "canceled a job",
    archiveAgentJob: "archived a job",
    "jobs/archive": "archived a job",
    unarchiveAgentJob: "unarchived a job",
    "jobs/unarchive": "unarchived a job",
    deleteAgentJob: "deleted a job",
    "jobs/chores": "ran a chore",
    tryChores: "tried a chore",
  },
  "Pull requests": {
    mergeAgentJob: "merged the pull request of a job",
    "pull/merge": "merged pull request[ #{number}]",
    closeAgentJob: "closed the pull request of a job",
    "pages/edit": "proposed a change[ of {subject}]",
    "pull/edit": "edited[ {subject}]",
    "pull/close": "closed pull request[ #{number}]",
    "pull/ready": "marked pull request[ #{number}] as ready",
    "pull/comment": "commented on pull request[ #{number}]",
    "pull/approve": "approved pull request[ #{number}]",
    "pull/changes": "requested changes to pull request[ #{number}]",
    "pull/comments/edit": "edited a comment on pull request[ #{number}]",
    "pull/comments/delete": "deleted a comment[ by {subject}] on pull request[ #{number}]",
    "pull/threads/resolve": "resolved a thread of pull request[ #{number}]",
    "pull/threads/reopen": "reopened a thread of pull request[ #{number}]",
    "git/push": "pushed with git[ to {subject}]",
  },
  Site: {
    pinSite: "rolled the site back",
    "deployments/pin": "rolled the site back",
    unpinSite: "had the site follow its branch again",
    "deployments/unpin": "had the site follow its branch again",
    updateSite: "requested an update of the site",
    previewBranch: "requested a preview of a branch",
    "deployments/preview": "requested a preview of a branch",
    createSiteLink: "created a link to the private site",
    endSiteSessions: "signed all readers of the site out",
    setApiAccess: "changed which API hosts the server may contact",
    readApiAddresses: "had API descriptions read again",
    "site/access": "changed who can read the site[: {subject}]",
    "site/domain": "added the domain[ {subject}]",
    "site/change": "changed the domains[: {subject}]",
    "site/address": "changed the address of the site[: {subject}]",
    "site/external": "changed where the docs are published[: {subject}]",
    "site/link": "created a link to the private site",
    "site/sign-out": "signed all readers of the site out",
    "site/api-hosts": "changed which API hosts the server may contact[: {subject}]",
    "site/api-read": "had API descriptions read again",
    searchPages: "searched the site",
    readPage: "read a page of the site",
    sendViews: "sent views",
    eraseAddress: "erased the readers of an address",
    "analytics/feedback": "changed the state of a reader's feedback",
  },
  Settings: {
    createProject: "created the project[ {subject}]",
    updateProject: "changed settings of the project[: {subject}]",
    "settings/delete": "deleted the project[ {subject}]",
    deleteProject: "deleted the project[ {subject}]",
    "new/github": "created a project from GitHub[: {subject}]",
    "new/gitlab": "created a project from GitLab[: {subject}]",
    "new/gitea": "created a project from Gitea or Forgejo[: {subject}]",
    "new/git": "copied a repository into a new project[: {subject}]",
    "new/upload": "created a project from uploaded files[: {subject}]",
    "new/example": "created a project from the example[: {subject}]",
    "new/empty": "created an empty project[: {subject}]",
    "settings/general": "changed the general settings[: {subject}]",
    "settings/change-address": "changed the address[ from {subject}]",
    "settings/agent": "changed the settings of the agent[: {subject}]",
    "settings/instruction": "added an instruction that the agent proposed",
    "settings/quotas": "changed the quotas[: {subject}]",
    "settings/visitors": "changed how visitors are counted[: {subject}]",
    "first-steps/dismiss": "dismissed the first steps",
    "settings/archive": "archived the project",
    "settings/unarchive": "unarchived the project",
    "models/choose": "chose the model of jobs[: {subject}]",
    "models/add": "added a model provider",
    "models/remove": "removed a model provider",
    createGithubApp: "created the GitHub App[ {subject}]",
    replaceProjectToken: "replaced the token of the code host",
    "connection/token": "replaced the token of the code host",
    syncProject: "requested a sync with the code host",
    "connection/sync": "requested a sync with the code host",
    "connection/webhook": "looked at the secret of the host's webhook",
    addSource: "added a source",
    "sources/add": "added a source",
    replaceSourceToken: "replaced the token of a source",
    "sources/token": "replaced the token of a source",
    removeSource: "removed a source",
    "sources/remove": "removed a source",
  },
  "Automations and webhooks": {
    createAutomation: "created an automation",
    "automations/add": "created an automation",
    "automations/example": "created an automation from an example",
    updateAutomation: "changed an automation",
    "automations/change": "changed an automation",
    "automations/pause": "paused an automation",
    "automations/resume": "resumed an automation",
    deleteAutomation: "deleted an automation",
    "automations/delete": "deleted an automation",
    runAutomation: "ran an automation",
    runAutomationAtFormerPath: "ran an automation",
    triggerAutomation: "ran an automation",
    "automations/run": "ran an automation",
    createWebhook: "created a webhook",
    "webhooks/add": "created a webhook",
    updateWebhook: "changed a webhook",
    "webhooks/change": "changed a webhook",
    "webhooks/enable": "enabled a webhook",
    "webhooks/disable": "disabled a webhook",
    deleteWebhook: "deleted a webhook",
    "webhooks/delete": "deleted a webhook",
    rotateWebhookSecret: "gave a webhook a new secret",
    "webhooks/rotate": "gave a webhook a new secret",
    testWebhook: "sent a test event to a webhook",
    "webhooks/test": "sent a test event to a webhook",
    redeliverWebhook: "had an event delivered again",
    "webhooks/redeliver": "had an event delivered again",
  },
  "API keys": {
    createApiKey: "created an API key[ named {subject}]",
    keys: "created an API key[ named {subject}]",
    revokeApiKey: "revoked an API key[ named {subject}]",
    "keys/revoke": "revoked an API key[ named {subject}]",
    createInstanceKey: "created a key of the instance[ named {subject}]",
    revokeInstanceKey: "revoked a key of the instance[ named {subject}]",
    "account/tokens": "created a personal access token[ named {subject}]",
    "account/revoke": "revoked a personal access token[ named {subject}]",
    "oauth/allow": "let a program act for them[: {subject}]",
    "oauth/deny": "refused a program[: {subject}]",
  },
  "Members and accounts": {
    setMember: "set a member's role[: {subject}]",
    removeMember: "removed a member[: {subject}]",
    inviteMember: "invited[ {subject}]",
    withdrawInvitation: "withdrew an invitation[ of {subject}]",
    "members/invite": "invited[ {subject}]",
    "members/add": "added a member[: {subject}]",
    "members/role": "changed a member's role[: {subject}]",
    "members/withdraw": "withdrew an invitation[ of {subject}]",
    "people/invite": "invited a person to the server[: {subject}]",
    "people/withdraw": "withdrew an invitation[ of {subject}]",
    "people/owner": "made a person an owner of the server[: {subject}]",
    "people/member": "made an owner a member of the server[: {subject}]",
    "people/password": "set another person's password[: {subject}]",
    "people/two-factor": "turned off the two-factor codes[ of {subject}]",
    "people/delete": "deleted an account[: {subject}]",
    join: "accepted an invitation[ as {subject}]",
    setup: "created an owner's account",
    reset: "set a new password",
    forgot: "requested a link to set a password",
    "account/name": "changed their name",
    "account/mail": "changed which notices they get",
    "account/password": "changed their password",
    "account/sessions": "ended sessions",
    "account/passkey-add": "added a passkey",
    "account/passkey-rename": "renamed a passkey",
    "account/passkey-remove": "removed a passkey",
    "account/two-factor/on": "turned two-factor codes on",
    "account/two-factor/off": "turned two-factor codes off",
    "account/two-factor/codes": "created new recovery codes",
    "sign-in": "signed in",
    "sign-out": "signed out",
  },
} as const satisfies Record<string, Record<string, string>>;

type AuditKind = keyof typeof SENTENCES;
export const AUDIT_KINDS = Object.keys(SENTENCES) as AuditKind[];
export const isAuditKind = (text: string): text is AuditKind => Object.hasOwn(SENTENCES, text);

/** The actions of a kind. */
export const actionsOf = (kind: AuditKind): string[] => Object.keys(SENTENCES[kind]);

const BY_ACTION = new Map<string, string>(Object.values(SENTENCES).flatMap((kind) => Object.entries(kind)));

/** The sentence of an entry, without its actor. An unknown action, of a later version, is shown by its ID. */
export function auditSentence({ action, target, subject }: Pick<AuditEvent, "action" | "target" | "subject">): string {
  // Entries from before 28 November 2026 have the name of a program in the action: `oauth/allow My editor (agent)`.
  const [, known = action, rest] = /^(oauth\/\w+) (.*)$/s.exec(action) ?? [];
  const facts: Record<string, string | null | undefined> = {
    subject: subject ?? rest,
    number: /\/pull\/(\d+)\//.exec(target)?.[1],
  };
  const sentence = BY_ACTION.get(known) ?? action;
  return sentence.replaceAll(/\[([^[\]{}]*)\{(\w+)\}([^[\]{}]*)\]/g, (_, before: string, name: string, after: string) =>
    facts[name] == null ? "" : before + facts[name] + after,
  );
}

/** Link to the subject of an entry in its project's dashboard. */
export function auditHref(
  { target, subject }: Pick<AuditEvent, "target" | "subject">,
  slug: string | null,
): string | null {
  if (slug === null) return null;
  // A new job has its ID in the subject.
  const job = /(?:^|\/)(job_[0-9a-z]{26})(?:\/|$)/.exec(`${target}/${subject ?? ""}`)?.[1];
  if (job !== undefined) return `/${slug}/jobs/${job}`;
  const number = /\/pull\/(\d+)(?:\/|$)/.exec(target)?.[1];
  return number === undefined ? null : `/${slug}/pull/${number}`;
}
