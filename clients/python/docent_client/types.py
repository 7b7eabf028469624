"""Bodies of the interface by their names in its document. Written by `npm run fix`: change the routes instead."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _AcceptedViewsRequired(TypedDict):
    accepted: int
    """Views that are safely on disk."""


class AcceptedViews(_AcceptedViewsRequired, total=False):
    tooOld: int
    """Views from before the first day that the project keeps: not counted."""


class _AddCalloutChoreAddCalloutRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""
    kind: Literal["note", "warning", "tip", "info", "check", "danger"]
    """Kind of box"""
    text: str
    """Markdown, used unchanged"""


class AddCalloutChoreAddCallout(_AddCalloutChoreAddCalloutRequired, total=False):
    """The inputs of the chore."""

    section: str
    """Stands below this heading; at the top of the page when absent"""


class AddCalloutChore(TypedDict):
    """Adds a note, warning, tip, info, check or danger box with the given text to a page."""

    add_callout: AddCalloutChoreAddCallout
    """The inputs of the chore."""


_AddMissingDescriptionsChoreAddMissingDescriptionsRequired = TypedDict("_AddMissingDescriptionsChoreAddMissingDescriptionsRequired", {})
_AddMissingDescriptionsChoreAddMissingDescriptionsOptional = TypedDict("_AddMissingDescriptionsChoreAddMissingDescriptionsOptional", {"in": "List[str]"}, total=False)


class AddMissingDescriptionsChoreAddMissingDescriptions(_AddMissingDescriptionsChoreAddMissingDescriptionsRequired, _AddMissingDescriptionsChoreAddMissingDescriptionsOptional):
    """The inputs of the chore."""

    pass


class AddMissingDescriptionsChore(TypedDict):
    """Gives pages without a description their own first sentence as one. Never invents: pages without a usable first sentence are reported."""

    add_missing_descriptions: AddMissingDescriptionsChoreAddMissingDescriptions
    """The inputs of the chore."""


class _AddPageChoreAddPageRequired(TypedDict):
    title: str
    """Title of the page"""


class AddPageChoreAddPage(_AddPageChoreAddPageRequired, total=False):
    """The inputs of the chore."""

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
    """The inputs of the chore."""


_AddRedirectChoreAddRedirectRequired = TypedDict("_AddRedirectChoreAddRedirectRequired", {"from": "str", "to": "str"})
_AddRedirectChoreAddRedirectOptional = TypedDict("_AddRedirectChoreAddRedirectOptional", {}, total=False)


class AddRedirectChoreAddRedirect(_AddRedirectChoreAddRedirectRequired, _AddRedirectChoreAddRedirectOptional):
    """The inputs of the chore."""

    pass


class AddRedirectChore(TypedDict):
    """Adds a redirect from an address without a page to a page. Refuses what would hide a page, lead in a circle or replace another redirect."""

    add_redirect: AddRedirectChoreAddRedirect
    """The inputs of the chore."""


class _AddSectionChoreAddSectionRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""
    title: str
    """Title of the section"""
    text: str
    """Markdown, used unchanged"""


class AddSectionChoreAddSection(_AddSectionChoreAddSectionRequired, total=False):
    """The inputs of the chore."""

    after: str
    """Title of the section that it follows; the end of the page when absent"""
    before: str
    """Title of the section after it"""
    depth: int
    """Heading level; that of its neighbour when absent"""


class AddSectionChore(TypedDict):
    """Adds a section with a heading and the given Markdown to a page, after or before another or at the end."""

    add_section: AddSectionChoreAddSection
    """The inputs of the chore."""


class AgentJobSource(TypedDict):
    """Where the job works."""

    repository: str
    """Address of the repository."""
    ref: Optional[str]
    """Branch that the agent works on; null until it has one."""


class AgentJobPullRequest(TypedDict):
    """The job's pull request, while it is active, too; null when it has none."""

    number: int
    """Its number in the repository."""
    url: str
    """Its page."""
    state: Literal["open", "merged", "closed"]
    """How it stands."""
    draft: bool
    """Whether it is a draft."""


class AgentJobPlan(TypedDict):
    """What a dry run would have published; null of other jobs and before its end."""

    added: int
    """New files."""
    modified: int
    """Changed files."""
    removed: int
    """Files that would be gone."""
    paths: List[str]
    """The files, at most 200 of them."""


class AgentJobLastMessage(TypedDict):
    """The message that was sent last."""

    seq: int
    """1 made the job; later ones are follow-ups."""
    error: Optional[AgentJobError]
    """Why it was not carried out; null when it was, and while it waits. A refused follow-up leaves the job `completed`."""
    question: Optional[str]
    """What the agent asks before it can go on; null when it asks nothing. Answer with a follow-up."""


class AgentJobUsage(TypedDict):
    """What all turns of the job have used."""

    steps: int
    """Answers of the model."""
    inputTokens: int
    """What the model read."""
    cachedInputTokens: int
    """Of `inputTokens`, what the provider read from its cache."""
    outputTokens: int
    """What the model wrote."""
    costUsd: float
    """In US dollars; 0 where no price is set."""


class AgentJobWaitingFor(TypedDict):
    """What the job waits for in the phase `waiting`; null in every other phase."""

    provider: str
    """Name of the model provider that does not answer."""
    reason: str
    """What it answered last."""
    since: str
    """When it failed first."""
    retryAt: str
    """When it is asked again."""


class AgentJob(TypedDict):
    """A job of the agent, as it is now."""

    id: str
    """Identifier of the agent job; opaque."""
    status: Literal["active", "completed", "archived", "failed"]
    """`active`: the agent works on it; `completed`: every message was handled; `failed`: see `error`; `archived`: put away."""
    source: AgentJobSource
    """Where the job works."""
    model: str
    """The model that it uses, provider-qualified."""
    prLink: Optional[str]
    """Null while the job is active and when no file was changed; of a failed job the draft with what it had done. Opens for who is signed in to the project."""
    createdAt: str
    """When it was created."""
    archivedAt: Optional[str]
    """When it was archived; null of a job that is not."""
    transcriptDeletedAt: Optional[str]
    """When the server deleted its instructions and transcript, as it keeps those of archived jobs for a time only; null of a job that has them. Such a job cannot be unarchived."""
    pullRequest: Optional[AgentJobPullRequest]
    """The job's pull request, while it is active, too; null when it has none."""
    title: Optional[str]
    """Title of the job and its pull request; null until it has one."""
    summary: Optional[str]
    """What the agent says that it did; null until it has."""
    changed: bool
    """Whether the last message changed a file; of a dry run, whether it would. False while it is being handled."""
    dryRun: bool
    """The job publishes nothing."""
    effort: Optional[Literal["low", "medium", "high"]]
    """How long the model thinks, as the job or a message asked last; null: as the project or the model's settings say."""
    plan: Optional[AgentJobPlan]
    """What a dry run would have published; null of other jobs and before its end."""
    error: Optional[AgentJobError]
    """Why the job failed; null of one that did not."""
    lastMessage: AgentJobLastMessage
    """The message that was sent last."""
    usage: AgentJobUsage
    """What all turns of the job have used."""
    phase: Literal["queued", "preparing", "running", "waiting", "validating", "publishing", "idle"]
    """What is done for it just now; `idle` of a job that is not active."""
    waitingFor: Optional[AgentJobWaitingFor]
    """What the job waits for in the phase `waiting`; null in every other phase."""
    previewLink: Optional[str]
    """Opens the preview for whoever has it, until the pull request is merged or closed."""


class AgentJobDiffFilesItem(TypedDict):
    status: Literal["added", "modified", "removed", "renamed"]
    """What happened to it."""
    path: str
    """Its path in the repository."""
    oldPath: Optional[str]
    """Its path before it was renamed; null of one that was not."""
    additions: Optional[int]
    """Lines that are new; null for a binary file."""
    deletions: Optional[int]
    """Lines that are gone; null for a binary file."""


class AgentJobDiff(TypedDict):
    base: Optional[str]
    """Commit that the changes are compared with; null where there are none."""
    head: Optional[str]
    """Commit that has the changes; null where there are none."""
    files: List[AgentJobDiffFilesItem]
    """The changed files."""
    hasMore: bool
    """Whether there are files after these."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class _AgentJobErrorRequired(TypedDict):
    code: Literal["not_understood", "impossible", "cancelled", "ref_not_found", "budget_exceeded", "step_limit", "time_limit", "stuck", "model_error", "model_auth", "context_overflow", "validation_failed", "branch_moved", "push_denied", "code_host_error", "policy", "worker_died", "internal"]
    """Why it failed; branch on this."""
    message: str
    """What happened, for a person."""
    hint: str
    """What to do about it."""


class AgentJobError(_AgentJobErrorRequired, total=False):
    """Why a job failed."""

    outage: Literal[True]
    """The model's provider or the code host was away, and the same may work later. Absent otherwise."""
    suggestions: List[ChoreSuggestion]
    """With `not_understood`, when the job has no language model: chores nearest to the instruction that would change something, tried on the docs. Absent otherwise."""


class AgentJobEvents(TypedDict):
    events: List[AgentJobEvent]
    """Events, the oldest first."""
    hasMore: bool
    """Whether there are events after these."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class AgentJobs(TypedDict):
    jobs: List[AgentJob]
    """Jobs, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class AgentMessage(TypedDict, total=False):
    """`prompt` is required, unless there are `chores`."""

    prompt: str
    """The instruction for the agent: not blank, without NUL characters."""
    chores: List[AgentChore]
    """Chores to carry out without a model, in order: all of them, or none. `prompt` then says to people what they are for, and is not carried out; without it, the chores are described in words."""
    effort: Literal["low", "medium", "high"]
    """How long the model thinks from this message on; as before when left out."""
    attachments: List[Attachment]
    """Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. A model that cannot see images is told that there were some, and so is the transcript."""


class AgentSessionTodosItem(TypedDict):
    content: str
    """What is to be done."""


