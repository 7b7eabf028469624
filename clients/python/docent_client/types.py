"""Bodies of the interface by their names in its document. Written by `npm run fix`: change the routes instead."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _AcceptedViewsRequired(TypedDict):
    accepted: int
    """Number of views that are stored on disk."""


class AcceptedViews(_AcceptedViewsRequired, total=False):
    tooOld: int
    """Number of views that were not counted because they are older than the project's retention period. Omitted if it is zero."""


class _AddCalloutChoreAddCalloutRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""
    kind: Literal["note", "warning", "tip", "info", "check", "danger"]
    """Kind of box"""
    text: str
    """Markdown, used unchanged"""


class AddCalloutChoreAddCallout(_AddCalloutChoreAddCalloutRequired, total=False):
    """Inputs of the chore."""

    section: str
    """Heading that the callout follows; the top of the page when absent"""


class AddCalloutChore(TypedDict):
    """Adds a note, warning, tip, info, check or danger box with the given text to a page."""

    add_callout: AddCalloutChoreAddCallout
    """Inputs of the chore."""


_AddMissingDescriptionsChoreAddMissingDescriptionsRequired = TypedDict("_AddMissingDescriptionsChoreAddMissingDescriptionsRequired", {})
_AddMissingDescriptionsChoreAddMissingDescriptionsOptional = TypedDict("_AddMissingDescriptionsChoreAddMissingDescriptionsOptional", {"in": "List[str]"}, total=False)


class AddMissingDescriptionsChoreAddMissingDescriptions(_AddMissingDescriptionsChoreAddMissingDescriptionsRequired, _AddMissingDescriptionsChoreAddMissingDescriptionsOptional):
    """Inputs of the chore."""

    pass


class AddMissingDescriptionsChore(TypedDict):
    """Gives pages without a description their own first sentence as one. Never invents: pages without a usable first sentence are reported."""

    add_missing_descriptions: AddMissingDescriptionsChoreAddMissingDescriptions
    """Inputs of the chore."""


class _AddPageChoreAddPageRequired(TypedDict):
    title: str
    """Title of the page"""


class AddPageChoreAddPage(_AddPageChoreAddPageRequired, total=False):
    """Inputs of the chore."""

    text: str
    """The page's Markdown, without front matter and title"""
    description: str
    """Description in the front matter"""
    path: str
    """Path or folder of the new page; made of the title and the group's folder when absent"""
    group: str
    """Group of the navigation; with no configured navigation a folder"""
    after: str
    """Page before it in the navigation"""


class AddPageChore(TypedDict):
    """Adds a page with a title and the given Markdown and puts it into the navigation. The text is added unchanged; its links must not be broken."""

    add_page: AddPageChoreAddPage
    """Inputs of the chore."""


_AddRedirectChoreAddRedirectRequired = TypedDict("_AddRedirectChoreAddRedirectRequired", {"from": "str", "to": "str"})
_AddRedirectChoreAddRedirectOptional = TypedDict("_AddRedirectChoreAddRedirectOptional", {}, total=False)


class AddRedirectChoreAddRedirect(_AddRedirectChoreAddRedirectRequired, _AddRedirectChoreAddRedirectOptional):
    """Inputs of the chore."""

    pass


class AddRedirectChore(TypedDict):
    """Adds a redirect from an address without a page to a page. Refuses what would hide a page, lead in a circle or replace another redirect."""

    add_redirect: AddRedirectChoreAddRedirect
    """Inputs of the chore."""


class _AddSectionChoreAddSectionRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""
    title: str
    """Title of the section"""
    text: str
    """Markdown, used unchanged"""


class AddSectionChoreAddSection(_AddSectionChoreAddSectionRequired, total=False):
    """Inputs of the chore."""

    after: str
    """Title of the section that it follows; the end of the page when absent"""
    before: str
    """Title of the section after it"""
    depth: int
    """Heading level; that of its neighbour when absent"""


class AddSectionChore(TypedDict):
    """Adds a section with a heading and the given Markdown to a page, after or before another or at the end."""

    add_section: AddSectionChoreAddSection
    """Inputs of the chore."""


class AgentJobSource(TypedDict):
    """Repository and branch that the job works on."""

    repository: str
    """URL of the repository."""
    ref: Optional[str]
    """Branch that the agent works on. `null` if the job has no branch yet."""


class AgentJobPullRequest(TypedDict):
    """Pull request of the job, which is also present while the job is active. `null` if the job has none."""

    number: int
    """Number of the pull request in the repository."""
    url: str
    """URL of the pull request."""
    state: Literal["open", "merged", "closed"]
    """State of the pull request."""
    draft: bool
    """Whether the pull request is a draft."""


class AgentJobPlan(TypedDict):
    """Changes that a dry run would have published. `null` until the dry run has ended and for other jobs."""

    added: int
    """Number of new files."""
    modified: int
    """Number of changed files."""
    removed: int
    """Number of removed files."""
    paths: List[str]
    """Paths of the files, at most 200."""


class AgentJobLastMessage(TypedDict):
    """Last message sent to the job."""

    seq: int
    """Number of the message: `1` created the job, and later messages are follow-ups."""
    error: Optional[AgentJobError]
    """Reason why the message was not carried out. `null` if it was carried out or is still waiting. A job whose follow-up message is refused stays `completed`."""
    question: Optional[str]
    """Question that the agent needs answered before it can continue. Answer it with a follow-up message. `null` if the agent asks nothing."""


class AgentJobUsage(TypedDict):
    """Usage of all turns of the job."""

    steps: int
    """Number of responses from the model."""
    inputTokens: int
    """Number of tokens that the model read."""
    cachedInputTokens: int
    """Number of tokens in `inputTokens` that the provider read from its cache."""
    outputTokens: int
    """Number of tokens that the model wrote."""
    costUsd: float
    """Cost in US dollars. `0` if no price is set."""


class AgentJobWaitingFor(TypedDict):
    """Model provider that the job waits for in the phase `waiting`. `null` in every other phase."""

    provider: str
    """Name of the model provider that is not responding."""
    reason: str
    """Last error from the provider."""
    since: str
    """Date and time of the first failure."""
    retryAt: str
    """Date and time of the next retry."""


class AgentJob(TypedDict):
    """Current state of an agent job."""

    id: str
    """Opaque identifier of the agent job."""
    status: Literal["active", "completed", "archived", "failed"]
    """Status of the job. `active`: the agent is working on the job; `completed`: every message was handled; `failed`: the job failed, see `error`; `archived`: the job was archived."""
    source: AgentJobSource
    """Repository and branch that the job works on."""
    model: str
    """Provider-qualified name of the model that the job uses."""
    prLink: Optional[str]
    """Link to the pull request, which opens for anyone who is signed in to the project. For a failed job, the draft with the work done so far. `null` while the job is active and if no file was changed."""
    createdAt: str
    """Date and time when the job was created."""
    archivedAt: Optional[str]
    """Date and time when the job was archived. `null` if the job is not archived."""
    transcriptDeletedAt: Optional[str]
    """Date and time when the server deleted the job's instructions and transcript, which it keeps for a limited time after a job is archived. Such a job cannot be unarchived. `null` if they have not been deleted."""
    pullRequest: Optional[AgentJobPullRequest]
    """Pull request of the job, which is also present while the job is active. `null` if the job has none."""
    title: Optional[str]
    """Title of the job and its pull request. `null` if the job has no title yet."""
    summary: Optional[str]
    """Agent's summary of its work. `null` until the agent has completed a turn."""
    changed: bool
    """Whether the last message changed a file or, for a dry run, would change one. `false` while the message is being handled."""
    dryRun: bool
    """Whether the job is a dry run, which publishes nothing."""
    effort: Optional[Literal["low", "medium", "high"]]
    """Reasoning effort: how long the model thinks, as last set by the job or a message. `null` if the settings of the project or the model apply."""
    plan: Optional[AgentJobPlan]
    """Changes that a dry run would have published. `null` until the dry run has ended and for other jobs."""
    error: Optional[AgentJobError]
    """Reason why the job failed. `null` if the job did not fail."""
    lastMessage: AgentJobLastMessage
    """Last message sent to the job."""
    usage: AgentJobUsage
    """Usage of all turns of the job."""
    phase: Literal["queued", "preparing", "running", "waiting", "validating", "publishing", "idle"]
    """Current phase of the job. `idle` if the job is not active."""
    waitingFor: Optional[AgentJobWaitingFor]
    """Model provider that the job waits for in the phase `waiting`. `null` in every other phase."""
    notice: Optional[str]
    """Why an active job makes no progress although nothing is wrong with it, for people: no worker is running. `null` otherwise."""
    previewLink: Optional[str]
    """Link that opens the preview for anyone who has it, until the pull request is merged or closed. `null` if there is no preview."""


class AgentJobDiffFilesItem(TypedDict):
    status: Literal["added", "modified", "removed", "renamed"]
    """Kind of change."""
    path: str
    """Path of the file in the repository."""
    oldPath: Optional[str]
    """Path of the file before it was renamed. `null` if the file was not renamed."""
    additions: Optional[int]
    """Number of added lines. `null` for a binary file."""
    deletions: Optional[int]
    """Number of removed lines. `null` for a binary file."""


class AgentJobDiff(TypedDict):
    base: Optional[str]
    """Commit that the changes are compared with. `null` if there are no changes."""
    head: Optional[str]
    """Commit that contains the changes. `null` if there are no changes."""
    files: List[AgentJobDiffFilesItem]
    """Changed files."""
    hasMore: bool
    """Whether there are more files."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class _AgentJobErrorRequired(TypedDict):
    code: Literal["not_understood", "impossible", "cancelled", "ref_not_found", "budget_exceeded", "step_limit", "time_limit", "stuck", "model_error", "model_auth", "context_overflow", "validation_failed", "branch_moved", "push_denied", "code_host_error", "policy", "worker_died", "internal"]
    """Machine-readable reason for the failure. Use this field in program logic."""
    message: str
    """Human-readable description of the failure."""
    hint: str
    """Advice on what to do about the failure."""


class AgentJobError(_AgentJobErrorRequired, total=False):
    """Reason why a job failed."""

    outage: Literal[True]
    """`true` if the model's provider or the code host was unavailable and a retry may succeed later. Omitted otherwise."""
    suggestions: List[ChoreSuggestion]
    """Chores closest to the instruction that would change something, as tried on the docs. Only with the code `not_understood`, if the job has no language model. Omitted otherwise."""


class AgentJobEvents(TypedDict):
    events: List[AgentJobEvent]
    """Events, oldest first."""
    hasMore: bool
    """Whether there are later events."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class AgentJobs(TypedDict):
    jobs: List[AgentJob]
    """Jobs, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class AgentMessage(TypedDict, total=False):
    """`prompt` is required unless `chores` is given."""

    prompt: str
    """Instruction for the agent. Must not be blank or contain NUL characters."""
    chores: List[AgentChore]
    """Chores to carry out in order without a model, either all of them or none. `prompt` then explains their purpose to people and is not carried out. If `prompt` is omitted, the server describes the chores in words."""
    effort: Literal["low", "medium", "high"]
    """Reasoning effort from this message on: how long the model thinks. Unchanged if omitted."""
    attachments: List[Attachment]
    """Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. If the model cannot see images, the server tells the model that there were images, and notes it in the transcript."""


class AgentSessionTodosItem(TypedDict):
    content: str
    """Task to do."""


class _AgentSessionRequired(TypedDict):
    sessionId: str
    """Opaque identifier of the agent job."""
    subdomain: str
    """Name of the site below the server's domain."""
    branch: Optional[str]
    """Branch that the agent works on. `null` if the job has no branch yet."""
    haulted: bool
    """Whether the agent is idle."""
    haultReason: Literal["completed", "github_missconfigured", "error", "processing", "interrupted"]
    """State of the agent. `processing`: the agent is working; `completed`: every message was handled; `interrupted`: the job was cancelled; `github_missconfigured`: the code host refused the push; `error`: anything else."""
    todos: List[AgentSessionTodosItem]
    """Always empty, because jobs have no such lists."""
    createdAt: str
    """Date and time when the job was created."""


