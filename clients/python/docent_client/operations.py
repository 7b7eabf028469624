"""A method for every operation of the interface. Written by `npm run fix` from docs/openapi.json: change the routes instead."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Literal, Optional, Sequence, Tuple

from . import types

# Method, path, and the field of the answer that is listed page by page.
OPERATIONS: Dict[str, Tuple[str, str, Optional[str]]] = {
    "createAgentJob": ("POST", "/v2/agent/{projectId}/job", None),
    "sendAgentMessage": ("POST", "/v2/agent/{projectId}/job/{id}/message", None),
    "retryAgentJob": ("POST", "/v2/agent/{projectId}/job/{id}/retry", None),
    "getAgentJob": ("GET", "/v2/agent/{projectId}/job/{id}", None),
    "deleteAgentJob": ("DELETE", "/v2/agent/{projectId}/job/{id}", None),
    "cancelAgentJob": ("POST", "/v2/agent/{projectId}/job/{id}/cancel", None),
    "tryChores": ("POST", "/v2/agent/{projectId}/chores/try", None),
    "listAgentJobs": ("GET", "/v2/agent/{projectId}/jobs", "jobs"),
    "archiveAgentJob": ("POST", "/v2/agent/{projectId}/job/{id}/archive", None),
    "unarchiveAgentJob": ("POST", "/v2/agent/{projectId}/job/{id}/unarchive", None),
    "mergeAgentJob": ("POST", "/v2/agent/{projectId}/job/{id}/merge", None),
    "closeAgentJob": ("POST", "/v2/agent/{projectId}/job/{id}/close", None),
    "listAgentJobEvents": ("GET", "/v2/agent/{projectId}/job/{id}/events", "events"),
    "getAgentJobDiff": ("GET", "/v2/agent/{projectId}/job/{id}/diff", "files"),
    "listWebhooks": ("GET", "/v2/agent/{projectId}/webhooks", "webhooks"),
    "createWebhook": ("POST", "/v2/agent/{projectId}/webhooks", None),
    "getWebhook": ("GET", "/v2/agent/{projectId}/webhooks/{id}", None),
    "updateWebhook": ("PATCH", "/v2/agent/{projectId}/webhooks/{id}", None),
    "deleteWebhook": ("DELETE", "/v2/agent/{projectId}/webhooks/{id}", None),
    "rotateWebhookSecret": ("POST", "/v2/agent/{projectId}/webhooks/{id}/rotate", None),
    "testWebhook": ("POST", "/v2/agent/{projectId}/webhooks/{id}/test", None),
    "listWebhookDeliveries": ("GET", "/v2/agent/{projectId}/webhooks/{id}/deliveries", "deliveries"),
    "redeliverWebhook": ("POST", "/v2/agent/{projectId}/webhooks/{id}/deliveries/{deliveryId}/redeliver", None),
    "listAutomations": ("GET", "/v2/agent/{projectId}/automations", "automations"),
    "createAutomation": ("POST", "/v2/agent/{projectId}/automations", None),
    "getAutomation": ("GET", "/v2/agent/{projectId}/automations/{id}", None),
    "updateAutomation": ("PATCH", "/v2/agent/{projectId}/automations/{id}", None),
    "deleteAutomation": ("DELETE", "/v2/agent/{projectId}/automations/{id}", None),
    "listAutomationRuns": ("GET", "/v2/agent/{projectId}/automations/{id}/runs", "runs"),
    "runAutomation": ("POST", "/v2/agent/{projectId}/automations/{id}/run", None),
    "triggerAutomation": ("POST", "/v1/workflow/{projectId}/{workflowSchemaId}/trigger", None),
    "searchPages": ("POST", "/discovery/v1/search/{domain}", None),
    "readPage": ("POST", "/discovery/v1/page/{domain}", None),
    "getVisitors": ("GET", "/v1/analytics/{projectId}/visitors", "visitors"),
    "getViews": ("GET", "/v1/analytics/{projectId}/views", "views"),
    "sendViews": ("POST", "/v1/analytics/{projectId}/views", None),
    "getSearches": ("GET", "/v1/analytics/{projectId}/searches", "searches"),
    "getSeries": ("GET", "/v1/analytics/{projectId}/series", None),
    "getAgents": ("GET", "/v1/analytics/{projectId}/agents", None),
    "getSurfaces": ("GET", "/v1/analytics/{projectId}/surfaces", None),
    "getReferrers": ("GET", "/v1/analytics/{projectId}/referrers", None),
    "getMissingPages": ("GET", "/v1/analytics/{projectId}/missing", None),
    "getNotCounted": ("GET", "/v1/analytics/{projectId}/not-counted", None),
    "getFeedback": ("GET", "/v1/analytics/{projectId}/feedback", "feedback"),
    "getFeedbackByPage": ("GET", "/v1/analytics/{projectId}/feedback/by-page", "feedback"),
    "eraseAddress": ("POST", "/v2/project/{projectId}/erasures", None),
    "getAnalyticsSnippet": ("GET", "/v2/project/{projectId}/analytics-snippet", None),
    "listProjects": ("GET", "/v2/projects", "projects"),
    "createProject": ("POST", "/v2/projects", None),
    "getProject": ("GET", "/v2/project/{projectId}", None),
    "updateProject": ("PATCH", "/v2/project/{projectId}", None),
    "deleteProject": ("DELETE", "/v2/project/{projectId}", None),
    "getProjectConnection": ("GET", "/v2/project/{projectId}/connection", None),
    "replaceProjectToken": ("POST", "/v2/project/{projectId}/connection/token", None),
    "syncProject": ("POST", "/v2/project/{projectId}/connection/sync", None),
    "listModels": ("GET", "/v2/project/{projectId}/models", None),
    "listSources": ("GET", "/v2/project/{projectId}/sources", "sources"),
    "addSource": ("POST", "/v2/project/{projectId}/sources", None),
    "getSource": ("GET", "/v2/project/{projectId}/sources/{id}", None),
    "removeSource": ("DELETE", "/v2/project/{projectId}/sources/{id}", None),
    "replaceSourceToken": ("POST", "/v2/project/{projectId}/sources/{id}/token", None),
    "listMembers": ("GET", "/v2/project/{projectId}/members", "members"),
    "setMember": ("PUT", "/v2/project/{projectId}/members", None),
    "removeMember": ("DELETE", "/v2/project/{projectId}/members/{id}", None),
    "listInvitations": ("GET", "/v2/project/{projectId}/invitations", None),
    "inviteMember": ("PUT", "/v2/project/{projectId}/invitations", None),
    "withdrawInvitation": ("DELETE", "/v2/project/{projectId}/invitations/{id}", None),
    "listAuditEvents": ("GET", "/v2/project/{projectId}/audit", "events"),
    "listInstanceAuditEvents": ("GET", "/v2/instance/audit", "events"),
    "createSiteLink": ("POST", "/v2/project/{projectId}/site-links", None),
    "endSiteSessions": ("DELETE", "/v2/project/{projectId}/site-sessions", None),
    "listApiKeys": ("GET", "/v2/project/{projectId}/keys", "keys"),
    "createApiKey": ("POST", "/v2/project/{projectId}/keys", None),
    "listInstanceKeys": ("GET", "/v2/instance/keys", "keys"),
    "createInstanceKey": ("POST", "/v2/instance/keys", None),
    "revokeApiKey": ("DELETE", "/v2/project/{projectId}/keys/{id}", None),
    "revokeInstanceKey": ("DELETE", "/v2/instance/keys/{id}", None),
    "listLogLines": ("GET", "/v2/instance/logs", "lines"),
    "listDeployments": ("GET", "/v2/project/{projectId}/deployments", "deployments"),
    "getDeployment": ("GET", "/v2/project/{projectId}/deployments/{id}", None),
    "getSitePin": ("GET", "/v2/project/{projectId}/pin", None),
    "pinSite": ("POST", "/v2/project/{projectId}/pin", None),
    "unpinSite": ("DELETE", "/v2/project/{projectId}/pin", None),
    "updateSite": ("POST", "/v1/project/update/{projectId}", None),
    "previewBranch": ("POST", "/v1/project/preview/{projectId}", None),
    "getSiteUpdate": ("GET", "/v1/project/update-status/{statusId}", None),
    "listApiAddresses": ("GET", "/v2/project/{projectId}/api-addresses", None),
    "setApiAccess": ("PUT", "/v2/project/{projectId}/api-addresses", None),
    "readApiAddresses": ("POST", "/v2/project/{projectId}/api-addresses/read", None),
}


class Operations:
    """Every operation by its `operationId` in snake case, and an iterator over all pages for every list."""

    def _ask(self, _operation: str, _ids: Dict[str, Optional[str]], **_call: Any) -> Any:
        raise NotImplementedError

    def _each(self, _operation: str, _ids: Dict[str, Optional[str]], **_call: Any) -> Iterator[Any]:
        raise NotImplementedError

    def create_agent_job(
        self,
        body: types.NewAgentJob,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Create an agent job. Creates a job that the agent carries out in the background. Follow the job by polling it, by its event stream, or by a webhook. If the agent edits files, the server opens a pull request and links to it in `prLink`. Requires a key with the scope `agent`."""
        return self._ask("createAgentJob", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def send_agent_message(
        self,
        id: str,
        body: types.AgentMessage,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Send a follow-up message to an agent job. Adds a message to the job. The agent handles the messages of a job in order, one at a time, each exactly once. The job continues from its current state: on its branch, and with its pull request while that is open. Requires a key with the scope `agent`."""
        return self._ask("sendAgentMessage", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def retry_agent_job(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Retry a failed agent job. Retries the last message if it failed or was refused. Like a follow-up message, a retry continues from the current state of the job and counts towards the hourly limit. Requires a key with the scope `agent`."""
        return self._ask("retryAgentJob", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def get_agent_job(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Get an agent job. Returns the current state of the job, with the state of its pull request at the code host. To wait for the job, poll with `If-None-Match` until `status` is not `active`, which costs next to nothing."""
        return self._ask("getAgentJob", {"projectId": project_id, "id": id})

    def delete_agent_job(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete an agent job. Deletes the job and its transcript. The branch and the pull request of the job are kept. Requires a key with the scope `admin`."""
        return self._ask("deleteAgentJob", {"projectId": project_id, "id": id})

    def cancel_agent_job(
        self,
        id: str,
        body: Optional[types.CancelAgentJob] = None,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Cancel an active agent job. Cancels the job and discards the agent's work, or publishes it as a draft if `keepWork` is `true`. A follow-up message continues from there. Requires a key with the scope `agent`."""
        return self._ask("cancelAgentJob", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def try_chores(
        self,
        body: types.TryChores,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ChoreTrial:
        """Try chores. Returns what the chores would change: files, lines, the patch, and the findings of the checks that run before a pull request. Creates no branch, no job and no pull request. Each project runs one trial at a time, for at most 60 seconds. Requires a key with the scope `agent`."""
        return self._ask("tryChores", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def list_agent_jobs(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Sequence[Literal["active", "completed", "archived", "failed"]]] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJobs:
        """List agent jobs. Returns the jobs of the project, newest first. To get the next page, send `nextCursor` as `cursor`."""
        return self._ask("listAgentJobs", {"projectId": project_id}, query={"limit": limit, "cursor": cursor, "status": status})

    def iter_agent_jobs(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Sequence[Literal["active", "completed", "archived", "failed"]]] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.AgentJob]:
        """List agent jobs. From all pages, one after another. Returns the jobs of the project, newest first. To get the next page, send `nextCursor` as `cursor`."""
        return self._each("listAgentJobs", {"projectId": project_id}, query={"limit": limit, "cursor": cursor, "status": status})

    def archive_agent_job(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Archive an agent job. Archives a job that is not active. An archived job accepts no messages. Its branch and pull request are kept. Requires a key with the scope `agent`."""
        return self._ask("archiveAgentJob", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def unarchive_agent_job(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Unarchive an agent job. Restores the status that the job had before it was archived. Has no effect if the job is not archived. Requires a key with the scope `agent`."""
        return self._ask("unarchiveAgentJob", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def merge_agent_job(
        self,
        id: str,
        body: Optional[types.EndPullRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Merge the pull request of an agent job. Merges the pull request at the code host, according to the host's settings. Has no effect if the pull request is already merged. Responds with 409 while the job is active, if the pull request is a draft or has a conflict, if a rule of the code host prevents the merge, and if `head` is no longer the commit of the pull request. Requires a key with the scope `write`."""
        return self._ask("mergeAgentJob", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def close_agent_job(
        self,
        id: str,
        body: Optional[types.EndPullRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Close the pull request of an agent job. Closes the pull request at the code host without merging it. Has no effect if the pull request is already closed. Requires a key with the scope `write`."""
        return self._ask("closeAgentJob", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def list_agent_job_events(
        self,
        id: str,
        *,
        after: Optional[int] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJobEvents:
        """List the events of an agent job. Returns the transcript of the job as events in order. To get later events, send the request again with `after` set to the last `seq`. `cursor` takes precedence over `after`."""
        return self._ask("listAgentJobEvents", {"projectId": project_id, "id": id}, query={"after": after, "cursor": cursor, "limit": limit})

    def iter_agent_job_events(
        self,
        id: str,
        *,
        after: Optional[int] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.AgentJobEvent]:
        """List the events of an agent job. From all pages, one after another. Returns the transcript of the job as events in order. To get later events, send the request again with `after` set to the last `seq`. `cursor` takes precedence over `after`."""
        return self._each("listAgentJobEvents", {"projectId": project_id, "id": id}, query={"after": after, "cursor": cursor, "limit": limit})

    def get_agent_job_diff(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJobDiff:
        """Get the changes of an agent job. Returns a unified patch of the job's pull request or branch. With `Accept: application/json`, the response lists the changed files; with `Accept: text/plain`, it is the patch with that media type."""
        return self._ask("getAgentJobDiff", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor})

    def iter_agent_job_diff(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """Get the changes of an agent job. From all pages, one after another. Returns a unified patch of the job's pull request or branch. With `Accept: application/json`, the response lists the changed files; with `Accept: text/plain`, it is the patch with that media type."""
        return self._each("getAgentJobDiff", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor})

    def list_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Webhooks:
        """List webhooks. Returns the webhooks of the project, newest first, without their secrets. Requires a key with the scope `admin`."""
        return self._ask("listWebhooks", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Webhook]:
        """List webhooks. From all pages, one after another. Returns the webhooks of the project, newest first, without their secrets. Requires a key with the scope `admin`."""
        return self._each("listWebhooks", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_webhook(
        self,
        body: types.NewWebhook,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookWithSecret:
        """Create a webhook. Creates a webhook, to which the server sends events about jobs. Requests follow the Standard Webhooks specification, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`). The body is `{type, timestamp, data}`, where `data` is the job. With `format: slack`, the body is `{text}` for a chat. Requires a key with the scope `admin`."""
        return self._ask("createWebhook", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_webhook(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.Webhook:
        """Get a webhook. Returns the webhook without its secret. Requires a key with the scope `admin`."""
        return self._ask("getWebhook", {"projectId": project_id, "id": id})

    def update_webhook(
        self,
        id: str,
        body: types.WebhookChanges,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Webhook:
        """Update a webhook. Updates the given fields and leaves the others unchanged. `enabled: true` re-enables a webhook that the server disabled. Requires a key with the scope `admin`."""
        return self._ask("updateWebhook", {"projectId": project_id, "id": id}, body=body, if_match=if_match)

    def delete_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete a webhook. Deletes the webhook and its delivery log. The server sends no further events to it. Requires a key with the scope `admin`."""
        return self._ask("deleteWebhook", {"projectId": project_id, "id": id}, if_match=if_match)

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookWithSecret:
        """Rotate the secret of a webhook. Creates a new secret. For 24 hours, requests are also signed with the previous secret. Requires a key with the scope `admin`."""
        return self._ask("rotateWebhookSecret", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Send a test event. Sends the event `webhook.test` to this webhook, whichever events the webhook subscribes to. The event is signed, retried and listed among the deliveries like any other. At most 60 per hour. Requires a key with the scope `admin`."""
        return self._ask("testWebhook", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookDeliveries:
        """List the deliveries of a webhook. Returns the events that the server has sent or will send to the webhook, with each attempt and its response. Requires a key with the scope `admin`."""
        return self._ask("listWebhookDeliveries", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor, "status": status})

    def iter_webhook_deliveries(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.WebhookDelivery]:
        """List the deliveries of a webhook. From all pages, one after another. Returns the events that the server has sent or will send to the webhook, with each attempt and its response. Requires a key with the scope `admin`."""
        return self._each("listWebhookDeliveries", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor, "status": status})

    def redeliver_webhook(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Redeliver an event. Sends the same event again, with the same `webhook-id`. Requires a key with the scope `admin`."""
        return self._ask("redeliverWebhook", {"projectId": project_id, "id": id, "deliveryId": delivery_id}, idempotency_key=idempotency_key)

    def list_automations(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Automations:
        """List automations. Returns the automations of the project, newest first. To get the next page, send `nextCursor` as `cursor`."""
        return self._ask("listAutomations", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_automations(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Automation]:
        """List automations. From all pages, one after another. Returns the automations of the project, newest first. To get the next page, send `nextCursor` as `cursor`."""
        return self._each("listAutomations", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_automation(
        self,
        body: types.NewAutomation,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Automation:
        """Create an automation. Creates an instruction that the agent carries out on a schedule, after a push, or on request. Requires a key with the scope `admin`."""
        return self._ask("createAutomation", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_automation(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.Automation:
        """Get an automation. Returns the automation with the time of its next run."""
        return self._ask("getAutomation", {"projectId": project_id, "id": id})

    def update_automation(
        self,
        id: str,
        body: types.AutomationChanges,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Automation:
        """Update an automation. Updates the given fields and leaves the others unchanged. Requires a key with the scope `admin`."""
        return self._ask("updateAutomation", {"projectId": project_id, "id": id}, body=body, if_match=if_match)

    def delete_automation(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete an automation. Deletes the automation and its runs. The jobs of the automation are kept. Requires a key with the scope `admin`."""
        return self._ask("deleteAutomation", {"projectId": project_id, "id": id}, if_match=if_match)

    def list_automation_runs(
        self,
        id: str,
        *,
        before: Optional[int] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> types.AutomationRuns:
        """List the runs of an automation. Returns the runs with what started each of them and the job that it created or added to. To get earlier runs, send the request again with `before` set to the lowest `number`. `cursor` takes precedence over `before`."""
        return self._ask("listAutomationRuns", {"projectId": project_id, "id": id}, query={"before": before, "cursor": cursor, "limit": limit})

    def iter_automation_runs(
        self,
        id: str,
        *,
        before: Optional[int] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.AutomationRun]:
        """List the runs of an automation. From all pages, one after another. Returns the runs with what started each of them and the job that it created or added to. To get earlier runs, send the request again with `before` set to the lowest `number`. `cursor` takes precedence over `before`."""
        return self._each("listAutomationRuns", {"projectId": project_id, "id": id}, query={"before": before, "cursor": cursor, "limit": limit})

    def run_automation(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Run an automation. Starts a run of the automation, which counts as one agent call. While the pull request of an earlier run is open, the run adds to it. Requires a key with the scope `agent`."""
        return self._ask("runAutomation", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def trigger_automation(
        self,
        workflow_schema_id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.TriggeredAutomation:
        """Trigger an automation. Starts a run of the automation, like `runAutomation`, with the request and response format of other platforms. Requires a key with the scope `agent`."""
        return self._ask("triggerAutomation", {"projectId": project_id, "workflowSchemaId": workflow_schema_id}, idempotency_key=idempotency_key)

    def search_pages(
        self,
        domain: str,
        body: types.DocsSearch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Sequence[FoundSection]:
        """Search a site. Finds sections of pages by their words, best match first. The search is counted among the site's searches."""
        return self._ask("searchPages", {"domain": domain}, body=body, idempotency_key=idempotency_key)

    def read_page(
        self,
        domain: str,
        body: types.AskedPage,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.PageText:
        """Read a page of a site. Returns the whole page as Markdown. The request is not counted as a view."""
        return self._ask("readPage", {"domain": domain}, body=body, idempotency_key=idempotency_key)

    def get_visitors(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> types.Visitors:
        """Get unique visitors. Returns the number of unique visitors of the whole site and of each page in a range of UTC days, separately for people and AI. The counts are exact. While `hasMore` is `true`, increase `offset` by `limit` to get the next page."""
        return self._ask("getVisitors", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "offset": offset})

    def iter_visitors(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.PageVisitors]:
        """Get unique visitors. From all pages, one after another. Returns the number of unique visitors of the whole site and of each page in a range of UTC days, separately for people and AI. The counts are exact. While `hasMore` is `true`, increase `offset` by `limit` to get the next page."""
        return self._each("getVisitors", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "offset": offset})

    def get_views(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> types.Views:
        """Get views. Returns the same as `getVisitors`, but counts views instead of visitors."""
        return self._ask("getViews", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "offset": offset})

    def iter_views(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.PageVisitors]:
        """Get views. From all pages, one after another. Returns the same as `getVisitors`, but counts views instead of visitors."""
        return self._each("getViews", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "offset": offset})

    def send_views(
        self,
        body: types.SentViews,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AcceptedViews:
        """Send views from a server. Sends at most 1000 views. Views with the same `event_id` on the same UTC day are the same view, so the request can be retried safely. Requires a key with the scope `agent`."""
        return self._ask("sendViews", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_searches(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Searches:
        """Get search queries. Lists what readers entered into the search of the site, and the pages that the searches led to."""
        return self._ask("getSearches", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "cursor": cursor})

    def iter_searches(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """Get search queries. From all pages, one after another. Lists what readers entered into the search of the site, and the pages that the searches led to."""
        return self._each("getSearches", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "cursor": cursor})

    def get_series(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Series:
        """Get visitors and views of each day. Returns at most the last 800 days of the range, oldest first. A visitor who comes on two days is counted on both, so the days add up to more than the number of visitors in the range."""
        return self._ask("getSeries", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_agents(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Agents:
        """List the agents that read the docs. Lists assistants, crawlers and programs by number of views, with whether their identity was verified."""
        return self._ask("getAgents", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_surfaces(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Surfaces:
        """Get views by form of the content. Returns the counted views of pages, Markdown, llms.txt and the other forms in which the content is read."""
        return self._ask("getSurfaces", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_referrers(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Referrers:
        """Get views by referring host. Returns the counted views by the host that readers came from."""
        return self._ask("getReferrers", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_missing_pages(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.MissingPages:
        """List missing pages that AI readers request. Lists paths without a page that AI readers requested, by number of requests."""
        return self._ask("getMissingPages", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_not_counted(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.NotCounted:
        """List requests and views that were not counted. Lists requests and views that were counted neither as human nor as AI, by reason. A page that was sent to a browser is `unconfirmed` until its script reports the view."""
        return self._ask("getNotCounted", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_feedback(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        source: Optional[Literal["code_snippet", "contextual", "agent", "thumbs_only"]] = None,
        status: Optional[Sequence[Literal["pending", "in_progress", "resolved", "dismissed"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> types.Feedback:
        """Get feedback. Lists votes and comments of readers and agents, newest first. Send `nextCursor` as `cursor` to get the next page."""
        return self._ask("getFeedback", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "source": source, "status": status, "cursor": cursor, "limit": limit})

    def iter_feedback(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        source: Optional[Literal["code_snippet", "contextual", "agent", "thumbs_only"]] = None,
        status: Optional[Sequence[Literal["pending", "in_progress", "resolved", "dismissed"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """Get feedback. From all pages, one after another. Lists votes and comments of readers and agents, newest first. Send `nextCursor` as `cursor` to get the next page."""
        return self._each("getFeedback", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "source": source, "status": status, "cursor": cursor, "limit": limit})

    def get_feedback_by_page(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        source: Optional[Literal["code_snippet", "contextual", "agent", "thumbs_only"]] = None,
        status: Optional[Sequence[Literal["pending", "in_progress", "resolved", "dismissed"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> types.FeedbackByPage:
        """Get feedback by page. Lists the number of votes and entries of each page. Send `nextCursor` as `cursor` to get the next page."""
        return self._ask("getFeedbackByPage", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "source": source, "status": status, "cursor": cursor, "limit": limit})

    def iter_feedback_by_page(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        source: Optional[Literal["code_snippet", "contextual", "agent", "thumbs_only"]] = None,
        status: Optional[Sequence[Literal["pending", "in_progress", "resolved", "dismissed"]]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """Get feedback by page. From all pages, one after another. Lists the number of votes and entries of each page. Send `nextCursor` as `cursor` to get the next page."""
        return self._each("getFeedbackByPage", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "source": source, "status": status, "cursor": cursor, "limit": limit})

    def erase_address(
        self,
        body: types.NewErasure,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Erasure:
        """Erase the readers of an address. Permanently deletes what the project stores about the readers: views, visitor numbers, their share of all counts, and feedback. The response is sent when the deletion is complete, which can take a minute or more if there are many views. Limited to 60 requests per hour. Requires a key with the scope `admin`."""
        return self._ask("eraseAddress", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_analytics_snippet(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.AnalyticsSnippet:
        """Get the script for a site hosted elsewhere. Returns the script, which reports each viewed page to this server from the origins that the project allows."""
        return self._ask("getAnalyticsSnippet", {"projectId": project_id})

    def list_projects(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.Projects:
        """List projects. Lists all projects of the instance, newest first. Requires a key of the instance with the scope `admin`."""
        return self._ask("listProjects", {}, query={"limit": limit, "cursor": cursor})

    def iter_projects(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Iterator[types.Project]:
        """List projects. From all pages, one after another. Lists all projects of the instance, newest first. Requires a key of the instance with the scope `admin`."""
        return self._each("listProjects", {}, query={"limit": limit, "cursor": cursor})

    def create_project(
        self,
        body: types.NewProject,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Project:
        """Create a project. Creates a project with a repository from elsewhere, which is copied or followed, or with an empty repository on this server. The response is sent when the repository is ready, which takes minutes for a large one. If the connection ends before that, retry the request with the same `Idempotency-Key`. Requires a key of the instance with the scope `admin`."""
        return self._ask("createProject", {}, body=body, idempotency_key=idempotency_key)

    def get_project(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.Project:
        """Get a project. Returns the project's settings and the state of the connection to its repository. Secrets are shown only by name. Requires a key with the scope `admin`."""
        return self._ask("getProject", {"projectId": project_id})

    def update_project(
        self,
        body: types.ProjectChanges,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Project:
        """Update a project. Updates the given fields of the project and leaves the others unchanged. All values are validated before any of them is changed. Requires a key with the scope `admin`."""
        return self._ask("updateProject", {"projectId": project_id}, body=body, if_match=if_match)

    def delete_project(
        self,
        *,
        name: str,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete a project. Permanently deletes the project with its repository on this server, jobs, keys, pull requests and counts. A repository at another code host is not deleted. Requires a key with the scope `admin`."""
        return self._ask("deleteProject", {"projectId": project_id}, query={"name": name}, if_match=if_match)

    def get_project_connection(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.ProjectConnection:
        """Get a project's connection. Returns the state of the connection to the project's repository at another code host. Returns 404 if this server hosts the repository. Requires a key with the scope `admin`."""
        return self._ask("getProjectConnection", {"projectId": project_id})

    def replace_project_token(
        self,
        body: types.NewProjectToken,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ProjectConnection:
        """Replace a project's token. Checks the new token's permissions at the code host, then uses the token from the next request on. Requires a key with the scope `admin`."""
        return self._ask("replaceProjectToken", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def sync_project(
        self,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ProjectConnection:
        """Sync a project with its code host. Syncs the project with its code host within a second. Useful if the code host's webhook does not call this server. Requires a key with the scope `admin`."""
        return self._ask("syncProject", {"projectId": project_id}, idempotency_key=idempotency_key)

    def list_models(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.Models:
        """List models. Lists the models that a job of this project can name. An entry that ends in `/…` means every model of its provider."""
        return self._ask("listModels", {"projectId": project_id})

    def list_sources(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Sources:
        """List sources. Lists the repositories that the project's agent reads in addition to the docs, and the state of each."""
        return self._ask("listSources", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_sources(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Source]:
        """List sources. From all pages, one after another. Lists the repositories that the project's agent reads in addition to the docs, and the state of each."""
        return self._each("listSources", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def add_source(
        self,
        body: types.NewSource,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Source:
        """Add a source. Adds a repository for the agent to read. The server never writes to the repository. The response is sent when the mirror of the repository is ready, which takes minutes for a large one. If the connection ends before that, retry the request with the same `Idempotency-Key`. A project has at most ten sources. Requires a key with the scope `admin`."""
        return self._ask("addSource", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_source(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.Source:
        """Get a source. Returns the source and its state."""
        return self._ask("getSource", {"projectId": project_id, "id": id})

    def remove_source(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Remove a source. Removes the source with its mirror and token. Automations that the source triggers stay, and report that the source was removed. Requires a key with the scope `admin`."""
        return self._ask("removeSource", {"projectId": project_id, "id": id})

    def replace_source_token(
        self,
        id: str,
        body: types.NewSourceToken,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Source:
        """Replace a source's token. Fetches the repository with the new token and, if this succeeds, uses the token from then on. Requires a key with the scope `admin`."""
        return self._ask("replaceSourceToken", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def list_members(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Members:
        """List members. Lists all people with a role in the project, in the order of their identifiers. Requires a key with the scope `admin`."""
        return self._ask("listMembers", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_members(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Member]:
        """List members. From all pages, one after another. Lists all people with a role in the project, in the order of their identifiers. Requires a key with the scope `admin`."""
        return self._each("listMembers", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def set_member(
        self,
        body: types.NewMember,
        *,
        project_id: Optional[str] = None,
    ) -> types.Member:
        """Add a member or change their role. Gives the person with this email address the role, whether or not the person had one before. The person must have an account. Otherwise the response is 409; use `PUT /v2/project/{projectId}/invitations`. Requires a key with the scope `admin`."""
        return self._ask("setMember", {"projectId": project_id}, body=body)

    def remove_member(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Remove a member. Removes the person's role in the project, from the person's next request on. The person's account is kept. Requires a key with the scope `admin`."""
        return self._ask("removeMember", {"projectId": project_id, "id": id})

    def list_invitations(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.Invitations:
        """List invitations. Lists the open invitations to the project, newest first. Requires a key with the scope `admin`."""
        return self._ask("listInvitations", {"projectId": project_id})

    def invite_member(
        self,
        body: types.NewInvitation,
        *,
        project_id: Optional[str] = None,
    ) -> types.NewlyMadeInvitation:
        """Invite a person. Invites a person without an account to the project. The response contains the link, which works once, for a week and only for this address, and is not shown again. With a mail server, Docent also sends it. A further invitation of the same address replaces the first. Requires a key with the scope `admin`."""
        return self._ask("inviteMember", {"projectId": project_id}, body=body)

    def withdraw_invitation(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Withdraw an invitation. Withdraws an open invitation. Its link no longer works. Requires a key with the scope `admin`."""
        return self._ask("withdrawInvitation", {"projectId": project_id, "id": id})

    def list_audit_events(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        kind: Optional[Literal["jobs", "pull-requests", "site", "settings", "automations-and-webhooks", "api-keys", "members-and-accounts"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AuditEvents:
        """List the audit log. Lists who changed what in the project, newest first. The server keeps entries for 400 days by default. Requires a key with the scope `admin`."""
        return self._ask("listAuditEvents", {"projectId": project_id}, query={"limit": limit, "cursor": cursor, "actor": actor, "action": action, "kind": kind, "from": from_, "to": to})

    def iter_audit_events(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        kind: Optional[Literal["jobs", "pull-requests", "site", "settings", "automations-and-webhooks", "api-keys", "members-and-accounts"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.AuditEvent]:
        """List the audit log. From all pages, one after another. Lists who changed what in the project, newest first. The server keeps entries for 400 days by default. Requires a key with the scope `admin`."""
        return self._each("listAuditEvents", {"projectId": project_id}, query={"limit": limit, "cursor": cursor, "actor": actor, "action": action, "kind": kind, "from": from_, "to": to})

    def list_instance_audit_events(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        kind: Optional[Literal["jobs", "pull-requests", "site", "settings", "automations-and-webhooks", "api-keys", "members-and-accounts"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.InstanceAuditEvents:
        """List the audit log of the server. Lists who changed what in all projects and on the server, newest first. Requires a key of the instance with the scope `admin`."""
        return self._ask("listInstanceAuditEvents", {}, query={"limit": limit, "cursor": cursor, "actor": actor, "action": action, "kind": kind, "from": from_, "to": to})

    def iter_instance_audit_events(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        kind: Optional[Literal["jobs", "pull-requests", "site", "settings", "automations-and-webhooks", "api-keys", "members-and-accounts"]] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> Iterator[types.InstanceAuditEvent]:
        """List the audit log of the server. From all pages, one after another. Lists who changed what in all projects and on the server, newest first. Requires a key of the instance with the scope `admin`."""
        return self._each("listInstanceAuditEvents", {}, query={"limit": limit, "cursor": cursor, "actor": actor, "action": action, "kind": kind, "from": from_, "to": to})

    def create_site_link(
        self,
        body: types.NewSiteLink,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.SiteLink:
        """Create a link to a private site. Creates a link with which anyone can read the whole site until the link expires. The server does not store links: a single link cannot be revoked, but all links of the site can (`endSiteSessions`). Returns 409 if the site is public. Requires a key with the scope `admin`."""
        return self._ask("createSiteLink", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def end_site_sessions(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Sign readers out. Ends all sessions of readers and revokes all links of the site. The access mode of the site stays unchanged. Requires a key with the scope `admin`."""
        return self._ask("endSiteSessions", {"projectId": project_id})

    def list_api_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiKeys:
        """List API keys. Lists all keys of the project, oldest first, including expired and revoked keys. Requires a key with the scope `admin`."""
        return self._ask("listApiKeys", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_api_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.ApiKey]:
        """List API keys. From all pages, one after another. Lists all keys of the project, oldest first, including expired and revoked keys. Requires a key with the scope `admin`."""
        return self._each("listApiKeys", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_api_key(
        self,
        body: types.NewApiKey,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.NewlyMadeApiKey:
        """Create an API key. Creates a key of the project. The response contains the key, which is not shown again. Requires a key with the scope `admin`."""
        return self._ask("createApiKey", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def list_instance_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.ApiKeys:
        """List the instance's keys. Lists all keys that are valid for all projects, oldest first, including expired and revoked keys. Requires a key of the instance with the scope `admin`."""
        return self._ask("listInstanceKeys", {}, query={"limit": limit, "cursor": cursor})

    def iter_instance_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Iterator[types.ApiKey]:
        """List the instance's keys. From all pages, one after another. Lists all keys that are valid for all projects, oldest first, including expired and revoked keys. Requires a key of the instance with the scope `admin`."""
        return self._each("listInstanceKeys", {}, query={"limit": limit, "cursor": cursor})

    def create_instance_key(
        self,
        body: types.NewApiKey,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.NewlyMadeApiKey:
        """Create a key of the instance. Creates a key that grants what its scope allows on every project and, with the scope `admin`, can create projects and further keys of the instance. The response contains the key, which is not shown again. Requires a key of the instance with the scope `admin`."""
        return self._ask("createInstanceKey", {}, body=body, idempotency_key=idempotency_key)

    def revoke_api_key(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Revoke an API key. Revokes the key immediately on every node and ends the sessions that were started with the key. The key stays in the list. Requires a key with the scope `admin`."""
        return self._ask("revokeApiKey", {"projectId": project_id, "id": id})

    def revoke_instance_key(
        self,
        id: str,
    ) -> None:
        """Revoke a key of the instance. Revokes the key immediately on every node and ends the sessions that were started with the key. The key stays in the list. Requires a key of the instance with the scope `admin`."""
        return self._ask("revokeInstanceKey", {"id": id})

    def list_log_lines(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        level: Optional[Literal["trace", "debug", "info", "warn", "error", "fatal"]] = None,
        since: Optional[str] = None,
    ) -> types.LogLines:
        """Read the log. Lists what the nodes of this server logged, newest first: the last 5 to 10 MB of each node. Values that the log hides are `[redacted]` in the response, too. Requires a key of the instance with the scope `admin`."""
        return self._ask("listLogLines", {}, query={"limit": limit, "cursor": cursor, "level": level, "since": since})

    def iter_log_lines(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        level: Optional[Literal["trace", "debug", "info", "warn", "error", "fatal"]] = None,
        since: Optional[str] = None,
    ) -> Iterator[types.LogLine]:
        """Read the log. From all pages, one after another. Lists what the nodes of this server logged, newest first: the last 5 to 10 MB of each node. Values that the log hides are `[redacted]` in the response, too. Requires a key of the instance with the scope `admin`."""
        return self._each("listLogLines", {}, query={"limit": limit, "cursor": cursor, "level": level, "since": since})

    def list_deployments(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Deployments:
        """List deployments. Lists each commit that became the newest of the site's branch, with its state. Send `nextCursor` as `cursor` to get the next page."""
        return self._ask("listDeployments", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_deployments(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Deployment]:
        """List deployments. From all pages, one after another. Lists each commit that became the newest of the site's branch, with its state. Send `nextCursor` as `cursor` to get the next page."""
        return self._each("listDeployments", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def get_deployment(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.DeploymentWithReport:
        """Get a deployment. Returns the deployment with its report, which lists problems for the author by file and line."""
        return self._ask("getDeployment", {"projectId": project_id, "id": id})

    def get_site_pin(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.CurrentSitePin:
        """Get the pin. Returns the commit that the site is pinned to. Send the `ETag` of the response as `If-Match` to change the pin."""
        return self._ask("getSitePin", {"projectId": project_id})

    def pin_site(
        self,
        body: types.NewSitePin,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.SitePin:
        """Pin the site to a commit. Pins the site to a commit, which readers see within a second on every node. While the site is pinned, newer commits wait and agent jobs continue with the branch. Requires a key with the scope `write`."""
        return self._ask("pinSite", {"projectId": project_id}, body=body, idempotency_key=idempotency_key, if_match=if_match)

    def unpin_site(
        self,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Unpin the site. Makes the site follow its branch again. Has no effect if the site is not pinned. Requires a key with the scope `write`."""
        return self._ask("unpinSite", {"projectId": project_id}, if_match=if_match)

    def update_site(
        self,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.TriggeredUpdate:
        """Update a site. Updates the site to the newest commit, which Docent also does automatically. If the repository is on another host, Docent checks the host now. If the repository is on this server, Docent makes sure that the newest commit is live. Requires a key with the scope `agent`."""
        return self._ask("updateSite", {"projectId": project_id}, idempotency_key=idempotency_key)

    def preview_branch(
        self,
        body: types.NewPreview,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.TriggeredPreview:
        """Preview a branch. Creates a preview of a branch. A branch always has the same preview URL, which works for anyone who has it and always shows the newest commit of the branch. Requires a key with the scope `agent`."""
        return self._ask("previewBranch", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_site_update(
        self,
        status_id: str,
    ) -> types.UpdateStatus:
        """Get the status of an update or preview. Returns the status of an update or preview. Repeat the request until `status` is `success` or `failure`."""
        return self._ask("getSiteUpdate", {"statusId": status_id})

    def list_api_addresses(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiAddresses:
        """List API descriptions at addresses. Lists the hosts from which the server can fetch API descriptions, and the state of the copy of each address."""
        return self._ask("listApiAddresses", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def set_api_access(
        self,
        body: types.NewApiAccess,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiAddresses:
        """Set the hosts of API descriptions and the proxy. Sets the hosts, the only ones from which the server fetches the API descriptions that the docs name by address, and the proxy. Omitted fields stay unchanged. `If-Match` accepts `version` in quotation marks and the `ETag` of the list's first page. Requires a key with the scope `admin`."""
        return self._ask("setApiAccess", {"projectId": project_id}, body=body, if_match=if_match)

    def read_api_addresses(
        self,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiAddressesAsked:
        """Fetch API descriptions again. Fetches the API descriptions that the site names by address again. A program that publishes an API can use this to update the pages of the API within seconds, without a push. Requires a key with the scope `agent`."""
        return self._ask("readApiAddresses", {"projectId": project_id}, idempotency_key=idempotency_key)