class _AgentSessionRequired(TypedDict):
    sessionId: str
    """Identifier of the agent job; opaque."""
    subdomain: str
    """The site's name below the server's domain."""
    branch: Optional[str]
    """Branch that the agent works on; null until it has one."""
    haulted: bool
    """Whether the agent works on nothing now."""
    haultReason: Literal["completed", "github_missconfigured", "error", "processing", "interrupted"]
    """`processing`: it works; `completed`: every message was handled; `interrupted`: it was cancelled; `github_missconfigured`: the code host refused the push; `error`: anything else."""
    todos: List[AgentSessionTodosItem]
    """Empty: jobs have no such lists here."""
    createdAt: str
    """When it was created."""


class AgentSession(_AgentSessionRequired, total=False):
    """An agent job in the form of version 1."""

    pullRequestLink: str
    """Its pull request; absent while it works, and when it has none."""
    messageToUser: str
    """What the agent says that it did, or why it failed; absent until it has."""
    title: str
    """Title of the job; absent until it has one."""


class AgentSessions(TypedDict):
    allSessions: List[AgentSession]
    """Jobs, newest first."""


class AgentsAgentsItem(TypedDict):
    name: str
    """The product, as it names itself."""
    operator: Optional[str]
    """Who runs it; null where that is not known."""
    category: Literal["assistant", "search", "training", "other_bot", "browser", "http_client"]
    """What it reads for."""
    human: int
    """Views by people."""
    ai: int
    """Views by AI assistants and agents."""
    other: int
    """Views that count in neither."""
    verified: int
    """Of its views, those that prove that it is the operator's."""
    spoofed: int
    """Of its views, those that prove that it is not."""
    unverified: int
    """Of its views, those from an address that no list of the operator's has, while the list was old. They count."""
    lastSeen: str
    """The last day with a view of it."""


class Agents(TypedDict):
    agents: List[AgentsAgentsItem]
    """Clients other than browsers, by views."""


class AnalyticsSnippet(TypedDict):
    snippet: str
    """An HTML element that loads the script, for every page of the site elsewhere."""
    allowedOrigins: List[str]
    """Sites that may send views: the origin of the external site, then `settings.analytics.allowedOrigins` of the project."""


class ApiAddressesAddressesItem(TypedDict):
    address: str
    """As the docs name it, without a fragment."""
    live: bool
    """Whether the site that readers see names it."""
    readAt: Optional[str]
    """When its host last said that the copy is the newest; null while there is no copy."""
    sizeBytes: Optional[int]
    """Size of the copy; null while there is none."""
    trouble: Optional[str]
    """Why the last try failed; null when it did not."""
    nextAt: Optional[str]
    """When it is asked again; null: when a push names it."""


class ApiAddresses(TypedDict):
    hosts: List[str]
    """Hosts such as `api.example.com`, with a port where it is another than that of https, or `*.example.com`. Empty: off."""
    proxy: bool
    """Whether requests that readers try on API pages go through this server. At first they do not."""
    version: str
    """Another one whenever `hosts` or `proxy` is another; what is kept of addresses changes by itself."""
    addresses: List[ApiAddressesAddressesItem]
    """What is kept of each address that the docs name, by address."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class ApiAddressesAsked(TypedDict):
    addresses: int
    """How many addresses are asked."""


class ApiKey(TypedDict):
    """A key, without the key itself."""

    id: str
    """Id of the key, not the key itself."""
    name: str
    """What it is for."""
    hint: str
    """The last four characters of the key."""
    scope: Literal["read", "agent", "admin"]
    """`read`: read jobs, counts and the site; `agent`: and create jobs, send messages and views; `admin`: and all else."""
    allow: Optional[List[str]]
    """Where it works from; null: from everywhere."""
    createdAt: str
    """When it was made."""
    lastUsedAt: Optional[str]
    """When it was used last; null when never."""
    expiresAt: Optional[str]
    """When it ends; null when it does not."""
    revokedAt: Optional[str]
    """When it was revoked; null when it was not."""


class ApiKeys(TypedDict):
    keys: List[ApiKey]
    """Keys, oldest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class ApplyPatchChoreApplyPatch(TypedDict):
    """The inputs of the chore."""

    patch: str
    """A unified patch of text files, as `git diff` prints it, made from the branch that it is applied to"""


class ApplyPatchChore(TypedDict):
    """Applies a patch that the caller made, exactly: every hunk has to fit. For changes made in an editor: the checks before a pull request are the same."""

    apply_patch: ApplyPatchChoreApplyPatch
    """The inputs of the chore."""


class _AskedPageRequired(TypedDict):
    path: str
    """Path or address of the page."""


class AskedPage(_AskedPageRequired, total=False):
    groups: List[str]
    """Empty: sites have no groups of readers here, and the key reads all pages."""


class Attachment(TypedDict):
    """An image."""

    mediaType: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """What the content is."""
    data: str
    """The content in base64."""


class AuditChoreAudit(TypedDict):
    """The inputs of the chore."""

    pass


class AuditChore(TypedDict):
    """Looks over all docs and reports broken links, pages that do not parse, missing descriptions and alt texts, pages outside the navigation, dead navigation entries and titles used twice. Changes nothing."""

    audit: AuditChoreAudit
    """The inputs of the chore."""


class AuditEventActor(TypedDict):
    """Who did it."""

    kind: Literal["person", "key", "operator"]
    """What they are."""
    id: str
    """Identifier of the person or key."""
    name: str
    """The name that they had then."""


class AuditEvent(TypedDict):
    """Something that was done in a project."""

    id: str
    """Identifier of the entry; opaque."""
    at: str
    """When it was done."""
    actor: AuditEventActor
    """Who did it."""
    sentence: str
    """What they did, to be read after their name."""
    action: str
    """The operation, or the form of the dashboard."""
    subject: Optional[str]
    """What it was about, by name; null when nothing was noted."""
    target: str
    """The path that it was done at."""
    address: str
    """Where it came from."""


class AuditEvents(TypedDict):
    events: List[AuditEvent]
    """Entries, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class AutomationTriggerSchedule(TypedDict):
    kind: Literal["schedule"]
    """Starts at the times that `cron` names."""
    cron: str
    """Minute, hour, day, month, weekday."""
    timeZone: str
    """Of the hours and days in `cron`."""


class AutomationTriggerPush(TypedDict):
    kind: Literal["push"]
    """Starts when a branch of the repository is pushed to."""
    branch: str
    """The branch."""


class AutomationTrigger3(TypedDict):
    kind: Literal["source_push", "source_merge"]
    """Starts when a source is pushed to, or a pull request of it is merged."""
    source: str
    """Name of a source of the project."""


class AutomationTriggerApi(TypedDict):
    kind: Literal["api"]
    """Starts when it is asked for."""


class Automation(TypedDict):
    id: str
    """Identifier of the automation; opaque."""
    name: str
    """What people call it."""
    prompt: str
    """The instruction for the agent."""
    trigger: Union[AutomationTriggerSchedule, AutomationTriggerPush, AutomationTrigger3, AutomationTriggerApi]
    """What starts it."""
    ref: Optional[str]
    """Branch to start from; null for the project's."""
    model: Optional[str]
    """Its model; null for the project's."""
    effort: Optional[Literal["low", "medium", "high"]]
    """How long the model thinks; null: as the project or the model's settings say."""
    draft: bool
    """Its pull requests open as drafts."""
    enabled: bool
    """Whether its trigger starts it."""
    runs: int
    """How often it has run."""
    nextRunAt: Optional[str]
    """When its schedule starts it next; null without one."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was changed last."""


class AutomationChanges(TypedDict, total=False):
    name: str
    """What people call it."""
    prompt: str
    """The instruction for the agent: not blank, without NUL characters."""
    trigger: AutomationTrigger
    ref: Optional[str]
    """Branch to start from; null for the project's."""
    model: Optional[str]
    """Provider-qualified model; null for the project's."""
    effort: Optional[Literal["low", "medium", "high"]]
    """How long the model thinks; null: as the project or the model's settings say."""
    draft: bool
    """Open its pull requests as drafts."""
    enabled: bool
    """Whether its trigger starts it."""


class AutomationRun(TypedDict):
    number: int
    """Counts up from 1 in the automation."""
    startedBy: Literal["schedule", "push", "api", "source_push", "source_merge"]
    """What started it."""
    startedAt: str
    """When it started."""
    jobId: Optional[str]
    """The job that carried it out; null where there is none."""
    messageSeq: Optional[int]
    """1 made the job; a later one appended to it."""
    note: Optional[str]
    """Why there is no job."""
    retries: int
    """How often it was sent again after an outage."""
    retriedAt: Optional[str]
    """When it was sent again last; null for never."""


class AutomationRuns(TypedDict):
    runs: List[AutomationRun]
    """Runs, newest first."""
    hasMore: bool
    """Whether there are earlier ones."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class _AutomationTriggerSchedule2Required(TypedDict):
    kind: Literal["schedule"]
    """Starts at the times that `cron` names."""
    cron: str
    """Minute, hour, day, month, weekday."""


class AutomationTriggerSchedule2(_AutomationTriggerSchedule2Required, total=False):
    timeZone: str
    """Of the hours and days in `cron`."""


class _AutomationTriggerPush2Required(TypedDict):
    kind: Literal["push"]
    """Starts when a branch of the repository is pushed to."""


class AutomationTriggerPush2(_AutomationTriggerPush2Required, total=False):
    branch: str
    """Default: the project's."""


class AutomationTrigger32(TypedDict):
    kind: Literal["source_push", "source_merge"]
    """Starts when a source is pushed to, or a pull request of it is merged."""
    source: str
    """Name of a source of the project."""


class AutomationTriggerApi2(TypedDict):
    kind: Literal["api"]
    """Starts when it is asked for."""