class AgentSession(_AgentSessionRequired, total=False):
    """Agent job in the format of version 1."""

    pullRequestLink: str
    """Link to the pull request. Omitted while the agent is working and if the job has no pull request."""
    messageToUser: str
    """Agent's summary of its work, or the reason why the job failed. Omitted while the agent is working, or if the agent wrote no summary."""
    title: str
    """Title of the job. Omitted if the job has no title yet."""


class AgentSessions(TypedDict):
    allSessions: List[AgentSession]
    """Jobs, newest first."""


class AgentsAgentsItem(TypedDict):
    name: str
    """Product name, as the client states it."""
    operator: Optional[str]
    """Operator of the client. `null` if unknown."""
    category: Literal["assistant", "search", "training", "other_bot", "browser", "http_client"]
    """Purpose for which the client reads."""
    human: int
    """Number of views by people."""
    ai: int
    """Number of views by AI assistants and agents."""
    other: int
    """Number of views counted neither as `human` nor as `ai`."""
    verified: int
    """Number of the client's views that are proven to come from the operator."""
    spoofed: int
    """Number of the client's views that are proven not to come from the operator."""
    unverified: int
    """Number of the client's views from an address that is on none of the operator's lists, while the list was old. These views are counted."""
    lastSeen: str
    """Last day with a view by the client."""


class Agents(TypedDict):
    agents: List[AgentsAgentsItem]
    """Clients other than browsers, by number of views."""


class AnalyticsSnippet(TypedDict):
    snippet: str
    """HTML element that loads the script, for every page of the site hosted elsewhere."""
    allowedOrigins: List[str]
    """Origins that can send views: that of the external site, then `settings.analytics.allowedOrigins` of the project."""


class ApiAddressesAddressesItem(TypedDict):
    address: str
    """Address as the docs name it, without a fragment."""
    live: bool
    """Whether the site that readers see names the address."""
    readAt: Optional[str]
    """Date and time when the address's host last confirmed that the copy is current. `null` if there is no copy."""
    sizeBytes: Optional[int]
    """Size of the copy in bytes. `null` if there is no copy."""
    trouble: Optional[str]
    """Reason why the last fetch failed. `null` if the fetch succeeded."""
    nextAt: Optional[str]
    """Date and time of the next fetch. `null` if the address is fetched when a push names it."""


class ApiAddresses(TypedDict):
    hosts: List[str]
    """Hosts from which the server can fetch API descriptions, such as `api.example.com` or `*.example.com`, with the port if it differs from that of https. Fetching is off if empty."""
    proxy: bool
    """Whether requests that readers try on API pages go through this server. `false` in a new project."""
    version: str
    """Version of the settings. Changes whenever `hosts` or `proxy` changes, but not when the copies of addresses change."""
    addresses: List[ApiAddressesAddressesItem]
    """State of the copy of each address that the docs name, by address."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class ApiAddressesAsked(TypedDict):
    addresses: int
    """Number of addresses that the server fetches."""


class ApiKey(TypedDict):
    """An API key, without the key itself."""

    id: str
    """Id of the key, not the key itself."""
    name: str
    """Purpose of the key."""
    hint: str
    """Last four characters of the key."""
    scope: Literal["read", "agent", "write", "admin"]
    """Scope of the key. `read`: read jobs, counts and the site. `agent`: also create jobs, and send messages and views. `write`: also push, merge and close pull requests, and pin the site. `admin`: also everything else."""
    allow: Optional[List[str]]
    """IP addresses and ranges from which the key can be used. `null` if the key can be used from any address."""
    createdAt: str
    """Date and time when the key was created."""
    lastUsedAt: Optional[str]
    """Date and time when the key was last used. `null` if never."""
    expiresAt: Optional[str]
    """Date and time when the key expires. `null` if the key does not expire."""
    revokedAt: Optional[str]
    """Date and time when the key was revoked. `null` if the key was not revoked."""


class ApiKeys(TypedDict):
    keys: List[ApiKey]
    """Keys, oldest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class ApplyPatchChoreApplyPatch(TypedDict):
    """Inputs of the chore."""

    patch: str
    """A unified patch of text files, as `git diff` prints it, made from the branch that it is applied to"""


class ApplyPatchChore(TypedDict):
    """Applies a patch that the caller made, exactly: every hunk has to fit. For changes made in an editor: the checks before a pull request are the same."""

    apply_patch: ApplyPatchChoreApplyPatch
    """Inputs of the chore."""


class _AskedPageRequired(TypedDict):
    path: str
    """Path or URL of the page."""


class AskedPage(_AskedPageRequired, total=False):
    groups: List[str]
    """Groups of readers. Must be empty: sites have no groups of readers on this server, and the key can read all pages."""


class Attachment(TypedDict):
    """Image attached to a message."""

    mediaType: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """Media type of the image."""
    data: str
    """Content of the image in base64."""


class AuditChoreAudit(TypedDict):
    """Inputs of the chore."""

    pass


class AuditChore(TypedDict):
    """Looks over all docs and reports broken links, pages that do not parse, missing descriptions and alt texts, pages outside the navigation, dead navigation entries and titles used twice. Changes nothing."""

    audit: AuditChoreAudit
    """Inputs of the chore."""


class AuditEventActor(TypedDict):
    """Actor who performed the action."""

    kind: Literal["person", "key", "operator"]
    """Kind of actor."""
    id: str
    """Identifier of the person or key."""
    name: str
    """Name of the actor at the time of the action."""


class AuditEvent(TypedDict):
    """An action in a project."""

    id: str
    """Identifier of the entry; opaque."""
    at: str
    """Date and time of the action."""
    actor: AuditEventActor
    """Actor who performed the action."""
    sentence: str
    """Description of the action, to be read after the actor's name."""
    action: str
    """Name of the API operation, or of the form of the dashboard."""
    subject: Optional[str]
    """Name of what the action affected. `null` if no name was recorded."""
    target: str
    """Path of the request."""
    address: str
    """Address of the client that sent the request."""


class AuditEvents(TypedDict):
    events: List[AuditEvent]
    """Entries, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class AutomationTriggerSchedule(TypedDict):
    kind: Literal["schedule"]
    """Starts the automation at the times in `cron`."""
    cron: str
    """Cron expression: minute, hour, day, month and weekday."""
    timeZone: str
    """Time zone of the hours and days in `cron`."""


class AutomationTriggerPush(TypedDict):
    kind: Literal["push"]
    """Starts the automation after a push to a branch of the repository."""
    branch: str
    """Name of the branch."""


class AutomationTrigger3(TypedDict):
    kind: Literal["source_push", "source_merge"]
    """Starts the automation when a source receives new commits (`source_push`) or a pull request of a source is merged (`source_merge`)."""
    source: str
    """Name of a source of the project."""


class AutomationTriggerApi(TypedDict):
    kind: Literal["api"]
    """Starts the automation only on request."""


class Automation(TypedDict):
    id: str
    """Opaque identifier of the automation."""
    name: str
    """Name of the automation."""
    prompt: str
    """Instruction for the agent."""
    trigger: Union[AutomationTriggerSchedule, AutomationTriggerPush, AutomationTrigger3, AutomationTriggerApi]
    """Trigger that starts the automation."""
    ref: Optional[str]
    """Branch to start from. `null` for the project's branch."""
    model: Optional[str]
    """Provider-qualified name of the model. `null` for the project's model."""
    effort: Optional[Literal["low", "medium", "high"]]
    """Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply."""
    draft: bool
    """Whether pull requests are opened as drafts."""
    enabled: bool
    """Whether the trigger starts the automation."""
    runs: int
    """Number of runs so far."""
    nextRunAt: Optional[str]
    """Date and time of the next run. `null` if no run is scheduled."""
    createdAt: str
    """Date and time when the automation was created."""
    updatedAt: str
    """Date and time when the automation was last changed."""


class AutomationChanges(TypedDict, total=False):
    name: str
    """Name of the automation."""
    prompt: str
    """Instruction for the agent. Must not be blank or contain NUL characters."""
    trigger: AutomationTrigger
    ref: Optional[str]
    """Branch to start from. `null` for the project's branch."""
    model: Optional[str]
    """Provider-qualified name of the model. `null` for the project's model."""
    effort: Optional[Literal["low", "medium", "high"]]
    """Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply."""
    draft: bool
    """Whether to open pull requests as drafts."""
    enabled: bool
    """Whether the trigger starts the automation."""


class AutomationRun(TypedDict):
    number: int
    """Number of the run, counted from 1 in each automation."""
    startedBy: Literal["schedule", "push", "api", "source_push", "source_merge"]
    """What started the run."""
    startedAt: str
    """Date and time when the run started."""
    jobId: Optional[str]
    """Identifier of the job that carries out the run. `null` if the run has no job."""
    messageSeq: Optional[int]
    """Number of the run's message in the job: `1` if the run created the job, a higher number if it added to the job. `null` if there is no job."""
    note: Optional[str]
    """Reason why the run has no job. `null` if it has one."""
    retries: int
    """Number of retries after an outage."""
    retriedAt: Optional[str]
    """Date and time of the last retry. `null` if there was none."""


class AutomationRuns(TypedDict):
    runs: List[AutomationRun]
    """Runs, newest first."""
    hasMore: bool
    """Whether there are earlier runs."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class _AutomationTriggerSchedule2Required(TypedDict):
    kind: Literal["schedule"]
    """Starts the automation at the times in `cron`."""
    cron: str
    """Cron expression: minute, hour, day, month and weekday."""


class AutomationTriggerSchedule2(_AutomationTriggerSchedule2Required, total=False):
    timeZone: str
    """Time zone of the hours and days in `cron`."""


class _AutomationTriggerPush2Required(TypedDict):
    kind: Literal["push"]
    """Starts the automation after a push to a branch of the repository."""


class AutomationTriggerPush2(_AutomationTriggerPush2Required, total=False):
    branch: str
    """Name of the branch. The project's branch if omitted."""


class AutomationTrigger32(TypedDict):
    kind: Literal["source_push", "source_merge"]
    """Starts the automation when a source receives new commits (`source_push`) or a pull request of a source is merged (`source_merge`)."""
    source: str
    """Name of a source of the project."""


class AutomationTriggerApi2(TypedDict):
    kind: Literal["api"]
    """Starts the automation only on request."""


class Automations(TypedDict):
    automations: List[Automation]
    """Automations, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class CancelAgentJob(TypedDict, total=False):
    keepWork: bool
    """Whether to publish the agent's work as a draft."""


class ChangelogFromHistoryChoreChangelogFromHistory(TypedDict, total=False):
    """Inputs of the chore."""

    page: str
    """The changelog page; found by its name when absent"""
    version: str
    """Heading of the entry; the date when absent"""
    since: str
    """Tag or commit before the first change; the last tag when absent"""
    source: str
    """Name of a source to take the commits of; the docs themselves when absent"""


class ChangelogFromHistoryChore(TypedDict):
    """Adds an entry to the changelog made of the subjects of commits since a tag: grouped when they are conventional commits, merges and internal ones left out. The subjects are used unchanged."""

    changelog_from_history: ChangelogFromHistoryChoreChangelogFromHistory
    """Inputs of the chore."""


_CheckLinksChoreCheckLinksRequired = TypedDict("_CheckLinksChoreCheckLinksRequired", {})
_CheckLinksChoreCheckLinksOptional = TypedDict("_CheckLinksChoreCheckLinksOptional", {"in": "List[str]"}, total=False)


class CheckLinksChoreCheckLinks(_CheckLinksChoreCheckLinksRequired, _CheckLinksChoreCheckLinksOptional):
    """Inputs of the chore."""

    pass


class CheckLinksChore(TypedDict):
    """Checks every internal link, image and anchor of the docs and reports those that are broken. Changes nothing."""

    check_links: CheckLinksChoreCheckLinks
    """Inputs of the chore."""


