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
    "listAuditEvents": ("GET", "/v2/project/{projectId}/audit", "events"),
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
        """Create an agent job. The agent works in the background. Follow the job by asking for it, by its stream of events, or by a webhook. When the agent has edited files, a pull request is made, and `prLink` leads to it. Needs a key with the scope `agent`."""
        return self._ask("createAgentJob", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def send_agent_message(
        self,
        id: str,
        body: types.AgentMessage,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Send a follow-up message to an agent job. Messages are handled in order, one at a time per job, each exactly once. The job goes on from where it stands: with its branch, and with its pull request while that is open. Needs a key with the scope `agent`."""
        return self._ask("sendAgentMessage", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def retry_agent_job(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Retry a failed agent job. Sends the last message again, if it failed or was refused. Like a follow-up, it continues from where the job stands and counts towards the hourly limit. Needs a key with the scope `agent`."""
        return self._ask("retryAgentJob", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def get_agent_job(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Get an agent job. The job as it is now, with its pull request as it stands at the code host. Ask until `status` is not `active`, with `If-None-Match`: that costs next to nothing."""
        return self._ask("getAgentJob", {"projectId": project_id, "id": id})

    def delete_agent_job(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete an agent job. Removes the job and its transcript. Its branch and pull request stay. Needs a key with the scope `admin`."""
        return self._ask("deleteAgentJob", {"projectId": project_id, "id": id})

    def cancel_agent_job(
        self,
        id: str,
        body: Optional[types.CancelAgentJob] = None,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Cancel an active agent job. What the agent has made is dropped, or published as a draft with `keepWork`. A follow-up goes on from there. Needs a key with the scope `agent`."""
        return self._ask("cancelAgentJob", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def try_chores(
        self,
        body: types.TryChores,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ChoreTrial:
        """Try chores. Says what chores would change, without a job: files, lines, the patch, and what the checks before a pull request find. It makes no branch, no job and no pull request. One trial of a project runs at a time, for at most 60 seconds. Needs a key with the scope `agent`."""
        return self._ask("tryChores", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def list_agent_jobs(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Sequence[Literal["active", "completed", "archived", "failed"]]] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJobs:
        """List agent jobs. Jobs of the project, newest first. `nextCursor` asks for the page after this one."""
        return self._ask("listAgentJobs", {"projectId": project_id}, query={"limit": limit, "cursor": cursor, "status": status})

    def iter_agent_jobs(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Sequence[Literal["active", "completed", "archived", "failed"]]] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.AgentJob]:
        """List agent jobs. From all pages, one after another. Jobs of the project, newest first. `nextCursor` asks for the page after this one."""
        return self._each("listAgentJobs", {"projectId": project_id}, query={"limit": limit, "cursor": cursor, "status": status})

    def archive_agent_job(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Archive an agent job. Puts away a job that is not active; it takes no messages then. Its branch and pull request stay. Needs a key with the scope `agent`."""
        return self._ask("archiveAgentJob", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def unarchive_agent_job(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Bring an archived agent job back. Gives a job the state that it had before it was archived. Of a job that is not archived it changes nothing. Needs a key with the scope `agent`."""
        return self._ask("unarchiveAgentJob", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def merge_agent_job(
        self,
        id: str,
        body: Optional[types.EndPullRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Merge the pull request of an agent job. Merges it at the code host, as its settings say. Of one that is merged already it changes nothing. 409 while the job is active, for a draft, a conflict, a rule of the host, and when `head` is not its commit any more. Needs a key with the scope `admin`."""
        return self._ask("mergeAgentJob", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def close_agent_job(
        self,
        id: str,
        body: Optional[types.EndPullRequest] = None,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Close the pull request of an agent job. Closes it at the code host without merging it. Of one that is closed already it changes nothing. Needs a key with the scope `admin`."""
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
        """Read an agent job's transcript. What happened to the job, in order. Ask again with `after` set to the last `seq` for what comes next. `cursor` goes before `after`."""
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
        """Read an agent job's transcript. From all pages, one after another. What happened to the job, in order. Ask again with `after` set to the last `seq` for what comes next. `cursor` goes before `after`."""
        return self._each("listAgentJobEvents", {"projectId": project_id, "id": id}, query={"after": after, "cursor": cursor, "limit": limit})

    def get_agent_job_diff(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJobDiff:
        """Get the changes of an agent job. A unified patch of the job's pull request or branch; with `Accept: application/json` the changed files, with `Accept: text/plain` the patch under that name."""
        return self._ask("getAgentJobDiff", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor})

    def iter_agent_job_diff(
        self,
        id: str,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """Get the changes of an agent job. From all pages, one after another. A unified patch of the job's pull request or branch; with `Accept: application/json` the changed files, with `Accept: text/plain` the patch under that name."""
        return self._each("getAgentJobDiff", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor})

    def list_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Webhooks:
        """List webhooks. Webhooks of the project, newest first, without their secrets. Needs a key with the scope `admin`."""
        return self._ask("listWebhooks", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_webhooks(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Webhook]:
        """List webhooks. From all pages, one after another. Webhooks of the project, newest first, without their secrets. Needs a key with the scope `admin`."""
        return self._each("listWebhooks", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_webhook(
        self,
        body: types.NewWebhook,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookWithSecret:
        """Create a webhook. Requests follow the Standard Webhooks specification: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`). The body is `{type, timestamp, data}`, `data` the job; with `format: slack` it is `{text}` for a chat. Needs a key with the scope `admin`."""
        return self._ask("createWebhook", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_webhook(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.Webhook:
        """Get a webhook. The webhook, without its secret. Needs a key with the scope `admin`."""
        return self._ask("getWebhook", {"projectId": project_id, "id": id})

    def update_webhook(
        self,
        id: str,
        body: types.WebhookChanges,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Webhook:
        """Change a webhook. Changes the fields that are given; the others stay. `enabled: true` starts one again that the server disabled. Needs a key with the scope `admin`."""
        return self._ask("updateWebhook", {"projectId": project_id, "id": id}, body=body, if_match=if_match)

    def delete_webhook(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete a webhook. Nothing more is sent, and its delivery log is gone. Needs a key with the scope `admin`."""
        return self._ask("deleteWebhook", {"projectId": project_id, "id": id}, if_match=if_match)

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookWithSecret:
        """Give a webhook a new secret. For 24 hours requests are signed with the former secret too. Needs a key with the scope `admin`."""
        return self._ask("rotateWebhookSecret", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Send a test event. Sends `webhook.test` to this webhook, whatever it asks to be told of: signed, tried again, and shown among its deliveries like any other. At most 60 an hour. Needs a key with the scope `admin`."""
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
        """List what a webhook delivered. What was sent, or is to be, with each attempt and its answer. Needs a key with the scope `admin`."""
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
        """List what a webhook delivered. From all pages, one after another. What was sent, or is to be, with each attempt and its answer. Needs a key with the scope `admin`."""
        return self._each("listWebhookDeliveries", {"projectId": project_id, "id": id}, query={"limit": limit, "cursor": cursor, "status": status})

    def redeliver_webhook(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Deliver again. Sends the same event once more, with the same `webhook-id`. Needs a key with the scope `admin`."""
        return self._ask("redeliverWebhook", {"projectId": project_id, "id": id, "deliveryId": delivery_id}, idempotency_key=idempotency_key)

    def list_automations(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Automations:
        """List automations. Automations of the project, newest first. `nextCursor` asks for the page after this one."""
        return self._ask("listAutomations", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_automations(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Automation]:
        """List automations. From all pages, one after another. Automations of the project, newest first. `nextCursor` asks for the page after this one."""
        return self._each("listAutomations", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_automation(
        self,
        body: types.NewAutomation,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Automation:
        """Create an automation. An instruction that starts by itself: at times, after a push, or when it is asked for. Needs a key with the scope `admin`."""
        return self._ask("createAutomation", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_automation(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.Automation:
        """Get an automation. The automation with its next run."""
        return self._ask("getAutomation", {"projectId": project_id, "id": id})

    def update_automation(
        self,
        id: str,
        body: types.AutomationChanges,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Automation:
        """Change an automation. Changes the fields that are given; the others stay. Needs a key with the scope `admin`."""
        return self._ask("updateAutomation", {"projectId": project_id, "id": id}, body=body, if_match=if_match)

    def delete_automation(
        self,
        id: str,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete an automation. Removes the automation and its runs. Its jobs stay. Needs a key with the scope `admin`."""
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
        """List the runs of an automation. What started it, and the job that each run made or added to. Ask again with `before` set to the lowest `number` for earlier ones. `cursor` goes before `before`."""
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
        """List the runs of an automation. From all pages, one after another. What started it, and the job that each run made or added to. Ask again with `before` set to the lowest `number` for earlier ones. `cursor` goes before `before`."""
        return self._each("listAutomationRuns", {"projectId": project_id, "id": id}, query={"before": before, "cursor": cursor, "limit": limit})

    def run_automation(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AgentJob:
        """Run an automation now. Counts as one agent call. While the pull request of an earlier run is open, the run adds to it. Needs a key with the scope `agent`."""
        return self._ask("runAutomation", {"projectId": project_id, "id": id}, idempotency_key=idempotency_key)

    def trigger_automation(
        self,
        workflow_schema_id: str,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.TriggeredAutomation:
        """Trigger an automation. Runs it now, as `runAutomation` does, in the shape that other platforms have for this. Needs a key with the scope `agent`."""
        return self._ask("triggerAutomation", {"projectId": project_id, "workflowSchemaId": workflow_schema_id}, idempotency_key=idempotency_key)

    def search_pages(
        self,
        domain: str,
        body: types.DocsSearch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Sequence[FoundSection]:
        """Search a site. Finds sections of pages by their words, the best one first. Counts among the site's searches."""
        return self._ask("searchPages", {"domain": domain}, body=body, idempotency_key=idempotency_key)

    def read_page(
        self,
        domain: str,
        body: types.AskedPage,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.PageText:
        """Read a page of a site. The whole page as Markdown. Counts as no view."""
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
        """Get unique visitors. Unique visitors of the whole site and of each page, people and AI apart, in any range of UTC days. The counts are exact. While `hasMore` is true, raise `offset` by `limit`."""
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
        """Get unique visitors. From all pages, one after another. Unique visitors of the whole site and of each page, people and AI apart, in any range of UTC days. The counts are exact. While `hasMore` is true, raise `offset` by `limit`."""
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
        """Get views. The same as the visitors, counting views in place of visitors."""
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
        """Get views. From all pages, one after another. The same as the visitors, counting views in place of visitors."""
        return self._each("getViews", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "offset": offset})

    def send_views(
        self,
        body: types.SentViews,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AcceptedViews:
        """Send views from a server. At most 1000 views. The same `event_id` on the same UTC day is the same view: sending again is safe. Needs a key with the scope `agent`."""
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
        """Get search queries. What readers typed into the search of the site, and where it led."""
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
        """Get search queries. From all pages, one after another. What readers typed into the search of the site, and where it led."""
        return self._each("getSearches", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "limit": limit, "cursor": cursor})

    def get_series(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Series:
        """Get visitors and views of each day. The last 800 days of the range at most, oldest first. Who comes on two days is a visitor of both, so the days add up to more than the range has."""
        return self._ask("getSeries", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_agents(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Agents:
        """Get readers that are no browsers. Assistants, crawlers and programs, by views, with whether they proved who they are."""
        return self._ask("getAgents", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_surfaces(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Surfaces:
        """Get views by form of the content. Counted views of pages, Markdown, llms.txt and the other forms in which the content is read."""
        return self._ask("getSurfaces", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_referrers(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Referrers:
        """Get views by referring host. Counted views by the host that readers came from."""
        return self._ask("getReferrers", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_missing_pages(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.MissingPages:
        """Get pages that AI readers miss. Paths that AI readers asked for and that are not there, by how often."""
        return self._ask("getMissingPages", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to})

    def get_not_counted(
        self,
        *,
        date_from: Optional[str] = None,
        date_to: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.NotCounted:
        """Get what was not counted. Requests and views that count neither as human nor as AI, by the reason. A page that went to a browser is `unconfirmed` until its script reports the view."""
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
        """Get feedback. Votes and words of readers and agents, newest first. `nextCursor` asks for the page after this one."""
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
        """Get feedback. From all pages, one after another. Votes and words of readers and agents, newest first. `nextCursor` asks for the page after this one."""
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
        """Get feedback by page. Votes and entries of each page. `nextCursor` asks for the pages after these."""
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
        """Get feedback by page. From all pages, one after another. Votes and entries of each page. `nextCursor` asks for the pages after these."""
        return self._each("getFeedbackByPage", {"projectId": project_id}, query={"dateFrom": date_from, "dateTo": date_to, "source": source, "status": status, "cursor": cursor, "limit": limit})

    def erase_address(
        self,
        body: types.NewErasure,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Erasure:
        """Erase the readers of an address. Deletes for good what the project stores of them: views, visitor numbers, what they add to any count, and feedback. The answer comes when it is done, which takes up to a minute and more where there are many views. At most 60 an hour. Needs a key with the scope `admin`."""
        return self._ask("eraseAddress", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_analytics_snippet(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.AnalyticsSnippet:
        """Get the script for a site elsewhere. It sends each page that is seen to this server, from the origins that the project allows."""
        return self._ask("getAnalyticsSnippet", {"projectId": project_id})

    def list_projects(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.Projects:
        """List projects. All projects of the instance, newest first. Needs a key of the instance with the scope `admin`."""
        return self._ask("listProjects", {}, query={"limit": limit, "cursor": cursor})

    def iter_projects(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Iterator[types.Project]:
        """List projects. From all pages, one after another. All projects of the instance, newest first. Needs a key of the instance with the scope `admin`."""
        return self._each("listProjects", {}, query={"limit": limit, "cursor": cursor})

    def create_project(
        self,
        body: types.NewProject,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Project:
        """Create a project. Of a repository elsewhere, copied or followed, or of an empty one here. The answer comes when it is there, which takes minutes for a large repository: whoever hangs up meanwhile asks again with the same `Idempotency-Key`. Needs a key of the instance with the scope `admin`."""
        return self._ask("createProject", {}, body=body, idempotency_key=idempotency_key)

    def get_project(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.Project:
        """Get a project. What is set, and how its repository is followed. Secrets show by their names alone. Needs a key with the scope `admin`."""
        return self._ask("getProject", {"projectId": project_id})

    def update_project(
        self,
        body: types.ProjectChanges,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Project:
        """Change a project. Changes what is named; the rest stays. Everything is looked at before anything is changed. Needs a key with the scope `admin`."""
        return self._ask("updateProject", {"projectId": project_id}, body=body, if_match=if_match)

    def delete_project(
        self,
        *,
        name: str,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Delete a project. For good, with its repository here, its jobs, keys, pull requests and counts. A repository at a host elsewhere stays there. Needs a key with the scope `admin`."""
        return self._ask("deleteProject", {"projectId": project_id}, query={"name": name}, if_match=if_match)

    def get_project_connection(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.ProjectConnection:
        """Get a project's connection. How its repository at a host elsewhere is followed; 404 of one that is here. Needs a key with the scope `admin`."""
        return self._ask("getProjectConnection", {"projectId": project_id})

    def replace_project_token(
        self,
        body: types.NewProjectToken,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ProjectConnection:
        """Replace a project's token. The host is asked first what the new one may do. From the next request on it is used. Needs a key with the scope `admin`."""
        return self._ask("replaceProjectToken", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def sync_project(
        self,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ProjectConnection:
        """Look at a project's host. Has the host asked within a second, where its webhook does not call. Needs a key with the scope `admin`."""
        return self._ask("syncProject", {"projectId": project_id}, idempotency_key=idempotency_key)

    def list_models(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.Models:
        """List models. The models that a job of this project may name. One that ends in `/…` stands for every model of its provider."""
        return self._ask("listModels", {"projectId": project_id})

    def list_sources(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Sources:
        """List sources. The repositories that the project's agent reads beside the docs, and how following them goes."""
        return self._ask("listSources", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_sources(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Source]:
        """List sources. From all pages, one after another. The repositories that the project's agent reads beside the docs, and how following them goes."""
        return self._each("listSources", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def add_source(
        self,
        body: types.NewSource,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Source:
        """Add a source. The agent may read the repository from then on, and nobody here writes it. The answer comes when its mirror is there, which takes minutes for a large repository: whoever hangs up meanwhile asks again with the same `Idempotency-Key`. A project has at most ten. Needs a key with the scope `admin`."""
        return self._ask("addSource", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_source(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.Source:
        """Get a source. The source, and how following it goes."""
        return self._ask("getSource", {"projectId": project_id, "id": id})

    def remove_source(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Remove a source. With its mirror and its token. Automations that it sets off stay, and say that it is gone. Needs a key with the scope `admin`."""
        return self._ask("removeSource", {"projectId": project_id, "id": id})

    def replace_source_token(
        self,
        id: str,
        body: types.NewSourceToken,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Source:
        """Replace a source's token. The repository is fetched with the new one first. From then on it is used. Needs a key with the scope `admin`."""
        return self._ask("replaceSourceToken", {"projectId": project_id, "id": id}, body=body, idempotency_key=idempotency_key)

    def list_members(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Members:
        """List members. Everybody with a role in the project, in the order of their identifiers. Needs a key with the scope `admin`."""
        return self._ask("listMembers", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_members(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Member]:
        """List members. From all pages, one after another. Everybody with a role in the project, in the order of their identifiers. Needs a key with the scope `admin`."""
        return self._each("listMembers", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def set_member(
        self,
        body: types.NewMember,
        *,
        project_id: Optional[str] = None,
    ) -> types.Member:
        """Add a member or change their role. Gives the person with this address the role, whether they had one or not. They need an account: without one it is a 409, and an admin invites them on the members page. Needs a key with the scope `admin`."""
        return self._ask("setMember", {"projectId": project_id}, body=body)

    def remove_member(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Remove a member. Takes their role in the project away at their next request. Their account stays. Needs a key with the scope `admin`."""
        return self._ask("removeMember", {"projectId": project_id, "id": id})

    def list_audit_events(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.AuditEvents:
        """List the audit log. Who changed what in the project, newest first, for as long as the server keeps it: 400 days by default. Needs a key with the scope `admin`."""
        return self._ask("listAuditEvents", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_audit_events(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.AuditEvent]:
        """List the audit log. From all pages, one after another. Who changed what in the project, newest first, for as long as the server keeps it: 400 days by default. Needs a key with the scope `admin`."""
        return self._each("listAuditEvents", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_site_link(
        self,
        body: types.NewSiteLink,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.SiteLink:
        """Create a link to a private site. Whoever has it reads the whole site until it ends. It is stored nowhere: one alone cannot be taken back, all of them can (`endSiteSessions`). 409 of a public site. Needs a key with the scope `admin`."""
        return self._ask("createSiteLink", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def end_site_sessions(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Sign readers out. Ends every sign-in of readers and every link of the site. Who may read it stays as it is. Needs a key with the scope `admin`."""
        return self._ask("endSiteSessions", {"projectId": project_id})

    def list_api_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiKeys:
        """List API keys. Every key of the project, oldest first, those that are over among them. Needs a key with the scope `admin`."""
        return self._ask("listApiKeys", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_api_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.ApiKey]:
        """List API keys. From all pages, one after another. Every key of the project, oldest first, those that are over among them. Needs a key with the scope `admin`."""
        return self._each("listApiKeys", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def create_api_key(
        self,
        body: types.NewApiKey,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.NewlyMadeApiKey:
        """Create an API key. The answer has the key, which is not shown again. Needs a key with the scope `admin`."""
        return self._ask("createApiKey", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def list_instance_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> types.ApiKeys:
        """List the instance's keys. Every key that is good for all projects, oldest first, those that are over among them. Needs a key of the instance with the scope `admin`."""
        return self._ask("listInstanceKeys", {}, query={"limit": limit, "cursor": cursor})

    def iter_instance_keys(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> Iterator[types.ApiKey]:
        """List the instance's keys. From all pages, one after another. Every key that is good for all projects, oldest first, those that are over among them. Needs a key of the instance with the scope `admin`."""
        return self._each("listInstanceKeys", {}, query={"limit": limit, "cursor": cursor})

    def create_instance_key(
        self,
        body: types.NewApiKey,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.NewlyMadeApiKey:
        """Create a key of the instance. It may do on every project what its scope allows, and with the scope `admin` make projects and keys like itself. The answer has the key, which is not shown again. Needs a key of the instance with the scope `admin`."""
        return self._ask("createInstanceKey", {}, body=body, idempotency_key=idempotency_key)

    def revoke_api_key(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> None:
        """Revoke an API key. It ends at once, on every node, with the sessions that were begun with it. It stays in the list. Needs a key with the scope `admin`."""
        return self._ask("revokeApiKey", {"projectId": project_id, "id": id})

    def revoke_instance_key(
        self,
        id: str,
    ) -> None:
        """Revoke a key of the instance. It ends at once, on every node, with the sessions that were begun with it. It stays in the list. Needs a key of the instance with the scope `admin`."""
        return self._ask("revokeInstanceKey", {"id": id})

    def list_log_lines(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        level: Optional[Literal["trace", "debug", "info", "warn", "error", "fatal"]] = None,
        since: Optional[str] = None,
    ) -> types.LogLines:
        """Read the log. What the nodes of this server logged, newest first: the last 5 to 10 MB of each. Values that the log hides are `[redacted]` here, too. Needs a key of the instance with the scope `admin`."""
        return self._ask("listLogLines", {}, query={"limit": limit, "cursor": cursor, "level": level, "since": since})

    def iter_log_lines(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        level: Optional[Literal["trace", "debug", "info", "warn", "error", "fatal"]] = None,
        since: Optional[str] = None,
    ) -> Iterator[types.LogLine]:
        """Read the log. From all pages, one after another. What the nodes of this server logged, newest first: the last 5 to 10 MB of each. Values that the log hides are `[redacted]` here, too. Needs a key of the instance with the scope `admin`."""
        return self._each("listLogLines", {}, query={"limit": limit, "cursor": cursor, "level": level, "since": since})

    def list_deployments(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.Deployments:
        """List deployments. Each commit that came to be the newest of the site's branch, and what became of it. `nextCursor` asks for the page after this one."""
        return self._ask("listDeployments", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def iter_deployments(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> Iterator[types.Deployment]:
        """List deployments. From all pages, one after another. Each commit that came to be the newest of the site's branch, and what became of it. `nextCursor` asks for the page after this one."""
        return self._each("listDeployments", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def get_deployment(
        self,
        id: str,
        *,
        project_id: Optional[str] = None,
    ) -> types.DeploymentWithReport:
        """Get a deployment. The deployment with its report: what its author should know, by file and line."""
        return self._ask("getDeployment", {"projectId": project_id, "id": id})

    def get_site_pin(
        self,
        *,
        project_id: Optional[str] = None,
    ) -> types.CurrentSitePin:
        """Get the pin. The commit that the site stays at. Its `ETag` is what `If-Match` of a change of the pin names."""
        return self._ask("getSitePin", {"projectId": project_id})

    def pin_site(
        self,
        body: types.NewSitePin,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.SitePin:
        """Pin the site to a commit. Readers see it within a second, on every node. Newer commits wait, and agent jobs go on with the branch. Needs a key with the scope `admin`."""
        return self._ask("pinSite", {"projectId": project_id}, body=body, idempotency_key=idempotency_key, if_match=if_match)

    def unpin_site(
        self,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> None:
        """Unpin the site. The site follows its branch again. Of a site that is not pinned it changes nothing. Needs a key with the scope `admin`."""
        return self._ask("unpinSite", {"projectId": project_id}, if_match=if_match)

    def update_site(
        self,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.TriggeredUpdate:
        """Bring a site up to date. Docent does so by itself. Of a repository on another host this looks there now; of one that is here it makes sure that the newest commit is live. Needs a key with the scope `agent`."""
        return self._ask("updateSite", {"projectId": project_id}, idempotency_key=idempotency_key)

    def preview_branch(
        self,
        body: types.NewPreview,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.TriggeredPreview:
        """Preview a branch. The same branch has the same address, which opens for whoever has it and always shows its newest commit. Needs a key with the scope `agent`."""
        return self._ask("previewBranch", {"projectId": project_id}, body=body, idempotency_key=idempotency_key)

    def get_site_update(
        self,
        status_id: str,
    ) -> types.UpdateStatus:
        """Get the state of an update or a preview. How far it is. Ask until `status` is `success` or `failure`."""
        return self._ask("getSiteUpdate", {"statusId": status_id})

    def list_api_addresses(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiAddresses:
        """List descriptions at addresses. The hosts that the server asks for descriptions of APIs, and what it has of each address."""
        return self._ask("listApiAddresses", {"projectId": project_id}, query={"limit": limit, "cursor": cursor})

    def set_api_access(
        self,
        body: types.NewApiAccess,
        *,
        if_match: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiAddresses:
        """Set the hosts of descriptions, and the proxy. The server asks these hosts, and no others, for the descriptions that the docs name by address. What is left out stays as it is. `If-Match` takes `version` in quotation marks, too, and the `ETag` of the list's first page. Needs a key with the scope `admin`."""
        return self._ask("setApiAccess", {"projectId": project_id}, body=body, if_match=if_match)

    def read_api_addresses(
        self,
        *,
        idempotency_key: Optional[str] = None,
        project_id: Optional[str] = None,
    ) -> types.ApiAddressesAsked:
        """Read descriptions again. For the program that publishes an API: its pages follow in seconds, without a push. Needs a key with the scope `agent`."""
        return self._ask("readApiAddresses", {"projectId": project_id}, idempotency_key=idempotency_key)
