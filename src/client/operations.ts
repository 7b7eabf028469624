// Written by `npm run fix` from docs/openapi.json: change the routes instead.

/** Bodies by their names in the document. */
export interface Schemas {
  AcceptedViews: { accepted: number; tooOld?: number };
  AgentJob: { id: string; status: "active" | "completed" | "archived" | "failed"; source: { repository: string; ref: string | null }; model: string; prLink: string | null; createdAt: string; archivedAt: string | null; pullRequest: { number: number; url: string; state: "open" | "merged" | "closed"; draft: boolean } | null; title: string | null; summary: string | null; dryRun: boolean; plan: { added: number; modified: number; removed: number; paths: (string)[] } | null; error: Schemas["AgentJobError"] | null; lastMessage: { seq: number; error: Schemas["AgentJobError"] | null }; usage: { steps: number; inputTokens: number; cachedInputTokens: number; outputTokens: number; costUsd: number }; phase: "queued" | "preparing" | "running" | "validating" | "publishing" | "idle"; previewLink: string | null };
  AgentJobDiff: { base: string | null; head: string | null; files: ({ status: "added" | "modified" | "removed" | "renamed"; path: string; oldPath: string | null; additions: number | null; deletions: number | null })[]; hasMore: boolean };
  AgentJobError: { code: "not_understood" | "impossible" | "cancelled" | "ref_not_found" | "budget_exceeded" | "step_limit" | "time_limit" | "stuck" | "model_error" | "model_auth" | "context_overflow" | "validation_failed" | "branch_moved" | "push_denied" | "code_host_error" | "policy" | "worker_died" | "internal"; message: string; hint: string };
  AgentJobEvent: Schemas["JobCreatedEvent"] | Schemas["JobPhaseEvent"] | Schemas["MessageReceivedEvent"] | Schemas["TurnStartedEvent"] | Schemas["MessageEvent"] | Schemas["ToolStartedEvent"] | Schemas["ToolFinishedEvent"] | Schemas["UsageEvent"] | Schemas["NoticeEvent"] | Schemas["FilesChangedEvent"] | Schemas["ValidationEvent"] | Schemas["CommitPushedEvent"] | Schemas["PullRequestOpenedEvent"] | Schemas["PullRequestUpdatedEvent"] | Schemas["PullRequestMergedEvent"] | Schemas["PullRequestClosedEvent"] | Schemas["PullRequestReopenedEvent"] | Schemas["TurnFinishedEvent"] | Schemas["MessageRefusedEvent"] | Schemas["JobCompletedEvent"] | Schemas["JobFailedEvent"] | Schemas["JobArchivedEvent"] | Schemas["JobUnarchivedEvent"];
  AgentJobEvents: { events: (Schemas["AgentJobEvent"])[]; hasMore: boolean };
  AgentJobs: { jobs: (Schemas["AgentJob"])[]; nextCursor: string | null };
  AgentMessage: { prompt: string };
  AgentSession: { sessionId: string; subdomain: string; branch: string | null; haulted: boolean; haultReason: "completed" | "github_missconfigured" | "error" | "processing" | "interrupted"; pullRequestLink?: string; messageToUser?: string; todos: ({ content: string })[]; title?: string; createdAt: string };
  AgentSessions: { allSessions: (Schemas["AgentSession"])[] };
  Agents: { agents: ({ name: string; operator: string | null; category: "assistant" | "search" | "training" | "other_bot" | "browser" | "http_client"; human: number; ai: number; other: number; verified: number; spoofed: number; lastSeen: string })[] };
  ApiAddresses: { hosts: (string)[]; proxy: boolean; addresses: ({ address: string; live: boolean; readAt: string | null; sizeBytes: number | null; trouble: string | null; nextAt: string | null })[] };
  ApiAddressesAsked: { addresses: number };
  ApiKey: { id: string; name: string; hint: string; scope: "read" | "agent" | "admin"; createdAt: string; lastUsedAt: string | null; expiresAt: string | null; revokedAt: string | null };
  ApiKeys: { keys: (Schemas["ApiKey"])[] };
  AskedPage: { path: string; groups?: (string)[] };
  Automation: { id: string; name: string; prompt: string; trigger: { kind: "schedule"; cron: string; timeZone: string } | { kind: "push"; branch: string } | { kind: "source_push" | "source_merge"; source: string } | { kind: "api" }; ref: string | null; model: string | null; draft: boolean; enabled: boolean; runs: number; nextRunAt: string | null; createdAt: string; updatedAt: string };
  AutomationChanges: { name?: string; prompt?: string; trigger?: Schemas["AutomationTrigger"]; ref?: string | null; model?: string | null; draft?: boolean; enabled?: boolean };
  AutomationRun: { number: number; startedBy: "schedule" | "push" | "api" | "source_push" | "source_merge"; startedAt: string; jobId: string | null; messageSeq: number | null; note: string | null };
  AutomationRuns: { runs: (Schemas["AutomationRun"])[]; hasMore: boolean };
  AutomationTrigger: { kind: "schedule"; cron: string; timeZone?: string } | { kind: "push"; branch?: string } | { kind: "source_push" | "source_merge"; source: string } | { kind: "api" };
  Automations: { automations: (Schemas["Automation"])[]; nextCursor: string | null };
  CancelAgentJob: { keepWork?: boolean };
  CommitPushedEvent: { seq: number; turn: number; type: "commit.pushed"; data: { commit: string; branch: string }; createdAt: string };
  Deployment: { id: string; number: number; commit: string; branch: string; subject: string; author: string; authoredAt: string; noticedAt: string; liveAt: string | null; liveAfterMs: number | null; live: boolean; state: "loading" | "ready" | "failed" | "skipped"; trouble: string | null; pages: number | null; errors: number | null; warnings: number | null };
  DeploymentWithReport: (Schemas["Deployment"]) & ({ report: { problems: ({ severity: "error" | "warning"; path: string; line: number | null; message: string })[]; leftOut: number; links: { checked: number; broken: number }; durationMs: number } | null });
  Deployments: { deployments: (Schemas["Deployment"])[]; pin: Schemas["SitePin"] | null; nextCursor: string | null };
  DocsSearch: { query: string; pageSize?: number; scoreThreshold?: number; filter?: { version?: string; language?: string; tag?: string; groups?: (string)[] } };
  EndPullRequest: { head?: string };
  Error: { error: string; code: "invalid" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable"; details?: ({ path: string; message: string })[]; requestId: string };
  Feedback: { feedback: ({ id: string; path: string; comment: string | null; createdAt: string; source: "code_snippet" | "contextual" | "agent" | "thumbs_only"; status: "pending" | "in_progress" | "resolved" | "dismissed"; helpful: boolean | null; contact: null })[]; nextCursor: string | null; hasMore: boolean };
  FeedbackByPage: { feedback: ({ path: string; thumbsUp: number; thumbsDown: number; code: number; total: number })[]; nextCursor: string | null; hasMore: boolean };
  FilesChangedEvent: { seq: number; turn: number; type: "files.changed"; data: { added: (string)[]; modified: (string)[]; removed: (string)[] } | { leftOut: string }; createdAt: string };
  FoundSection: { content: string; path: string; metadata: { title: string; heading: string | null; url: string } };
  JobArchivedEvent: { seq: number; turn: number; type: "job.archived"; data: Record<string, unknown>; createdAt: string };
  JobCompletedEvent: { seq: number; turn: number; type: "job.completed"; data: { summary: string | null }; createdAt: string };
  JobCreatedEvent: { seq: number; turn: number; type: "job.created"; data: { title: string | null; model: string; ref: string }; createdAt: string };
  JobFailedEvent: { seq: number; turn: number; type: "job.failed"; data: { error: Schemas["AgentJobError"] }; createdAt: string };
  JobPhaseEvent: { seq: number; turn: number; type: "job.phase"; data: { phase: "queued" | "preparing" | "running" | "validating" | "publishing" | "idle" }; createdAt: string };
  JobUnarchivedEvent: { seq: number; turn: number; type: "job.unarchived"; data: Record<string, unknown>; createdAt: string };
  MessageEvent: { seq: number; turn: number; type: "message"; data: { role: "assistant"; text: string }; createdAt: string };
  MessageReceivedEvent: { seq: number; turn: number; type: "message.received"; data: { seq: number; prompt: string }; createdAt: string };
  MessageRefusedEvent: { seq: number; turn: number; type: "message.refused"; data: { seq: number; error: Schemas["AgentJobError"] }; createdAt: string };
  MissingPages: { missing: ({ path: string; ai: number; other: number; lastSeen: string })[] };
  NewAgentJob: { prompt: string; ref?: string; model?: string; draft?: boolean; dryRun?: boolean; title?: string };
  NewApiAccess: { hosts?: (string)[]; proxy?: boolean };
  NewApiKey: { name: string; scope: "read" | "agent" | "admin"; expiresInDays?: 7 | null };
  NewAutomation: { name: string; prompt: string; trigger: Schemas["AutomationTrigger"]; ref?: string | null; model?: string | null; draft?: boolean; enabled?: boolean };
  NewPreview: { branch: string };
  NewSitePin: { commit: string };
  NewWebhook: { url: string; events?: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[]; description?: string };
  NewlyMadeApiKey: (Schemas["ApiKey"]) & ({ key: string });
  NotCounted: { notCounted: ({ reason: "search" | "training" | "other_bot" | "unconfirmed" | "http_client" | "own_traffic" | "not_found" | "duplicate" | "counted_when_served" | "prefetch" | "shed" | "not_collected" | "too_old" | "spoofed" | "automated" | "flood"; explanation: string; views: number })[] };
  NoticeEvent: { seq: number; turn: number; type: "notice"; data: { code: string; text: string }; createdAt: string };
  PageText: { path: string; content: string };
  PageVisitors: (Schemas["VisitorTotals"]) & ({ path: string });
  PullRequestClosedEvent: { seq: number; turn: number; type: "pull_request.closed"; data: { number: number; url: string }; createdAt: string };
  PullRequestMergedEvent: { seq: number; turn: number; type: "pull_request.merged"; data: { number: number; url: string }; createdAt: string };
  PullRequestOpenedEvent: { seq: number; turn: number; type: "pull_request.opened"; data: { number: number; url: string; commit: string }; createdAt: string };
  PullRequestReopenedEvent: { seq: number; turn: number; type: "pull_request.reopened"; data: { number: number; url: string }; createdAt: string };
  PullRequestUpdatedEvent: { seq: number; turn: number; type: "pull_request.updated"; data: { number: number; url: string; commit: string }; createdAt: string };
  Referrers: { referrers: ({ referrer: string | null; human: number; ai: number })[] };
  Searches: { searches: ({ searchQuery: string; hits: number; ctr: number; topClickedPage: string | null; lastSearchedAt: string })[]; totalSearches: number; nextCursor: string | null };
  SentViews: { views: ({ event_id: string; path: string; time?: string; address: string; userAgent: string; surface?: "html" | "markdown" | "llms"; found?: boolean; accept?: string; referrer?: string })[] };
  Series: { days: ({ day: string; visitors: { human: number; ai: number; total: number }; views: { human: number; ai: number; total: number } })[] };
  SitePin: { commit: string; at: string; by: string };
  Surfaces: { surfaces: ({ surface: "html" | "markdown" | "llms"; human: number; ai: number })[] };
  ToolFinishedEvent: { seq: number; turn: number; type: "tool.finished"; data: { id: string; tool: string; ok: boolean; summary: string; durationMs: number }; createdAt: string };
  ToolStartedEvent: { seq: number; turn: number; type: "tool.started"; data: { id: string; tool: string; input?: unknown } | { leftOut: string }; createdAt: string };
  TriggeredAutomation: { schemaId: string; instanceId: string; jobId: string };
  TriggeredPreview: { statusId: string; previewUrl: string };
  TriggeredUpdate: { statusId: string };
  TurnFinishedEvent: { seq: number; turn: number; type: "turn.finished"; data: { ok: boolean; summary: string }; createdAt: string };
  TurnStartedEvent: { seq: number; turn: number; type: "turn.started"; data: { messages: (number)[]; baseCommit: string; branch: string }; createdAt: string };
  UpdateStatus: { _id: string; projectId: string; createdAt: string; endedAt?: string; status: "queued" | "in_progress" | "success" | "failure"; summary: string; logs: (string)[]; subdomain: string; author?: string; commit?: { sha: string; ref: string; message: string; filesChanged: { added: (string)[]; modified: (string)[]; removed: (string)[] } }; source: "internal" | "github" | "gitlab" | "gitea" | "forgejo" };
  UsageEvent: { seq: number; turn: number; type: "usage"; data: { inputTokens: number; cachedTokens: number; cacheWriteTokens: number; outputTokens: number }; createdAt: string };
  ValidationEvent: { seq: number; turn: number; type: "validation"; data: { errors: (unknown)[]; warnings: (unknown)[]; newHosts: (string)[] } | { leftOut: string }; createdAt: string };
  Views: { totals: Schemas["VisitorTotals"]; views: (Schemas["PageVisitors"])[]; hasMore: boolean };
  VisitorTotals: { human: number; ai: number; total: number };
  Visitors: { totals: Schemas["VisitorTotals"]; visitors: (Schemas["PageVisitors"])[]; hasMore: boolean };
  Webhook: { id: string; url: string; description: string | null; events: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[]; enabled: boolean; disabledReason: string | null; failingSince: string | null; previousSecretUntil: string | null; createdAt: string; updatedAt: string };
  WebhookChanges: { url?: string; events?: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[]; description?: string | null; enabled?: boolean };
  WebhookDeliveries: { deliveries: (Schemas["WebhookDelivery"])[]; nextCursor: string | null };
  WebhookDelivery: { id: string; eventId: string; type: "job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened"; jobId: string; status: "pending" | "delivered" | "failed"; nextAttemptAt: string | null; createdAt: string; endedAt: string | null; attempts: ({ attempt: number; startedAt: string; durationMs: number; status: number | null; error: string | null; response: string | null })[] };
  WebhookMessage: { type: "job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened"; timestamp: string; data: Schemas["AgentJob"] };
  WebhookWithSecret: (Schemas["Webhook"]) & ({ secret: string });
  Webhooks: { webhooks: (Schemas["Webhook"])[]; nextCursor: string | null };
}

/** What each operation takes and answers with, by its `operationId`. `path` is without the project. */
export interface Operations {
  /** Create an agent job. */
  createAgentJob: { path: {  }; query: {  }; body: Schemas["NewAgentJob"]; answer: Schemas["AgentJob"] };
  /** Send a follow-up message to an agent job. */
  sendAgentMessage: { path: { id: string }; query: {  }; body: Schemas["AgentMessage"]; answer: Schemas["AgentJob"] };
  /** Get an agent job. */
  getAgentJob: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["AgentJob"] };
  /** Delete an agent job. */
  deleteAgentJob: { path: { id: string }; query: {  }; body: undefined; answer: null };
  /** Cancel an active agent job. */
  cancelAgentJob: { path: { id: string }; query: {  }; body: Schemas["CancelAgentJob"] | undefined; answer: Schemas["AgentJob"] };
  /** List agent jobs. */
  listAgentJobs: { path: {  }; query: { limit?: number; cursor?: string; status?: ("active" | "completed" | "archived" | "failed")[] }; body: undefined; answer: Schemas["AgentJobs"] };
  /** Archive an agent job. */
  archiveAgentJob: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["AgentJob"] };
  /** Bring an archived agent job back. */
  unarchiveAgentJob: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["AgentJob"] };
  /** Merge the pull request of an agent job. */
  mergeAgentJob: { path: { id: string }; query: {  }; body: Schemas["EndPullRequest"] | undefined; answer: Schemas["AgentJob"] };
  /** Close the pull request of an agent job. */
  closeAgentJob: { path: { id: string }; query: {  }; body: Schemas["EndPullRequest"] | undefined; answer: Schemas["AgentJob"] };
  /** Read an agent job's transcript. */
  listAgentJobEvents: { path: { id: string }; query: { after?: number; limit?: number }; body: undefined; answer: Schemas["AgentJobEvents"] };
  /** Get the changes of an agent job. */
  getAgentJobDiff: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["AgentJobDiff"] };
  /** Get an agent job in the form of version 1. */
  getAgentSession: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["AgentSession"] };
  /** List agent jobs in the form of version 1. */
  listAgentSessions: { path: {  }; query: { skip?: number; take?: number }; body: undefined; answer: Schemas["AgentSessions"] };
  /** List webhooks. */
  listWebhooks: { path: {  }; query: { limit?: number; cursor?: string }; body: undefined; answer: Schemas["Webhooks"] };
  /** Create a webhook. */
  createWebhook: { path: {  }; query: {  }; body: Schemas["NewWebhook"]; answer: Schemas["WebhookWithSecret"] };
  /** Get a webhook. */
  getWebhook: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["Webhook"] };
  /** Change a webhook. */
  updateWebhook: { path: { id: string }; query: {  }; body: Schemas["WebhookChanges"]; answer: Schemas["Webhook"] };
  /** Delete a webhook. */
  deleteWebhook: { path: { id: string }; query: {  }; body: undefined; answer: null };
  /** Give a webhook a new secret. */
  rotateWebhookSecret: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["WebhookWithSecret"] };
  /** List what a webhook delivered. */
  listWebhookDeliveries: { path: { id: string }; query: { limit?: number; cursor?: string; status?: "pending" | "delivered" | "failed" }; body: undefined; answer: Schemas["WebhookDeliveries"] };
  /** Deliver again. */
  redeliverWebhook: { path: { id: string; deliveryId: string }; query: {  }; body: undefined; answer: Schemas["WebhookDelivery"] };
  /** List automations. */
  listAutomations: { path: {  }; query: { limit?: number; cursor?: string }; body: undefined; answer: Schemas["Automations"] };
  /** Create an automation. */
  createAutomation: { path: {  }; query: {  }; body: Schemas["NewAutomation"]; answer: Schemas["Automation"] };
  /** Get an automation. */
  getAutomation: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["Automation"] };
  /** Change an automation. */
  updateAutomation: { path: { id: string }; query: {  }; body: Schemas["AutomationChanges"]; answer: Schemas["Automation"] };
  /** Delete an automation. */
  deleteAutomation: { path: { id: string }; query: {  }; body: undefined; answer: null };
  /** List the runs of an automation. */
  listAutomationRuns: { path: { id: string }; query: { before?: number; limit?: number }; body: undefined; answer: Schemas["AutomationRuns"] };
  /** Run an automation now. */
  runAutomation: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["AgentJob"] };
  /** Trigger an automation. */
  triggerAutomation: { path: { workflowSchemaId: string }; query: {  }; body: undefined; answer: Schemas["TriggeredAutomation"] };
  /** Search a site. */
  searchPages: { path: { domain: string }; query: {  }; body: Schemas["DocsSearch"]; answer: (Schemas["FoundSection"])[] };
  /** Read a page of a site. */
  readPage: { path: { domain: string }; query: {  }; body: Schemas["AskedPage"]; answer: Schemas["PageText"] };
  /** Get unique visitors. */
  getVisitors: { path: {  }; query: { dateFrom?: string; dateTo?: string; limit?: number; offset?: number }; body: undefined; answer: Schemas["Visitors"] };
  /** Get views. */
  getViews: { path: {  }; query: { dateFrom?: string; dateTo?: string; limit?: number; offset?: number }; body: undefined; answer: Schemas["Views"] };
  /** Send views from a server. */
  sendViews: { path: {  }; query: {  }; body: Schemas["SentViews"]; answer: Schemas["AcceptedViews"] };
  /** Get search queries. */
  getSearches: { path: {  }; query: { dateFrom?: string; dateTo?: string; limit?: number; cursor?: string }; body: undefined; answer: Schemas["Searches"] };
  /** Get visitors and views of each day. */
  getSeries: { path: {  }; query: { dateFrom?: string; dateTo?: string }; body: undefined; answer: Schemas["Series"] };
  /** Get readers that are no browsers. */
  getAgents: { path: {  }; query: { dateFrom?: string; dateTo?: string }; body: undefined; answer: Schemas["Agents"] };
  /** Get views by form of the content. */
  getSurfaces: { path: {  }; query: { dateFrom?: string; dateTo?: string }; body: undefined; answer: Schemas["Surfaces"] };
  /** Get views by referring host. */
  getReferrers: { path: {  }; query: { dateFrom?: string; dateTo?: string }; body: undefined; answer: Schemas["Referrers"] };
  /** Get pages that AI readers miss. */
  getMissingPages: { path: {  }; query: { dateFrom?: string; dateTo?: string }; body: undefined; answer: Schemas["MissingPages"] };
  /** Get what was not counted. */
  getNotCounted: { path: {  }; query: { dateFrom?: string; dateTo?: string }; body: undefined; answer: Schemas["NotCounted"] };
  /** Get feedback. */
  getFeedback: { path: {  }; query: { dateFrom?: string; dateTo?: string; source?: "code_snippet" | "contextual" | "agent" | "thumbs_only"; status?: ("pending" | "in_progress" | "resolved" | "dismissed")[]; cursor?: string; limit?: number }; body: undefined; answer: Schemas["Feedback"] };
  /** Get feedback by page. */
  getFeedbackByPage: { path: {  }; query: { dateFrom?: string; dateTo?: string; source?: "code_snippet" | "contextual" | "agent" | "thumbs_only"; status?: ("pending" | "in_progress" | "resolved" | "dismissed")[]; cursor?: string; limit?: number }; body: undefined; answer: Schemas["FeedbackByPage"] };
  /** List API keys. */
  listApiKeys: { path: {  }; query: {  }; body: undefined; answer: Schemas["ApiKeys"] };
  /** Create an API key. */
  createApiKey: { path: {  }; query: {  }; body: Schemas["NewApiKey"]; answer: Schemas["NewlyMadeApiKey"] };
  /** Revoke an API key. */
  revokeApiKey: { path: { id: string }; query: {  }; body: undefined; answer: null };
  /** List deployments. */
  listDeployments: { path: {  }; query: { limit?: number; cursor?: string }; body: undefined; answer: Schemas["Deployments"] };
  /** Get a deployment. */
  getDeployment: { path: { id: string }; query: {  }; body: undefined; answer: Schemas["DeploymentWithReport"] };
  /** Pin the site to a commit. */
  pinSite: { path: {  }; query: {  }; body: Schemas["NewSitePin"]; answer: Schemas["SitePin"] };
  /** Unpin the site. */
  unpinSite: { path: {  }; query: {  }; body: undefined; answer: null };
  /** Bring a site up to date. */
  updateSite: { path: {  }; query: {  }; body: undefined; answer: Schemas["TriggeredUpdate"] };
  /** Preview a branch. */
  previewBranch: { path: {  }; query: {  }; body: Schemas["NewPreview"]; answer: Schemas["TriggeredPreview"] };
  /** Get the state of an update or a preview. */
  getSiteUpdate: { path: { statusId: string }; query: {  }; body: undefined; answer: Schemas["UpdateStatus"] };
  /** List descriptions at addresses. */
  listApiAddresses: { path: {  }; query: {  }; body: undefined; answer: Schemas["ApiAddresses"] };
  /** Set the hosts of descriptions, and the proxy. */
  setApiAccess: { path: {  }; query: {  }; body: Schemas["NewApiAccess"]; answer: Schemas["ApiAddresses"] };
  /** Read descriptions again. */
  readApiAddresses: { path: {  }; query: {  }; body: undefined; answer: Schemas["ApiAddressesAsked"] };
}