class ChoreSuggestion(TypedDict):
    """Chore that would change something."""

    chore: Dict[str, Dict[str, Any]]
    """Chore with its inputs. Send it in `chores` of a follow-up message."""
    title: str
    """Chore as an instruction in words."""
    files: int
    """Number of files that the chore would change."""
    places: int
    """Number of lines that the chore would change."""


class ChoreTrialChoresItem(TypedDict):
    chore: str
    """Name of the chore."""
    ok: bool
    """Whether the chore can be carried out."""
    summary: str
    """What the chore would do, or why it cannot be carried out."""
    notes: List[str]
    """Notes for reviewers, in Markdown."""
    hint: Optional[str]
    """Advice for a chore that cannot be carried out, otherwise `null`."""


class ChoreTrialFilesItemPlacesItem(TypedDict):
    line: int
    """Number of the line after the change or, for a removed line, before it."""
    before: Optional[str]
    """Current text of the line. `null` for a new line."""
    after: Optional[str]
    """Text of the line after the change. `null` for a removed line."""


class ChoreTrialFilesItem(TypedDict):
    status: Literal["added", "modified", "removed", "renamed"]
    """Kind of change."""
    path: str
    """Path of the file in the repository."""
    oldPath: Optional[str]
    """Path of the file before the change. `null` if the file would not be renamed."""
    additions: Optional[int]
    """Number of lines that would be added. `null` for a binary file."""
    deletions: Optional[int]
    """Number of lines that would be removed. `null` for a binary file."""
    places: List[ChoreTrialFilesItemPlacesItem]
    """Lines that would change, at most 50."""
    morePlaces: int
    """Number of lines that would change and are not in `places`."""


class ChoreTrialFindingsErrorsItem(TypedDict):
    check: str
    """Name of the check that reported the finding."""
    path: Optional[str]
    """Path of the file. `null` if the finding does not concern a single file."""
    line: Optional[int]
    """Number of the line. `null` if the finding does not concern a single line."""
    message: str
    """Human-readable description of the finding."""


class ChoreTrialFindingsWarningsItem(TypedDict):
    check: str
    """Name of the check that reported the finding."""
    path: Optional[str]
    """Path of the file. `null` if the finding does not concern a single file."""
    line: Optional[int]
    """Number of the line. `null` if the finding does not concern a single line."""
    message: str
    """Human-readable description of the finding."""


class ChoreTrialFindings(TypedDict):
    """Findings of the checks that run before a pull request, at most 50 of each kind."""

    errors: List[ChoreTrialFindingsErrorsItem]
    """Findings that would prevent the change from being published."""
    warnings: List[ChoreTrialFindingsWarningsItem]
    """Findings that reviewers would be told."""
    leftOut: int
    """Number of findings that are not listed."""


class ChoreTrialPagesItem(TypedDict):
    path: str
    """Path of the page's file."""
    title: Optional[str]
    """Title of the page. `null` if the page has no title."""
    text: str
    """Text of the page as readers would see it, at most 4,000 characters."""
    problems: List[str]
    """Problems on the page with components, syntax or snippets."""


class _ChoreTrialRequired(TypedDict):
    ok: bool
    """Whether a job with these chores would succeed: it would open a pull request, or find that there is nothing to change."""
    commit: str
    """Commit of the branch on which the chores were tried."""
    chores: List[ChoreTrialChoresItem]
    """Result of each chore, in order."""
    files: List[ChoreTrialFilesItem]
    """Files that would change, at most 1,000. Empty if a chore cannot be carried out."""
    moreFiles: int
    """Number of files that would change and are not in `files`."""
    diff: str
    """Unified patch of at most 100 files and 3,000 lines."""
    diffLeftOut: int
    """Number of files that would change and are not in `diff`. These files have no `places` either."""
    findings: ChoreTrialFindings
    """Findings of the checks that run before a pull request, at most 50 of each kind."""


class ChoreTrial(_ChoreTrialRequired, total=False):
    """Changes that chores would make."""

    pages: List[ChoreTrialPagesItem]
    """Changed pages as readers would see them, at most 5. Omitted if `withPages` is not `true` or the checks report errors."""


class CommitPushedEventData(TypedDict):
    """Details of the event."""

    commit: str
    """ID of the commit."""
    branch: str
    """Branch that the commit was pushed to."""


class CommitPushedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["commit.pushed"]
    """Type of the event."""
    data: CommitPushedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class CurrentSitePin(TypedDict):
    pin: Optional[SitePin]
    """Pin of the site. `null` if the site follows its branch."""


class Deployment(TypedDict):
    id: str
    """Opaque identifier of the deployment."""
    number: int
    """Number of the deployment, counted from 1 in each project."""
    commit: str
    """Id of the commit."""
    branch: str
    """Branch of the site at the time of the deployment."""
    subject: str
    """First line of the commit message."""
    author: str
    """Author of the commit."""
    authoredAt: str
    """Date and time when the commit was written."""
    noticedAt: str
    """Date and time when the server detected that the commit is the newest of the branch."""
    liveAt: Optional[str]
    """Date and time when readers could first see the deployment. `null` if never."""
    liveAfterMs: Optional[int]
    """Milliseconds from the arrival of the push at the server to `liveAt`. `null` if the server did not observe the push or `liveAt` is `null`."""
    live: bool
    """Whether readers currently see the deployment."""
    state: Literal["loading", "ready", "failed", "skipped"]
    """State of the deployment. `loading`: the server is reading the pages for the first time. `ready`: the pages can be shown. `failed`: the deployment cannot be shown, and readers keep seeing the previous one. `skipped`: a newer commit came before the pages were read."""
    trouble: Optional[str]
    """Reason for the state `failed`. `null` in other states."""
    pages: Optional[int]
    """Number of pages. `null` if the pages have not been read yet."""
    errors: Optional[int]
    """Number of errors in the report. `null` if there is no report."""
    warnings: Optional[int]
    """Number of warnings in the report. `null` if there is no report."""


class _DeploymentWithReportReportProblemsItemRequired(TypedDict):
    severity: Literal["error", "warning"]
    """Severity of the problem."""
    path: str
    """Path of the file in the repository."""
    line: Optional[float]
    """Line in the file, counted from 1. `null` if the problem has no line."""
    message: str
    """Description of the problem for people."""


class DeploymentWithReportReportProblemsItem(_DeploymentWithReportReportProblemsItemRequired, total=False):
    code: str
    """Kind of problem, as named by `docent check`. Omitted in reports of older versions."""


class DeploymentWithReportReportLinks(TypedDict):
    """Results of the link check of the site."""

    checked: float
    """Number of links that were checked."""
    broken: float
    """Number of broken links."""


class DeploymentWithReportReport(TypedDict):
    """Report on problems of the deployment. `null` if there is no report yet."""

    problems: List[DeploymentWithReportReportProblemsItem]
    """Problems that were found."""
    leftOut: float
    """Number of problems that are counted but not listed."""
    links: DeploymentWithReportReportLinks
    """Results of the link check of the site."""
    durationMs: float
    """Time taken to create the report, in milliseconds."""


class DeploymentWithReport(TypedDict):
    id: str
    """Opaque identifier of the deployment."""
    number: int
    """Number of the deployment, counted from 1 in each project."""
    commit: str
    """Id of the commit."""
    branch: str
    """Branch of the site at the time of the deployment."""
    subject: str
    """First line of the commit message."""
    author: str
    """Author of the commit."""
    authoredAt: str
    """Date and time when the commit was written."""
    noticedAt: str
    """Date and time when the server detected that the commit is the newest of the branch."""
    liveAt: Optional[str]
    """Date and time when readers could first see the deployment. `null` if never."""
    liveAfterMs: Optional[int]
    """Milliseconds from the arrival of the push at the server to `liveAt`. `null` if the server did not observe the push or `liveAt` is `null`."""
    live: bool
    """Whether readers currently see the deployment."""
    state: Literal["loading", "ready", "failed", "skipped"]
    """State of the deployment. `loading`: the server is reading the pages for the first time. `ready`: the pages can be shown. `failed`: the deployment cannot be shown, and readers keep seeing the previous one. `skipped`: a newer commit came before the pages were read."""
    trouble: Optional[str]
    """Reason for the state `failed`. `null` in other states."""
    pages: Optional[int]
    """Number of pages. `null` if the pages have not been read yet."""
    errors: Optional[int]
    """Number of errors in the report. `null` if there is no report."""
    warnings: Optional[int]
    """Number of warnings in the report. `null` if there is no report."""
    report: Optional[DeploymentWithReportReport]
    """Report on problems of the deployment. `null` if there is no report yet."""


class Deployments(TypedDict):
    deployments: List[Deployment]
    """Deployments, newest first."""
    pin: Optional[SitePin]
    """Commit that the site is pinned to. `null` if the site follows its branch."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class DocsSearchFilter(TypedDict, total=False):
    """Filter for the pages to search."""

    version: str
    """Version of the pages to search. If omitted, the default version, followed by what only other versions have."""
    language: str
    """Language of the pages to search. The site's first language if omitted."""
    tag: str
    """Value of `tag` in the front matter of the pages to search."""
    groups: List[str]
    """Groups of readers. Must be empty: sites have no groups of readers on this server, and the key can read all pages."""


class _DocsSearchRequired(TypedDict):
    query: str
    """Words to search for. Misspelled words and beginnings of words also match."""


class DocsSearch(_DocsSearchRequired, total=False):
    pageSize: int
    """Maximum number of results."""
    scoreThreshold: float
    """Accepted but not applied: this search ranks results without giving them scores."""
    filter: DocsSearchFilter
    """Filter for the pages to search."""


class EndPullRequest(TypedDict, total=False):
    head: str
    """Full ID of the commit that you reviewed, which is `head` in the response of `GET /v2/agent/{projectId}/job/{id}/diff` with `Accept: application/json`. The server refuses the request if the pull request is at any other commit."""


class Erasure(TypedDict):
    address: str
    """Address whose readers were erased. For IPv6, the /64."""
    visitors: int
    """Number of visitor numbers that the address had."""
    views: int
    """Number of deleted views."""
    days: int
    """Number of days with deleted views."""
    feedback: int
    """Number of deleted votes and comments."""
    damagedFiles: Optional[int]
    """Number of deleted files with unreadable bytes of the journal that contained the address. `null` with a key of the project, which leaves these files because they belong to all projects."""
    notReached: List[str]
    """Data that may remain, and what to do about it."""


class ErrorDetailsItem(TypedDict):
    path: str
    """Dotted path of the field, parameter or header. Empty for the whole input."""
    message: str
    """Description of the problem."""


class _ErrorRequired(TypedDict):
    error: str
    """Human-readable error message."""
    code: Literal["invalid", "unauthorized", "forbidden", "not_found", "method_not_allowed", "conflict", "precondition_failed", "too_large", "unsupported_media_type", "idempotency_mismatch", "rate_limited", "internal", "unavailable"]
    """Machine-readable error code. Use this field in program logic."""
    requestId: str
    """Identifier of the request, as in `X-Request-Id`. Empty if the request could not be read."""


class Error(_ErrorRequired, total=False):
    details: List[ErrorDetailsItem]
    """Problems with invalid input, one entry for each."""


class FeedbackFeedbackItem(TypedDict):
    id: str
    """Opaque identifier of the entry."""
    path: str
    """Route of the page."""
    comment: Optional[str]
    """Comment as written. Plain text, even if it contains markup."""
    createdAt: str
    """Date and time of the author's last vote or comment."""
    source: Literal["code_snippet", "contextual", "agent", "thumbs_only"]
    """Source of the entry. `contextual`: a reader's vote with a comment. `thumbs_only`: a vote without a comment. `agent`: a program. `code_snippet`: never used, exists for clients of the commercial API."""
    status: Literal["pending", "in_progress", "resolved", "dismissed"]
    """Status of the team's work on the entry."""
    helpful: Optional[bool]
    """Whether the page was helpful. `null` if an agent did not say."""
    contact: None
    """Always `null`: readers are not asked for an address."""