class Automations(TypedDict):
    automations: List[Automation]
    """Automations, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class CancelAgentJob(TypedDict, total=False):
    keepWork: bool
    """Publish what the agent has made, as a draft."""


class ChangelogFromHistoryChoreChangelogFromHistory(TypedDict, total=False):
    """The inputs of the chore."""

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
    """The inputs of the chore."""


_CheckLinksChoreCheckLinksRequired = TypedDict("_CheckLinksChoreCheckLinksRequired", {})
_CheckLinksChoreCheckLinksOptional = TypedDict("_CheckLinksChoreCheckLinksOptional", {"in": "List[str]"}, total=False)


class CheckLinksChoreCheckLinks(_CheckLinksChoreCheckLinksRequired, _CheckLinksChoreCheckLinksOptional):
    """The inputs of the chore."""

    pass


class CheckLinksChore(TypedDict):
    """Checks every internal link, image and anchor of the docs and reports those that are broken. Changes nothing."""

    check_links: CheckLinksChoreCheckLinks
    """The inputs of the chore."""


class ChoreSuggestion(TypedDict):
    """A chore that would change something."""

    chore: Dict[str, Dict[str, Any]]
    """The chore with its inputs. Send it in `chores` of a follow-up."""
    title: str
    """The chore as an instruction."""
    files: int
    """Files that it would change."""
    places: int
    """Lines that it would change."""


class ChoreTrialChoresItem(TypedDict):
    chore: str
    """Name of the chore."""
    ok: bool
    """Whether it can be done."""
    summary: str
    """What it would do, or why it cannot be done."""
    notes: List[str]
    """What a reviewer should know, in Markdown."""
    hint: Optional[str]
    """What to do where it cannot be done; null without advice."""


class ChoreTrialFilesItemPlacesItem(TypedDict):
    line: int
    """Its number after the change, or before it for a removed line."""
    before: Optional[str]
    """The line as it is; null for a new one."""
    after: Optional[str]
    """The line as it would be; null for a removed one."""


class ChoreTrialFilesItem(TypedDict):
    status: Literal["added", "modified", "removed", "renamed"]
    """What would happen to it."""
    path: str
    """Its path in the repository."""
    oldPath: Optional[str]
    """Its path before; null of a file that is not renamed."""
    additions: Optional[int]
    """Lines that would be new; null for a binary file."""
    deletions: Optional[int]
    """Lines that would be gone; null for a binary file."""
    places: List[ChoreTrialFilesItemPlacesItem]
    """The lines that would change, at most 50."""
    morePlaces: int
    """Lines that would change and are not in `places`."""


class ChoreTrialFindingsErrorsItem(TypedDict):
    check: str
    """Which check found it."""
    path: Optional[str]
    """The file; null where it is about no single one."""
    line: Optional[int]
    """The line; null where it is about no single one."""
    message: str
    """What it is, for a person."""


class ChoreTrialFindingsWarningsItem(TypedDict):
    check: str
    """Which check found it."""
    path: Optional[str]
    """The file; null where it is about no single one."""
    line: Optional[int]
    """The line; null where it is about no single one."""
    message: str
    """What it is, for a person."""


class ChoreTrialFindings(TypedDict):
    """What the checks before a pull request find, at most 50 of each."""

    errors: List[ChoreTrialFindingsErrorsItem]
    """What would keep the change from being published."""
    warnings: List[ChoreTrialFindingsWarningsItem]
    """What a reviewer would be told."""
    leftOut: int
    """Findings that are not listed."""


class ChoreTrialPagesItem(TypedDict):
    path: str
    """The page's file."""
    title: Optional[str]
    """Its title; null without one."""
    text: str
    """Its text as readers would get it, at most 4,000 characters."""
    problems: List[str]
    """What is wrong on it: components, syntax, snippets."""


class _ChoreTrialRequired(TypedDict):
    ok: bool
    """Whether a job with these chores would open a pull request, or find that there is nothing to change."""
    commit: str
    """Commit of the branch that the chores were tried on."""
    chores: List[ChoreTrialChoresItem]
    """What came of each chore, in order."""
    files: List[ChoreTrialFilesItem]
    """The files that would change, at most 1,000; empty when a chore cannot be done."""
    moreFiles: int
    """Files that would change and are not in `files`."""
    diff: str
    """A unified patch, of at most 100 files and 3,000 lines."""
    diffLeftOut: int
    """Files that would change and are not in `diff`; they have no `places` either."""
    findings: ChoreTrialFindings
    """What the checks before a pull request find, at most 50 of each."""


class ChoreTrial(_ChoreTrialRequired, total=False):
    """What chores would change."""

    pages: List[ChoreTrialPagesItem]
    """With `withPages`: the changed pages as readers would get them, at most 5. Absent otherwise, and where the checks have errors."""


class CommitPushedEventData(TypedDict):
    """What there is to say of it."""

    commit: str
    """Id of the commit."""
    branch: str
    """Branch that it was pushed to."""


class CommitPushedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["commit.pushed"]
    """What happened."""
    data: CommitPushedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class CurrentSitePin(TypedDict):
    pin: Optional[SitePin]
    """Null while the site follows its branch."""


class Deployment(TypedDict):
    id: str
    """Identifier of the deployment; opaque."""
    number: int
    """Counts up from 1 in the project."""
    commit: str
    """Id of the commit."""
    branch: str
    """The site's branch at that time."""
    subject: str
    """First line of the commit's message."""
    author: str
    """Who wrote the commit."""
    authoredAt: str
    """When it was written."""
    noticedAt: str
    """When the server saw that it is the newest."""
    liveAt: Optional[str]
    """When readers first could see it."""
    liveAfterMs: Optional[int]
    """From the arrival of the push here to `liveAt`, in milliseconds; null when the push was not seen."""
    live: bool
    """Whether readers see it now."""
    state: Literal["loading", "ready", "failed", "skipped"]
    """`loading`: its pages are read for the first time; `ready`: they can be shown; `failed`: it cannot be shown, and readers keep what they had; `skipped`: a newer commit came first."""
    trouble: Optional[str]
    """Why it is `failed`."""
    pages: Optional[int]
    """How many pages it has; null until they were read."""
    errors: Optional[int]
    """Findings of its report; null while there is none."""
    warnings: Optional[int]
    """Lesser findings of its report; null while there is none."""


class _DeploymentWithReportReportProblemsItemRequired(TypedDict):
    severity: Literal["error", "warning"]
    """How bad it is."""
    path: str
    """The file, in the repository."""
    line: Optional[float]
    """Its line, from 1; null where it has none."""
    message: str
    """What is wrong, for a person."""


class DeploymentWithReportReportProblemsItem(_DeploymentWithReportReportProblemsItemRequired, total=False):
    code: str
    """What kind of problem it is, as `docent check` names it; absent in reports of older versions."""


class DeploymentWithReportReportLinks(TypedDict):
    """How the links of the site are."""

    checked: float
    """Links that were followed."""
    broken: float
    """Links that are broken."""


class DeploymentWithReportReport(TypedDict):
    """What is wrong with it; null while that is looked for."""

    problems: List[DeploymentWithReportReportProblemsItem]
    """What was found."""
    leftOut: float
    """Findings that are only counted."""
    links: DeploymentWithReportReportLinks
    """How the links of the site are."""
    durationMs: float
    """How long the report took, in milliseconds."""


class DeploymentWithReport(TypedDict):
    id: str
    """Identifier of the deployment; opaque."""
    number: int
    """Counts up from 1 in the project."""
    commit: str
    """Id of the commit."""
    branch: str
    """The site's branch at that time."""
    subject: str
    """First line of the commit's message."""
    author: str
    """Who wrote the commit."""
    authoredAt: str
    """When it was written."""
    noticedAt: str
    """When the server saw that it is the newest."""
    liveAt: Optional[str]
    """When readers first could see it."""
    liveAfterMs: Optional[int]
    """From the arrival of the push here to `liveAt`, in milliseconds; null when the push was not seen."""
    live: bool
    """Whether readers see it now."""
    state: Literal["loading", "ready", "failed", "skipped"]
    """`loading`: its pages are read for the first time; `ready`: they can be shown; `failed`: it cannot be shown, and readers keep what they had; `skipped`: a newer commit came first."""
    trouble: Optional[str]
    """Why it is `failed`."""
    pages: Optional[int]
    """How many pages it has; null until they were read."""
    errors: Optional[int]
    """Findings of its report; null while there is none."""
    warnings: Optional[int]
    """Lesser findings of its report; null while there is none."""
    report: Optional[DeploymentWithReportReport]
    """What is wrong with it; null while that is looked for."""


class Deployments(TypedDict):
    deployments: List[Deployment]
    """Deployments, newest first."""
    pin: Optional[SitePin]
    """The commit that the site stays at; null while it follows its branch."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class DocsSearchFilter(TypedDict, total=False):
    """Which pages are looked through."""

    version: str
    """Only pages of this version; else of the default one, then what only others have."""
    language: str
    """Only pages of this language; else of the site's first."""
    tag: str
    """Only pages with this `tag` in their front matter."""
    groups: List[str]
    """Empty: sites have no groups of readers here, and the key reads all pages."""


class _DocsSearchRequired(TypedDict):
    query: str
    """Words to look for. Misspelt words and beginnings of words find too."""


class DocsSearch(_DocsSearchRequired, total=False):
    pageSize: int
    """How many results at most."""
    scoreThreshold: float
    """Taken and not applied: this search ranks its results and gives them no scores."""
    filter: DocsSearchFilter
    """Which pages are looked through."""


class EndPullRequest(TypedDict, total=False):
    head: str
    """The commit that you looked at: any other is refused. `head` of what `GET /v2/agent/{projectId}/job/{id}/diff` answers with `Accept: application/json`."""


class Erasure(TypedDict):
    address: str
    """What was erased; of IPv6 the /64."""
    visitors: int
    """Visitor numbers that it had."""
    views: int
    """Views that are gone."""
    days: int
    """Days that had some of them."""
    feedback: int
    """Votes and words that are gone."""
    damagedFiles: Optional[int]
    """Files of unreadable bytes of the journal that named it and are gone; null with a project's key, which leaves them, as they are of all projects."""
    notReached: List[str]
    """What may be left, and what to do about it."""


class ErrorDetailsItem(TypedDict):
    path: str
    """Dotted path of the field, parameter or header; empty for the whole input."""
    message: str
    """What is wrong with it."""


class _ErrorRequired(TypedDict):
    error: str
    """A sentence for a person."""
    code: Literal["invalid", "unauthorized", "forbidden", "not_found", "method_not_allowed", "conflict", "precondition_failed", "too_large", "unsupported_media_type", "idempotency_mismatch", "rate_limited", "internal", "unavailable"]
    """What kind of failure it is; branch on this."""
    requestId: str
    """The request, as in `X-Request-Id`. Empty where it could not be read."""


