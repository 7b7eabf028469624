import type { Schemas } from "./operations.ts";

/** An agent job as the interface gives it. */
export type AgentJob = Schemas["AgentJob"];
export type AgentJobStatus = AgentJob["status"];
export type NewAgentJob = Schemas["NewAgentJob"];
export type AgentMessage = Schemas["AgentMessage"];
export type ChoreTrial = Schemas["ChoreTrial"];
/** One line of a job's transcript, told apart by `type`. New types may come: ignore those that you do not know. */
export type AgentJobEvent = Schemas["AgentJobEvent"];
export type AgentJobDiff = Schemas["AgentJobDiff"];
export type VisitorCounts = Schemas["VisitorTotals"];
export type VisitorsPage = Schemas["Visitors"];
/** What a webhook is told, with the id of the event: what comes twice is handled once. */
export type WebhookEvent = (Schemas["WebhookMessage"] | Schemas["WebhookTest"]) & { id: string };