class Feedback(TypedDict):
    feedback: List[FeedbackFeedbackItem]
    """Entries, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""
    hasMore: bool
    """Whether there are more entries."""


class FeedbackByPageFeedbackItem(TypedDict):
    path: str
    """Route of the page."""
    thumbsUp: int
    """Number of readers who found the page helpful."""
    thumbsDown: int
    """Number of readers who did not find the page helpful."""
    code: int
    """Always 0, because entries never have the source `code_snippet`."""
    total: int
    """Number of all entries, including those of agents."""


class FeedbackByPage(TypedDict):
    feedback: List[FeedbackByPageFeedbackItem]
    """Pages, those with the most entries first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""
    hasMore: bool
    """Whether there are more entries."""


_FilesChangedEventData1MovedItemRequired = TypedDict("_FilesChangedEventData1MovedItemRequired", {"from": "str", "to": "str"})
_FilesChangedEventData1MovedItemOptional = TypedDict("_FilesChangedEventData1MovedItemOptional", {}, total=False)


class FilesChangedEventData1MovedItem(_FilesChangedEventData1MovedItemRequired, _FilesChangedEventData1MovedItemOptional):
    pass


class _FilesChangedEventData1Required(TypedDict):
    added: List[str]
    """Paths of new files."""
    modified: List[str]
    """Paths of changed files."""
    removed: List[str]
    """Paths of removed files."""


class FilesChangedEventData1(_FilesChangedEventData1Required, total=False):
    moved: List[FilesChangedEventData1MovedItem]
    """Pairs of paths in `removed` and `added` that are the same file."""


class FilesChangedEventData2(TypedDict):
    leftOut: str
    """Amount of data that was left out, in words."""


class FilesChangedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["files.changed"]
    """Type of the event."""
    data: Union[FilesChangedEventData1, FilesChangedEventData2]
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


_FixLinksChoreFixLinksRequired = TypedDict("_FixLinksChoreFixLinksRequired", {})
_FixLinksChoreFixLinksOptional = TypedDict("_FixLinksChoreFixLinksOptional", {"in": "List[str]", "only": "Literal[\"anchors\"]"}, total=False)


class FixLinksChoreFixLinks(_FixLinksChoreFixLinksRequired, _FixLinksChoreFixLinksOptional):
    """Inputs of the chore."""

    pass


class FixLinksChore(TypedDict):
    """Corrects broken internal links and anchors where only one target can be meant (a redirect, a page that moved, an anchor spelt differently), and reports the others."""

    fix_links: FixLinksChoreFixLinks
    """Inputs of the chore."""


class FoundSectionMetadata(TypedDict):
    """Metadata of the section."""

    title: str
    """Title of the page."""
    heading: Optional[str]
    """Heading of the section. `null` if the result is the page as a whole."""
    url: str
    """URL of the section on the site."""


class FoundSection(TypedDict):
    content: str
    """Text around the match."""
    path: str
    """Path of the page, as accepted by `readPage`."""
    metadata: FoundSectionMetadata
    """Metadata of the section."""


class InstanceAuditEventActor(TypedDict):
    """Actor who performed the action."""

    kind: Literal["person", "key", "operator"]
    """Kind of actor."""
    id: str
    """Identifier of the person or key."""
    name: str
    """Name of the actor at the time of the action."""


class InstanceAuditEvent(TypedDict):
    """An action in a project or on the server."""

    id: str
    """Identifier of the entry; opaque."""
    at: str
    """Date and time of the action."""
    actor: InstanceAuditEventActor
    """Actor who performed the action."""
    sentence: str
    """Description of the action, to be read after the actor's name."""
    action: str
    """Name of the API operation, or of the form of the dashboard."""
    subject: Optional[str]
    """Name of what the action affected. `null` if no name was recorded."""
    target: str
    """Path of the request."""
    address: str
    """Address of the client that sent the request."""
    projectId: Optional[str]
    """Identifier of the project. `null` if the action concerns the server."""


class InstanceAuditEvents(TypedDict):
    events: List[InstanceAuditEvent]
    """Entries, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class Invitation(TypedDict):
    """An open invitation, without its link."""

    id: str
    """Opaque identifier of the invitation."""
    email: str
    """Email address of the person."""
    role: Literal["reader", "viewer", "editor", "admin"]
    """Role of the person in the project."""
    invitedBy: str
    """Name of the person or key that invited."""
    expiresAt: str
    """Date and time when the invitation expires."""


class Invitations(TypedDict):
    invitations: List[Invitation]
    """Open invitations."""


class JobArchivedEventData(TypedDict):
    """Details of the event."""

    pass


class JobArchivedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["job.archived"]
    """Type of the event."""
    data: JobArchivedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class JobCompletedEventData(TypedDict):
    """Details of the event."""

    summary: Optional[str]
    """Agent's summary of its work. `null` if the agent wrote no summary."""


class JobCompletedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["job.completed"]
    """Type of the event."""
    data: JobCompletedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class JobCreatedEventData(TypedDict):
    """Details of the event."""

    title: Optional[str]
    """Title of the job. `null` if the job has no title."""
    model: str
    """Provider-qualified name of the model that the job uses."""
    ref: str
    """Branch that the job starts from."""


class JobCreatedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["job.created"]
    """Type of the event."""
    data: JobCreatedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class JobFailedEventData(TypedDict):
    """Details of the event."""

    error: AgentJobError


class JobFailedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["job.failed"]
    """Type of the event."""
    data: JobFailedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class JobPhaseEventData(TypedDict):
    """Details of the event."""

    phase: Literal["queued", "preparing", "running", "waiting", "validating", "publishing", "idle"]
    """Phase that the job enters."""


class JobPhaseEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["job.phase"]
    """Type of the event."""
    data: JobPhaseEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class JobUnarchivedEventData(TypedDict):
    """Details of the event."""

    pass


class JobUnarchivedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["job.unarchived"]
    """Type of the event."""
    data: JobUnarchivedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class LogLine(TypedDict):
    """Line of the log."""

    id: str
    """Id of the line."""
    node: str
    """Process that wrote the line, by its host and port. Several processes can use one data directory."""
    time: str
    """Date and time when the line was written."""
    level: Literal["trace", "debug", "info", "warn", "error", "fatal"]
    """Severity of the line. `fatal`: the process ended."""
    message: str
    """Sentence that describes what happened. Always the same for the same kind of event."""
    fields: Dict[str, Any]
    """Context of the line, such as `requestId`, `projectId` and, for an error, `err` with its stack."""


class LogLines(TypedDict):
    lines: List[LogLine]
    """Lines, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class Member(TypedDict):
    """A person with a role in a project."""

    id: str
    """Opaque identifier of the person."""
    name: str
    """Name of the person."""
    email: str
    """Email address of the person."""
    role: Literal["reader", "viewer", "editor", "admin"]
    """Role of the person in the project."""
    isOwner: bool
    """Whether the person is an owner of the server, which grants more than any role."""


class Members(TypedDict):
    members: List[Member]
    """Members of the project."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class _MessageEventDataRequired(TypedDict):
    role: Literal["assistant"]
    """Author of the message."""
    text: str
    """Text of the message."""


class MessageEventData(_MessageEventDataRequired, total=False):
    """Details of the event."""

    subtask: int
    """Number of the sub-task that the event belongs to. Omitted for the agent's own work."""


class MessageEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["message"]
    """Type of the event."""
    data: MessageEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class MessageReceivedEventDataAttachmentsItem(TypedDict):
    mediaType: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """Media type of the image."""
    sizeBytes: int
    """Size of the image in bytes."""


class _MessageReceivedEventDataRequired(TypedDict):
    seq: int
    """Number of the message: `1` created the job, and later messages are follow-ups."""
    prompt: str
    """Instruction for the agent. If the message has chores, their purpose in words."""


class MessageReceivedEventData(_MessageReceivedEventDataRequired, total=False):
    """Details of the event."""

    by: str
    """Person who sent the message. Omitted if a program sent it."""
    chores: List[Dict[str, Any]]
    """Chores of a message that is carried out without a model. Omitted for other messages."""
    attachments: List[MessageReceivedEventDataAttachmentsItem]
    """Images attached to the message. Omitted if there were none."""


class MessageReceivedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["message.received"]
    """Type of the event."""
    data: MessageReceivedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class MessageRefusedEventData(TypedDict):
    """Details of the event."""

    seq: int
    """Number of the message that was not carried out."""
    error: AgentJobError


class MessageRefusedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["message.refused"]
    """Type of the event."""
    data: MessageRefusedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class MissingPagesMissingItem(TypedDict):
    path: str
    """Path that was requested."""
    ai: int
    """Number of views by AI assistants and agents."""
    other: int
    """Number of requests for the path by anyone else."""
    lastSeen: str
    """Last day on which the path was requested."""


class MissingPages(TypedDict):
    missing: List[MissingPagesMissingItem]
    """Paths without a page, most requested first."""


class Models(TypedDict):
    default: str
    """Model for jobs that do not name one."""
    models: List[str]
    """Models of the instance and of the project."""


class _MoveGroupChoreMoveGroupRequired(TypedDict):
    group: str
    """Title of the group, or its trail (Reference > Releases)"""


class MoveGroupChoreMoveGroup(_MoveGroupChoreMoveGroupRequired, total=False):
    """Inputs of the chore."""

    before: str
    """Title of the group, or its trail (Reference > Releases)"""
    after: str
    """Title of the group, or its trail (Reference > Releases)"""
    position: Literal["first", "last"]
    """Place among the groups next to it"""


class MoveGroupChore(TypedDict):
    """Moves a group of the navigation before or after another one of the same list, or to its start or end."""

    move_group: MoveGroupChoreMoveGroup
    """Inputs of the chore."""


class _MovePageChoreMovePageRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""


class MovePageChoreMovePage(_MovePageChoreMovePageRequired, total=False):
    """Inputs of the chore."""

    to: str
    """New path ("guides/install"), or a folder with a slash at its end"""
    title: str
    """New title; without `to` the file is renamed after it"""
    group: str
    """Group of the navigation to move it to"""
    add: bool
    """Refused where another group lists the page: it is added, not moved"""
    redirect: bool
    """Leads readers from the old address to the new one"""
    twins: bool
    """Moves the page's translations along, under the same path in their folders"""


class MovePageChore(TypedDict):
    """Moves or renames a page: its file, its navigation entry, every link to it and the relative links in it, with a redirect from its old address. With a group it changes its place in the navigation."""

    move_page: MovePageChoreMovePage
    """Inputs of the chore."""


class MoveToDocsJsonChoreMoveToDocsJson(TypedDict):
    """Inputs of the chore."""

    pass


class MoveToDocsJsonChore(TypedDict):
    """Moves the docs of Docusaurus, Starlight, VitePress, MkDocs, GitBook, mdBook, Nextra, Fumadocs or plain Markdown to Docent's own format: a docs.json, and pages with its components, at the same addresses. The files of the other tool stay."""

    move_to_docs_json: MoveToDocsJsonChoreMoveToDocsJson
    """Inputs of the chore."""


class NewAgentJob(TypedDict, total=False):
    """`prompt` is required unless `chores` is given."""

    prompt: str
    """Instruction for the agent. Must not be blank or contain NUL characters."""
    chores: List[AgentChore]
    """Chores to carry out in order without a model, either all of them or none. `prompt` then explains their purpose to people and is not carried out. If `prompt` is omitted, the server describes the chores in words."""
    ref: str
    """Branch to start from and to open the pull request against. The project's branch if omitted."""
    model: str
    """Provider-qualified name of the model."""
    draft: bool
    """Whether to open the pull request as a draft."""
    dryRun: bool
    """Whether to only determine what would change. The job reports the changes in `summary` and `plan` and publishes nothing: no branch, no pull request."""
    effort: Literal["low", "medium", "high"]
    """Reasoning effort: how long the model thinks. Models without such a setting ignore it."""
    attachments: List[Attachment]
    """Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. If the model cannot see images, the server tells the model that there were images, and notes it in the transcript."""
    title: str
    """Title of the job and its pull request."""