class Error(_ErrorRequired, total=False):
    details: List[ErrorDetailsItem]
    """Of invalid input: each thing that is wrong with it."""


class FeedbackFeedbackItem(TypedDict):
    id: str
    """Identifier of the entry; opaque."""
    path: str
    """Route of the page."""
    comment: Optional[str]
    """As it was written: text, whatever markup it holds."""
    createdAt: str
    """Of the last vote or word of its author."""
    source: Literal["code_snippet", "contextual", "agent", "thumbs_only"]
    """`contextual`: a reader's vote with words; `thumbs_only`: a vote alone; `agent`: a program; `code_snippet`: never, kept for clients of the commercial API."""
    status: Literal["pending", "in_progress", "resolved", "dismissed"]
    """How far the team is with it."""
    helpful: Optional[bool]
    """Null where an agent did not say."""
    contact: None
    """Always null: readers are not asked for an address."""


class Feedback(TypedDict):
    feedback: List[FeedbackFeedbackItem]
    """Entries, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""
    hasMore: bool
    """Whether there are entries after these."""


class FeedbackByPageFeedbackItem(TypedDict):
    path: str
    """Route of the page."""
    thumbsUp: int
    """Readers who found it helpful."""
    thumbsDown: int
    """Readers who did not."""
    code: int
    """Always 0, see `source`."""
    total: int
    """All entries, those of agents among them."""


class FeedbackByPage(TypedDict):
    feedback: List[FeedbackByPageFeedbackItem]
    """Pages, those with the most entries first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""
    hasMore: bool
    """Whether there are entries after these."""


_FilesChangedEventData1MovedItemRequired = TypedDict("_FilesChangedEventData1MovedItemRequired", {"from": "str", "to": "str"})
_FilesChangedEventData1MovedItemOptional = TypedDict("_FilesChangedEventData1MovedItemOptional", {}, total=False)


class FilesChangedEventData1MovedItem(_FilesChangedEventData1MovedItemRequired, _FilesChangedEventData1MovedItemOptional):
    pass


class _FilesChangedEventData1Required(TypedDict):
    added: List[str]
    """New files."""
    modified: List[str]
    """Changed files."""
    removed: List[str]
    """Removed files."""


class FilesChangedEventData1(_FilesChangedEventData1Required, total=False):
    moved: List[FilesChangedEventData1MovedItem]
    """Of those added and removed, the ones that are the same file."""


class FilesChangedEventData2(TypedDict):
    leftOut: str
    """How much was left out, in words."""


class FilesChangedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["files.changed"]
    """What happened."""
    data: Union[FilesChangedEventData1, FilesChangedEventData2]
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


_FixLinksChoreFixLinksRequired = TypedDict("_FixLinksChoreFixLinksRequired", {})
_FixLinksChoreFixLinksOptional = TypedDict("_FixLinksChoreFixLinksOptional", {"in": "List[str]", "only": "Literal[\"anchors\"]"}, total=False)


class FixLinksChoreFixLinks(_FixLinksChoreFixLinksRequired, _FixLinksChoreFixLinksOptional):
    """The inputs of the chore."""

    pass


class FixLinksChore(TypedDict):
    """Corrects broken internal links and anchors where only one target can be meant (a redirect, a page that moved, an anchor spelt differently), and reports the others."""

    fix_links: FixLinksChoreFixLinks
    """The inputs of the chore."""


class FoundSectionMetadata(TypedDict):
    """More about it."""

    title: str
    """Title of the page."""
    heading: Optional[str]
    """Heading of the section; null for the page as a whole."""
    url: str
    """Address of the section on the site."""


class FoundSection(TypedDict):
    content: str
    """The text around what matches."""
    path: str
    """Path of the page, as `readPage` takes it."""
    metadata: FoundSectionMetadata
    """More about it."""


class JobArchivedEventData(TypedDict):
    """What there is to say of it."""

    pass


class JobArchivedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["job.archived"]
    """What happened."""
    data: JobArchivedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class JobCompletedEventData(TypedDict):
    """What there is to say of it."""

    summary: Optional[str]
    """What the agent did."""


class JobCompletedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["job.completed"]
    """What happened."""
    data: JobCompletedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class JobCreatedEventData(TypedDict):
    """What there is to say of it."""

    title: Optional[str]
    """Title of the job; null without one."""
    model: str
    """The model that it uses."""
    ref: str
    """Branch that it starts from."""


class JobCreatedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["job.created"]
    """What happened."""
    data: JobCreatedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class JobFailedEventData(TypedDict):
    """What there is to say of it."""

    error: AgentJobError


class JobFailedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["job.failed"]
    """What happened."""
    data: JobFailedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class JobPhaseEventData(TypedDict):
    """What there is to say of it."""

    phase: Literal["queued", "preparing", "running", "waiting", "validating", "publishing", "idle"]
    """What is done for the job from now on."""


class JobPhaseEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["job.phase"]
    """What happened."""
    data: JobPhaseEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class JobUnarchivedEventData(TypedDict):
    """What there is to say of it."""

    pass


class JobUnarchivedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["job.unarchived"]
    """What happened."""
    data: JobUnarchivedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class LogLine(TypedDict):
    """A line of the log."""

    id: str
    """Id of the line."""
    node: str
    """The process that wrote it, by its host and port: several may work on one data directory."""
    time: str
    """When it was written."""
    level: Literal["trace", "debug", "info", "warn", "error", "fatal"]
    """How much it matters; `fatal`: the process ended."""
    message: str
    """What happened, in a sentence that is always the same."""
    fields: Dict[str, Any]
    """What it happened to, such as `requestId`, `projectId` and, of an error, `err` with its stack."""


class LogLines(TypedDict):
    lines: List[LogLine]
    """Lines, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class Member(TypedDict):
    """A person with a role in a project."""

    id: str
    """Identifier of the person; opaque."""
    name: str
    """Their name."""
    email: str
    """Their address."""
    role: Literal["viewer", "editor", "admin"]
    """Their role in the project."""
    isOwner: bool
    """Whether they own the server, which is more than any role."""


class Members(TypedDict):
    members: List[Member]
    """Members."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class MessageEventData(TypedDict):
    """What there is to say of it."""

    role: Literal["assistant"]
    """Who says it."""
    text: str
    """What the agent says."""


class MessageEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["message"]
    """What happened."""
    data: MessageEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class MessageReceivedEventDataAttachmentsItem(TypedDict):
    mediaType: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """What it is."""
    sizeBytes: int
    """How large it is."""


class _MessageReceivedEventDataRequired(TypedDict):
    seq: int
    """1 made the job; later ones are follow-ups."""
    prompt: str
    """The instruction; what the chores are for, in words, where there are any."""


class MessageReceivedEventData(_MessageReceivedEventDataRequired, total=False):
    """What there is to say of it."""

    by: str
    """The person who sent it; absent for a program."""
    chores: List[Dict[str, Any]]
    """The chores of a message that is carried out without a model."""
    attachments: List[MessageReceivedEventDataAttachmentsItem]
    """Images that came with the message; absent where there were none."""


class MessageReceivedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["message.received"]
    """What happened."""
    data: MessageReceivedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class MessageRefusedEventData(TypedDict):
    """What there is to say of it."""

    seq: int
    """The message that was not carried out."""
    error: AgentJobError


class MessageRefusedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["message.refused"]
    """What happened."""
    data: MessageRefusedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class MissingPagesMissingItem(TypedDict):
    path: str
    """What was asked for."""
    ai: int
    """Views by AI assistants and agents."""
    other: int
    """How often anybody else asked for it."""
    lastSeen: str
    """The last day on which it was asked for."""


class MissingPages(TypedDict):
    missing: List[MissingPagesMissingItem]
    """Paths without a page, the most wanted first."""


class Models(TypedDict):
    default: str
    """The model of jobs that name none."""
    models: List[str]
    """The models, the instance's and the project's own."""


class _MoveGroupChoreMoveGroupRequired(TypedDict):
    group: str
    """Title of the group, or its trail (Reference > Releases)"""


class MoveGroupChoreMoveGroup(_MoveGroupChoreMoveGroupRequired, total=False):
    """The inputs of the chore."""

    before: str
    """Title of the group, or its trail (Reference > Releases)"""
    after: str
    """Title of the group, or its trail (Reference > Releases)"""
    position: Literal["first", "last"]
    """Place among the groups next to it"""


class MoveGroupChore(TypedDict):
    """Moves a group of the navigation before or after another one of the same list, or to its start or end."""

    move_group: MoveGroupChoreMoveGroup
    """The inputs of the chore."""


class _MovePageChoreMovePageRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""


class MovePageChoreMovePage(_MovePageChoreMovePageRequired, total=False):
    """The inputs of the chore."""

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
    """The inputs of the chore."""


class NewAgentJob(TypedDict, total=False):
    """`prompt` is required, unless there are `chores`."""

    prompt: str
    """The instruction for the agent: not blank, without NUL characters."""
    chores: List[AgentChore]
    """Chores to carry out without a model, in order: all of them, or none. `prompt` then says to people what they are for, and is not carried out; without it, the chores are described in words."""
    ref: str
    """Branch to start from and to open the pull request against."""
    model: str
    """Provider-qualified model."""
    draft: bool
    """Open the pull request as a draft."""
    dryRun: bool
    """Work out what would change and tell it in `summary` and `plan`, and publish nothing: no branch, no pull request."""
    effort: Literal["low", "medium", "high"]
    """How long the model thinks. Models without such a setting ignore it."""
    attachments: List[Attachment]
    """Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. A model that cannot see images is told that there were some, and so is the transcript."""
    title: str
    """Title of the job and its pull request."""


class NewApiAccess(TypedDict, total=False):
    hosts: List[str]
    """Hosts such as `api.example.com`, with a port where it is another than that of https, or `*.example.com`. Empty: off."""
    proxy: bool
    """Whether requests that readers try on API pages go through this server. At first they do not."""


class _NewApiKeyRequired(TypedDict):
    name: str
    """What it is for."""
    scope: Literal["read", "agent", "admin"]
    """`read`: read jobs, counts and the site; `agent`: and create jobs, send messages and views; `admin`: and all else."""