/** Method and path of each operation. */
export const OPERATIONS = {
  createAgentJob: ["POST", "/v2/agent/{projectId}/job"],
  sendAgentMessage: ["POST", "/v2/agent/{projectId}/job/{id}/message"],
  getAgentJob: ["GET", "/v2/agent/{projectId}/job/{id}"],
  deleteAgentJob: ["DELETE", "/v2/agent/{projectId}/job/{id}"],
  cancelAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/cancel"],
  listAgentJobs: ["GET", "/v2/agent/{projectId}/jobs"],
  archiveAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/archive"],
  unarchiveAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/unarchive"],
  mergeAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/merge"],
  closeAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/close"],
  listAgentJobEvents: ["GET", "/v2/agent/{projectId}/job/{id}/events"],
  getAgentJobDiff: ["GET", "/v2/agent/{projectId}/job/{id}/diff"],
  getAgentSession: ["GET", "/v1/agent/{projectId}/job/{id}"],
  listAgentSessions: ["GET", "/v1/agent/{projectId}/jobs"],
  listWebhooks: ["GET", "/v2/agent/{projectId}/webhooks"],
  createWebhook: ["POST", "/v2/agent/{projectId}/webhooks"],
  getWebhook: ["GET", "/v2/agent/{projectId}/webhooks/{id}"],
  updateWebhook: ["PATCH", "/v2/agent/{projectId}/webhooks/{id}"],
  deleteWebhook: ["DELETE", "/v2/agent/{projectId}/webhooks/{id}"],
  rotateWebhookSecret: ["POST", "/v2/agent/{projectId}/webhooks/{id}/rotate"],
  listWebhookDeliveries: ["GET", "/v2/agent/{projectId}/webhooks/{id}/deliveries"],
  redeliverWebhook: ["POST", "/v2/agent/{projectId}/webhooks/{id}/deliveries/{deliveryId}/redeliver"],
  listAutomations: ["GET", "/v2/agent/{projectId}/automations"],
  createAutomation: ["POST", "/v2/agent/{projectId}/automations"],
  getAutomation: ["GET", "/v2/agent/{projectId}/automations/{id}"],
  updateAutomation: ["PATCH", "/v2/agent/{projectId}/automations/{id}"],
  deleteAutomation: ["DELETE", "/v2/agent/{projectId}/automations/{id}"],
  listAutomationRuns: ["GET", "/v2/agent/{projectId}/automations/{id}/runs"],
  runAutomation: ["POST", "/v2/agent/{projectId}/automation/{id}/run"],
  triggerAutomation: ["POST", "/v1/workflow/{projectId}/{workflowSchemaId}/trigger"],
  searchPages: ["POST", "/discovery/v1/search/{domain}"],
  readPage: ["POST", "/discovery/v1/page/{domain}"],
  getVisitors: ["GET", "/v1/analytics/{projectId}/visitors"],
  getViews: ["GET", "/v1/analytics/{projectId}/views"],
  sendViews: ["POST", "/v1/analytics/{projectId}/views"],
  getSearches: ["GET", "/v1/analytics/{projectId}/searches"],
  getSeries: ["GET", "/v1/analytics/{projectId}/series"],
  getAgents: ["GET", "/v1/analytics/{projectId}/agents"],
  getSurfaces: ["GET", "/v1/analytics/{projectId}/surfaces"],
  getReferrers: ["GET", "/v1/analytics/{projectId}/referrers"],
  getMissingPages: ["GET", "/v1/analytics/{projectId}/missing"],
  getNotCounted: ["GET", "/v1/analytics/{projectId}/not-counted"],
  getFeedback: ["GET", "/v1/analytics/{projectId}/feedback"],
  getFeedbackByPage: ["GET", "/v1/analytics/{projectId}/feedback/by-page"],
  listApiKeys: ["GET", "/v2/project/{projectId}/keys"],
  createApiKey: ["POST", "/v2/project/{projectId}/keys"],
  revokeApiKey: ["DELETE", "/v2/project/{projectId}/keys/{id}"],
  listDeployments: ["GET", "/v2/project/{projectId}/deployments"],
  getDeployment: ["GET", "/v2/project/{projectId}/deployments/{id}"],
  pinSite: ["POST", "/v2/project/{projectId}/pin"],
  unpinSite: ["DELETE", "/v2/project/{projectId}/pin"],
  updateSite: ["POST", "/v1/project/update/{projectId}"],
  previewBranch: ["POST", "/v1/project/preview/{projectId}"],
  getSiteUpdate: ["GET", "/v1/project/update-status/{statusId}"],
  listApiAddresses: ["GET", "/v2/project/{projectId}/api-addresses"],
  setApiAccess: ["PUT", "/v2/project/{projectId}/api-addresses"],
  readApiAddresses: ["POST", "/v2/project/{projectId}/api-addresses/read"],
} as const satisfies Record<keyof Operations, readonly [string, string]>;