class NewApiAccess(TypedDict, total=False):
    hosts: List[str]
    """Hosts from which the server can fetch API descriptions, such as `api.example.com` or `*.example.com`, with the port if it differs from that of https. Fetching is off if empty."""
    proxy: bool
    """Whether requests that readers try on API pages go through this server. `false` in a new project."""


class _NewApiKeyRequired(TypedDict):
    name: str
    """Purpose of the key."""
    scope: Literal["read", "agent", "write", "admin"]
    """Scope of the key. `read`: read jobs, counts and the site. `agent`: also create jobs, and send messages and views. `write`: also push, merge and close pull requests, and pin the site. `admin`: also everything else."""


class NewApiKey(_NewApiKeyRequired, total=False):
    allow: Optional[List[str]]
    """IP addresses and ranges from which the key can be used. Requests from other addresses are refused. `null` if the key can be used from any address."""
    expiresInDays: Optional[Literal[7, 30, 60, 90]]
    """Number of days until the key expires: 7, 30, 60 or 90. `null` if the key does not expire."""


class _NewAutomationRequired(TypedDict):
    name: str
    """Name of the automation."""
    prompt: str
    """Instruction for the agent. Must not be blank or contain NUL characters."""
    trigger: AutomationTrigger


class NewAutomation(_NewAutomationRequired, total=False):
    ref: Optional[str]
    """Branch to start from. `null` for the project's branch."""
    model: Optional[str]
    """Provider-qualified name of the model. `null` for the project's model."""
    effort: Optional[Literal["low", "medium", "high"]]
    """Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply."""
    draft: bool
    """Whether to open pull requests as drafts."""
    enabled: bool
    """Whether the trigger starts the automation."""


class _NewErasureRequired(TypedDict):
    address: str
    """IPv4 or IPv6 address whose readers are erased. For IPv6, the whole /64 is erased."""


class NewErasure(_NewErasureRequired, total=False):
    userAgents: List[str]
    """User agents of programs that Docent does not know by name."""
    cookies: List[str]
    """Values of the readers' `docent_visitor` cookies, for projects in which visitors are told apart by a cookie."""


class NewInvitation(TypedDict):
    email: str
    """Email address of the person."""
    role: Literal["reader", "viewer", "editor", "admin"]
    """Role of the person in the project."""


class NewMember(TypedDict):
    email: str
    """Email address of the person."""
    role: Literal["reader", "viewer", "editor", "admin"]
    """Role of the person in the project."""


class NewPreview(TypedDict):
    branch: str
    """Name of a branch."""


class _NewProjectRepositoryRequired(TypedDict):
    url: str
    """HTTPS URL of the repository, without a user name or password."""


class NewProjectRepository(_NewProjectRepositoryRequired, total=False):
    """Repository of the docs. If omitted, the project gets an empty repository to push to."""

    token: str
    """Token for the code host. With a token, the repository stays at its code host and is followed. Without one, the repository is copied."""
    app: bool
    """Whether to use this server's GitHub App instead of a token."""
    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """Software that the code host runs, if its address does not tell. Requires `token` or `app`."""


class _NewProjectRequired(TypedDict):
    name: str
    """Name of the project."""


class NewProject(_NewProjectRequired, total=False):
    slug: str
    """Label of the project in URLs. Derived from the name if omitted."""
    branch: str
    """Branch to publish. If omitted, the repository's branch, or `main` if it has none."""
    contentRoot: str
    """Folder with the docs, if the location of `docs.json` does not determine it."""
    externalSite: str
    """Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP."""
    repository: NewProjectRepository
    """Repository of the docs. If omitted, the project gets an empty repository to push to."""


class NewProjectToken(TypedDict):
    token: str
    """Token for the code host. The token is stored encrypted and never shown."""


class NewSiteLink(TypedDict, total=False):
    path: str
    """Path of the page that the link opens."""
    expiresInSeconds: int
    """Number of seconds until the link expires, from one minute to 366 days. One week if omitted."""


class NewSitePin(TypedDict):
    commit: str
    """Id of a commit in the branch's history or of a deployment, in full or shortened to 7 or more digits."""


class _NewSourceRequired(TypedDict):
    name: str
    """Name by which people and the agent refer to the source. Unique in the project."""
    url: str
    """HTTPS URL of the repository, without a user name or password."""


class NewSource(_NewSourceRequired, total=False):
    token: str
    """Token with read access, for a repository that is not public. The token is stored encrypted."""
    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """Software that the code host runs, if its address does not tell."""
    branch: str
    """Branch to read. The repository's default branch if omitted."""


class NewSourceToken(TypedDict):
    token: str
    """Token for the code host. The token is stored encrypted and never shown."""


class _NewWebhookRequired(TypedDict):
    url: str
    """URL that receives the events, with http or https. Must be on the public Internet, or at a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names."""


class NewWebhook(_NewWebhookRequired, total=False):
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """Events to send. All events if omitted."""
    description: str
    """Purpose of the webhook."""
    format: Literal["standard", "slack"]
    """Format of the request body. `standard` if omitted."""


class NewlyMadeApiKey(TypedDict):
    """An API key, without the key itself."""

    id: str
    """Id of the key, not the key itself."""
    name: str
    """Purpose of the key."""
    hint: str
    """Last four characters of the key."""
    scope: Literal["read", "agent", "write", "admin"]
    """Scope of the key. `read`: read jobs, counts and the site. `agent`: also create jobs, and send messages and views. `write`: also push, merge and close pull requests, and pin the site. `admin`: also everything else."""
    allow: Optional[List[str]]
    """IP addresses and ranges from which the key can be used. `null` if the key can be used from any address."""
    createdAt: str
    """Date and time when the key was created."""
    lastUsedAt: Optional[str]
    """Date and time when the key was last used. `null` if never."""
    expiresAt: Optional[str]
    """Date and time when the key expires. `null` if the key does not expire."""
    revokedAt: Optional[str]
    """Date and time when the key was revoked. `null` if the key was not revoked."""
    key: str
    """The key: `docent_` followed by 38 letters and digits. The key is not shown again."""


class NewlyMadeInvitation(TypedDict):
    """An open invitation, without its link."""

    id: str
    """Opaque identifier of the invitation."""
    email: str
    """Email address of the person."""
    role: Literal["reader", "viewer", "editor", "admin"]
    """Role of the person in the project."""
    invitedBy: str
    """Name of the person or key that invited."""
    expiresAt: str
    """Date and time when the invitation expires."""
    url: str
    """The link to send."""
    isMailed: bool
    """Whether Docent sends the link by mail."""


_NormaliseStyleChoreNormaliseStyleRequired = TypedDict("_NormaliseStyleChoreNormaliseStyleRequired", {})
_NormaliseStyleChoreNormaliseStyleOptional = TypedDict("_NormaliseStyleChoreNormaliseStyleOptional", {"listMarker": "Literal[\"-\", \"*\", \"+\"]", "insteadOf": "Literal[\"-\", \"*\", \"+\"]", "headingCase": "Literal[\"sentence\", \"title\"]", "glossary": "str", "in": "List[str]"}, total=False)


class NormaliseStyleChoreNormaliseStyle(_NormaliseStyleChoreNormaliseStyleRequired, _NormaliseStyleChoreNormaliseStyleOptional):
    """Inputs of the chore."""

    pass


class NormaliseStyleChore(TypedDict):
    """Makes list markers or the case of headings uniform, or replaces the terms of a glossary file by those to be used. Words whose capital the docs use elsewhere keep it."""

    normalise_style: NormaliseStyleChoreNormaliseStyle
    """Inputs of the chore."""


class NotCountedNotCountedItem(TypedDict):
    reason: Literal["search", "training", "other_bot", "unconfirmed", "http_client", "own_traffic", "not_found", "duplicate", "counted_when_served", "prefetch", "shed", "not_collected", "too_old", "spoofed", "automated", "flood"]
    """Reason why the views were not counted. Use this field, not `explanation`, in programs."""
    explanation: str
    """Explanation of the reason for people."""
    views: int
    """Number of views."""


class NotCounted(TypedDict):
    notCounted: List[NotCountedNotCountedItem]
    """Reasons with views in the range, most frequent first."""


class _NoticeEventDataRequired(TypedDict):
    code: str
    """Kind of notice."""
    text: str
    """Human-readable text of the notice."""


class NoticeEventData(_NoticeEventDataRequired, total=False):
    """Details of the event."""

    subtask: int
    """Number of the sub-task that the event belongs to. Omitted for the agent's own work."""


class NoticeEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["notice"]
    """Type of the event."""
    data: NoticeEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class _OpenapiPagesChoreOpenapiPagesRequired(TypedDict):
    file: str
    """OpenAPI or Swagger description in the repository, JSON or YAML"""


class OpenapiPagesChoreOpenapiPages(_OpenapiPagesChoreOpenapiPagesRequired, total=False):
    """Inputs of the chore."""

    source: str
    """Name of the source that has the file; the docs themselves when absent"""
    folder: str
    """Folder of the pages"""
    group: str
    """Group of the navigation; made if absent"""


class OpenapiPagesChore(TypedDict):
    """Writes API reference pages from an OpenAPI file, one per tag, and puts them into the navigation. Pages that it made before are rewritten; other pages are never overwritten."""

    openapi_pages: OpenapiPagesChoreOpenapiPages
    """Inputs of the chore."""


class OrphanReportChoreOrphanReport(TypedDict):
    """Inputs of the chore."""

    pass


class OrphanReportChore(TypedDict):
    """Lists pages that are not in the navigation and navigation entries without a page. Changes nothing."""

    orphan_report: OrphanReportChoreOrphanReport
    """Inputs of the chore."""


class PageText(TypedDict):
    path: str
    """Path of the page."""
    content: str
    """The page as Markdown."""


class PageVisitors(TypedDict):
    """Counts for one page."""

    human: int
    """Count for people."""
    ai: int
    """Count for AI assistants and agents."""
    total: int
    """Count for people and AI together. Each visitor is counted once, so this is not necessarily the sum."""
    path: str
    """Path of the page."""


class PlanUpdatedEventDataStepsItem(TypedDict):
    text: str
    """Planned action."""
    state: Literal["open", "in_progress", "done", "dropped"]
    """State of the step. `dropped`: the agent will not do it after all."""


class PlanUpdatedEventData(TypedDict):
    """Details of the event."""

    steps: List[PlanUpdatedEventDataStepsItem]
    """All steps of the plan, in order."""


class PlanUpdatedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["plan.updated"]
    """Type of the event."""
    data: PlanUpdatedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class ProjectRepository(TypedDict):
    """Repository of the docs."""

    url: str
    """URL for cloning the repository."""
    host: Literal["embedded", "github", "gitlab", "gitea", "forgejo"]
    """Code host of the repository. `embedded`: this server. The other values are hosts elsewhere."""
    source: Optional[str]
    """URL of the external repository that Docent copied or follows. `null` if the repository was created on this server."""
    missing: bool
    """Whether the repository is missing from the data directory. If so, the site responds with 503 and jobs wait until the repository is restored."""


class ProjectAccess(TypedDict):
    """Who can read the site."""

    mode: Literal["public", "password", "dashboard", "links"]
    """Who can read the site. `public`: everyone. `password`: anyone with the password. `dashboard`: people who can sign in to the dashboard. `links`: anyone with a link."""