class NewApiKey(_NewApiKeyRequired, total=False):
    allow: Optional[List[str]]
    """Addresses and ranges that it is to work from; elsewhere it is refused. Null: it works from everywhere."""
    expiresInDays: Optional[Literal[7]]
    """Days that it lives: 7, 30, 60 or 90; null for one that does not end."""


class _NewAutomationRequired(TypedDict):
    name: str
    """What people call it."""
    prompt: str
    """The instruction for the agent: not blank, without NUL characters."""
    trigger: AutomationTrigger


class NewAutomation(_NewAutomationRequired, total=False):
    ref: Optional[str]
    """Branch to start from; null for the project's."""
    model: Optional[str]
    """Provider-qualified model; null for the project's."""
    effort: Optional[Literal["low", "medium", "high"]]
    """How long the model thinks; null: as the project or the model's settings say."""
    draft: bool
    """Open its pull requests as drafts."""
    enabled: bool
    """Whether its trigger starts it."""


class _NewErasureRequired(TypedDict):
    address: str
    """Whose readers are meant, IPv4 or IPv6; of IPv6 the whole /64."""


class NewErasure(_NewErasureRequired, total=False):
    userAgents: List[str]
    """User agents of programs that Docent does not know by name."""
    cookies: List[str]
    """Where visitors are told apart by a cookie: what readers have as `docent_visitor`."""


class NewMember(TypedDict):
    email: str
    """Their address."""
    role: Literal["viewer", "editor", "admin"]
    """Their role in the project."""


class NewPreview(TypedDict):
    branch: str
    """Name of a branch."""


class _NewProjectRepositoryRequired(TypedDict):
    url: str
    """Its https address, without a user name or password."""


class NewProjectRepository(_NewProjectRepositoryRequired, total=False):
    """Where the docs are. Without it the repository is empty: push to it."""

    token: str
    """With it the repository stays where it is, and is followed; without, it is copied."""
    app: bool
    """In place of a token: the GitHub App of this server."""
    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """What the host runs, where its address does not tell; with a token or an app."""


class _NewProjectRequired(TypedDict):
    name: str
    """What people call it."""


class NewProject(_NewProjectRequired, total=False):
    slug: str
    """Made of the name where it is left out."""
    branch: str
    """The branch to publish; that of the repository, else `main`, where it is left out."""
    contentRoot: str
    """Folder of the docs, where docs.json does not say it."""
    externalSite: str
    """Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP."""
    repository: NewProjectRepository
    """Where the docs are. Without it the repository is empty: push to it."""


class NewProjectToken(TypedDict):
    token: str
    """Token of the code host. It is stored encrypted and never shown."""


class NewSiteLink(TypedDict, total=False):
    path: str
    """The page that it opens."""
    expiresInSeconds: int
    """How long it lives, from a minute to 366 days; a week where it is left out."""


class NewSitePin(TypedDict):
    commit: str
    """Of the branch's history or of a deployment: its id, or 7 or more digits of it."""


class _NewSourceRequired(TypedDict):
    name: str
    """What people and the agent call it; no two sources of a project alike."""
    url: str
    """Its https address, without a user name or password."""


class NewSource(_NewSourceRequired, total=False):
    token: str
    """Token that may read it, of a repository that not everybody may see. It is stored encrypted."""
    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """What the host runs, where its address does not tell."""
    branch: str
    """The branch to read; the repository's default branch where it is left out."""


class NewSourceToken(TypedDict):
    token: str
    """Token of the code host. It is stored encrypted and never shown."""


class _NewWebhookRequired(TypedDict):
    url: str
    """http or https, on the public Internet, or a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names."""


class NewWebhook(_NewWebhookRequired, total=False):
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """What to be told of; everything when not given."""
    description: str
    """What it is for."""
    format: Literal["standard", "slack"]
    """What requests contain; `standard` when not given."""


class NewlyMadeApiKey(TypedDict):
    """A key, without the key itself."""

    id: str
    """Id of the key, not the key itself."""
    name: str
    """What it is for."""
    hint: str
    """The last four characters of the key."""
    scope: Literal["read", "agent", "admin"]
    """`read`: read jobs, counts and the site; `agent`: and create jobs, send messages and views; `admin`: and all else."""
    allow: Optional[List[str]]
    """Where it works from; null: from everywhere."""
    createdAt: str
    """When it was made."""
    lastUsedAt: Optional[str]
    """When it was used last; null when never."""
    expiresAt: Optional[str]
    """When it ends; null when it does not."""
    revokedAt: Optional[str]
    """When it was revoked; null when it was not."""
    key: str
    """The key: `docent_` and 38 letters and digits. It is not shown again."""


_NormaliseStyleChoreNormaliseStyleRequired = TypedDict("_NormaliseStyleChoreNormaliseStyleRequired", {})
_NormaliseStyleChoreNormaliseStyleOptional = TypedDict("_NormaliseStyleChoreNormaliseStyleOptional", {"listMarker": "Literal[\"-\", \"*\", \"+\"]", "insteadOf": "Literal[\"-\", \"*\", \"+\"]", "headingCase": "Literal[\"sentence\", \"title\"]", "glossary": "str", "in": "List[str]"}, total=False)


class NormaliseStyleChoreNormaliseStyle(_NormaliseStyleChoreNormaliseStyleRequired, _NormaliseStyleChoreNormaliseStyleOptional):
    """The inputs of the chore."""

    pass


class NormaliseStyleChore(TypedDict):
    """Makes list markers or the case of headings uniform, or replaces the terms of a glossary file by those to be used. Words whose capital the docs use elsewhere keep it."""

    normalise_style: NormaliseStyleChoreNormaliseStyle
    """The inputs of the chore."""


class NotCountedNotCountedItem(TypedDict):
    reason: Literal["search", "training", "other_bot", "unconfirmed", "http_client", "own_traffic", "not_found", "duplicate", "counted_when_served", "prefetch", "shed", "not_collected", "too_old", "spoofed", "automated", "flood"]
    """Why; branch on this."""
    explanation: str
    """The same for a person."""
    views: int
    """How many views."""


class NotCounted(TypedDict):
    notCounted: List[NotCountedNotCountedItem]
    """Reasons with views in the range, the most frequent first."""


class NoticeEventData(TypedDict):
    """What there is to say of it."""

    code: str
    """What kind of notice it is."""
    text: str
    """What people should know."""


class NoticeEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["notice"]
    """What happened."""
    data: NoticeEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class _OpenapiPagesChoreOpenapiPagesRequired(TypedDict):
    file: str
    """OpenAPI or Swagger description in the repository, JSON or YAML"""


class OpenapiPagesChoreOpenapiPages(_OpenapiPagesChoreOpenapiPagesRequired, total=False):
    """The inputs of the chore."""

    source: str
    """Name of the source that has the file; the docs themselves when absent"""
    folder: str
    """Folder of the pages"""
    group: str
    """Group of the navigation; made if absent"""


class OpenapiPagesChore(TypedDict):
    """Writes API reference pages from an OpenAPI file, one per tag, and puts them into the navigation. Pages that it made before are rewritten; other pages are never overwritten."""

    openapi_pages: OpenapiPagesChoreOpenapiPages
    """The inputs of the chore."""


class OrphanReportChoreOrphanReport(TypedDict):
    """The inputs of the chore."""

    pass


class OrphanReportChore(TypedDict):
    """Lists pages that are not in the navigation and navigation entries without a page. Changes nothing."""

    orphan_report: OrphanReportChoreOrphanReport
    """The inputs of the chore."""


class PageText(TypedDict):
    path: str
    """Path of the page."""
    content: str
    """The page as Markdown."""


class PageVisitors(TypedDict):
    """Of one page."""

    human: int
    """By people."""
    ai: int
    """By AI assistants and agents."""
    total: int
    """By both, each visitor once: not necessarily the sum."""
    path: str
    """Path of the page."""


class PlanUpdatedEventDataStepsItem(TypedDict):
    text: str
    """What the agent plans to do."""
    state: Literal["open", "in_progress", "done", "dropped"]
    """`dropped`: it is not done after all."""


class PlanUpdatedEventData(TypedDict):
    """What there is to say of it."""

    steps: List[PlanUpdatedEventDataStepsItem]
    """All steps of the plan, in order."""


class PlanUpdatedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["plan.updated"]
    """What happened."""
    data: PlanUpdatedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class ProjectRepository(TypedDict):
    """The repository of the docs."""

    url: str
    """Where it is cloned from."""
    host: Literal["embedded", "github", "gitlab", "gitea", "forgejo"]
    """`embedded`: here; the others are hosts elsewhere."""
    source: Optional[str]
    """Where it was copied from or is; null when nowhere else."""
    missing: bool
    """Whether it is missing from the data directory: its site is 503 and its jobs wait until it is put back."""


class ProjectAccess(TypedDict):
    """Who may read the site."""

    mode: Literal["public", "password", "dashboard", "links"]
    """`public`: everybody; `password`: who has it; `dashboard`: who may sign in there; `links`: who has a link."""


class Project(TypedDict):
    """A docs project, as it is now."""

    id: str
    """Identifier of the project; opaque."""
    slug: str
    """Its label in addresses."""
    name: str
    """What people call it."""
    branch: str
    """The branch that the site shows and that pull requests go into."""
    siteUrl: str
    """Where readers find the site."""
    repository: ProjectRepository
    """The repository of the docs."""
    settings: ProjectSettings
    secrets: List[str]
    """Names of the keys of model providers that are stored. The keys are never shown."""
    access: ProjectAccess
    """Who may read the site."""
    domains: List[str]
    """Its own names, the main one first."""
    pinnedCommit: Optional[str]
    """The commit that the site is pinned to; null when it is not."""
    createdAt: str
    """When it was made."""
    archivedAt: Optional[str]
    """When it was archived; null when it is not."""
    version: str
    """Another one whenever something of the above is another."""
    connection: Optional[ProjectConnection]
    """Of a repository elsewhere; null of one that is here."""


class ProjectChangesAccessPassword(TypedDict):
    mode: Literal["password"]
    """Who has the password."""
    password: str
    """It is stored as a hash."""


class ProjectChangesAccess2(TypedDict):
    mode: Literal["public", "dashboard", "links"]
    """Who may read it without a password."""