class Project(TypedDict):
    """A docs project in its current state."""

    id: str
    """Opaque identifier of the project."""
    slug: str
    """Label of the project in URLs."""
    name: str
    """Name of the project."""
    branch: str
    """Branch that the site shows and that pull requests are merged into."""
    siteUrl: str
    """URL of the site for readers."""
    repository: ProjectRepository
    """Repository of the docs."""
    settings: ProjectSettings
    secrets: List[str]
    """Names of the stored keys of model providers. The keys are never shown."""
    access: ProjectAccess
    """Who can read the site."""
    domains: List[str]
    """Domains of the site, the main one first."""
    pinnedCommit: Optional[str]
    """Commit that the site is pinned to. `null` if the site is not pinned."""
    createdAt: str
    """Date and time when the project was created."""
    archivedAt: Optional[str]
    """Date and time when the project was archived. `null` if the project is not archived."""
    version: str
    """Version of the project. Changes whenever any field other than `repository.missing` and `connection` changes."""
    connection: Optional[ProjectConnection]
    """Connection to the repository at another code host. `null` if this server hosts the repository."""


class ProjectChangesAccessPassword(TypedDict):
    mode: Literal["password"]
    """Access for anyone with the password."""
    password: str
    """Password for the site. The password is stored as a hash."""


class ProjectChangesAccess2(TypedDict):
    mode: Literal["public", "dashboard", "links"]
    """Who can read the site without a password."""


class ProjectChanges(TypedDict, total=False):
    """Fields to change. Omitted fields stay unchanged."""

    name: str
    """Name of the project."""
    slug: str
    """New label of the project in URLs. The old address redirects to the new one and stays reserved for this project."""
    archived: bool
    """Whether the project is archived. The site and pages of an archived project stay, but the project accepts no jobs, automations or pushes until it is unarchived. Running jobs finish."""
    branch: str
    """Name of an existing branch."""
    settings: ProjectSettingsChanges
    secrets: Dict[str, Optional[str]]
    """Keys of model providers by name, stored encrypted. Keys that are not named stay unchanged."""
    access: Union[ProjectChangesAccessPassword, ProjectChangesAccess2]
    """Who can read the site. Every change ends all sessions and links of readers."""
    domains: List[str]
    """All domains of the site, the main one first. A domain that is added with a key of the project requires the DNS record that the error names."""


class ProjectConnection(TypedDict):
    """Connection to a repository at another code host, which the server follows. The token is never shown."""

    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """Software that the code host runs."""
    url: str
    """URL of the repository at the code host."""
    state: Literal["current", "waiting", "failing"]
    """State of the connection. `waiting`: the repository has not been fetched yet. `failing`: the last check of the code host failed, see `trouble`."""
    syncedAt: Optional[str]
    """Date and time when the branch was last up to date. `null` if never."""
    triedAt: Optional[str]
    """Date and time when the server last contacted the code host. `null` if the code host is contacted next."""
    webhookAt: Optional[str]
    """Date and time of the last call by the code host's webhook. `null` if never."""
    trouble: Optional[str]
    """Description of what went wrong. `null` if nothing did."""
    remarks: List[str]
    """Other features that do not work, such as comments."""
    app: Optional[str]
    """Name of the GitHub App with which the server accesses the repository. `null` if the server uses a token."""


class ProjectSettingsQuotas(TypedDict, total=False):
    """Quotas of the project, which replace the server's quotas. Can only be changed with a key of the instance."""

    jobsPerDay: int
    """Maximum number of new jobs per UTC day."""
    storageMb: int
    """Maximum size of a repository that is hosted on this server, in megabytes of 1,000,000 bytes."""


class ProjectSettingsAnalytics(TypedDict, total=False):
    """Settings for counting views and visitors."""

    collect: bool
    """Whether views are counted."""
    countPrivate: bool
    """Whether readers whose browser sends GPC or DNT are counted."""
    identity: Literal["stable", "daily", "cookie"]
    """Method by which visitors are told apart."""
    retentionDays: int
    """Number of days for which views are kept."""
    excludedNetworks: List[str]
    """IP addresses and ranges whose views are not counted."""
    allowedOrigins: List[str]
    """Origins of sites hosted elsewhere whose pages can send views."""
    feedback: bool
    """Whether pages ask readers if the page was helpful."""


class ProjectSettings(TypedDict, total=False):
    """Settings of the project. A setting that is omitted has the server's default value."""

    contentRoot: str
    """Folder with the docs, if the location of `docs.json` does not determine it."""
    model: str
    """Model for jobs that do not name one."""
    effort: Literal["low", "medium", "high"]
    """Effort of models in jobs that do not set one: how long the models think."""
    instructions: str
    """Standing instructions for the agent."""
    draftOnFindings: bool
    """Whether a change with findings becomes a draft pull request instead of failing."""
    unseenWords: Literal["report", "refuse"]
    """Handling of a change with text that agents would read and people may not see."""
    publicPullRequests: bool
    """Whether everyone can read pull requests and previews while the site is public."""
    mention: str
    """Name with which comments at the code host address the agent. `off` turns comments for the agent off."""
    previewPosts: Literal["off", "status", "comment"]
    """Form in which previews are shown at the code host."""
    publicAddress: str
    """URL at which another site shows this site, possibly with a path. Without a query or a trailing slash."""
    externalSite: str
    """Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP."""
    redirectToMainDomain: bool
    """Whether readers who use another name of the site are redirected to the main domain."""
    apiHosts: List[str]
    """Hosts from which the server can fetch API descriptions."""
    webHosts: List[str]
    """Hosts whose web pages the agent can read."""
    apiProxy: bool
    """Whether requests that readers try on API pages go through this server."""
    models: Dict[str, Any]
    """The project's own model providers and the allowed models, in the format of `DOCENT_MODELS`. Can only be changed with a key of the instance."""
    quotas: ProjectSettingsQuotas
    """Quotas of the project, which replace the server's quotas. Can only be changed with a key of the instance."""
    analytics: ProjectSettingsAnalytics
    """Settings for counting views and visitors."""


class ProjectSettingsChangesQuotas(TypedDict, total=False):
    """Quotas of the project, which replace the server's quotas. Omitted fields stay unchanged; `null` resets a field, or all of them. Can only be changed with a key of the instance."""

    jobsPerDay: Optional[int]
    """Maximum number of new jobs per UTC day."""
    storageMb: Optional[int]
    """Maximum size of a repository that is hosted on this server, in megabytes of 1,000,000 bytes."""


class ProjectSettingsChangesAnalytics(TypedDict, total=False):
    """Settings for counting views and visitors. Omitted fields stay unchanged; `null` resets a field, or all of them."""

    collect: Optional[bool]
    """Whether views are counted."""
    countPrivate: Optional[bool]
    """Whether readers whose browser sends GPC or DNT are counted."""
    identity: Literal["stable", "daily", "cookie", None]
    """Method by which visitors are told apart."""
    retentionDays: Optional[int]
    """Number of days for which views are kept."""
    excludedNetworks: Optional[List[str]]
    """IP addresses and ranges whose views are not counted."""
    allowedOrigins: Optional[List[str]]
    """Origins of sites hosted elsewhere whose pages can send views."""
    feedback: Optional[bool]
    """Whether pages ask readers if the page was helpful."""


class ProjectSettingsChanges(TypedDict, total=False):
    """Settings to change. `null` removes a setting."""

    contentRoot: Optional[str]
    """Folder with the docs, if the location of `docs.json` does not determine it."""
    model: Optional[str]
    """Model for jobs that do not name one."""
    effort: Literal["low", "medium", "high", None]
    """Effort of models in jobs that do not set one: how long the models think."""
    instructions: Optional[str]
    """Standing instructions for the agent."""
    draftOnFindings: Optional[bool]
    """Whether a change with findings becomes a draft pull request instead of failing."""
    unseenWords: Literal["report", "refuse", None]
    """Handling of a change with text that agents would read and people may not see."""
    publicPullRequests: Optional[bool]
    """Whether everyone can read pull requests and previews while the site is public."""
    mention: Optional[str]
    """Name with which comments at the code host address the agent. `off` turns comments for the agent off."""
    previewPosts: Literal["off", "status", "comment", None]
    """Form in which previews are shown at the code host."""
    publicAddress: Optional[str]
    """URL at which another site shows this site, possibly with a path. Without a query or a trailing slash."""
    externalSite: Optional[str]
    """Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP."""
    redirectToMainDomain: Optional[bool]
    """Whether readers who use another name of the site are redirected to the main domain."""
    apiHosts: Optional[List[str]]
    """Hosts from which the server can fetch API descriptions."""
    webHosts: Optional[List[str]]
    """Hosts whose web pages the agent can read."""
    apiProxy: Optional[bool]
    """Whether requests that readers try on API pages go through this server."""
    models: Optional[Dict[str, Any]]
    """The project's own model providers and the allowed models, in the format of `DOCENT_MODELS`. Can only be changed with a key of the instance."""
    quotas: Optional[ProjectSettingsChangesQuotas]
    """Quotas of the project, which replace the server's quotas. Omitted fields stay unchanged; `null` resets a field, or all of them. Can only be changed with a key of the instance."""
    analytics: Optional[ProjectSettingsChangesAnalytics]
    """Settings for counting views and visitors. Omitted fields stay unchanged; `null` resets a field, or all of them."""


class Projects(TypedDict):
    projects: List[Project]
    """Projects, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class PullRequestClosedEventData(TypedDict):
    """Details of the event."""

    number: int
    """Number of the pull request."""
    url: str
    """URL of the pull request."""


class PullRequestClosedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["pull_request.closed"]
    """Type of the event."""
    data: PullRequestClosedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class PullRequestMergedEventData(TypedDict):
    """Details of the event."""

    number: int
    """Number of the pull request."""
    url: str
    """URL of the pull request."""


class PullRequestMergedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["pull_request.merged"]
    """Type of the event."""
    data: PullRequestMergedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class PullRequestOpenedEventData(TypedDict):
    """Details of the event."""

    number: int
    """Number of the pull request."""
    url: str
    """URL of the pull request."""
    commit: str
    """ID of the commit."""


class PullRequestOpenedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["pull_request.opened"]
    """Type of the event."""
    data: PullRequestOpenedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class PullRequestReopenedEventData(TypedDict):
    """Details of the event."""

    number: int
    """Number of the pull request."""
    url: str
    """URL of the pull request."""


class PullRequestReopenedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["pull_request.reopened"]
    """Type of the event."""
    data: PullRequestReopenedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class PullRequestUpdatedEventData(TypedDict):
    """Details of the event."""

    number: int
    """Number of the pull request."""
    url: str
    """URL of the pull request."""
    commit: str
    """ID of the commit."""


class PullRequestUpdatedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["pull_request.updated"]
    """Type of the event."""
    data: PullRequestUpdatedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class ReferrersReferrersItem(TypedDict):
    referrer: Optional[str]
    """Host that readers came from, without `www.`. `null` if the views have no referring host."""
    human: int
    """Number of views by people."""
    ai: int
    """Number of views by AI assistants and agents."""


class Referrers(TypedDict):
    referrers: List[ReferrersReferrersItem]
    """Referring hosts, by number of views."""


class _RemovePageChoreRemovePageRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""


class RemovePageChoreRemovePage(_RemovePageChoreRemovePageRequired, total=False):
    """Inputs of the chore."""

    redirectTo: str
    """Page that takes its place; needed when something links to the page"""


class RemovePageChore(TypedDict):
    """Removes a page and its navigation entry. With redirectTo it redirects the address to another page and points the links to it there; reports every link that it changed. Without it nothing may link to the page."""

    remove_page: RemovePageChoreRemovePage
    """Inputs of the chore."""


_RemoveRedirectChoreRemoveRedirectRequired = TypedDict("_RemoveRedirectChoreRemoveRedirectRequired", {"from": "str"})
_RemoveRedirectChoreRemoveRedirectOptional = TypedDict("_RemoveRedirectChoreRemoveRedirectOptional", {"to": "str"}, total=False)


class RemoveRedirectChoreRemoveRedirect(_RemoveRedirectChoreRemoveRedirectRequired, _RemoveRedirectChoreRemoveRedirectOptional):
    """Inputs of the chore."""

    pass


class RemoveRedirectChore(TypedDict):
    """Removes the redirect from an address. Refuses while links lead by it."""

    remove_redirect: RemoveRedirectChoreRemoveRedirect
    """Inputs of the chore."""


class RemoveSectionChoreRemoveSection(TypedDict):
    """Inputs of the chore."""

    page: str
    """Path, address, file name or title of the page"""
    title: str
    """Title of the section"""


class RemoveSectionChore(TypedDict):
    """Removes a heading and all content below it. Links from other pages to the heading then lead to the page."""

    remove_section: RemoveSectionChoreRemoveSection
    """Inputs of the chore."""


class RenameGroupChoreRenameGroup(TypedDict):
    """Inputs of the chore."""

    group: str
    """Title of the group, or its trail (Reference > Releases)"""
    to: str
    """New title of the group"""


class RenameGroupChore(TypedDict):
    """Gives a group of the navigation another title. Pages and their addresses stay."""

    rename_group: RenameGroupChoreRenameGroup
    """Inputs of the chore."""


class RepairNavigationChoreRepairNavigation(TypedDict, total=False):
    """Inputs of the chore."""

    addOrphans: bool
    """Add pages that are not listed, next to the pages of their folder, and remove nothing"""
    group: str
    """Group for those pages, instead of the one of their folder"""


class RepairNavigationChore(TypedDict):
    """Removes navigation entries of pages that do not exist. With addOrphans it removes nothing, but adds pages that are not listed to the group that lists most of their folder."""

    repair_navigation: RepairNavigationChoreRepairNavigation
    """Inputs of the chore."""


class ReplaceSectionChoreReplaceSection(TypedDict):
    """Inputs of the chore."""

    page: str
    """Path, address, file name or title of the page"""
    title: str
    """Title of the section"""
    text: str
    """Markdown, used unchanged"""


class ReplaceSectionChore(TypedDict):
    """Replaces the content below a heading, including its sub-sections, with the given Markdown. The heading stays."""

    replace_section: ReplaceSectionChoreReplaceSection
    """Inputs of the chore."""


_ReplaceTermChoreReplaceTermRequired = TypedDict("_ReplaceTermChoreReplaceTermRequired", {"from": "str", "to": "str"})
_ReplaceTermChoreReplaceTermOptional = TypedDict("_ReplaceTermChoreReplaceTermOptional", {"in": "List[str]", "except": "List[str]", "only": "Literal[\"headings\", \"titles\"]", "includeCode": "bool", "letterCase": "Literal[\"exact\", \"as-written\", \"any\"]", "wholeWord": "bool", "plural": "bool"}, total=False)


class ReplaceTermChoreReplaceTerm(_ReplaceTermChoreReplaceTermRequired, _ReplaceTermChoreReplaceTermOptional):
    """Inputs of the chore."""

    pass


class ReplaceTermChore(TypedDict):
    """Replaces a word or phrase wherever readers see it: prose, titles and descriptions in the front matter, visible component attributes, navigation labels. Leaves code, addresses, ids and front-matter keys alone and reports where they still hold the term. Links to headings that change are corrected."""

    replace_term: ReplaceTermChoreReplaceTerm
    """Inputs of the chore."""


_ReportMissingAltChoreReportMissingAltRequired = TypedDict("_ReportMissingAltChoreReportMissingAltRequired", {})
_ReportMissingAltChoreReportMissingAltOptional = TypedDict("_ReportMissingAltChoreReportMissingAltOptional", {"in": "List[str]"}, total=False)


class ReportMissingAltChoreReportMissingAlt(_ReportMissingAltChoreReportMissingAltRequired, _ReportMissingAltChoreReportMissingAltOptional):
    """Inputs of the chore."""

    pass


class ReportMissingAltChore(TypedDict):
    """Lists the images without alternative text. Changes nothing: what they show only people know."""

    report_missing_alt: ReportMissingAltChoreReportMissingAlt
    """Inputs of the chore."""


class SearchesSearchesItem(TypedDict):
    searchQuery: str
    """Search query."""
    hits: int
    """Number of searches with the query."""
    ctr: float
    """Share of these searches that led to a page, from 0 to 1."""
    topClickedPage: Optional[str]
    """Page that most of these searches led to. `null` if none led to a page."""
    lastSearchedAt: str
    """Date and time of the last search with the query."""


class Searches(TypedDict):
    searches: List[SearchesSearchesItem]
    """Search queries, most frequent first."""
    totalSearches: int
    """Number of all searches in the range, including those whose words are not kept."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class _SentViewsViewsItemRequired(TypedDict):
    event_id: str
    """Id of the view, chosen by the sender. Views with the same id on the same UTC day are the same view."""
    path: str
    """Path of the page."""
    address: str
    """IPv4 or IPv6 address of the reader. The address is not stored."""
    userAgent: str
    """`User-Agent` header of the reader. The header is not stored."""


class SentViewsViewsItem(_SentViewsViewsItemRequired, total=False):
    time: str
    """Date and time of the view. The current time if omitted."""
    surface: Literal["html", "markdown", "llms"]
    """Format in which the page was served."""
    found: bool
    """Whether the page existed."""
    accept: str
    """`Accept` header of the reader."""
    referrer: str
    """`Referer` header of the reader. Only its host is stored."""


class SentViews(TypedDict):
    views: List[SentViewsViewsItem]
    """Views to send."""


class SeriesDaysItemVisitors(TypedDict):
    """Unique visitors of the day."""

    human: int
    """Unique visitors of the day that are people."""
    ai: int
    """Unique visitors of the day that are AI assistants and agents."""
    total: int
    """People, AI assistants and agents together."""


class SeriesDaysItemViews(TypedDict):
    """Views of the day."""

    human: int
    """Views of the day by people."""
    ai: int
    """Views of the day by AI assistants and agents."""
    total: int
    """People, AI assistants and agents together."""


class SeriesDaysItem(TypedDict):
    day: str
    """UTC day."""
    visitors: SeriesDaysItemVisitors
    """Unique visitors of the day."""
    views: SeriesDaysItemViews
    """Views of the day."""


class Series(TypedDict):
    days: List[SeriesDaysItem]
    """Days of the range, oldest first. The counts of days without views are 0."""


class _SetAltTextChoreSetAltTextRequired(TypedDict):
    image: str
    """Path of the image, or its end ("console.png")"""
    alt: str
    """What the image shows; empty for an image that only decorates"""


class SetAltTextChoreSetAltText(_SetAltTextChoreSetAltTextRequired, total=False):
    """Inputs of the chore."""

    page: str
    """Only on this page"""


class SetAltTextChore(TypedDict):
    """Sets the alternative text of an image wherever it is shown; an empty text marks it as decoration."""

    set_alt_text: SetAltTextChoreSetAltText
    """Inputs of the chore."""


_SetFrontMatterChoreSetFrontMatterRequired = TypedDict("_SetFrontMatterChoreSetFrontMatterRequired", {"key": "str", "value": "Optional[Union[str, float, bool, List[str]]]"})
_SetFrontMatterChoreSetFrontMatterOptional = TypedDict("_SetFrontMatterChoreSetFrontMatterOptional", {"page": "str", "in": "List[str]", "except": "List[str]", "add": "bool"}, total=False)


class SetFrontMatterChoreSetFrontMatter(_SetFrontMatterChoreSetFrontMatterRequired, _SetFrontMatterChoreSetFrontMatterOptional):
    """Inputs of the chore."""

    pass


class SetFrontMatterChore(TypedDict):
    """Sets, adds or removes one value in the front matter of a page, such as its title or its keywords."""

    set_front_matter: SetFrontMatterChoreSetFrontMatter
    """Inputs of the chore."""


class SiteLink(TypedDict):
    url: str
    """URL that opens the page and grants access to the whole site."""
    token: str
    """Token that a program can send to the site as `Authorization: Bearer` instead of opening the URL."""
    expiresAt: str
    """Date and time when the link expires."""


class SitePin(TypedDict):
    commit: str
    """Id of the commit."""
    at: str
    """Date and time when the site was pinned."""
    by: str
    """Name of the API key or command that pinned the site."""


class Source(TypedDict):
    """An additional repository of a project, which the agent reads but never writes to. The token is never shown."""

    id: str
    """Opaque identifier of the source."""
    name: str
    """Name by which people and the agent refer to the source. Unique in the project."""
    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """Software that the code host runs."""
    url: str
    """URL of the repository at the code host."""
    branch: str
    """Branch that the agent reads."""
    syncedAt: Optional[str]
    """Date and time when the branch was last up to date. `null` if never."""
    trouble: Optional[str]
    """Reason why the last check of the code host failed. `null` if the check succeeded."""


class Sources(TypedDict):
    sources: List[Source]
    """Sources, by name."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class SubtaskFinishedEventData(TypedDict):
    """Details of the event."""

    subtask: int
    """Number of the sub-task within its `subtasks.started`."""
    title: str
    """Name that the agent gave the sub-task."""
    ok: bool
    """Whether the sub-task was carried out."""
    summary: str
    """Report of the sub-task, or why it was stopped."""
    changed: List[str]
    """Paths of the files that the sub-task changed."""
    steps: int
    """Number of model steps of the sub-task."""
    inputTokens: int
    """Number of tokens that the model read."""
    outputTokens: int
    """Number of tokens that the model wrote."""
    costUsd: float
    """Cost of the sub-task in US dollars, part of the job's. `0` if the model has no prices."""


class SubtaskFinishedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["subtask.finished"]
    """Type of the event."""
    data: SubtaskFinishedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class SubtasksStartedEventData1SubtasksItem(TypedDict):
    subtask: int
    """Number of the sub-task within its `subtasks.started`."""
    title: str
    """Name that the agent gave the sub-task."""
    files: List[str]
    """Files and folders that the sub-task may change."""


class SubtasksStartedEventData1(TypedDict):
    subtasks: List[SubtasksStartedEventData1SubtasksItem]
    """Sub-tasks that the agent started. They run side by side."""


class SubtasksStartedEventData2(TypedDict):
    leftOut: str
    """Amount of data that was left out, in words."""


class SubtasksStartedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["subtasks.started"]
    """Type of the event."""
    data: Union[SubtasksStartedEventData1, SubtasksStartedEventData2]
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class SurfacesSurfacesItem(TypedDict):
    surface: Literal["html", "markdown", "llms"]
    """Form in which the content was read."""
    human: int
    """Number of views by people."""
    ai: int
    """Number of views by AI assistants and agents."""


class Surfaces(TypedDict):
    surfaces: List[SurfacesSurfacesItem]
    """Views of each form in which the content is read."""


class _ToolFinishedEventDataRequired(TypedDict):
    id: str
    """Identifier of the tool call, the same as in `tool.started`."""
    tool: str
    """Name of the tool."""
    ok: bool
    """Whether the tool call succeeded."""
    summary: str
    """Summary of the result."""
    durationMs: float
    """Duration of the tool call in milliseconds."""


class ToolFinishedEventData(_ToolFinishedEventDataRequired, total=False):
    """Details of the event."""

    reason: str
    """Reason why the tool call failed, as reported to the model. Omitted if it did not fail."""
    subtask: int
    """Number of the sub-task that the event belongs to. Omitted for the agent's own work."""


class ToolFinishedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["tool.finished"]
    """Type of the event."""
    data: ToolFinishedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class _ToolStartedEventData1Required(TypedDict):
    id: str
    """Identifier of the tool call, the same in `tool.finished`."""
    tool: str
    """Name of the tool."""


class ToolStartedEventData1(_ToolStartedEventData1Required, total=False):
    input: Any
    """Input of the tool."""
    subtask: int
    """Number of the sub-task that the event belongs to. Omitted for the agent's own work."""


class ToolStartedEventData2(TypedDict):
    leftOut: str
    """Amount of data that was left out, in words."""


class ToolStartedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["tool.started"]
    """Type of the event."""
    data: Union[ToolStartedEventData1, ToolStartedEventData2]
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class TriggeredAutomation(TypedDict):
    schemaId: str
    """Opaque identifier of the automation."""
    instanceId: str
    """Opaque identifier of the run: the identifier of the automation, followed by the number of the run."""
    jobId: str
    """Opaque identifier of the agent job."""