class ProjectChanges(TypedDict, total=False):
    """What is to change; what is left out stays."""

    name: str
    """What people call it."""
    slug: str
    """A new address. The old one redirects and stays reserved for this project."""
    archived: bool
    """Whether it is archived: its site and its pages stay, and it takes no jobs, automations or pushes until it is unarchived. Jobs that are running finish."""
    branch: str
    """A branch that is there."""
    settings: ProjectSettingsChanges
    secrets: Dict[str, Optional[str]]
    """Keys of model providers by name, stored encrypted. Others stay."""
    access: Union[ProjectChangesAccessPassword, ProjectChangesAccess2]
    """Who may read the site. Every change ends what let somebody in before."""
    domains: List[str]
    """All names of the site, the main one first. What a project's own key adds needs the record in DNS that the refusal names."""


class ProjectConnection(TypedDict):
    """How a repository at a host elsewhere is followed. Its token is never shown."""

    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """What the host runs."""
    url: str
    """The repository there."""
    state: Literal["current", "waiting", "failing"]
    """`waiting`: it was not fetched yet; `failing`: the last look did not work, see `trouble`."""
    syncedAt: Optional[str]
    """When the branch was current last; null when never."""
    triedAt: Optional[str]
    """When the host was asked last; null: it is asked next."""
    webhookAt: Optional[str]
    """When its webhook called last; null when never."""
    trouble: Optional[str]
    """What went wrong; null when nothing did."""
    remarks: List[str]
    """What does not work beside that, such as comments."""
    app: Optional[str]
    """The GitHub App that it is reached with; null: a token."""


class ProjectSettingsQuotas(TypedDict, total=False):
    """What the project may use, in place of the server's quotas. Changed by keys of the instance alone."""

    jobsPerDay: int
    """New jobs on a day of UTC."""
    storageMb: int
    """Size of a repository that is hosted here, in megabytes of 1,000,000 bytes."""


class ProjectSettingsAnalytics(TypedDict, total=False):
    """What is counted, and how."""

    collect: bool
    """Whether views are counted."""
    countPrivate: bool
    """Whether readers whose browser sends GPC or DNT are counted."""
    identity: Literal["stable", "daily", "cookie"]
    """What visitors are told apart by."""
    retentionDays: int
    """Days that views are kept."""
    excludedNetworks: List[str]
    """Views from here are not counted."""
    allowedOrigins: List[str]
    """Sites elsewhere whose pages may send views."""
    feedback: bool
    """Whether pages ask readers if they helped."""


class ProjectSettings(TypedDict, total=False):
    """What is set; what is absent is as the server has it by default."""

    contentRoot: str
    """Folder of the docs, where docs.json does not say it."""
    model: str
    """Model for jobs that name none."""
    effort: Literal["low", "medium", "high"]
    """How long models think in jobs that do not set an effort."""
    instructions: str
    """Standing instructions for the agent."""
    draftOnFindings: bool
    """A change with findings becomes a draft pull request instead of failing."""
    unseenWords: Literal["report", "refuse"]
    """What happens to a change with words that agents would read and people may not see."""
    publicPullRequests: bool
    """Everybody may read pull requests and previews, while the site is public."""
    mention: str
    """What comments for the agent begin with at the code host; `off`: none are."""
    previewPosts: Literal["off", "status", "comment"]
    """How previews are shown at the code host."""
    publicAddress: str
    """Where another site shows this one, maybe below a path: no query, no slash at the end."""
    externalSite: str
    """Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP."""
    redirectToMainDomain: bool
    """Readers who come by another name are led to the main domain."""
    apiHosts: List[str]
    """Hosts that the server asks for descriptions of APIs."""
    webHosts: List[str]
    """Hosts whose web pages the agent may read."""
    apiProxy: bool
    """Requests that readers try on API pages go through this server."""
    models: Dict[str, Any]
    """Own model providers and the allowed models, in the form of `DOCENT_MODELS`. Changed by keys of the instance alone."""
    quotas: ProjectSettingsQuotas
    """What the project may use, in place of the server's quotas. Changed by keys of the instance alone."""
    analytics: ProjectSettingsAnalytics
    """What is counted, and how."""


class ProjectSettingsChangesQuotas(TypedDict, total=False):
    """What the project may use, in place of the server's quotas: fields that are left out stay, and null resets a field, or all of them. Changed by keys of the instance alone."""

    jobsPerDay: Optional[int]
    """New jobs on a day of UTC."""
    storageMb: Optional[int]
    """Size of a repository that is hosted here, in megabytes of 1,000,000 bytes."""


class ProjectSettingsChangesAnalytics(TypedDict, total=False):
    """What is counted, and how: fields that are left out stay, and null resets a field, or all of them."""

    collect: Optional[bool]
    """Whether views are counted."""
    countPrivate: Optional[bool]
    """Whether readers whose browser sends GPC or DNT are counted."""
    identity: Literal["stable", "daily", "cookie", None]
    """What visitors are told apart by."""
    retentionDays: Optional[int]
    """Days that views are kept."""
    excludedNetworks: Optional[List[str]]
    """Views from here are not counted."""
    allowedOrigins: Optional[List[str]]
    """Sites elsewhere whose pages may send views."""
    feedback: Optional[bool]
    """Whether pages ask readers if they helped."""


class ProjectSettingsChanges(TypedDict, total=False):
    """What is to be set; null takes a setting out."""

    contentRoot: Optional[str]
    """Folder of the docs, where docs.json does not say it."""
    model: Optional[str]
    """Model for jobs that name none."""
    effort: Literal["low", "medium", "high", None]
    """How long models think in jobs that do not set an effort."""
    instructions: Optional[str]
    """Standing instructions for the agent."""
    draftOnFindings: Optional[bool]
    """A change with findings becomes a draft pull request instead of failing."""
    unseenWords: Literal["report", "refuse", None]
    """What happens to a change with words that agents would read and people may not see."""
    publicPullRequests: Optional[bool]
    """Everybody may read pull requests and previews, while the site is public."""
    mention: Optional[str]
    """What comments for the agent begin with at the code host; `off`: none are."""
    previewPosts: Literal["off", "status", "comment", None]
    """How previews are shown at the code host."""
    publicAddress: Optional[str]
    """Where another site shows this one, maybe below a path: no query, no slash at the end."""
    externalSite: Optional[str]
    """Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP."""
    redirectToMainDomain: Optional[bool]
    """Readers who come by another name are led to the main domain."""
    apiHosts: Optional[List[str]]
    """Hosts that the server asks for descriptions of APIs."""
    webHosts: Optional[List[str]]
    """Hosts whose web pages the agent may read."""
    apiProxy: Optional[bool]
    """Requests that readers try on API pages go through this server."""
    models: Optional[Dict[str, Any]]
    """Own model providers and the allowed models, in the form of `DOCENT_MODELS`. Changed by keys of the instance alone."""
    quotas: Optional[ProjectSettingsChangesQuotas]
    """What the project may use, in place of the server's quotas: fields that are left out stay, and null resets a field, or all of them. Changed by keys of the instance alone."""
    analytics: Optional[ProjectSettingsChangesAnalytics]
    """What is counted, and how: fields that are left out stay, and null resets a field, or all of them."""