class TriggeredPreview(TypedDict):
    statusId: str
    """Id of the update or preview, for `getSiteUpdate`."""
    previewUrl: str
    """URL that opens the preview for anyone who has it."""


class TriggeredUpdate(TypedDict):
    statusId: str
    """Id of the update or preview, for `getSiteUpdate`."""


class _TryChoresRequired(TypedDict):
    chores: List[AgentChore]
    """Chores to carry out in order, either all of them or none."""


class TryChores(_TryChoresRequired, total=False):
    ref: str
    """Branch on which to try the chores. The project's branch if omitted."""
    withPages: bool
    """Whether to include the changed pages as readers would see them."""


class TurnFinishedEventDataFilesItem(TypedDict):
    path: str
    """Path of the file."""
    why: str
    """What the agent changed in the file, and why."""


class _TurnFinishedEventDataRequired(TypedDict):
    ok: bool
    """Whether the turn succeeded."""
    summary: str
    """Summary of the result."""


class TurnFinishedEventData(_TurnFinishedEventDataRequired, total=False):
    """Details of the event."""

    files: List[TurnFinishedEventDataFilesItem]
    """Agent's explanation of each changed file. Omitted if the agent gave no explanation."""
    forLaterJobs: List[str]
    """Rules that the agent proposes for the project's instructions. Omitted if it proposes none."""


class TurnFinishedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["turn.finished"]
    """Type of the event."""
    data: TurnFinishedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class TurnStartedEventData(TypedDict):
    """Details of the event."""

    messages: List[int]
    """Numbers of the messages that the turn handles."""
    baseCommit: str
    """ID of the commit."""
    branch: str
    """Branch that the turn works on."""


class TurnStartedEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["turn.started"]
    """Type of the event."""
    data: TurnStartedEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class UpdateStatusCommitFilesChanged(TypedDict):
    """Files that the commit changed."""

    added: List[str]
    """Added files."""
    modified: List[str]
    """Modified files."""
    removed: List[str]
    """Removed files."""


class UpdateStatusCommit(TypedDict):
    """Commit that the update or preview resulted in."""

    sha: str
    """Id of the commit."""
    ref: str
    """Branch of the commit."""
    message: str
    """Message of the commit."""
    filesChanged: UpdateStatusCommitFilesChanged
    """Files that the commit changed."""


class _UpdateStatusRequired(TypedDict):
    _id: str
    """Id of the update or preview, for `getSiteUpdate`."""
    projectId: str
    """Opaque identifier of the project."""
    createdAt: str
    """Date and time when the update or preview was requested."""
    status: Literal["queued", "in_progress", "success", "failure"]
    """Status of the update or preview."""
    summary: str
    """Summary of the result, in one sentence."""
    logs: List[str]
    """Log lines of the steps that were performed."""
    subdomain: str
    """Subdomain of the site below the server's domain."""
    source: Literal["internal", "github", "gitlab", "gitea", "forgejo"]
    """Location of the repository."""


class UpdateStatus(_UpdateStatusRequired, total=False):
    endedAt: str
    """Date and time when the update or preview ended. Omitted until then."""
    author: str
    """Author of the commit."""
    commit: UpdateStatusCommit
    """Commit that the update or preview resulted in."""


class _UsageEventDataRequired(TypedDict):
    inputTokens: int
    """Number of tokens that the model read."""
    cachedTokens: int
    """Number of tokens in `inputTokens` that the provider read from its cache."""
    cacheWriteTokens: int
    """Number of tokens in `inputTokens` that the provider wrote to its cache."""
    outputTokens: int
    """Number of tokens that the model wrote."""


class UsageEventData(_UsageEventDataRequired, total=False):
    """Details of the event."""

    subtask: int
    """Number of the sub-task that the event belongs to. Omitted for the agent's own work."""


class UsageEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["usage"]
    """Type of the event."""
    data: UsageEventData
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class ValidationEventData1Totals(TypedDict):
    """Total numbers of entries, because the lists may contain fewer. Omitted in events of earlier versions."""

    errors: int
    """Number of errors."""
    warnings: int
    """Number of warnings."""
    newHosts: int
    """Number of new hosts."""


class _ValidationEventData1Required(TypedDict):
    errors: List[Any]
    """Findings that prevent the change from being published."""
    warnings: List[Any]
    """Findings that do not prevent the change from being published."""
    newHosts: List[str]
    """Hosts that the change links to and the docs did not link to before."""


class ValidationEventData1(_ValidationEventData1Required, total=False):
    totals: ValidationEventData1Totals
    """Total numbers of entries, because the lists may contain fewer. Omitted in events of earlier versions."""


class ValidationEventData2(TypedDict):
    leftOut: str
    """Amount of data that was left out, in words."""


class ValidationEvent(TypedDict):
    seq: int
    """Sequence number of the event: 1, 2, 3 … without gaps within a job."""
    turn: int
    """Number of the message that the event belongs to."""
    type: Literal["validation"]
    """Type of the event."""
    data: Union[ValidationEventData1, ValidationEventData2]
    """Details of the event."""
    createdAt: str
    """Date and time of the event."""


class Views(TypedDict):
    totals: VisitorTotals
    views: List[PageVisitors]
    """Views of each page, most viewed page first."""
    hasMore: bool
    """Whether there are more pages."""


class VisitorTotals(TypedDict):
    """Counts for the whole site in the range, regardless of the page."""

    human: int
    """Count for people."""
    ai: int
    """Count for AI assistants and agents."""
    total: int
    """Count for people and AI together. Each visitor is counted once, so this is not necessarily the sum."""


class Visitors(TypedDict):
    totals: VisitorTotals
    visitors: List[PageVisitors]
    """Unique visitors of each page, most visited page first."""
    hasMore: bool
    """Whether there are more pages."""


class Webhook(TypedDict):
    id: str
    """Opaque identifier of the webhook."""
    url: str
    """URL that receives the events."""
    description: Optional[str]
    """Purpose of the webhook."""
    format: Literal["standard", "slack"]
    """Format of the request body. `standard`: the event, according to the Standard Webhooks specification; `slack`: `{text}`, a message for people, as accepted by incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat."""
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """Events that are sent."""
    enabled: bool
    """Whether events are sent to the webhook."""
    disabledReason: Optional[str]
    """Reason why the server disabled the webhook. `null` if the server did not disable it."""
    failingSince: Optional[str]
    """Date and time since which every attempt has failed. `null` if attempts are not failing."""
    previousSecretUntil: Optional[str]
    """Date and time until which requests are also signed with the previous secret. `null` if they are not."""
    createdAt: str
    """Date and time when the webhook was created."""
    updatedAt: str
    """Date and time when the webhook was last changed."""


class WebhookChanges(TypedDict, total=False):
    url: str
    """URL that receives the events, with http or https. Must be on the public Internet, or at a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names."""
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """Events to send."""
    description: Optional[str]
    """Purpose of the webhook. `null` to remove the description."""
    format: Literal["standard", "slack"]
    """Format of the request body from now on."""
    enabled: bool
    """Whether events are sent to the webhook."""


class WebhookDeliveries(TypedDict):
    deliveries: List[WebhookDelivery]
    """Deliveries, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


class WebhookDeliveryAttemptsItem(TypedDict):
    attempt: int
    """Number of the attempt, starting at 1."""
    startedAt: str
    """Date and time when the attempt was made."""
    durationMs: float
    """Duration of the attempt in milliseconds."""
    status: Optional[int]
    """HTTP status of the response. `null` if there was no response."""
    error: Optional[str]
    """Problem with the request or the response. `null` if there was none."""
    response: Optional[str]
    """Beginning of the response body. `null` if there was no response."""


class WebhookDelivery(TypedDict):
    id: str
    """Opaque identifier of the delivery."""
    eventId: str
    """Identifier of the event, which is the `webhook-id` of every attempt."""
    type: Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened", "webhook.test"]
    """Type of the event."""
    jobId: Optional[str]
    """Identifier of the job that the event is about. `null` for a test event."""
    status: Literal["pending", "delivered", "failed"]
    """Status of the delivery. `pending`: the server will make an attempt or a retry; `delivered`: the receiver responded with 2xx; `failed`: the server gave up."""
    nextAttemptAt: Optional[str]
    """Date and time of the next attempt. `null` if the delivery has ended."""
    createdAt: str
    """Date and time of the event."""
    endedAt: Optional[str]
    """Date and time when the event was delivered or the server gave up. `null` while the delivery is pending."""
    attempts: List[WebhookDeliveryAttemptsItem]
    """Attempts made so far, in order."""


class WebhookMessage(TypedDict):
    type: Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]
    """Type of the event."""
    timestamp: str
    """Date and time of the event."""
    data: AgentJob


class WebhookTestData(TypedDict):
    """The webhook that is tested."""

    projectId: str
    """Opaque identifier of the project."""
    webhookId: str
    """Opaque identifier of the webhook that is tested."""


class WebhookTest(TypedDict):
    type: Literal["webhook.test"]
    """Type of the event. Always `webhook.test`: nothing happened to a job."""
    timestamp: str
    """Date and time when the test was requested."""
    data: WebhookTestData
    """The webhook that is tested."""


class WebhookWithSecret(TypedDict):
    id: str
    """Opaque identifier of the webhook."""
    url: str
    """URL that receives the events."""
    description: Optional[str]
    """Purpose of the webhook."""
    format: Literal["standard", "slack"]
    """Format of the request body. `standard`: the event, according to the Standard Webhooks specification; `slack`: `{text}`, a message for people, as accepted by incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat."""
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """Events that are sent."""
    enabled: bool
    """Whether events are sent to the webhook."""
    disabledReason: Optional[str]
    """Reason why the server disabled the webhook. `null` if the server did not disable it."""
    failingSince: Optional[str]
    """Date and time since which every attempt has failed. `null` if attempts are not failing."""
    previousSecretUntil: Optional[str]
    """Date and time until which requests are also signed with the previous secret. `null` if they are not."""
    createdAt: str
    """Date and time when the webhook was created."""
    updatedAt: str
    """Date and time when the webhook was last changed."""
    secret: str
    """Signing secret: `whsec_` followed by base64. Shown only in this response."""


class Webhooks(TypedDict):
    webhooks: List[Webhook]
    """Webhooks, newest first."""
    nextCursor: Optional[str]
    """Cursor of the next page. `null` on the last page."""


AgentChore = Union[ReplaceTermChore, CheckLinksChore, FixLinksChore, AddPageChore, MovePageChore, RemovePageChore, AddSectionChore, ReplaceSectionChore, RemoveSectionChore, AddCalloutChore, SetFrontMatterChore, AddMissingDescriptionsChore, SetAltTextChore, ReportMissingAltChore, ChangelogFromHistoryChore, OpenapiPagesChore, NormaliseStyleChore, RepairNavigationChore, OrphanReportChore, RenameGroupChore, MoveGroupChore, AddRedirectChore, RemoveRedirectChore, AuditChore, ApplyPatchChore, MoveToDocsJsonChore]
AgentJobEvent = Union[JobCreatedEvent, JobPhaseEvent, MessageReceivedEvent, TurnStartedEvent, MessageEvent, ToolStartedEvent, ToolFinishedEvent, PlanUpdatedEvent, UsageEvent, NoticeEvent, SubtasksStartedEvent, SubtaskFinishedEvent, FilesChangedEvent, ValidationEvent, CommitPushedEvent, PullRequestOpenedEvent, PullRequestUpdatedEvent, PullRequestMergedEvent, PullRequestClosedEvent, PullRequestReopenedEvent, TurnFinishedEvent, MessageRefusedEvent, JobCompletedEvent, JobFailedEvent, JobArchivedEvent, JobUnarchivedEvent]
AutomationTrigger = Union[AutomationTriggerSchedule2, AutomationTriggerPush2, AutomationTrigger32, AutomationTriggerApi2]