class Projects(TypedDict):
    projects: List[Project]
    """Projects, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class PullRequestClosedEventData(TypedDict):
    """What there is to say of it."""

    number: int
    """Number of the pull request."""
    url: str
    """Page of the pull request."""


class PullRequestClosedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["pull_request.closed"]
    """What happened."""
    data: PullRequestClosedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class PullRequestMergedEventData(TypedDict):
    """What there is to say of it."""

    number: int
    """Number of the pull request."""
    url: str
    """Page of the pull request."""


class PullRequestMergedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["pull_request.merged"]
    """What happened."""
    data: PullRequestMergedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class PullRequestOpenedEventData(TypedDict):
    """What there is to say of it."""

    number: int
    """Number of the pull request."""
    url: str
    """Page of the pull request."""
    commit: str
    """Id of the commit."""


class PullRequestOpenedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["pull_request.opened"]
    """What happened."""
    data: PullRequestOpenedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class PullRequestReopenedEventData(TypedDict):
    """What there is to say of it."""

    number: int
    """Number of the pull request."""
    url: str
    """Page of the pull request."""


class PullRequestReopenedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["pull_request.reopened"]
    """What happened."""
    data: PullRequestReopenedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class PullRequestUpdatedEventData(TypedDict):
    """What there is to say of it."""

    number: int
    """Number of the pull request."""
    url: str
    """Page of the pull request."""
    commit: str
    """Id of the commit."""


class PullRequestUpdatedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["pull_request.updated"]
    """What happened."""
    data: PullRequestUpdatedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class ReferrersReferrersItem(TypedDict):
    referrer: Optional[str]
    """The host, without `www.`; null of views that came from nowhere."""
    human: int
    """Views by people."""
    ai: int
    """Views by AI assistants and agents."""


class Referrers(TypedDict):
    referrers: List[ReferrersReferrersItem]
    """Referring hosts, by views."""


class _RemovePageChoreRemovePageRequired(TypedDict):
    page: str
    """Path, address, file name or title of the page"""


class RemovePageChoreRemovePage(_RemovePageChoreRemovePageRequired, total=False):
    """The inputs of the chore."""

    redirectTo: str
    """Page that takes its place; needed when something links to the page"""


class RemovePageChore(TypedDict):
    """Removes a page and its navigation entry. With redirectTo it redirects the address to another page and points the links to it there; reports every link that it changed. Without it nothing may link to the page."""

    remove_page: RemovePageChoreRemovePage
    """The inputs of the chore."""


_RemoveRedirectChoreRemoveRedirectRequired = TypedDict("_RemoveRedirectChoreRemoveRedirectRequired", {"from": "str"})
_RemoveRedirectChoreRemoveRedirectOptional = TypedDict("_RemoveRedirectChoreRemoveRedirectOptional", {"to": "str"}, total=False)


class RemoveRedirectChoreRemoveRedirect(_RemoveRedirectChoreRemoveRedirectRequired, _RemoveRedirectChoreRemoveRedirectOptional):
    """The inputs of the chore."""

    pass


class RemoveRedirectChore(TypedDict):
    """Removes the redirect from an address. Refuses while links lead by it."""

    remove_redirect: RemoveRedirectChoreRemoveRedirect
    """The inputs of the chore."""


class RemoveSectionChoreRemoveSection(TypedDict):
    """The inputs of the chore."""

    page: str
    """Path, address, file name or title of the page"""
    title: str
    """Title of the section"""


class RemoveSectionChore(TypedDict):
    """Removes a heading and all content below it. Links from other pages to the heading then lead to the page."""

    remove_section: RemoveSectionChoreRemoveSection
    """The inputs of the chore."""


class RenameGroupChoreRenameGroup(TypedDict):
    """The inputs of the chore."""

    group: str
    """Title of the group, or its trail (Reference > Releases)"""
    to: str
    """New title of the group"""


class RenameGroupChore(TypedDict):
    """Gives a group of the navigation another title. Pages and their addresses stay."""

    rename_group: RenameGroupChoreRenameGroup
    """The inputs of the chore."""


class RepairNavigationChoreRepairNavigation(TypedDict, total=False):
    """The inputs of the chore."""

    addOrphans: bool
    """Add pages that are not listed, next to the pages of their folder, and remove nothing"""
    group: str
    """Group for those pages, instead of the one of their folder"""


class RepairNavigationChore(TypedDict):
    """Removes navigation entries of pages that do not exist. With addOrphans it removes nothing, but adds pages that are not listed to the group that lists most of their folder."""

    repair_navigation: RepairNavigationChoreRepairNavigation
    """The inputs of the chore."""


class ReplaceSectionChoreReplaceSection(TypedDict):
    """The inputs of the chore."""

    page: str
    """Path, address, file name or title of the page"""
    title: str
    """Title of the section"""
    text: str
    """Markdown, used unchanged"""


class ReplaceSectionChore(TypedDict):
    """Replaces the content below a heading, including its sub-sections, with the given Markdown. The heading stays."""

    replace_section: ReplaceSectionChoreReplaceSection
    """The inputs of the chore."""


_ReplaceTermChoreReplaceTermRequired = TypedDict("_ReplaceTermChoreReplaceTermRequired", {"from": "str", "to": "str"})
_ReplaceTermChoreReplaceTermOptional = TypedDict("_ReplaceTermChoreReplaceTermOptional", {"in": "List[str]", "except": "List[str]", "only": "Literal[\"headings\", \"titles\"]", "includeCode": "bool", "letterCase": "Literal[\"exact\", \"as-written\", \"any\"]", "wholeWord": "bool", "plural": "bool"}, total=False)


class ReplaceTermChoreReplaceTerm(_ReplaceTermChoreReplaceTermRequired, _ReplaceTermChoreReplaceTermOptional):
    """The inputs of the chore."""

    pass


class ReplaceTermChore(TypedDict):
    """Replaces a word or phrase wherever readers see it: prose, titles and descriptions in the front matter, visible component attributes, navigation labels. Leaves code, addresses, ids and front-matter keys alone and reports where they still hold the term. Links to headings that change are corrected."""

    replace_term: ReplaceTermChoreReplaceTerm
    """The inputs of the chore."""


_ReportMissingAltChoreReportMissingAltRequired = TypedDict("_ReportMissingAltChoreReportMissingAltRequired", {})
_ReportMissingAltChoreReportMissingAltOptional = TypedDict("_ReportMissingAltChoreReportMissingAltOptional", {"in": "List[str]"}, total=False)


class ReportMissingAltChoreReportMissingAlt(_ReportMissingAltChoreReportMissingAltRequired, _ReportMissingAltChoreReportMissingAltOptional):
    """The inputs of the chore."""

    pass


class ReportMissingAltChore(TypedDict):
    """Lists the images without alternative text. Changes nothing: what they show only people know."""

    report_missing_alt: ReportMissingAltChoreReportMissingAlt
    """The inputs of the chore."""


class SearchesSearchesItem(TypedDict):
    searchQuery: str
    """What was searched for."""
    hits: int
    """How often it was searched for."""
    ctr: float
    """Share of these searches that led to a page, 0 to 1."""
    topClickedPage: Optional[str]
    """The page that most of them led to; null where none did."""
    lastSearchedAt: str
    """When it was searched for last."""


class Searches(TypedDict):
    searches: List[SearchesSearchesItem]
    """Queries, the most frequent first."""
    totalSearches: int
    """All searches of the range, those whose words are not kept among them."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class _SentViewsViewsItemRequired(TypedDict):
    event_id: str
    """Chosen by the sender; the same id again within the same UTC day is the same view."""
    path: str
    """Path of the page."""
    address: str
    """The reader's IPv4 or IPv6 address; it is not stored."""
    userAgent: str
    """The reader's `User-Agent`; it is not stored."""


class SentViewsViewsItem(_SentViewsViewsItemRequired, total=False):
    time: str
    """When it was seen; now when missing."""
    surface: Literal["html", "markdown", "llms"]
    """How the page was served."""
    found: bool
    """Whether there was such a page."""
    accept: str
    """The reader's `Accept`."""
    referrer: str
    """The reader's `Referer`: its host is kept."""


class SentViews(TypedDict):
    views: List[SentViewsViewsItem]
    """The views."""


class SeriesDaysItemVisitors(TypedDict):
    """Unique visitors of the day."""

    human: int
    """Visitors of the day that are people."""
    ai: int
    """Visitors of the day that are AI assistants and agents."""
    total: int
    """Both."""


class SeriesDaysItemViews(TypedDict):
    """Views of the day."""

    human: int
    """Views that are people."""
    ai: int
    """Views that are AI assistants and agents."""
    total: int
    """Both."""


class SeriesDaysItem(TypedDict):
    day: str
    """The UTC day."""
    visitors: SeriesDaysItemVisitors
    """Unique visitors of the day."""
    views: SeriesDaysItemViews
    """Views of the day."""


class Series(TypedDict):
    days: List[SeriesDaysItem]
    """Each day of the range, oldest first; days without views are zeros."""


class _SetAltTextChoreSetAltTextRequired(TypedDict):
    image: str
    """Path of the image, or its end ("console.png")"""
    alt: str
    """What the image shows; empty for an image that only decorates"""


class SetAltTextChoreSetAltText(_SetAltTextChoreSetAltTextRequired, total=False):
    """The inputs of the chore."""

    page: str
    """Only on this page"""


class SetAltTextChore(TypedDict):
    """Sets the alternative text of an image wherever it is shown; an empty text marks it as decoration."""

    set_alt_text: SetAltTextChoreSetAltText
    """The inputs of the chore."""


_SetFrontMatterChoreSetFrontMatterRequired = TypedDict("_SetFrontMatterChoreSetFrontMatterRequired", {"key": "str", "value": "Optional[Union[str, float, bool, List[str]]]"})
_SetFrontMatterChoreSetFrontMatterOptional = TypedDict("_SetFrontMatterChoreSetFrontMatterOptional", {"page": "str", "in": "List[str]", "except": "List[str]", "add": "bool"}, total=False)


class SetFrontMatterChoreSetFrontMatter(_SetFrontMatterChoreSetFrontMatterRequired, _SetFrontMatterChoreSetFrontMatterOptional):
    """The inputs of the chore."""

    pass


class SetFrontMatterChore(TypedDict):
    """Sets, adds or removes one value in the front matter of a page, such as its title or its keywords."""

    set_front_matter: SetFrontMatterChoreSetFrontMatter
    """The inputs of the chore."""


class SiteLink(TypedDict):
    url: str
    """Opens the page, and with it the whole site."""
    token: str
    """What a program sends as `Authorization: Bearer` to the site in its place."""
    expiresAt: str
    """When it ends."""


class SitePin(TypedDict):
    commit: str
    """Id of the commit."""
    at: str
    """When it was pinned."""
    by: str
    """Name of the API key, or the command."""


class Source(TypedDict):
    """A further repository of a project, which the agent reads and never writes. Its token is never shown."""

    id: str
    """Identifier of the source; opaque."""
    name: str
    """What people and the agent call it; no two sources of a project alike."""
    host: Literal["github", "gitlab", "gitea", "forgejo"]
    """What the host runs."""
    url: str
    """The repository there."""
    branch: str
    """The branch that the agent reads."""
    syncedAt: Optional[str]
    """When the branch was current last; null when never."""
    trouble: Optional[str]
    """Why the last look failed; null when it did not."""


class Sources(TypedDict):
    sources: List[Source]
    """Sources, by name."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class SurfacesSurfacesItem(TypedDict):
    surface: Literal["html", "markdown", "llms"]
    """The form."""
    human: int
    """Views by people."""
    ai: int
    """Views by AI assistants and agents."""


class Surfaces(TypedDict):
    surfaces: List[SurfacesSurfacesItem]
    """Every form in which the content is read."""


class _ToolFinishedEventDataRequired(TypedDict):
    id: str
    """The same as in `tool.started`."""
    tool: str
    """Name of the tool."""
    ok: bool
    """Whether it did what it was asked."""
    summary: str
    """What came of it."""
    durationMs: float
    """How long it took, in milliseconds."""


class ToolFinishedEventData(_ToolFinishedEventDataRequired, total=False):
    """What there is to say of it."""

    reason: str
    """Why it failed, as the model was told; absent where it did not."""


class ToolFinishedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["tool.finished"]
    """What happened."""
    data: ToolFinishedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class _ToolStartedEventData1Required(TypedDict):
    id: str
    """The same in `tool.finished`."""
    tool: str
    """Name of the tool."""


class ToolStartedEventData1(_ToolStartedEventData1Required, total=False):
    input: Any
    """What the tool is given."""


class ToolStartedEventData2(TypedDict):
    leftOut: str
    """How much was left out, in words."""


class ToolStartedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["tool.started"]
    """What happened."""
    data: Union[ToolStartedEventData1, ToolStartedEventData2]
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class TriggeredAutomation(TypedDict):
    schemaId: str
    """Identifier of the automation; opaque."""
    instanceId: str
    """Identifier of the run: that of the automation, and the run's number; opaque."""
    jobId: str
    """Identifier of the agent job; opaque."""


class TriggeredPreview(TypedDict):
    statusId: str
    """Asks for the state."""
    previewUrl: str
    """Opens the preview for whoever has it."""


class TriggeredUpdate(TypedDict):
    statusId: str
    """Asks for the state."""


class _TryChoresRequired(TypedDict):
    chores: List[AgentChore]
    """Chores to carry out, in order: all of them, or none."""


class TryChores(_TryChoresRequired, total=False):
    ref: str
    """Branch to try them on; the project's by default."""
    withPages: bool
    """Answer with the changed pages as readers would get them."""


class TurnFinishedEventDataFilesItem(TypedDict):
    path: str
    """Path of the file."""
    why: str
    """What was changed in it and why."""


class _TurnFinishedEventDataRequired(TypedDict):
    ok: bool
    """Whether the turn did what it was asked."""
    summary: str
    """What came of it."""


class TurnFinishedEventData(_TurnFinishedEventDataRequired, total=False):
    """What there is to say of it."""

    files: List[TurnFinishedEventDataFilesItem]
    """What the agent says of each changed file; absent where it says nothing."""
    forLaterJobs: List[str]
    """Rules that the agent proposes for the project's instructions; absent where it proposes none."""


class TurnFinishedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["turn.finished"]
    """What happened."""
    data: TurnFinishedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class TurnStartedEventData(TypedDict):
    """What there is to say of it."""

    messages: List[int]
    """The messages that the turn is for."""
    baseCommit: str
    """Id of the commit."""
    branch: str
    """Branch that the turn works on."""


class TurnStartedEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["turn.started"]
    """What happened."""
    data: TurnStartedEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class UpdateStatusCommitFilesChanged(TypedDict):
    """What the commit changed."""

    added: List[str]
    """New files."""
    modified: List[str]
    """Changed files."""
    removed: List[str]
    """Removed files."""


class UpdateStatusCommit(TypedDict):
    """The commit that it led to."""

    sha: str
    """Id of the commit."""
    ref: str
    """The branch."""
    message: str
    """The commit's message."""
    filesChanged: UpdateStatusCommitFilesChanged
    """What the commit changed."""


class _UpdateStatusRequired(TypedDict):
    _id: str
    """Asks for the state."""
    projectId: str
    """Identifier of the project; opaque."""
    createdAt: str
    """When it was asked for."""
    status: Literal["queued", "in_progress", "success", "failure"]
    """How far it is."""
    summary: str
    """What it came to, in a sentence."""
    logs: List[str]
    """What was done, in lines."""
    subdomain: str
    """The site's name below the server's domain."""
    source: Literal["internal", "github", "gitlab", "gitea", "forgejo"]
    """Where the repository is."""


class UpdateStatus(_UpdateStatusRequired, total=False):
    endedAt: str
    """Absent until it has ended."""
    author: str
    """Who wrote the commit."""
    commit: UpdateStatusCommit
    """The commit that it led to."""


class UsageEventData(TypedDict):
    """What there is to say of it."""

    inputTokens: int
    """What the model read."""
    cachedTokens: int
    """Of these, what the provider read from its cache."""
    cacheWriteTokens: int
    """Of these, what the provider wrote to its cache."""
    outputTokens: int
    """What the model wrote."""


class UsageEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["usage"]
    """What happened."""
    data: UsageEventData
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class ValidationEventData1Totals(TypedDict):
    """How many were found; the lists may hold fewer. Absent in events of earlier versions."""

    errors: int
    """All errors."""
    warnings: int
    """All warnings."""
    newHosts: int
    """All new hosts."""


class _ValidationEventData1Required(TypedDict):
    errors: List[Any]
    """Findings that keep the change from being published."""
    warnings: List[Any]
    """Findings that do not."""
    newHosts: List[str]
    """Hosts that the change links to and that the docs did not link to before."""


class ValidationEventData1(_ValidationEventData1Required, total=False):
    totals: ValidationEventData1Totals
    """How many were found; the lists may hold fewer. Absent in events of earlier versions."""


class ValidationEventData2(TypedDict):
    leftOut: str
    """How much was left out, in words."""


class ValidationEvent(TypedDict):
    seq: int
    """1, 2, 3 … without gaps, per job."""
    turn: int
    """Number of the message that it belongs to."""
    type: Literal["validation"]
    """What happened."""
    data: Union[ValidationEventData1, ValidationEventData2]
    """What there is to say of it."""
    createdAt: str
    """When it happened."""


class Views(TypedDict):
    totals: VisitorTotals
    views: List[PageVisitors]
    """Views of each page, the most viewed first."""
    hasMore: bool
    """Whether there are pages after these."""


class VisitorTotals(TypedDict):
    """Of the whole site in the range, whatever the page."""

    human: int
    """By people."""
    ai: int
    """By AI assistants and agents."""
    total: int
    """By both, each visitor once: not necessarily the sum."""


class Visitors(TypedDict):
    totals: VisitorTotals
    visitors: List[PageVisitors]
    """Unique visitors of each page, the most visited first."""
    hasMore: bool
    """Whether there are pages after these."""


class Webhook(TypedDict):
    id: str
    """Identifier of the webhook; opaque."""
    url: str
    """Where events are sent."""
    description: Optional[str]
    """What it is for."""
    format: Literal["standard", "slack"]
    """`standard`: the event, by the Standard Webhooks specification; `slack`: `{text}`, a message for people, as incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat take it."""
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """What is sent."""
    enabled: bool
    """Whether events are sent to it."""
    disabledReason: Optional[str]
    """Set when the server disabled it."""
    failingSince: Optional[str]
    """Since when every attempt has failed; null while they do not."""
    previousSecretUntil: Optional[str]
    """Until when requests are signed with the former secret, too; null when they are not."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was changed last."""


class WebhookChanges(TypedDict, total=False):
    url: str
    """http or https, on the public Internet, or a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names."""
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """What to be told of."""
    description: Optional[str]
    """What it is for; null for no words."""
    format: Literal["standard", "slack"]
    """What requests contain from now on."""
    enabled: bool
    """Whether events are sent to it."""


class WebhookDeliveries(TypedDict):
    deliveries: List[WebhookDelivery]
    """Deliveries, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


class WebhookDeliveryAttemptsItem(TypedDict):
    attempt: int
    """1 for the first."""
    startedAt: str
    """When it was made."""
    durationMs: float
    """How long it took, in milliseconds."""
    status: Optional[int]
    """Status of the answer; null when there was none."""
    error: Optional[str]
    """What went wrong before or with the answer; null when nothing did."""
    response: Optional[str]
    """Start of the answer's body."""


class WebhookDelivery(TypedDict):
    id: str
    """Identifier of the delivery; opaque."""
    eventId: str
    """The `webhook-id` of every attempt."""
    type: Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened", "webhook.test"]
    """What happened."""
    jobId: Optional[str]
    """The job that it happened to; null for a test."""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: it will be tried, perhaps again; `delivered`: a 2xx came; `failed`: it was given up."""
    nextAttemptAt: Optional[str]
    """When it is tried next; null when it is over."""
    createdAt: str
    """When it happened."""
    endedAt: Optional[str]
    """When it was delivered or given up."""
    attempts: List[WebhookDeliveryAttemptsItem]
    """The requests that were sent, in order."""


class WebhookMessage(TypedDict):
    type: Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: AgentJob


class WebhookTestData(TypedDict):
    """Which webhook it is."""

    projectId: str
    """Identifier of the project; opaque."""
    webhookId: str
    """Identifier of the webhook that is tried; opaque."""


class WebhookTest(TypedDict):
    type: Literal["webhook.test"]
    """A test: nothing happened."""
    timestamp: str
    """When it was asked for."""
    data: WebhookTestData
    """Which webhook it is."""


class WebhookWithSecret(TypedDict):
    id: str
    """Identifier of the webhook; opaque."""
    url: str
    """Where events are sent."""
    description: Optional[str]
    """What it is for."""
    format: Literal["standard", "slack"]
    """`standard`: the event, by the Standard Webhooks specification; `slack`: `{text}`, a message for people, as incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat take it."""
    events: List[Literal["job.completed", "job.failed", "job.archived", "message.refused", "pull_request.opened", "pull_request.updated", "pull_request.merged", "pull_request.closed", "pull_request.reopened"]]
    """What is sent."""
    enabled: bool
    """Whether events are sent to it."""
    disabledReason: Optional[str]
    """Set when the server disabled it."""
    failingSince: Optional[str]
    """Since when every attempt has failed; null while they do not."""
    previousSecretUntil: Optional[str]
    """Until when requests are signed with the former secret, too; null when they are not."""
    createdAt: str
    """When it was made."""
    updatedAt: str
    """When it was changed last."""
    secret: str
    """`whsec_` and base64; shown this once."""


class Webhooks(TypedDict):
    webhooks: List[Webhook]
    """Webhooks, newest first."""
    nextCursor: Optional[str]
    """Asks for the next page; null on the last one."""


AgentChore = Union[ReplaceTermChore, CheckLinksChore, FixLinksChore, AddPageChore, MovePageChore, RemovePageChore, AddSectionChore, ReplaceSectionChore, RemoveSectionChore, AddCalloutChore, SetFrontMatterChore, AddMissingDescriptionsChore, SetAltTextChore, ReportMissingAltChore, ChangelogFromHistoryChore, OpenapiPagesChore, NormaliseStyleChore, RepairNavigationChore, OrphanReportChore, RenameGroupChore, MoveGroupChore, AddRedirectChore, RemoveRedirectChore, AuditChore, ApplyPatchChore]
AgentJobEvent = Union[JobCreatedEvent, JobPhaseEvent, MessageReceivedEvent, TurnStartedEvent, MessageEvent, ToolStartedEvent, ToolFinishedEvent, PlanUpdatedEvent, UsageEvent, NoticeEvent, FilesChangedEvent, ValidationEvent, CommitPushedEvent, PullRequestOpenedEvent, PullRequestUpdatedEvent, PullRequestMergedEvent, PullRequestClosedEvent, PullRequestReopenedEvent, TurnFinishedEvent, MessageRefusedEvent, JobCompletedEvent, JobFailedEvent, JobArchivedEvent, JobUnarchivedEvent]
AutomationTrigger = Union[AutomationTriggerSchedule2, AutomationTriggerPush2, AutomationTrigger32, AutomationTriggerApi2]
