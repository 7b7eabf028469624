// Written by `npm run fix` from docs/openapi.json: change the routes instead.

/** Bodies by their names in the document. */
export interface Schemas {
  AcceptedViews: {
    /** Number of views that are stored on disk. */
    accepted: number;
    /** Number of views that were not counted because they are older than the project's retention period. Omitted if it is zero. */
    tooOld?: number;
  };
  /** Adds a note, warning, tip, info, check or danger box with the given text to a page. */
  AddCalloutChore: {
    /** Inputs of the chore. */
    add_callout: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Kind of box */
      kind: "note" | "warning" | "tip" | "info" | "check" | "danger";
      /** Markdown, used unchanged */
      text: string;
      /** Heading that the callout follows; the top of the page when absent */
      section?: string;
    };
  };
  /** Gives pages without a description their own first sentence as one. Never invents: pages without a usable first sentence are reported. */
  AddMissingDescriptionsChore: {
    /** Inputs of the chore. */
    add_missing_descriptions: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  /** Adds a page with a title and the given Markdown and puts it into the navigation. The text is added unchanged; its links must not be broken. */
  AddPageChore: {
    /** Inputs of the chore. */
    add_page: {
      /** Title of the page */
      title: string;
      /** The page's Markdown, without front matter and title */
      text?: string;
      /** Description in the front matter */
      description?: string;
      /** Path or folder of the new page; made of the title and the group's folder when absent */
      path?: string;
      /** Group of the navigation; with no configured navigation a folder */
      group?: string;
      /** Page before it in the navigation */
      after?: string;
    };
  };
  /** Adds a redirect from an address without a page to a page. Refuses what would hide a page, lead in a circle or replace another redirect. */
  AddRedirectChore: {
    /** Inputs of the chore. */
    add_redirect: {
      /** Address on this site that readers still ask for, such as /old-name or /v1/* */
      from: string;
      /** Page, address on this site, or https address that they come to */
      to: string;
    };
  };
  /** Adds a section with a heading and the given Markdown to a page, after or before another or at the end. */
  AddSectionChore: {
    /** Inputs of the chore. */
    add_section: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Title of the section */
      title: string;
      /** Markdown, used unchanged */
      text: string;
      /** Title of the section that it follows; the end of the page when absent */
      after?: string;
      /** Title of the section after it */
      before?: string;
      /** Heading level; that of its neighbour when absent */
      depth?: number;
    };
  };
  /** Chore: an object that maps the name of the chore to its inputs. */
  AgentChore: Schemas["ReplaceTermChore"] | Schemas["CheckLinksChore"] | Schemas["FixLinksChore"] | Schemas["AddPageChore"] | Schemas["MovePageChore"] | Schemas["RemovePageChore"] | Schemas["AddSectionChore"] | Schemas["ReplaceSectionChore"] | Schemas["RemoveSectionChore"] | Schemas["AddCalloutChore"] | Schemas["SetFrontMatterChore"] | Schemas["AddMissingDescriptionsChore"] | Schemas["SetAltTextChore"] | Schemas["ReportMissingAltChore"] | Schemas["ChangelogFromHistoryChore"] | Schemas["OpenapiPagesChore"] | Schemas["NormaliseStyleChore"] | Schemas["RepairNavigationChore"] | Schemas["OrphanReportChore"] | Schemas["RenameGroupChore"] | Schemas["MoveGroupChore"] | Schemas["AddRedirectChore"] | Schemas["RemoveRedirectChore"] | Schemas["AuditChore"] | Schemas["ApplyPatchChore"] | Schemas["MoveToDocsJsonChore"];
  /** Current state of an agent job. */
  AgentJob: {
    /** Opaque identifier of the agent job. */
    id: string;
    /** Status of the job. `active`: the agent is working on the job; `completed`: every message was handled; `failed`: the job failed, see `error`; `archived`: the job was archived. */
    status: "active" | "completed" | "archived" | "failed";
    /** Repository and branch that the job works on. */
    source: {
      /** URL of the repository. */
      repository: string;
      /** Branch that the agent works on. `null` if the job has no branch yet. */
      ref: string | null;
    };
    /** Provider-qualified name of the model that the job uses. */
    model: string;
    /** Link to the pull request, which opens for anyone who is signed in to the project. For a failed job, the draft with the work done so far. `null` while the job is active and if no file was changed. */
    prLink: string | null;
    /** Date and time when the job was created. */
    createdAt: string;
    /** Date and time when the job was archived. `null` if the job is not archived. */
    archivedAt: string | null;
    /** Date and time when the server deleted the job's instructions and transcript, which it keeps for a limited time after a job is archived. Such a job cannot be unarchived. `null` if they have not been deleted. */
    transcriptDeletedAt: string | null;
    /** Pull request of the job, which is also present while the job is active. `null` if the job has none. */
    pullRequest: {
      /** Number of the pull request in the repository. */
      number: number;
      /** URL of the pull request. */
      url: string;
      /** State of the pull request. */
      state: "open" | "merged" | "closed";
      /** Whether the pull request is a draft. */
      draft: boolean;
    } | null;
    /** Title of the job and its pull request. `null` if the job has no title yet. */
    title: string | null;
    /** Agent's summary of its work. `null` until the agent has completed a turn. */
    summary: string | null;
    /** Whether the last message changed a file or, for a dry run, would change one. `false` while the message is being handled. */
    changed: boolean;
    /** Whether the job is a dry run, which publishes nothing. */
    dryRun: boolean;
    /** Reasoning effort: how long the model thinks, as last set by the job or a message. `null` if the settings of the project or the model apply. */
    effort: "low" | "medium" | "high" | null;
    /** Changes that a dry run would have published. `null` until the dry run has ended and for other jobs. */
    plan: {
      /** Number of new files. */
      added: number;
      /** Number of changed files. */
      modified: number;
      /** Number of removed files. */
      removed: number;
      /** Paths of the files, at most 200. */
      paths: string[];
    } | null;
    /** Reason why the job failed. `null` if the job did not fail. */
    error: Schemas["AgentJobError"] | null;
    /** Last message sent to the job. */
    lastMessage: {
      /** Number of the message: `1` created the job, and later messages are follow-ups. */
      seq: number;
      /** Reason why the message was not carried out. `null` if it was carried out or is still waiting. A job whose follow-up message is refused stays `completed`. */
      error: Schemas["AgentJobError"] | null;
      /** Question that the agent needs answered before it can continue. Answer it with a follow-up message. `null` if the agent asks nothing. */
      question: string | null;
    };
    /** Usage of all turns of the job. */
    usage: {
      /** Number of responses from the model. */
      steps: number;
      /** Number of tokens that the model read. */
      inputTokens: number;
      /** Number of tokens in `inputTokens` that the provider read from its cache. */
      cachedInputTokens: number;
      /** Number of tokens that the model wrote. */
      outputTokens: number;
      /** Cost in US dollars. `0` if no price is set. */
      costUsd: number;
    };
    /** Current phase of the job. `idle` if the job is not active. */
    phase: "queued" | "preparing" | "running" | "waiting" | "validating" | "publishing" | "idle";
    /** Model provider that the job waits for in the phase `waiting`. `null` in every other phase. */
    waitingFor: {
      /** Name of the model provider that is not responding. */
      provider: string;
      /** Last error from the provider. */
      reason: string;
      /** Date and time of the first failure. */
      since: string;
      /** Date and time of the next retry. */
      retryAt: string;
    } | null;
    /** Why an active job makes no progress although nothing is wrong with it, for people: no worker is running. `null` otherwise. */
    notice: string | null;
    /** Link that opens the preview for anyone who has it, until the pull request is merged or closed. `null` if there is no preview. */
    previewLink: string | null;
  };
  AgentJobDiff: {
    /** Commit that the changes are compared with. `null` if there are no changes. */
    base: string | null;
    /** Commit that contains the changes. `null` if there are no changes. */
    head: string | null;
    /** Changed files. */
    files: ({
      /** Kind of change. */
      status: "added" | "modified" | "removed" | "renamed";
      /** Path of the file in the repository. */
      path: string;
      /** Path of the file before it was renamed. `null` if the file was not renamed. */
      oldPath: string | null;
      /** Number of added lines. `null` for a binary file. */
      additions: number | null;
      /** Number of removed lines. `null` for a binary file. */
      deletions: number | null;
    })[];
    /** Whether there are more files. */
    hasMore: boolean;
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  /** Reason why a job failed. */
  AgentJobError: {
    /** Machine-readable reason for the failure. Use this field in program logic. */
    code: "not_understood" | "impossible" | "cancelled" | "ref_not_found" | "budget_exceeded" | "step_limit" | "time_limit" | "stuck" | "model_error" | "model_auth" | "context_overflow" | "validation_failed" | "branch_moved" | "push_denied" | "code_host_error" | "policy" | "worker_died" | "internal";
    /** Human-readable description of the failure. */
    message: string;
    /** Advice on what to do about the failure. */
    hint: string;
    /** `true` if the model's provider or the code host was unavailable and a retry may succeed later. Omitted otherwise. */
    outage?: true;
    /** Chores closest to the instruction that would change something, as tried on the docs. Only with the code `not_understood`, if the job has no language model. Omitted otherwise. */
    suggestions?: Schemas["ChoreSuggestion"][];
  };
  /** Event in the transcript of a job. New types may be added: ignore those that you do not know. */
  AgentJobEvent: Schemas["JobCreatedEvent"] | Schemas["JobPhaseEvent"] | Schemas["MessageReceivedEvent"] | Schemas["TurnStartedEvent"] | Schemas["MessageEvent"] | Schemas["ToolStartedEvent"] | Schemas["ToolFinishedEvent"] | Schemas["PlanUpdatedEvent"] | Schemas["UsageEvent"] | Schemas["NoticeEvent"] | Schemas["SubtasksStartedEvent"] | Schemas["SubtaskFinishedEvent"] | Schemas["FilesChangedEvent"] | Schemas["ValidationEvent"] | Schemas["CommitPushedEvent"] | Schemas["PullRequestOpenedEvent"] | Schemas["PullRequestUpdatedEvent"] | Schemas["PullRequestMergedEvent"] | Schemas["PullRequestClosedEvent"] | Schemas["PullRequestReopenedEvent"] | Schemas["TurnFinishedEvent"] | Schemas["MessageRefusedEvent"] | Schemas["JobCompletedEvent"] | Schemas["JobFailedEvent"] | Schemas["JobArchivedEvent"] | Schemas["JobUnarchivedEvent"];
  AgentJobEvents: {
    /** Events, oldest first. */
    events: Schemas["AgentJobEvent"][];
    /** Whether there are later events. */
    hasMore: boolean;
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  AgentJobs: {
    /** Jobs, newest first. */
    jobs: Schemas["AgentJob"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  /** `prompt` is required unless `chores` is given. */
  AgentMessage: {
    /** Instruction for the agent. Must not be blank or contain NUL characters. */
    prompt?: string;
    /** Chores to carry out in order without a model, either all of them or none. `prompt` then explains their purpose to people and is not carried out. If `prompt` is omitted, the server describes the chores in words. */
    chores?: Schemas["AgentChore"][];
    /** Reasoning effort from this message on: how long the model thinks. Unchanged if omitted. */
    effort?: "low" | "medium" | "high";
    /** Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. If the model cannot see images, the server tells the model that there were images, and notes it in the transcript. */
    attachments?: Schemas["Attachment"][];
  };
  /** Agent job in the format of version 1. */
  AgentSession: {
    /** Opaque identifier of the agent job. */
    sessionId: string;
    /** Name of the site below the server's domain. */
    subdomain: string;
    /** Branch that the agent works on. `null` if the job has no branch yet. */
    branch: string | null;
    /** Whether the agent is idle. */
    haulted: boolean;
    /** State of the agent. `processing`: the agent is working; `completed`: every message was handled; `interrupted`: the job was cancelled; `github_missconfigured`: the code host refused the push; `error`: anything else. */
    haultReason: "completed" | "github_missconfigured" | "error" | "processing" | "interrupted";
    /** Link to the pull request. Omitted while the agent is working and if the job has no pull request. */
    pullRequestLink?: string;
    /** Agent's summary of its work, or the reason why the job failed. Omitted while the agent is working, or if the agent wrote no summary. */
    messageToUser?: string;
    /** Always empty, because jobs have no such lists. */
    todos: ({
      /** Task to do. */
      content: string;
    })[];
    /** Title of the job. Omitted if the job has no title yet. */
    title?: string;
    /** Date and time when the job was created. */
    createdAt: string;
  };
  AgentSessions: {
    /** Jobs, newest first. */
    allSessions: Schemas["AgentSession"][];
  };
  Agents: {
    /** Clients other than browsers, by number of views. */
    agents: ({
      /** Product name, as the client states it. */
      name: string;
      /** Operator of the client. `null` if unknown. */
      operator: string | null;
      /** Purpose for which the client reads. */
      category: "assistant" | "search" | "training" | "other_bot" | "browser" | "http_client";
      /** Number of views by people. */
      human: number;
      /** Number of views by AI assistants and agents. */
      ai: number;
      /** Number of views counted neither as `human` nor as `ai`. */
      other: number;
      /** Number of the client's views that are proven to come from the operator. */
      verified: number;
      /** Number of the client's views that are proven not to come from the operator. */
      spoofed: number;
      /** Number of the client's views from an address that is on none of the operator's lists, while the list was old. These views are counted. */
      unverified: number;
      /** Last day with a view by the client. */
      lastSeen: string;
    })[];
  };
  AnalyticsSnippet: {
    /** HTML element that loads the script, for every page of the site hosted elsewhere. */
    snippet: string;
    /** Origins that can send views: that of the external site, then `settings.analytics.allowedOrigins` of the project. */
    allowedOrigins: string[];
  };
  ApiAddresses: {
    /** Hosts from which the server can fetch API descriptions, such as `api.example.com` or `*.example.com`, with the port if it differs from that of https. Fetching is off if empty. */
    hosts: string[];
    /** Whether requests that readers try on API pages go through this server. `false` in a new project. */
    proxy: boolean;
    /** Version of the settings. Changes whenever `hosts` or `proxy` changes, but not when the copies of addresses change. */
    version: string;
    /** State of the copy of each address that the docs name, by address. */
    addresses: ({
      /** Address as the docs name it, without a fragment. */
      address: string;
      /** Whether the site that readers see names the address. */
      live: boolean;
      /** Date and time when the address's host last confirmed that the copy is current. `null` if there is no copy. */
      readAt: string | null;
      /** Size of the copy in bytes. `null` if there is no copy. */
      sizeBytes: number | null;
      /** Reason why the last fetch failed. `null` if the fetch succeeded. */
      trouble: string | null;
      /** Date and time of the next fetch. `null` if the address is fetched when a push names it. */
      nextAt: string | null;
    })[];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  ApiAddressesAsked: {
    /** Number of addresses that the server fetches. */
    addresses: number;
  };
  /** An API key, without the key itself. */
  ApiKey: {
    /** Id of the key, not the key itself. */
    id: string;
    /** Purpose of the key. */
    name: string;
    /** Last four characters of the key. */
    hint: string;
    /** Scope of the key. `read`: read jobs, counts and the site. `agent`: also create jobs, and send messages and views. `write`: also push, merge and close pull requests, and pin the site. `admin`: also everything else. */
    scope: "read" | "agent" | "write" | "admin";
    /** IP addresses and ranges from which the key can be used. `null` if the key can be used from any address. */
    allow: string[] | null;
    /** Date and time when the key was created. */
    createdAt: string;
    /** Date and time when the key was last used. `null` if never. */
    lastUsedAt: string | null;
    /** Date and time when the key expires. `null` if the key does not expire. */
    expiresAt: string | null;
    /** Date and time when the key was revoked. `null` if the key was not revoked. */
    revokedAt: string | null;
  };
  ApiKeys: {
    /** Keys, oldest first. */
    keys: Schemas["ApiKey"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  /** Applies a patch that the caller made, exactly: every hunk has to fit. For changes made in an editor: the checks before a pull request are the same. */
  ApplyPatchChore: {
    /** Inputs of the chore. */
    apply_patch: {
      /** A unified patch of text files, as `git diff` prints it, made from the branch that it is applied to */
      patch: string;
    };
  };
  AskedPage: {
    /** Path or URL of the page. */
    path: string;
    /** Groups of readers. Must be empty: sites have no groups of readers on this server, and the key can read all pages. */
    groups?: string[];
  };
  /** Image attached to a message. */
  Attachment: {
    /** Media type of the image. */
    mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
    /** Content of the image in base64. */
    data: string;
  };
  /** Looks over all docs and reports broken links, pages that do not parse, missing descriptions and alt texts, pages outside the navigation, dead navigation entries and titles used twice. Changes nothing. */
  AuditChore: {
    /** Inputs of the chore. */
    audit: Record<string, never>;
  };
  /** An action in a project. */
  AuditEvent: {
    /** Identifier of the entry; opaque. */
    id: string;
    /** Date and time of the action. */
    at: string;
    /** Actor who performed the action. */
    actor: {
      /** Kind of actor. */
      kind: "person" | "key" | "operator";
      /** Identifier of the person or key. */
      id: string;
      /** Name of the actor at the time of the action. */
      name: string;
    };
    /** Description of the action, to be read after the actor's name. */
    sentence: string;
    /** Name of the API operation, or of the form of the dashboard. */
    action: string;
    /** Name of what the action affected. `null` if no name was recorded. */
    subject: string | null;
    /** Path of the request. */
    target: string;
    /** Address of the client that sent the request. */
    address: string;
  };
  AuditEvents: {
    /** Entries, newest first. */
    events: Schemas["AuditEvent"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  Automation: {
    /** Opaque identifier of the automation. */
    id: string;
    /** Name of the automation. */
    name: string;
    /** Instruction for the agent. */
    prompt: string;
    /** Trigger that starts the automation. */
    trigger: {
      /** Starts the automation at the times in `cron`. */
      kind: "schedule";
      /** Cron expression: minute, hour, day, month and weekday. */
      cron: string;
      /** Time zone of the hours and days in `cron`. */
      timeZone: string;
    } | {
      /** Starts the automation after a push to a branch of the repository. */
      kind: "push";
      /** Name of the branch. */
      branch: string;
    } | {
      /** Starts the automation when a source receives new commits (`source_push`) or a pull request of a source is merged (`source_merge`). */
      kind: "source_push" | "source_merge";
      /** Name of a source of the project. */
      source: string;
    } | {
      /** Starts the automation only on request. */
      kind: "api";
    };
    /** Branch to start from. `null` for the project's branch. */
    ref: string | null;
    /** Provider-qualified name of the model. `null` for the project's model. */
    model: string | null;
    /** Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply. */
    effort: "low" | "medium" | "high" | null;
    /** Whether pull requests are opened as drafts. */
    draft: boolean;
    /** Whether the trigger starts the automation. */
    enabled: boolean;
    /** Number of runs so far. */
    runs: number;
    /** Date and time of the next run. `null` if no run is scheduled. */
    nextRunAt: string | null;
    /** Date and time when the automation was created. */
    createdAt: string;
    /** Date and time when the automation was last changed. */
    updatedAt: string;
  };
  AutomationChanges: {
    /** Name of the automation. */
    name?: string;
    /** Instruction for the agent. Must not be blank or contain NUL characters. */
    prompt?: string;
    trigger?: Schemas["AutomationTrigger"];
    /** Branch to start from. `null` for the project's branch. */
    ref?: string | null;
    /** Provider-qualified name of the model. `null` for the project's model. */
    model?: string | null;
    /** Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply. */
    effort?: "low" | "medium" | "high" | null;
    /** Whether to open pull requests as drafts. */
    draft?: boolean;
    /** Whether the trigger starts the automation. */
    enabled?: boolean;
  };
  AutomationRun: {
    /** Number of the run, counted from 1 in each automation. */
    number: number;
    /** What started the run. */
    startedBy: "schedule" | "push" | "api" | "source_push" | "source_merge";
    /** Date and time when the run started. */
    startedAt: string;
    /** Identifier of the job that carries out the run. `null` if the run has no job. */
    jobId: string | null;
    /** Number of the run's message in the job: `1` if the run created the job, a higher number if it added to the job. `null` if there is no job. */
    messageSeq: number | null;
    /** Reason why the run has no job. `null` if it has one. */
    note: string | null;
    /** Number of retries after an outage. */
    retries: number;
    /** Date and time of the last retry. `null` if there was none. */
    retriedAt: string | null;
  };
  AutomationRuns: {
    /** Runs, newest first. */
    runs: Schemas["AutomationRun"][];
    /** Whether there are earlier runs. */
    hasMore: boolean;
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  /** Trigger that starts the automation. */
  AutomationTrigger: {
    /** Starts the automation at the times in `cron`. */
    kind: "schedule";
    /** Cron expression: minute, hour, day, month and weekday. */
    cron: string;
    /** Time zone of the hours and days in `cron`. */
    timeZone?: string;
  } | {
    /** Starts the automation after a push to a branch of the repository. */
    kind: "push";
    /** Name of the branch. The project's branch if omitted. */
    branch?: string;
  } | {
    /** Starts the automation when a source receives new commits (`source_push`) or a pull request of a source is merged (`source_merge`). */
    kind: "source_push" | "source_merge";
    /** Name of a source of the project. */
    source: string;
  } | {
    /** Starts the automation only on request. */
    kind: "api";
  };
  Automations: {
    /** Automations, newest first. */
    automations: Schemas["Automation"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  CancelAgentJob: {
    /** Whether to publish the agent's work as a draft. */
    keepWork?: boolean;
  };
  /** Adds an entry to the changelog made of the subjects of commits since a tag: grouped when they are conventional commits, merges and internal ones left out. The subjects are used unchanged. */
  ChangelogFromHistoryChore: {
    /** Inputs of the chore. */
    changelog_from_history: {
      /** The changelog page; found by its name when absent */
      page?: string;
      /** Heading of the entry; the date when absent */
      version?: string;
      /** Tag or commit before the first change; the last tag when absent */
      since?: string;
      /** Name of a source to take the commits of; the docs themselves when absent */
      source?: string;
    };
  };
  /** Checks every internal link, image and anchor of the docs and reports those that are broken. Changes nothing. */
  CheckLinksChore: {
    /** Inputs of the chore. */
    check_links: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  /** Chore that would change something. */
  ChoreSuggestion: {
    /** Chore with its inputs. Send it in `chores` of a follow-up message. */
    chore: Record<string, Record<string, unknown>>;
    /** Chore as an instruction in words. */
    title: string;
    /** Number of files that the chore would change. */
    files: number;
    /** Number of lines that the chore would change. */
    places: number;
  };
  /** Changes that chores would make. */
  ChoreTrial: {
    /** Whether a job with these chores would succeed: it would open a pull request, or find that there is nothing to change. */
    ok: boolean;
    /** Commit of the branch on which the chores were tried. */
    commit: string;
    /** Result of each chore, in order. */
    chores: ({
      /** Name of the chore. */
      chore: string;
      /** Whether the chore can be carried out. */
      ok: boolean;
      /** What the chore would do, or why it cannot be carried out. */
      summary: string;
      /** Notes for reviewers, in Markdown. */
      notes: string[];
      /** Advice for a chore that cannot be carried out, otherwise `null`. */
      hint: string | null;
    })[];
    /** Files that would change, at most 1,000. Empty if a chore cannot be carried out. */
    files: ({
      /** Kind of change. */
      status: "added" | "modified" | "removed" | "renamed";
      /** Path of the file in the repository. */
      path: string;
      /** Path of the file before the change. `null` if the file would not be renamed. */
      oldPath: string | null;
      /** Number of lines that would be added. `null` for a binary file. */
      additions: number | null;
      /** Number of lines that would be removed. `null` for a binary file. */
      deletions: number | null;
      /** Lines that would change, at most 50. */
      places: ({
        /** Number of the line after the change or, for a removed line, before it. */
        line: number;
        /** Current text of the line. `null` for a new line. */
        before: string | null;
        /** Text of the line after the change. `null` for a removed line. */
        after: string | null;
      })[];
      /** Number of lines that would change and are not in `places`. */
      morePlaces: number;
    })[];
    /** Number of files that would change and are not in `files`. */
    moreFiles: number;
    /** Unified patch of at most 100 files and 3,000 lines. */
    diff: string;
    /** Number of files that would change and are not in `diff`. These files have no `places` either. */
    diffLeftOut: number;
    /** Findings of the checks that run before a pull request, at most 50 of each kind. */
    findings: {
      /** Findings that would prevent the change from being published. */
      errors: ({
        /** Name of the check that reported the finding. */
        check: string;
        /** Path of the file. `null` if the finding does not concern a single file. */
        path: string | null;
        /** Number of the line. `null` if the finding does not concern a single line. */
        line: number | null;
        /** Human-readable description of the finding. */
        message: string;
      })[];
      /** Findings that reviewers would be told. */
      warnings: ({
        /** Name of the check that reported the finding. */
        check: string;
        /** Path of the file. `null` if the finding does not concern a single file. */
        path: string | null;
        /** Number of the line. `null` if the finding does not concern a single line. */
        line: number | null;
        /** Human-readable description of the finding. */
        message: string;
      })[];
      /** Number of findings that are not listed. */
      leftOut: number;
    };
    /** Changed pages as readers would see them, at most 5. Omitted if `withPages` is not `true` or the checks report errors. */
    pages?: ({
      /** Path of the page's file. */
      path: string;
      /** Title of the page. `null` if the page has no title. */
      title: string | null;
      /** Text of the page as readers would see it, at most 4,000 characters. */
      text: string;
      /** Problems on the page with components, syntax or snippets. */
      problems: string[];
    })[];
  };
  CommitPushedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "commit.pushed";
    /** Details of the event. */
    data: {
      /** ID of the commit. */
      commit: string;
      /** Branch that the commit was pushed to. */
      branch: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  CurrentSitePin: {
    /** Pin of the site. `null` if the site follows its branch. */
    pin: Schemas["SitePin"] | null;
  };
  Deployment: {
    /** Opaque identifier of the deployment. */
    id: string;
    /** Number of the deployment, counted from 1 in each project. */
    number: number;
    /** Id of the commit. */
    commit: string;
    /** Branch of the site at the time of the deployment. */
    branch: string;
    /** First line of the commit message. */
    subject: string;
    /** Author of the commit. */
    author: string;
    /** Date and time when the commit was written. */
    authoredAt: string;
    /** Date and time when the server detected that the commit is the newest of the branch. */
    noticedAt: string;
    /** Date and time when readers could first see the deployment. `null` if never. */
    liveAt: string | null;
    /** Milliseconds from the arrival of the push at the server to `liveAt`. `null` if the server did not observe the push or `liveAt` is `null`. */
    liveAfterMs: number | null;
    /** Whether readers currently see the deployment. */
    live: boolean;
    /** State of the deployment. `loading`: the server is reading the pages for the first time. `ready`: the pages can be shown. `failed`: the deployment cannot be shown, and readers keep seeing the previous one. `skipped`: a newer commit came before the pages were read. */
    state: "loading" | "ready" | "failed" | "skipped";
    /** Reason for the state `failed`. `null` in other states. */
    trouble: string | null;
    /** Number of pages. `null` if the pages have not been read yet. */
    pages: number | null;
    /** Number of errors in the report. `null` if there is no report. */
    errors: number | null;
    /** Number of warnings in the report. `null` if there is no report. */
    warnings: number | null;
  };
  DeploymentWithReport: (Schemas["Deployment"]) & ({
    /** Report on problems of the deployment. `null` if there is no report yet. */
    report: {
      /** Problems that were found. */
      problems: ({
        /** Severity of the problem. */
        severity: "error" | "warning";
        /** Kind of problem, as named by `docent check`. Omitted in reports of older versions. */
        code?: string;
        /** Path of the file in the repository. */
        path: string;
        /** Line in the file, counted from 1. `null` if the problem has no line. */
        line: number | null;
        /** Description of the problem for people. */
        message: string;
      })[];
      /** Number of problems that are counted but not listed. */
      leftOut: number;
      /** Results of the link check of the site. */
      links: {
        /** Number of links that were checked. */
        checked: number;
        /** Number of broken links. */
        broken: number;
      };
      /** Time taken to create the report, in milliseconds. */
      durationMs: number;
    } | null;
  });
  Deployments: {
    /** Deployments, newest first. */
    deployments: Schemas["Deployment"][];
    /** Commit that the site is pinned to. `null` if the site follows its branch. */
    pin: Schemas["SitePin"] | null;
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  DocsSearch: {
    /** Words to search for. Misspelled words and beginnings of words also match. */
    query: string;
    /** Maximum number of results. */
    pageSize?: number;
    /** Accepted but not applied: this search ranks results without giving them scores. */
    scoreThreshold?: number;
    /** Filter for the pages to search. */
    filter?: {
      /** Version of the pages to search. If omitted, the default version, followed by what only other versions have. */
      version?: string;
      /** Language of the pages to search. The site's first language if omitted. */
      language?: string;
      /** Value of `tag` in the front matter of the pages to search. */
      tag?: string;
      /** Groups of readers. Must be empty: sites have no groups of readers on this server, and the key can read all pages. */
      groups?: string[];
    };
  };
  EndPullRequest: {
    /** Full ID of the commit that you reviewed, which is `head` in the response of `GET /v2/agent/{projectId}/job/{id}/diff` with `Accept: application/json`. The server refuses the request if the pull request is at any other commit. */
    head?: string;
  };
  Erasure: {
    /** Address whose readers were erased. For IPv6, the /64. */
    address: string;
    /** Number of visitor numbers that the address had. */
    visitors: number;
    /** Number of deleted views. */
    views: number;
    /** Number of days with deleted views. */
    days: number;
    /** Number of deleted votes and comments. */
    feedback: number;
    /** Number of deleted files with unreadable bytes of the journal that contained the address. `null` with a key of the project, which leaves these files because they belong to all projects. */
    damagedFiles: number | null;
    /** Data that may remain, and what to do about it. */
    notReached: string[];
  };
  Error: {
    /** Human-readable error message. */
    error: string;
    /** Machine-readable error code. Use this field in program logic. */
    code: "invalid" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
    /** Problems with invalid input, one entry for each. */
    details?: ({
      /** Dotted path of the field, parameter or header. Empty for the whole input. */
      path: string;
      /** Description of the problem. */
      message: string;
    })[];
    /** Identifier of the request, as in `X-Request-Id`. Empty if the request could not be read. */
    requestId: string;
  };
  Feedback: {
    /** Entries, newest first. */
    feedback: ({
      /** Opaque identifier of the entry. */
      id: string;
      /** Route of the page. */
      path: string;
      /** Comment as written. Plain text, even if it contains markup. */
      comment: string | null;
      /** Date and time of the author's last vote or comment. */
      createdAt: string;
      /** Source of the entry. `contextual`: a reader's vote with a comment. `thumbs_only`: a vote without a comment. `agent`: a program. `code_snippet`: never used, exists for clients of the commercial API. */
      source: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** Status of the team's work on the entry. */
      status: "pending" | "in_progress" | "resolved" | "dismissed";
      /** Whether the page was helpful. `null` if an agent did not say. */
      helpful: boolean | null;
      /** Always `null`: readers are not asked for an address. */
      contact: null;
    })[];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
    /** Whether there are more entries. */
    hasMore: boolean;
  };
  FeedbackByPage: {
    /** Pages, those with the most entries first. */
    feedback: ({
      /** Route of the page. */
      path: string;
      /** Number of readers who found the page helpful. */
      thumbsUp: number;
      /** Number of readers who did not find the page helpful. */
      thumbsDown: number;
      /** Always 0, because entries never have the source `code_snippet`. */
      code: number;
      /** Number of all entries, including those of agents. */
      total: number;
    })[];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
    /** Whether there are more entries. */
    hasMore: boolean;
  };
  FilesChangedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "files.changed";
    /** Details of the event. */
    data: {
      /** Paths of new files. */
      added: string[];
      /** Paths of changed files. */
      modified: string[];
      /** Paths of removed files. */
      removed: string[];
      /** Pairs of paths in `removed` and `added` that are the same file. */
      moved?: ({
        /** Path of the file in `removed`. */
        from: string;
        /** Path of the file in `added`. */
        to: string;
      })[];
    } | {
      /** Amount of data that was left out, in words. */
      leftOut: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  /** Corrects broken internal links and anchors where only one target can be meant (a redirect, a page that moved, an anchor spelt differently), and reports the others. */
  FixLinksChore: {
    /** Inputs of the chore. */
    fix_links: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
      /** anchors: only links whose page exists and has no such heading */
      only?: "anchors";
    };
  };
  FoundSection: {
    /** Text around the match. */
    content: string;
    /** Path of the page, as accepted by `readPage`. */
    path: string;
    /** Metadata of the section. */
    metadata: {
      /** Title of the page. */
      title: string;
      /** Heading of the section. `null` if the result is the page as a whole. */
      heading: string | null;
      /** URL of the section on the site. */
      url: string;
    };
  };
  /** An action in a project or on the server. */
  InstanceAuditEvent: (Schemas["AuditEvent"]) & ({
    /** Identifier of the project. `null` if the action concerns the server. */
    projectId: string | null;
  });
  InstanceAuditEvents: {
    /** Entries, newest first. */
    events: Schemas["InstanceAuditEvent"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  /** An open invitation, without its link. */
  Invitation: {
    /** Opaque identifier of the invitation. */
    id: string;
    /** Email address of the person. */
    email: string;
    /** Role of the person in the project. */
    role: "reader" | "viewer" | "editor" | "admin";
    /** Name of the person or key that invited. */
    invitedBy: string;
    /** Date and time when the invitation expires. */
    expiresAt: string;
  };
  Invitations: {
    /** Open invitations. */
    invitations: Schemas["Invitation"][];
  };
  JobArchivedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "job.archived";
    /** Details of the event. */
    data: Record<string, unknown>;
    /** Date and time of the event. */
    createdAt: string;
  };
  JobCompletedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "job.completed";
    /** Details of the event. */
    data: {
      /** Agent's summary of its work. `null` if the agent wrote no summary. */
      summary: string | null;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  JobCreatedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "job.created";
    /** Details of the event. */
    data: {
      /** Title of the job. `null` if the job has no title. */
      title: string | null;
      /** Provider-qualified name of the model that the job uses. */
      model: string;
      /** Branch that the job starts from. */
      ref: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  JobFailedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "job.failed";
    /** Details of the event. */
    data: {
      error: Schemas["AgentJobError"];
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  JobPhaseEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "job.phase";
    /** Details of the event. */
    data: {
      /** Phase that the job enters. */
      phase: "queued" | "preparing" | "running" | "waiting" | "validating" | "publishing" | "idle";
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  JobUnarchivedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "job.unarchived";
    /** Details of the event. */
    data: Record<string, unknown>;
    /** Date and time of the event. */
    createdAt: string;
  };
  /** Line of the log. */
  LogLine: {
    /** Id of the line. */
    id: string;
    /** Process that wrote the line, by its host and port. Several processes can use one data directory. */
    node: string;
    /** Date and time when the line was written. */
    time: string;
    /** Severity of the line. `fatal`: the process ended. */
    level: "trace" | "debug" | "info" | "warn" | "error" | "fatal";
    /** Sentence that describes what happened. Always the same for the same kind of event. */
    message: string;
    /** Context of the line, such as `requestId`, `projectId` and, for an error, `err` with its stack. */
    fields: Record<string, unknown>;
  };
  LogLines: {
    /** Lines, newest first. */
    lines: Schemas["LogLine"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  /** A person with a role in a project. */
  Member: {
    /** Opaque identifier of the person. */
    id: string;
    /** Name of the person. */
    name: string;
    /** Email address of the person. */
    email: string;
    /** Role of the person in the project. */
    role: "reader" | "viewer" | "editor" | "admin";
    /** Whether the person is an owner of the server, which grants more than any role. */
    isOwner: boolean;
  };
  Members: {
    /** Members of the project. */
    members: Schemas["Member"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  MessageEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "message";
    /** Details of the event. */
    data: {
      /** Author of the message. */
      role: "assistant";
      /** Text of the message. */
      text: string;
      /** Number of the sub-task that the event belongs to. Omitted for the agent's own work. */
      subtask?: number;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  MessageReceivedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "message.received";
    /** Details of the event. */
    data: {
      /** Number of the message: `1` created the job, and later messages are follow-ups. */
      seq: number;
      /** Instruction for the agent. If the message has chores, their purpose in words. */
      prompt: string;
      /** Person who sent the message. Omitted if a program sent it. */
      by?: string;
      /** Chores of a message that is carried out without a model. Omitted for other messages. */
      chores?: (Record<string, unknown>)[];
      /** Images attached to the message. Omitted if there were none. */
      attachments?: ({
        /** Media type of the image. */
        mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
        /** Size of the image in bytes. */
        sizeBytes: number;
      })[];
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  MessageRefusedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "message.refused";
    /** Details of the event. */
    data: {
      /** Number of the message that was not carried out. */
      seq: number;
      error: Schemas["AgentJobError"];
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  MissingPages: {
    /** Paths without a page, most requested first. */
    missing: ({
      /** Path that was requested. */
      path: string;
      /** Number of views by AI assistants and agents. */
      ai: number;
      /** Number of requests for the path by anyone else. */
      other: number;
      /** Last day on which the path was requested. */
      lastSeen: string;
    })[];
  };
  Models: {
    /** Model for jobs that do not name one. */
    default: string;
    /** Models of the instance and of the project. */
    models: string[];
  };
  /** Moves a group of the navigation before or after another one of the same list, or to its start or end. */
  MoveGroupChore: {
    /** Inputs of the chore. */
    move_group: {
      /** Title of the group, or its trail (Reference > Releases) */
      group: string;
      /** Title of the group, or its trail (Reference > Releases) */
      before?: string;
      /** Title of the group, or its trail (Reference > Releases) */
      after?: string;
      /** Place among the groups next to it */
      position?: "first" | "last";
    };
  };
  /** Moves or renames a page: its file, its navigation entry, every link to it and the relative links in it, with a redirect from its old address. With a group it changes its place in the navigation. */
  MovePageChore: {
    /** Inputs of the chore. */
    move_page: {
      /** Path, address, file name or title of the page */
      page: string;
      /** New path ("guides/install"), or a folder with a slash at its end */
      to?: string;
      /** New title; without `to` the file is renamed after it */
      title?: string;
      /** Group of the navigation to move it to */
      group?: string;
      /** Refused where another group lists the page: it is added, not moved */
      add?: boolean;
      /** Leads readers from the old address to the new one */
      redirect?: boolean;
      /** Moves the page's translations along, under the same path in their folders */
      twins?: boolean;
    };
  };
  /** Moves the docs of Docusaurus, Starlight, VitePress, MkDocs, GitBook, mdBook, Nextra, Fumadocs or plain Markdown to Docent's own format: a docs.json, and pages with its components, at the same addresses. The files of the other tool stay. */
  MoveToDocsJsonChore: {
    /** Inputs of the chore. */
    move_to_docs_json: Record<string, never>;
  };
  /** `prompt` is required unless `chores` is given. */
  NewAgentJob: {
    /** Instruction for the agent. Must not be blank or contain NUL characters. */
    prompt?: string;
    /** Chores to carry out in order without a model, either all of them or none. `prompt` then explains their purpose to people and is not carried out. If `prompt` is omitted, the server describes the chores in words. */
    chores?: Schemas["AgentChore"][];
    /** Branch to start from and to open the pull request against. The project's branch if omitted. */
    ref?: string;
    /** Provider-qualified name of the model. */
    model?: string;
    /** Whether to open the pull request as a draft. */
    draft?: boolean;
    /** Whether to only determine what would change. The job reports the changes in `summary` and `plan` and publishes nothing: no branch, no pull request. */
    dryRun?: boolean;
    /** Reasoning effort: how long the model thinks. Models without such a setting ignore it. */
    effort?: "low" | "medium" | "high";
    /** Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. If the model cannot see images, the server tells the model that there were images, and notes it in the transcript. */
    attachments?: Schemas["Attachment"][];
    /** Title of the job and its pull request. */
    title?: string;
  };
  NewApiAccess: {
    /** Hosts from which the server can fetch API descriptions, such as `api.example.com` or `*.example.com`, with the port if it differs from that of https. Fetching is off if empty. */
    hosts?: string[];
    /** Whether requests that readers try on API pages go through this server. `false` in a new project. */
    proxy?: boolean;
  };
  NewApiKey: {
    /** Purpose of the key. */
    name: string;
    /** Scope of the key. `read`: read jobs, counts and the site. `agent`: also create jobs, and send messages and views. `write`: also push, merge and close pull requests, and pin the site. `admin`: also everything else. */
    scope: "read" | "agent" | "write" | "admin";
    /** IP addresses and ranges from which the key can be used. Requests from other addresses are refused. `null` if the key can be used from any address. */
    allow?: string[] | null;
    /** Number of days until the key expires: 7, 30, 60 or 90. `null` if the key does not expire. */
    expiresInDays?: 7 | 30 | 60 | 90 | null;
  };
  NewAutomation: {
    /** Name of the automation. */
    name: string;
    /** Instruction for the agent. Must not be blank or contain NUL characters. */
    prompt: string;
    trigger: Schemas["AutomationTrigger"];
    /** Branch to start from. `null` for the project's branch. */
    ref?: string | null;
    /** Provider-qualified name of the model. `null` for the project's model. */
    model?: string | null;
    /** Reasoning effort: how long the model thinks. `null` if the settings of the project or the model apply. */
    effort?: "low" | "medium" | "high" | null;
    /** Whether to open pull requests as drafts. */
    draft?: boolean;
    /** Whether the trigger starts the automation. */
    enabled?: boolean;
  };
  NewErasure: {
    /** IPv4 or IPv6 address whose readers are erased. For IPv6, the whole /64 is erased. */
    address: string;
    /** User agents of programs that Docent does not know by name. */
    userAgents?: string[];
    /** Values of the readers' `docent_visitor` cookies, for projects in which visitors are told apart by a cookie. */
    cookies?: string[];
  };
  NewInvitation: {
    /** Email address of the person. */
    email: string;
    /** Role of the person in the project. */
    role: "reader" | "viewer" | "editor" | "admin";
  };
  NewMember: {
    /** Email address of the person. */
    email: string;
    /** Role of the person in the project. */
    role: "reader" | "viewer" | "editor" | "admin";
  };
  NewPreview: {
    /** Name of a branch. */
    branch: string;
  };
  NewProject: {
    /** Name of the project. */
    name: string;
    /** Label of the project in URLs. Derived from the name if omitted. */
    slug?: string;
    /** Branch to publish. If omitted, the repository's branch, or `main` if it has none. */
    branch?: string;
    /** Folder with the docs, if the location of `docs.json` does not determine it. */
    contentRoot?: string;
    /** Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP. */
    externalSite?: string;
    /** Repository of the docs. If omitted, the project gets an empty repository to push to. */
    repository?: {
      /** HTTPS URL of the repository, without a user name or password. */
      url: string;
      /** Token for the code host. With a token, the repository stays at its code host and is followed. Without one, the repository is copied. */
      token?: string;
      /** Whether to use this server's GitHub App instead of a token. */
      app?: boolean;
      /** Software that the code host runs, if its address does not tell. Requires `token` or `app`. */
      host?: "github" | "gitlab" | "gitea" | "forgejo";
    };
  };
  NewProjectToken: {
    /** Token for the code host. The token is stored encrypted and never shown. */
    token: string;
  };
  NewSiteLink: {
    /** Path of the page that the link opens. */
    path?: string;
    /** Number of seconds until the link expires, from one minute to 366 days. One week if omitted. */
    expiresInSeconds?: number;
  };
  NewSitePin: {
    /** Id of a commit in the branch's history or of a deployment, in full or shortened to 7 or more digits. */
    commit: string;
  };
  NewSource: {
    /** Name by which people and the agent refer to the source. Unique in the project. */
    name: string;
    /** HTTPS URL of the repository, without a user name or password. */
    url: string;
    /** Token with read access, for a repository that is not public. The token is stored encrypted. */
    token?: string;
    /** Software that the code host runs, if its address does not tell. */
    host?: "github" | "gitlab" | "gitea" | "forgejo";
    /** Branch to read. The repository's default branch if omitted. */
    branch?: string;
  };
  NewSourceToken: {
    /** Token for the code host. The token is stored encrypted and never shown. */
    token: string;
  };
  NewWebhook: {
    /** URL that receives the events, with http or https. Must be on the public Internet, or at a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names. */
    url: string;
    /** Events to send. All events if omitted. */
    events?: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[];
    /** Purpose of the webhook. */
    description?: string;
    /** Format of the request body. `standard` if omitted. */
    format?: "standard" | "slack";
  };
  /** An API key, without the key itself. */
  NewlyMadeApiKey: (Schemas["ApiKey"]) & ({
    /** The key: `docent_` followed by 38 letters and digits. The key is not shown again. */
    key: string;
  });
  /** An open invitation, without its link. */
  NewlyMadeInvitation: (Schemas["Invitation"]) & ({
    /** The link to send. */
    url: string;
    /** Whether Docent sends the link by mail. */
    isMailed: boolean;
  });
  /** Makes list markers or the case of headings uniform, or replaces the terms of a glossary file by those to be used. Words whose capital the docs use elsewhere keep it. */
  NormaliseStyleChore: {
    /** Inputs of the chore. */
    normalise_style: {
      /** Marker of list items */
      listMarker?: "-" | "*" | "+";
      /** Changes only lists that have this marker */
      insteadOf?: "-" | "*" | "+";
      /** Letter case of headings */
      headingCase?: "sentence" | "title";
      /** YAML file with `terms: [{use, not: []}]` */
      glossary?: string;
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  NotCounted: {
    /** Reasons with views in the range, most frequent first. */
    notCounted: ({
      /** Reason why the views were not counted. Use this field, not `explanation`, in programs. */
      reason: "search" | "training" | "other_bot" | "unconfirmed" | "http_client" | "own_traffic" | "not_found" | "duplicate" | "counted_when_served" | "prefetch" | "shed" | "not_collected" | "too_old" | "spoofed" | "automated" | "flood";
      /** Explanation of the reason for people. */
      explanation: string;
      /** Number of views. */
      views: number;
    })[];
  };
  NoticeEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "notice";
    /** Details of the event. */
    data: {
      /** Kind of notice. */
      code: string;
      /** Human-readable text of the notice. */
      text: string;
      /** Number of the sub-task that the event belongs to. Omitted for the agent's own work. */
      subtask?: number;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  /** Writes API reference pages from an OpenAPI file, one per tag, and puts them into the navigation. Pages that it made before are rewritten; other pages are never overwritten. */
  OpenapiPagesChore: {
    /** Inputs of the chore. */
    openapi_pages: {
      /** OpenAPI or Swagger description in the repository, JSON or YAML */
      file: string;
      /** Name of the source that has the file; the docs themselves when absent */
      source?: string;
      /** Folder of the pages */
      folder?: string;
      /** Group of the navigation; made if absent */
      group?: string;
    };
  };
  /** Lists pages that are not in the navigation and navigation entries without a page. Changes nothing. */
  OrphanReportChore: {
    /** Inputs of the chore. */
    orphan_report: Record<string, never>;
  };
  PageText: {
    /** Path of the page. */
    path: string;
    /** The page as Markdown. */
    content: string;
  };
  /** Counts for one page. */
  PageVisitors: (Schemas["VisitorTotals"]) & ({
    /** Path of the page. */
    path: string;
  });
  PlanUpdatedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "plan.updated";
    /** Details of the event. */
    data: {
      /** All steps of the plan, in order. */
      steps: ({
        /** Planned action. */
        text: string;
        /** State of the step. `dropped`: the agent will not do it after all. */
        state: "open" | "in_progress" | "done" | "dropped";
      })[];
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  /** A docs project in its current state. */
  Project: {
    /** Opaque identifier of the project. */
    id: string;
    /** Label of the project in URLs. */
    slug: string;
    /** Name of the project. */
    name: string;
    /** Branch that the site shows and that pull requests are merged into. */
    branch: string;
    /** URL of the site for readers. */
    siteUrl: string;
    /** Repository of the docs. */
    repository: {
      /** URL for cloning the repository. */
      url: string;
      /** Code host of the repository. `embedded`: this server. The other values are hosts elsewhere. */
      host: "embedded" | "github" | "gitlab" | "gitea" | "forgejo";
      /** URL of the external repository that Docent copied or follows. `null` if the repository was created on this server. */
      source: string | null;
      /** Whether the repository is missing from the data directory. If so, the site responds with 503 and jobs wait until the repository is restored. */
      missing: boolean;
    };
    settings: Schemas["ProjectSettings"];
    /** Names of the stored keys of model providers. The keys are never shown. */
    secrets: string[];
    /** Who can read the site. */
    access: {
      /** Who can read the site. `public`: everyone. `password`: anyone with the password. `dashboard`: people who can sign in to the dashboard. `links`: anyone with a link. */
      mode: "public" | "password" | "dashboard" | "links";
    };
    /** Domains of the site, the main one first. */
    domains: string[];
    /** Commit that the site is pinned to. `null` if the site is not pinned. */
    pinnedCommit: string | null;
    /** Date and time when the project was created. */
    createdAt: string;
    /** Date and time when the project was archived. `null` if the project is not archived. */
    archivedAt: string | null;
    /** Version of the project. Changes whenever any field other than `repository.missing` and `connection` changes. */
    version: string;
    /** Connection to the repository at another code host. `null` if this server hosts the repository. */
    connection: Schemas["ProjectConnection"] | null;
  };
  /** Fields to change. Omitted fields stay unchanged. */
  ProjectChanges: {
    /** Name of the project. */
    name?: string;
    /** New label of the project in URLs. The old address redirects to the new one and stays reserved for this project. */
    slug?: string;
    /** Whether the project is archived. The site and pages of an archived project stay, but the project accepts no jobs, automations or pushes until it is unarchived. Running jobs finish. */
    archived?: boolean;
    /** Name of an existing branch. */
    branch?: string;
    settings?: Schemas["ProjectSettingsChanges"];
    /** Keys of model providers by name, stored encrypted. Keys that are not named stay unchanged. */
    secrets?: Record<string, string | null>;
    /** Who can read the site. Every change ends all sessions and links of readers. */
    access?: {
      /** Access for anyone with the password. */
      mode: "password";
      /** Password for the site. The password is stored as a hash. */
      password: string;
    } | {
      /** Who can read the site without a password. */
      mode: "public" | "dashboard" | "links";
    };
    /** All domains of the site, the main one first. A domain that is added with a key of the project requires the DNS record that the error names. */
    domains?: string[];
  };
  /** Connection to a repository at another code host, which the server follows. The token is never shown. */
  ProjectConnection: {
    /** Software that the code host runs. */
    host: "github" | "gitlab" | "gitea" | "forgejo";
    /** URL of the repository at the code host. */
    url: string;
    /** State of the connection. `waiting`: the repository has not been fetched yet. `failing`: the last check of the code host failed, see `trouble`. */
    state: "current" | "waiting" | "failing";
    /** Date and time when the branch was last up to date. `null` if never. */
    syncedAt: string | null;
    /** Date and time when the server last contacted the code host. `null` if the code host is contacted next. */
    triedAt: string | null;
    /** Date and time of the last call by the code host's webhook. `null` if never. */
    webhookAt: string | null;
    /** Description of what went wrong. `null` if nothing did. */
    trouble: string | null;
    /** Other features that do not work, such as comments. */
    remarks: string[];
    /** Name of the GitHub App with which the server accesses the repository. `null` if the server uses a token. */
    app: string | null;
  };
  /** Settings of the project. A setting that is omitted has the server's default value. */
  ProjectSettings: {
    /** Folder with the docs, if the location of `docs.json` does not determine it. */
    contentRoot?: string;
    /** Model for jobs that do not name one. */
    model?: string;
    /** Effort of models in jobs that do not set one: how long the models think. */
    effort?: "low" | "medium" | "high";
    /** Standing instructions for the agent. */
    instructions?: string;
    /** Whether a change with findings becomes a draft pull request instead of failing. */
    draftOnFindings?: boolean;
    /** Handling of a change with text that agents would read and people may not see. */
    unseenWords?: "report" | "refuse";
    /** Whether everyone can read pull requests and previews while the site is public. */
    publicPullRequests?: boolean;
    /** Name with which comments at the code host address the agent. `off` turns comments for the agent off. */
    mention?: string;
    /** Form in which previews are shown at the code host. */
    previewPosts?: "off" | "status" | "comment";
    /** URL at which another site shows this site, possibly with a path. Without a query or a trailing slash. */
    publicAddress?: string;
    /** Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP. */
    externalSite?: string;
    /** Whether readers who use another name of the site are redirected to the main domain. */
    redirectToMainDomain?: boolean;
    /** Hosts from which the server can fetch API descriptions. */
    apiHosts?: string[];
    /** Hosts whose web pages the agent can read. */
    webHosts?: string[];
    /** Whether requests that readers try on API pages go through this server. */
    apiProxy?: boolean;
    /** The project's own model providers and the allowed models, in the format of `DOCENT_MODELS`. Can only be changed with a key of the instance. */
    models?: Record<string, unknown>;
    /** Quotas of the project, which replace the server's quotas. Can only be changed with a key of the instance. */
    quotas?: {
      /** Maximum number of new jobs per UTC day. */
      jobsPerDay?: number;
      /** Maximum size of a repository that is hosted on this server, in megabytes of 1,000,000 bytes. */
      storageMb?: number;
    };
    /** Settings for counting views and visitors. */
    analytics?: {
      /** Whether views are counted. */
      collect?: boolean;
      /** Whether readers whose browser sends GPC or DNT are counted. */
      countPrivate?: boolean;
      /** Method by which visitors are told apart. */
      identity?: "stable" | "daily" | "cookie";
      /** Number of days for which views are kept. */
      retentionDays?: number;
      /** IP addresses and ranges whose views are not counted. */
      excludedNetworks?: string[];
      /** Origins of sites hosted elsewhere whose pages can send views. */
      allowedOrigins?: string[];
      /** Whether pages ask readers if the page was helpful. */
      feedback?: boolean;
    };
  };
  /** Settings to change. `null` removes a setting. */
  ProjectSettingsChanges: {
    /** Folder with the docs, if the location of `docs.json` does not determine it. */
    contentRoot?: string | null;
    /** Model for jobs that do not name one. */
    model?: string | null;
    /** Effort of models in jobs that do not set one: how long the models think. */
    effort?: "low" | "medium" | "high" | null;
    /** Standing instructions for the agent. */
    instructions?: string | null;
    /** Whether a change with findings becomes a draft pull request instead of failing. */
    draftOnFindings?: boolean | null;
    /** Handling of a change with text that agents would read and people may not see. */
    unseenWords?: "report" | "refuse" | null;
    /** Whether everyone can read pull requests and previews while the site is public. */
    publicPullRequests?: boolean | null;
    /** Name with which comments at the code host address the agent. `off` turns comments for the agent off. */
    mention?: string | null;
    /** Form in which previews are shown at the code host. */
    previewPosts?: "off" | "status" | "comment" | null;
    /** URL at which another site shows this site, possibly with a path. Without a query or a trailing slash. */
    publicAddress?: string | null;
    /** Address at which another service, such as Vercel or Read the Docs, publishes the site. Docent redirects its own pages there, and still runs jobs, previews, checks, search and MCP. */
    externalSite?: string | null;
    /** Whether readers who use another name of the site are redirected to the main domain. */
    redirectToMainDomain?: boolean | null;
    /** Hosts from which the server can fetch API descriptions. */
    apiHosts?: string[] | null;
    /** Hosts whose web pages the agent can read. */
    webHosts?: string[] | null;
    /** Whether requests that readers try on API pages go through this server. */
    apiProxy?: boolean | null;
    /** The project's own model providers and the allowed models, in the format of `DOCENT_MODELS`. Can only be changed with a key of the instance. */
    models?: Record<string, unknown> | null;
    /** Quotas of the project, which replace the server's quotas. Omitted fields stay unchanged; `null` resets a field, or all of them. Can only be changed with a key of the instance. */
    quotas?: {
      /** Maximum number of new jobs per UTC day. */
      jobsPerDay?: number | null;
      /** Maximum size of a repository that is hosted on this server, in megabytes of 1,000,000 bytes. */
      storageMb?: number | null;
    } | null;
    /** Settings for counting views and visitors. Omitted fields stay unchanged; `null` resets a field, or all of them. */
    analytics?: {
      /** Whether views are counted. */
      collect?: boolean | null;
      /** Whether readers whose browser sends GPC or DNT are counted. */
      countPrivate?: boolean | null;
      /** Method by which visitors are told apart. */
      identity?: "stable" | "daily" | "cookie" | null;
      /** Number of days for which views are kept. */
      retentionDays?: number | null;
      /** IP addresses and ranges whose views are not counted. */
      excludedNetworks?: string[] | null;
      /** Origins of sites hosted elsewhere whose pages can send views. */
      allowedOrigins?: string[] | null;
      /** Whether pages ask readers if the page was helpful. */
      feedback?: boolean | null;
    } | null;
  };
  Projects: {
    /** Projects, newest first. */
    projects: Schemas["Project"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  PullRequestClosedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "pull_request.closed";
    /** Details of the event. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** URL of the pull request. */
      url: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  PullRequestMergedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "pull_request.merged";
    /** Details of the event. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** URL of the pull request. */
      url: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  PullRequestOpenedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "pull_request.opened";
    /** Details of the event. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** URL of the pull request. */
      url: string;
      /** ID of the commit. */
      commit: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  PullRequestReopenedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "pull_request.reopened";
    /** Details of the event. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** URL of the pull request. */
      url: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  PullRequestUpdatedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "pull_request.updated";
    /** Details of the event. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** URL of the pull request. */
      url: string;
      /** ID of the commit. */
      commit: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  Referrers: {
    /** Referring hosts, by number of views. */
    referrers: ({
      /** Host that readers came from, without `www.`. `null` if the views have no referring host. */
      referrer: string | null;
      /** Number of views by people. */
      human: number;
      /** Number of views by AI assistants and agents. */
      ai: number;
    })[];
  };
  /** Removes a page and its navigation entry. With redirectTo it redirects the address to another page and points the links to it there; reports every link that it changed. Without it nothing may link to the page. */
  RemovePageChore: {
    /** Inputs of the chore. */
    remove_page: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Page that takes its place; needed when something links to the page */
      redirectTo?: string;
    };
  };
  /** Removes the redirect from an address. Refuses while links lead by it. */
  RemoveRedirectChore: {
    /** Inputs of the chore. */
    remove_redirect: {
      /** Address that the redirect leads away from */
      from: string;
      /** Where it leads, if that is known: another redirect is left */
      to?: string;
    };
  };
  /** Removes a heading and all content below it. Links from other pages to the heading then lead to the page. */
  RemoveSectionChore: {
    /** Inputs of the chore. */
    remove_section: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Title of the section */
      title: string;
    };
  };
  /** Gives a group of the navigation another title. Pages and their addresses stay. */
  RenameGroupChore: {
    /** Inputs of the chore. */
    rename_group: {
      /** Title of the group, or its trail (Reference > Releases) */
      group: string;
      /** New title of the group */
      to: string;
    };
  };
  /** Removes navigation entries of pages that do not exist. With addOrphans it removes nothing, but adds pages that are not listed to the group that lists most of their folder. */
  RepairNavigationChore: {
    /** Inputs of the chore. */
    repair_navigation: {
      /** Add pages that are not listed, next to the pages of their folder, and remove nothing */
      addOrphans?: boolean;
      /** Group for those pages, instead of the one of their folder */
      group?: string;
    };
  };
  /** Replaces the content below a heading, including its sub-sections, with the given Markdown. The heading stays. */
  ReplaceSectionChore: {
    /** Inputs of the chore. */
    replace_section: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Title of the section */
      title: string;
      /** Markdown, used unchanged */
      text: string;
    };
  };
  /** Replaces a word or phrase wherever readers see it: prose, titles and descriptions in the front matter, visible component attributes, navigation labels. Leaves code, addresses, ids and front-matter keys alone and reports where they still hold the term. Links to headings that change are corrected. */
  ReplaceTermChore: {
    /** Inputs of the chore. */
    replace_term: {
      /** The term as readers see it */
      from: string;
      /** What readers see instead */
      to: string;
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
      /** Pages, folders or path patterns that stay unchanged */
      except?: string[];
      /** In headings of pages, or in titles of pages, alone */
      only?: "headings" | "titles";
      /** Also in code blocks and inline code */
      includeCode?: boolean;
      /** exact: this spelling alone; as-written: also with a capital at a start; any: in any letter case */
      letterCase?: "exact" | "as-written" | "any";
      /** Not where the term is a part of a longer word */
      wholeWord?: boolean;
      /** Also the plural of the term, or the singular of a plural */
      plural?: boolean;
    };
  };
  /** Lists the images without alternative text. Changes nothing: what they show only people know. */
  ReportMissingAltChore: {
    /** Inputs of the chore. */
    report_missing_alt: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  Searches: {
    /** Search queries, most frequent first. */
    searches: ({
      /** Search query. */
      searchQuery: string;
      /** Number of searches with the query. */
      hits: number;
      /** Share of these searches that led to a page, from 0 to 1. */
      ctr: number;
      /** Page that most of these searches led to. `null` if none led to a page. */
      topClickedPage: string | null;
      /** Date and time of the last search with the query. */
      lastSearchedAt: string;
    })[];
    /** Number of all searches in the range, including those whose words are not kept. */
    totalSearches: number;
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  SentViews: {
    /** Views to send. */
    views: ({
      /** Id of the view, chosen by the sender. Views with the same id on the same UTC day are the same view. */
      event_id: string;
      /** Path of the page. */
      path: string;
      /** Date and time of the view. The current time if omitted. */
      time?: string;
      /** IPv4 or IPv6 address of the reader. The address is not stored. */
      address: string;
      /** `User-Agent` header of the reader. The header is not stored. */
      userAgent: string;
      /** Format in which the page was served. */
      surface?: "html" | "markdown" | "llms";
      /** Whether the page existed. */
      found?: boolean;
      /** `Accept` header of the reader. */
      accept?: string;
      /** `Referer` header of the reader. Only its host is stored. */
      referrer?: string;
    })[];
  };
  Series: {
    /** Days of the range, oldest first. The counts of days without views are 0. */
    days: ({
      /** UTC day. */
      day: string;
      /** Unique visitors of the day. */
      visitors: {
        /** Unique visitors of the day that are people. */
        human: number;
        /** Unique visitors of the day that are AI assistants and agents. */
        ai: number;
        /** People, AI assistants and agents together. */
        total: number;
      };
      /** Views of the day. */
      views: {
        /** Views of the day by people. */
        human: number;
        /** Views of the day by AI assistants and agents. */
        ai: number;
        /** People, AI assistants and agents together. */
        total: number;
      };
    })[];
  };
  /** Sets the alternative text of an image wherever it is shown; an empty text marks it as decoration. */
  SetAltTextChore: {
    /** Inputs of the chore. */
    set_alt_text: {
      /** Path of the image, or its end ("console.png") */
      image: string;
      /** What the image shows; empty for an image that only decorates */
      alt: string;
      /** Only on this page */
      page?: string;
    };
  };
  /** Sets, adds or removes one value in the front matter of a page, such as its title or its keywords. */
  SetFrontMatterChore: {
    /** Inputs of the chore. */
    set_front_matter: {
      /** Path, address, file name or title of the page */
      page?: string;
      /** In place of a page: all pages of these pages, folders or path patterns ("**" is every page) */
      in?: string[];
      /** Pages, folders or path patterns that stay unchanged */
      except?: string[];
      /** Key of the front matter */
      key: string;
      /** null removes the key; a list for keywords */
      value: string | number | boolean | null | string[];
      /** Adds to the list that is there; a single value that is there is never replaced */
      add?: boolean;
    };
  };
  SiteLink: {
    /** URL that opens the page and grants access to the whole site. */
    url: string;
    /** Token that a program can send to the site as `Authorization: Bearer` instead of opening the URL. */
    token: string;
    /** Date and time when the link expires. */
    expiresAt: string;
  };
  SitePin: {
    /** Id of the commit. */
    commit: string;
    /** Date and time when the site was pinned. */
    at: string;
    /** Name of the API key or command that pinned the site. */
    by: string;
  };
  /** An additional repository of a project, which the agent reads but never writes to. The token is never shown. */
  Source: {
    /** Opaque identifier of the source. */
    id: string;
    /** Name by which people and the agent refer to the source. Unique in the project. */
    name: string;
    /** Software that the code host runs. */
    host: "github" | "gitlab" | "gitea" | "forgejo";
    /** URL of the repository at the code host. */
    url: string;
    /** Branch that the agent reads. */
    branch: string;
    /** Date and time when the branch was last up to date. `null` if never. */
    syncedAt: string | null;
    /** Reason why the last check of the code host failed. `null` if the check succeeded. */
    trouble: string | null;
  };
  Sources: {
    /** Sources, by name. */
    sources: Schemas["Source"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  SubtaskFinishedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "subtask.finished";
    /** Details of the event. */
    data: {
      /** Number of the sub-task within its `subtasks.started`. */
      subtask: number;
      /** Name that the agent gave the sub-task. */
      title: string;
      /** Whether the sub-task was carried out. */
      ok: boolean;
      /** Report of the sub-task, or why it was stopped. */
      summary: string;
      /** Paths of the files that the sub-task changed. */
      changed: string[];
      /** Number of model steps of the sub-task. */
      steps: number;
      /** Number of tokens that the model read. */
      inputTokens: number;
      /** Number of tokens that the model wrote. */
      outputTokens: number;
      /** Cost of the sub-task in US dollars, part of the job's. `0` if the model has no prices. */
      costUsd: number;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  SubtasksStartedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "subtasks.started";
    /** Details of the event. */
    data: {
      /** Sub-tasks that the agent started. They run side by side. */
      subtasks: ({
        /** Number of the sub-task within its `subtasks.started`. */
        subtask: number;
        /** Name that the agent gave the sub-task. */
        title: string;
        /** Files and folders that the sub-task may change. */
        files: string[];
      })[];
    } | {
      /** Amount of data that was left out, in words. */
      leftOut: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  Surfaces: {
    /** Views of each form in which the content is read. */
    surfaces: ({
      /** Form in which the content was read. */
      surface: "html" | "markdown" | "llms";
      /** Number of views by people. */
      human: number;
      /** Number of views by AI assistants and agents. */
      ai: number;
    })[];
  };
  ToolFinishedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "tool.finished";
    /** Details of the event. */
    data: {
      /** Identifier of the tool call, the same as in `tool.started`. */
      id: string;
      /** Name of the tool. */
      tool: string;
      /** Whether the tool call succeeded. */
      ok: boolean;
      /** Summary of the result. */
      summary: string;
      /** Reason why the tool call failed, as reported to the model. Omitted if it did not fail. */
      reason?: string;
      /** Duration of the tool call in milliseconds. */
      durationMs: number;
      /** Number of the sub-task that the event belongs to. Omitted for the agent's own work. */
      subtask?: number;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  ToolStartedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "tool.started";
    /** Details of the event. */
    data: {
      /** Identifier of the tool call, the same in `tool.finished`. */
      id: string;
      /** Name of the tool. */
      tool: string;
      /** Input of the tool. */
      input?: unknown;
      /** Number of the sub-task that the event belongs to. Omitted for the agent's own work. */
      subtask?: number;
    } | {
      /** Amount of data that was left out, in words. */
      leftOut: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  TriggeredAutomation: {
    /** Opaque identifier of the automation. */
    schemaId: string;
    /** Opaque identifier of the run: the identifier of the automation, followed by the number of the run. */
    instanceId: string;
    /** Opaque identifier of the agent job. */
    jobId: string;
  };
  TriggeredPreview: {
    /** Id of the update or preview, for `getSiteUpdate`. */
    statusId: string;
    /** URL that opens the preview for anyone who has it. */
    previewUrl: string;
  };
  TriggeredUpdate: {
    /** Id of the update or preview, for `getSiteUpdate`. */
    statusId: string;
  };
  TryChores: {
    /** Chores to carry out in order, either all of them or none. */
    chores: Schemas["AgentChore"][];
    /** Branch on which to try the chores. The project's branch if omitted. */
    ref?: string;
    /** Whether to include the changed pages as readers would see them. */
    withPages?: boolean;
  };
  TurnFinishedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "turn.finished";
    /** Details of the event. */
    data: {
      /** Whether the turn succeeded. */
      ok: boolean;
      /** Summary of the result. */
      summary: string;
      /** Agent's explanation of each changed file. Omitted if the agent gave no explanation. */
      files?: ({
        /** Path of the file. */
        path: string;
        /** What the agent changed in the file, and why. */
        why: string;
      })[];
      /** Rules that the agent proposes for the project's instructions. Omitted if it proposes none. */
      forLaterJobs?: string[];
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  TurnStartedEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "turn.started";
    /** Details of the event. */
    data: {
      /** Numbers of the messages that the turn handles. */
      messages: number[];
      /** ID of the commit. */
      baseCommit: string;
      /** Branch that the turn works on. */
      branch: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  UpdateStatus: {
    /** Id of the update or preview, for `getSiteUpdate`. */
    _id: string;
    /** Opaque identifier of the project. */
    projectId: string;
    /** Date and time when the update or preview was requested. */
    createdAt: string;
    /** Date and time when the update or preview ended. Omitted until then. */
    endedAt?: string;
    /** Status of the update or preview. */
    status: "queued" | "in_progress" | "success" | "failure";
    /** Summary of the result, in one sentence. */
    summary: string;
    /** Log lines of the steps that were performed. */
    logs: string[];
    /** Subdomain of the site below the server's domain. */
    subdomain: string;
    /** Author of the commit. */
    author?: string;
    /** Commit that the update or preview resulted in. */
    commit?: {
      /** Id of the commit. */
      sha: string;
      /** Branch of the commit. */
      ref: string;
      /** Message of the commit. */
      message: string;
      /** Files that the commit changed. */
      filesChanged: {
        /** Added files. */
        added: string[];
        /** Modified files. */
        modified: string[];
        /** Removed files. */
        removed: string[];
      };
    };
    /** Location of the repository. */
    source: "internal" | "github" | "gitlab" | "gitea" | "forgejo";
  };
  UsageEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "usage";
    /** Details of the event. */
    data: {
      /** Number of tokens that the model read. */
      inputTokens: number;
      /** Number of tokens in `inputTokens` that the provider read from its cache. */
      cachedTokens: number;
      /** Number of tokens in `inputTokens` that the provider wrote to its cache. */
      cacheWriteTokens: number;
      /** Number of tokens that the model wrote. */
      outputTokens: number;
      /** Number of the sub-task that the event belongs to. Omitted for the agent's own work. */
      subtask?: number;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  ValidationEvent: {
    /** Sequence number of the event: 1, 2, 3 … without gaps within a job. */
    seq: number;
    /** Number of the message that the event belongs to. */
    turn: number;
    /** Type of the event. */
    type: "validation";
    /** Details of the event. */
    data: {
      /** Findings that prevent the change from being published. */
      errors: unknown[];
      /** Findings that do not prevent the change from being published. */
      warnings: unknown[];
      /** Hosts that the change links to and the docs did not link to before. */
      newHosts: string[];
      /** Total numbers of entries, because the lists may contain fewer. Omitted in events of earlier versions. */
      totals?: {
        /** Number of errors. */
        errors: number;
        /** Number of warnings. */
        warnings: number;
        /** Number of new hosts. */
        newHosts: number;
      };
    } | {
      /** Amount of data that was left out, in words. */
      leftOut: string;
    };
    /** Date and time of the event. */
    createdAt: string;
  };
  Views: {
    totals: Schemas["VisitorTotals"];
    /** Views of each page, most viewed page first. */
    views: Schemas["PageVisitors"][];
    /** Whether there are more pages. */
    hasMore: boolean;
  };
  /** Counts for the whole site in the range, regardless of the page. */
  VisitorTotals: {
    /** Count for people. */
    human: number;
    /** Count for AI assistants and agents. */
    ai: number;
    /** Count for people and AI together. Each visitor is counted once, so this is not necessarily the sum. */
    total: number;
  };
  Visitors: {
    totals: Schemas["VisitorTotals"];
    /** Unique visitors of each page, most visited page first. */
    visitors: Schemas["PageVisitors"][];
    /** Whether there are more pages. */
    hasMore: boolean;
  };
  Webhook: {
    /** Opaque identifier of the webhook. */
    id: string;
    /** URL that receives the events. */
    url: string;
    /** Purpose of the webhook. */
    description: string | null;
    /** Format of the request body. `standard`: the event, according to the Standard Webhooks specification; `slack`: `{text}`, a message for people, as accepted by incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat. */
    format: "standard" | "slack";
    /** Events that are sent. */
    events: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[];
    /** Whether events are sent to the webhook. */
    enabled: boolean;
    /** Reason why the server disabled the webhook. `null` if the server did not disable it. */
    disabledReason: string | null;
    /** Date and time since which every attempt has failed. `null` if attempts are not failing. */
    failingSince: string | null;
    /** Date and time until which requests are also signed with the previous secret. `null` if they are not. */
    previousSecretUntil: string | null;
    /** Date and time when the webhook was created. */
    createdAt: string;
    /** Date and time when the webhook was last changed. */
    updatedAt: string;
  };
  WebhookChanges: {
    /** URL that receives the events, with http or https. Must be on the public Internet, or at a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names. */
    url?: string;
    /** Events to send. */
    events?: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[];
    /** Purpose of the webhook. `null` to remove the description. */
    description?: string | null;
    /** Format of the request body from now on. */
    format?: "standard" | "slack";
    /** Whether events are sent to the webhook. */
    enabled?: boolean;
  };
  WebhookDeliveries: {
    /** Deliveries, newest first. */
    deliveries: Schemas["WebhookDelivery"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
  WebhookDelivery: {
    /** Opaque identifier of the delivery. */
    id: string;
    /** Identifier of the event, which is the `webhook-id` of every attempt. */
    eventId: string;
    /** Type of the event. */
    type: "job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened" | "webhook.test";
    /** Identifier of the job that the event is about. `null` for a test event. */
    jobId: string | null;
    /** Status of the delivery. `pending`: the server will make an attempt or a retry; `delivered`: the receiver responded with 2xx; `failed`: the server gave up. */
    status: "pending" | "delivered" | "failed";
    /** Date and time of the next attempt. `null` if the delivery has ended. */
    nextAttemptAt: string | null;
    /** Date and time of the event. */
    createdAt: string;
    /** Date and time when the event was delivered or the server gave up. `null` while the delivery is pending. */
    endedAt: string | null;
    /** Attempts made so far, in order. */
    attempts: ({
      /** Number of the attempt, starting at 1. */
      attempt: number;
      /** Date and time when the attempt was made. */
      startedAt: string;
      /** Duration of the attempt in milliseconds. */
      durationMs: number;
      /** HTTP status of the response. `null` if there was no response. */
      status: number | null;
      /** Problem with the request or the response. `null` if there was none. */
      error: string | null;
      /** Beginning of the response body. `null` if there was no response. */
      response: string | null;
    })[];
  };
  WebhookMessage: {
    /** Type of the event. */
    type: "job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened";
    /** Date and time of the event. */
    timestamp: string;
    data: Schemas["AgentJob"];
  };
  WebhookTest: {
    /** Type of the event. Always `webhook.test`: nothing happened to a job. */
    type: "webhook.test";
    /** Date and time when the test was requested. */
    timestamp: string;
    /** The webhook that is tested. */
    data: {
      /** Opaque identifier of the project. */
      projectId: string;
      /** Opaque identifier of the webhook that is tested. */
      webhookId: string;
    };
  };
  WebhookWithSecret: (Schemas["Webhook"]) & ({
    /** Signing secret: `whsec_` followed by base64. Shown only in this response. */
    secret: string;
  });
  Webhooks: {
    /** Webhooks, newest first. */
    webhooks: Schemas["Webhook"][];
    /** Cursor of the next page. `null` on the last page. */
    nextCursor: string | null;
  };
}

/** What each operation takes and answers with, by its `operationId`. */
export interface Operations {
  /** Create an agent job. Creates a job that the agent carries out in the background. Follow the job by polling it, by its event stream, or by a webhook. If the agent edits files, the server opens a pull request and links to it in `prLink`. Requires a key with the scope `agent`. */
  createAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewAgentJob"];
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Send a follow-up message to an agent job. Adds a message to the job. The agent handles the messages of a job in order, one at a time, each exactly once. The job continues from its current state: on its branch, and with its pull request while that is open. Requires a key with the scope `agent`. */
  sendAgentMessage: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["AgentMessage"];
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Retry a failed agent job. Retries the last message if it failed or was refused. Like a follow-up message, a retry continues from the current state of the job and counts towards the hourly limit. Requires a key with the scope `agent`. */
  retryAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Get an agent job. Returns the current state of the job, with the state of its pull request at the code host. To wait for the job, poll with `If-None-Match` until `status` is not `active`, which costs next to nothing. */
  getAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Delete an agent job. Deletes the job and its transcript. The branch and the pull request of the job are kept. Requires a key with the scope `admin`. */
  deleteAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** Cancel an active agent job. Cancels the job and discards the agent's work, or publishes it as a draft if `keepWork` is `true`. A follow-up message continues from there. Requires a key with the scope `agent`. */
  cancelAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["CancelAgentJob"] | undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Try chores. Returns what the chores would change: files, lines, the patch, and the findings of the checks that run before a pull request. Creates no branch, no job and no pull request. Each project runs one trial at a time, for at most 60 seconds. Requires a key with the scope `agent`. */
  tryChores: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["TryChores"];
    headers: Record<never, never>;
    answer: Schemas["ChoreTrial"];
    item: never;
    text: never;
  };
  /** List agent jobs. Returns the jobs of the project, newest first. To get the next page, send `nextCursor` as `cursor`. */
  listAgentJobs: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Statuses of the jobs to return. Repeat the parameter for each status. All jobs if omitted. */
      status?: ("active" | "completed" | "archived" | "failed")[];
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJobs"];
    item: Schemas["AgentJob"];
    text: never;
  };
  /** Archive an agent job. Archives a job that is not active. An archived job accepts no messages. Its branch and pull request are kept. Requires a key with the scope `agent`. */
  archiveAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Unarchive an agent job. Restores the status that the job had before it was archived. Has no effect if the job is not archived. Requires a key with the scope `agent`. */
  unarchiveAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Merge the pull request of an agent job. Merges the pull request at the code host, according to the host's settings. Has no effect if the pull request is already merged. Responds with 409 while the job is active, if the pull request is a draft or has a conflict, if a rule of the code host prevents the merge, and if `head` is no longer the commit of the pull request. Requires a key with the scope `write`. */
  mergeAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["EndPullRequest"] | undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Close the pull request of an agent job. Closes the pull request at the code host without merging it. Has no effect if the pull request is already closed. Requires a key with the scope `write`. */
  closeAgentJob: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["EndPullRequest"] | undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** List the events of an agent job. Returns the transcript of the job as events in order. To get later events, send the request again with `after` set to the last `seq`. `cursor` takes precedence over `after`. */
  listAgentJobEvents: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: {
      /** Sequence number of an event. Only later events are returned. */
      after?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Number of events per page. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJobEvents"];
    item: Schemas["AgentJobEvent"];
    text: never;
  };
  /** Get the changes of an agent job. Returns a unified patch of the job's pull request or branch. With `Accept: application/json`, the response lists the changed files; with `Accept: text/plain`, it is the patch with that media type. */
  getAgentJobDiff: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: {
      /** Number of files per page of the list. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJobDiff"];
    item: {
      /** Kind of change. */
      status: "added" | "modified" | "removed" | "renamed";
      /** Path of the file in the repository. */
      path: string;
      /** Path of the file before it was renamed. `null` if the file was not renamed. */
      oldPath: string | null;
      /** Number of added lines. `null` for a binary file. */
      additions: number | null;
      /** Number of removed lines. `null` for a binary file. */
      deletions: number | null;
    };
    text: "text/x-diff" | "text/plain";
  };
  /** List webhooks. Returns the webhooks of the project, newest first, without their secrets. Requires a key with the scope `admin`. */
  listWebhooks: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Webhooks"];
    item: Schemas["Webhook"];
    text: never;
  };
  /** Create a webhook. Creates a webhook, to which the server sends events about jobs. Requests follow the Standard Webhooks specification, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` followed by the base64 HMAC-SHA256 of `id.timestamp.body`). The body is `{type, timestamp, data}`, where `data` is the job. With `format: slack`, the body is `{text}` for a chat. Requires a key with the scope `admin`. */
  createWebhook: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewWebhook"];
    headers: Record<never, never>;
    answer: Schemas["WebhookWithSecret"];
    item: never;
    text: never;
  };
  /** Get a webhook. Returns the webhook without its secret. Requires a key with the scope `admin`. */
  getWebhook: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Webhook"];
    item: never;
    text: never;
  };
  /** Update a webhook. Updates the given fields and leaves the others unchanged. `enabled: true` re-enables a webhook that the server disabled. Requires a key with the scope `admin`. */
  updateWebhook: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["WebhookChanges"];
    headers: { "If-Match"?: string };
    answer: Schemas["Webhook"];
    item: never;
    text: never;
  };
  /** Delete a webhook. Deletes the webhook and its delivery log. The server sends no further events to it. Requires a key with the scope `admin`. */
  deleteWebhook: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: { "If-Match"?: string };
    answer: null;
    item: never;
    text: never;
  };
  /** Rotate the secret of a webhook. Creates a new secret. For 24 hours, requests are also signed with the previous secret. Requires a key with the scope `admin`. */
  rotateWebhookSecret: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["WebhookWithSecret"];
    item: never;
    text: never;
  };
  /** Send a test event. Sends the event `webhook.test` to this webhook, whichever events the webhook subscribes to. The event is signed, retried and listed among the deliveries like any other. At most 60 per hour. Requires a key with the scope `admin`. */
  testWebhook: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["WebhookDelivery"];
    item: never;
    text: never;
  };
  /** List the deliveries of a webhook. Returns the events that the server has sent or will send to the webhook, with each attempt and its response. Requires a key with the scope `admin`. */
  listWebhookDeliveries: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Status of the deliveries to return. All deliveries if omitted. */
      status?: "pending" | "delivered" | "failed";
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["WebhookDeliveries"];
    item: Schemas["WebhookDelivery"];
    text: never;
  };
  /** Redeliver an event. Sends the same event again, with the same `webhook-id`. Requires a key with the scope `admin`. */
  redeliverWebhook: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
      /** Identifier of the delivery. */
      deliveryId: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["WebhookDelivery"];
    item: never;
    text: never;
  };
  /** List automations. Returns the automations of the project, newest first. To get the next page, send `nextCursor` as `cursor`. */
  listAutomations: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Automations"];
    item: Schemas["Automation"];
    text: never;
  };
  /** Create an automation. Creates an instruction that the agent carries out on a schedule, after a push, or on request. Requires a key with the scope `admin`. */
  createAutomation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewAutomation"];
    headers: Record<never, never>;
    answer: Schemas["Automation"];
    item: never;
    text: never;
  };
  /** Get an automation. Returns the automation with the time of its next run. */
  getAutomation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Automation"];
    item: never;
    text: never;
  };
  /** Update an automation. Updates the given fields and leaves the others unchanged. Requires a key with the scope `admin`. */
  updateAutomation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["AutomationChanges"];
    headers: { "If-Match"?: string };
    answer: Schemas["Automation"];
    item: never;
    text: never;
  };
  /** Delete an automation. Deletes the automation and its runs. The jobs of the automation are kept. Requires a key with the scope `admin`. */
  deleteAutomation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: { "If-Match"?: string };
    answer: null;
    item: never;
    text: never;
  };
  /** List the runs of an automation. Returns the runs with what started each of them and the job that it created or added to. To get earlier runs, send the request again with `before` set to the lowest `number`. `cursor` takes precedence over `before`. */
  listAutomationRuns: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      id: string;
    };
    query: {
      /** Number of a run. Only runs with a lower number are returned. */
      before?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Number of results per page. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AutomationRuns"];
    item: Schemas["AutomationRun"];
    text: never;
  };
  /** Run an automation. Starts a run of the automation, which counts as one agent call. While the pull request of an earlier run is open, the run adds to it. Requires a key with the scope `agent`. */
  runAutomation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Trigger an automation. Starts a run of the automation, like `runAutomation`, with the request and response format of other platforms. Requires a key with the scope `agent`. */
  triggerAutomation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      workflowSchemaId: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["TriggeredAutomation"];
    item: never;
    text: never;
  };
  /** Search a site. Finds sections of pages by their words, best match first. The search is counted among the site's searches. */
  searchPages: {
    path: {
      /** Identifier of the site: the project's slug, or a domain of its own. */
      domain: string;
    };
    query: Record<never, never>;
    body: Schemas["DocsSearch"];
    headers: Record<never, never>;
    answer: Schemas["FoundSection"][];
    item: never;
    text: never;
  };
  /** Read a page of a site. Returns the whole page as Markdown. The request is not counted as a view. */
  readPage: {
    path: {
      /** Identifier of the site: the project's slug, or a domain of its own. */
      domain: string;
    };
    query: Record<never, never>;
    body: Schemas["AskedPage"];
    headers: Record<never, never>;
    answer: Schemas["PageText"];
    item: never;
    text: never;
  };
  /** Get unique visitors. Returns the number of unique visitors of the whole site and of each page in a range of UTC days, separately for people and AI. The counts are exact. While `hasMore` is `true`, increase `offset` by `limit` to get the next page. */
  getVisitors: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
      /** Number of pages of the site in the response. */
      limit?: number;
      /** Number of pages of the site to skip. */
      offset?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Visitors"];
    item: Schemas["PageVisitors"];
    text: "text/csv";
  };
  /** Get views. Returns the same as `getVisitors`, but counts views instead of visitors. */
  getViews: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
      /** Number of pages of the site in the response. */
      limit?: number;
      /** Number of pages of the site to skip. */
      offset?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Views"];
    item: Schemas["PageVisitors"];
    text: "text/csv";
  };
  /** Send views from a server. Sends at most 1000 views. Views with the same `event_id` on the same UTC day are the same view, so the request can be retried safely. Requires a key with the scope `agent`. */
  sendViews: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["SentViews"];
    headers: Record<never, never>;
    answer: Schemas["AcceptedViews"];
    item: never;
    text: never;
  };
  /** Get search queries. Lists what readers entered into the search of the site, and the pages that the searches led to. */
  getSearches: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
      /** Queries per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Searches"];
    item: {
      /** Search query. */
      searchQuery: string;
      /** Number of searches with the query. */
      hits: number;
      /** Share of these searches that led to a page, from 0 to 1. */
      ctr: number;
      /** Page that most of these searches led to. `null` if none led to a page. */
      topClickedPage: string | null;
      /** Date and time of the last search with the query. */
      lastSearchedAt: string;
    };
    text: "text/csv";
  };
  /** Get visitors and views of each day. Returns at most the last 800 days of the range, oldest first. A visitor who comes on two days is counted on both, so the days add up to more than the number of visitors in the range. */
  getSeries: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Series"];
    item: never;
    text: "text/csv";
  };
  /** List the agents that read the docs. Lists assistants, crawlers and programs by number of views, with whether their identity was verified. */
  getAgents: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Agents"];
    item: never;
    text: "text/csv";
  };
  /** Get views by form of the content. Returns the counted views of pages, Markdown, llms.txt and the other forms in which the content is read. */
  getSurfaces: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Surfaces"];
    item: never;
    text: "text/csv";
  };
  /** Get views by referring host. Returns the counted views by the host that readers came from. */
  getReferrers: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Referrers"];
    item: never;
    text: "text/csv";
  };
  /** List missing pages that AI readers request. Lists paths without a page that AI readers requested, by number of requests. */
  getMissingPages: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["MissingPages"];
    item: never;
    text: "text/csv";
  };
  /** List requests and views that were not counted. Lists requests and views that were counted neither as human nor as AI, by reason. A page that was sent to a browser is `unconfirmed` until its script reports the view. */
  getNotCounted: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["NotCounted"];
    item: never;
    text: "text/csv";
  };
  /** Get feedback. Lists votes and comments of readers and agents, newest first. Send `nextCursor` as `cursor` to get the next page. */
  getFeedback: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
      /** Source of the entries to return. */
      source?: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** Statuses of the entries to return, separated by commas. All statuses if omitted. */
      status?: ("pending" | "in_progress" | "resolved" | "dismissed")[];
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Entries per page. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Feedback"];
    item: {
      /** Opaque identifier of the entry. */
      id: string;
      /** Route of the page. */
      path: string;
      /** Comment as written. Plain text, even if it contains markup. */
      comment: string | null;
      /** Date and time of the author's last vote or comment. */
      createdAt: string;
      /** Source of the entry. `contextual`: a reader's vote with a comment. `thumbs_only`: a vote without a comment. `agent`: a program. `code_snippet`: never used, exists for clients of the commercial API. */
      source: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** Status of the team's work on the entry. */
      status: "pending" | "in_progress" | "resolved" | "dismissed";
      /** Whether the page was helpful. `null` if an agent did not say. */
      helpful: boolean | null;
      /** Always `null`: readers are not asked for an address. */
      contact: null;
    };
    text: "text/csv";
  };
  /** Get feedback by page. Lists the number of votes and entries of each page. Send `nextCursor` as `cursor` to get the next page. */
  getFeedbackByPage: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date. */
      dateFrom?: string;
      /** End of the range, exclusive: results include dates before this day, but not the day itself. */
      dateTo?: string;
      /** Source of the entries to return. */
      source?: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** Statuses of the entries to return, separated by commas. All statuses if omitted. */
      status?: ("pending" | "in_progress" | "resolved" | "dismissed")[];
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Number of pages in the response. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["FeedbackByPage"];
    item: {
      /** Route of the page. */
      path: string;
      /** Number of readers who found the page helpful. */
      thumbsUp: number;
      /** Number of readers who did not find the page helpful. */
      thumbsDown: number;
      /** Always 0, because entries never have the source `code_snippet`. */
      code: number;
      /** Number of all entries, including those of agents. */
      total: number;
    };
    text: "text/csv";
  };
  /** Erase the readers of an address. Permanently deletes what the project stores about the readers: views, visitor numbers, their share of all counts, and feedback. The response is sent when the deletion is complete, which can take a minute or more if there are many views. Limited to 60 requests per hour. Requires a key with the scope `admin`. */
  eraseAddress: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewErasure"];
    headers: Record<never, never>;
    answer: Schemas["Erasure"];
    item: never;
    text: never;
  };
  /** Get the script for a site hosted elsewhere. Returns the script, which reports each viewed page to this server from the origins that the project allows. */
  getAnalyticsSnippet: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AnalyticsSnippet"];
    item: never;
    text: never;
  };
  /** List projects. Lists all projects of the instance, newest first. Requires a key of the instance with the scope `admin`. */
  listProjects: {
    path: Record<never, never>;
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Projects"];
    item: Schemas["Project"];
    text: never;
  };
  /** Create a project. Creates a project with a repository from elsewhere, which is copied or followed, or with an empty repository on this server. The response is sent when the repository is ready, which takes minutes for a large one. If the connection ends before that, retry the request with the same `Idempotency-Key`. Requires a key of the instance with the scope `admin`. */
  createProject: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Schemas["NewProject"];
    headers: Record<never, never>;
    answer: Schemas["Project"];
    item: never;
    text: never;
  };
  /** Get a project. Returns the project's settings and the state of the connection to its repository. Secrets are shown only by name. Requires a key with the scope `admin`. */
  getProject: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Project"];
    item: never;
    text: never;
  };
  /** Update a project. Updates the given fields of the project and leaves the others unchanged. All values are validated before any of them is changed. Requires a key with the scope `admin`. */
  updateProject: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["ProjectChanges"];
    headers: { "If-Match"?: string };
    answer: Schemas["Project"];
    item: never;
    text: never;
  };
  /** Delete a project. Permanently deletes the project with its repository on this server, jobs, keys, pull requests and counts. A repository at another code host is not deleted. Requires a key with the scope `admin`. */
  deleteProject: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Name of the project, to prevent deletion by mistake. */
      name: string;
    };
    body: undefined;
    headers: { "If-Match"?: string };
    answer: null;
    item: never;
    text: never;
  };
  /** Get a project's connection. Returns the state of the connection to the project's repository at another code host. Returns 404 if this server hosts the repository. Requires a key with the scope `admin`. */
  getProjectConnection: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ProjectConnection"];
    item: never;
    text: never;
  };
  /** Replace a project's token. Checks the new token's permissions at the code host, then uses the token from the next request on. Requires a key with the scope `admin`. */
  replaceProjectToken: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewProjectToken"];
    headers: Record<never, never>;
    answer: Schemas["ProjectConnection"];
    item: never;
    text: never;
  };
  /** Sync a project with its code host. Syncs the project with its code host within a second. Useful if the code host's webhook does not call this server. Requires a key with the scope `admin`. */
  syncProject: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ProjectConnection"];
    item: never;
    text: never;
  };
  /** List models. Lists the models that a job of this project can name. An entry that ends in `/…` means every model of its provider. */
  listModels: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Models"];
    item: never;
    text: never;
  };
  /** List sources. Lists the repositories that the project's agent reads in addition to the docs, and the state of each. */
  listSources: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Sources"];
    item: Schemas["Source"];
    text: never;
  };
  /** Add a source. Adds a repository for the agent to read. The server never writes to the repository. The response is sent when the mirror of the repository is ready, which takes minutes for a large one. If the connection ends before that, retry the request with the same `Idempotency-Key`. A project has at most ten sources. Requires a key with the scope `admin`. */
  addSource: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSource"];
    headers: Record<never, never>;
    answer: Schemas["Source"];
    item: never;
    text: never;
  };
  /** Get a source. Returns the source and its state. */
  getSource: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the source. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Source"];
    item: never;
    text: never;
  };
  /** Remove a source. Removes the source with its mirror and token. Automations that the source triggers stay, and report that the source was removed. Requires a key with the scope `admin`. */
  removeSource: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the source. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** Replace a source's token. Fetches the repository with the new token and, if this succeeds, uses the token from then on. Requires a key with the scope `admin`. */
  replaceSourceToken: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the source. */
      id: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSourceToken"];
    headers: Record<never, never>;
    answer: Schemas["Source"];
    item: never;
    text: never;
  };
  /** List members. Lists all people with a role in the project, in the order of their identifiers. Requires a key with the scope `admin`. */
  listMembers: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Members"];
    item: Schemas["Member"];
    text: never;
  };
  /** Add a member or change their role. Gives the person with this email address the role, whether or not the person had one before. The person must have an account. Otherwise the response is 409; use `PUT /v2/project/{projectId}/invitations`. Requires a key with the scope `admin`. */
  setMember: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewMember"];
    headers: Record<never, never>;
    answer: Schemas["Member"];
    item: never;
    text: never;
  };
  /** Remove a member. Removes the person's role in the project, from the person's next request on. The person's account is kept. Requires a key with the scope `admin`. */
  removeMember: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the person. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** List invitations. Lists the open invitations to the project, newest first. Requires a key with the scope `admin`. */
  listInvitations: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Invitations"];
    item: never;
    text: never;
  };
  /** Invite a person. Invites a person without an account to the project. The response contains the link, which works once, for a week and only for this address, and is not shown again. With a mail server, Docent also sends it. A further invitation of the same address replaces the first. Requires a key with the scope `admin`. */
  inviteMember: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewInvitation"];
    headers: Record<never, never>;
    answer: Schemas["NewlyMadeInvitation"];
    item: never;
    text: never;
  };
  /** Withdraw an invitation. Withdraws an open invitation. Its link no longer works. Requires a key with the scope `admin`. */
  withdrawInvitation: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the invitation. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** List the audit log. Lists who changed what in the project, newest first. The server keeps entries for 400 days by default. Requires a key with the scope `admin`. */
  listAuditEvents: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Part of the actor's name, in any case. */
      actor?: string;
      /** Beginning of the name of the action. */
      action?: string;
      /** Kind of actions, as on the page. */
      kind?: "jobs" | "pull-requests" | "site" | "settings" | "automations-and-webhooks" | "api-keys" | "members-and-accounts";
      /** First day in UTC. */
      from?: string;
      /** Last day in UTC. */
      to?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AuditEvents"];
    item: Schemas["AuditEvent"];
    text: never;
  };
  /** List the audit log of the server. Lists who changed what in all projects and on the server, newest first. Requires a key of the instance with the scope `admin`. */
  listInstanceAuditEvents: {
    path: Record<never, never>;
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Part of the actor's name, in any case. */
      actor?: string;
      /** Beginning of the name of the action. */
      action?: string;
      /** Kind of actions, as on the page. */
      kind?: "jobs" | "pull-requests" | "site" | "settings" | "automations-and-webhooks" | "api-keys" | "members-and-accounts";
      /** First day in UTC. */
      from?: string;
      /** Last day in UTC. */
      to?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["InstanceAuditEvents"];
    item: Schemas["InstanceAuditEvent"];
    text: never;
  };
  /** Create a link to a private site. Creates a link with which anyone can read the whole site until the link expires. The server does not store links: a single link cannot be revoked, but all links of the site can (`endSiteSessions`). Returns 409 if the site is public. Requires a key with the scope `admin`. */
  createSiteLink: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSiteLink"];
    headers: Record<never, never>;
    answer: Schemas["SiteLink"];
    item: never;
    text: never;
  };
  /** Sign readers out. Ends all sessions of readers and revokes all links of the site. The access mode of the site stays unchanged. Requires a key with the scope `admin`. */
  endSiteSessions: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** List API keys. Lists all keys of the project, oldest first, including expired and revoked keys. Requires a key with the scope `admin`. */
  listApiKeys: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiKeys"];
    item: Schemas["ApiKey"];
    text: never;
  };
  /** Create an API key. Creates a key of the project. The response contains the key, which is not shown again. Requires a key with the scope `admin`. */
  createApiKey: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewApiKey"];
    headers: Record<never, never>;
    answer: Schemas["NewlyMadeApiKey"];
    item: never;
    text: never;
  };
  /** List the instance's keys. Lists all keys that are valid for all projects, oldest first, including expired and revoked keys. Requires a key of the instance with the scope `admin`. */
  listInstanceKeys: {
    path: Record<never, never>;
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiKeys"];
    item: Schemas["ApiKey"];
    text: never;
  };
  /** Create a key of the instance. Creates a key that grants what its scope allows on every project and, with the scope `admin`, can create projects and further keys of the instance. The response contains the key, which is not shown again. Requires a key of the instance with the scope `admin`. */
  createInstanceKey: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Schemas["NewApiKey"];
    headers: Record<never, never>;
    answer: Schemas["NewlyMadeApiKey"];
    item: never;
    text: never;
  };
  /** Revoke an API key. Revokes the key immediately on every node and ends the sessions that were started with the key. The key stays in the list. Requires a key with the scope `admin`. */
  revokeApiKey: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the API key. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** Revoke a key of the instance. Revokes the key immediately on every node and ends the sessions that were started with the key. The key stays in the list. Requires a key of the instance with the scope `admin`. */
  revokeInstanceKey: {
    path: {
      /** Identifier of the API key. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** Read the log. Lists what the nodes of this server logged, newest first: the last 5 to 10 MB of each node. Values that the log hides are `[redacted]` in the response, too. Requires a key of the instance with the scope `admin`. */
  listLogLines: {
    path: Record<never, never>;
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
      /** Lowest level of the lines to return. Lines below the server's `DOCENT_LOG_LEVEL` are not in the log. */
      level?: "trace" | "debug" | "info" | "warn" | "error" | "fatal";
      /** Earliest time of the lines to return, inclusive. */
      since?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["LogLines"];
    item: Schemas["LogLine"];
    text: never;
  };
  /** List deployments. Lists each commit that became the newest of the site's branch, with its state. Send `nextCursor` as `cursor` to get the next page. */
  listDeployments: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Deployments"];
    item: Schemas["Deployment"];
    text: never;
  };
  /** Get a deployment. Returns the deployment with its report, which lists problems for the author by file and line. */
  getDeployment: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
      /** Identifier of the deployment. */
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["DeploymentWithReport"];
    item: never;
    text: never;
  };
  /** Get the pin. Returns the commit that the site is pinned to. Send the `ETag` of the response as `If-Match` to change the pin. */
  getSitePin: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["CurrentSitePin"];
    item: never;
    text: never;
  };
  /** Pin the site to a commit. Pins the site to a commit, which readers see within a second on every node. While the site is pinned, newer commits wait and agent jobs continue with the branch. Requires a key with the scope `write`. */
  pinSite: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSitePin"];
    headers: { "If-Match"?: string };
    answer: Schemas["SitePin"];
    item: never;
    text: never;
  };
  /** Unpin the site. Makes the site follow its branch again. Has no effect if the site is not pinned. Requires a key with the scope `write`. */
  unpinSite: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: { "If-Match"?: string };
    answer: null;
    item: never;
    text: never;
  };
  /** Update a site. Updates the site to the newest commit, which Docent also does automatically. If the repository is on another host, Docent checks the host now. If the repository is on this server, Docent makes sure that the newest commit is live. Requires a key with the scope `agent`. */
  updateSite: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["TriggeredUpdate"];
    item: never;
    text: never;
  };
  /** Preview a branch. Creates a preview of a branch. A branch always has the same preview URL, which works for anyone who has it and always shows the newest commit of the branch. Requires a key with the scope `agent`. */
  previewBranch: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewPreview"];
    headers: Record<never, never>;
    answer: Schemas["TriggeredPreview"];
    item: never;
    text: never;
  };
  /** Get the status of an update or preview. Returns the status of an update or preview. Repeat the request until `status` is `success` or `failure`. */
  getSiteUpdate: {
    path: {
      /** Identifier of the update or preview. */
      statusId: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["UpdateStatus"];
    item: never;
    text: never;
  };
  /** List API descriptions at addresses. Lists the hosts from which the server can fetch API descriptions, and the state of the copy of each address. */
  listApiAddresses: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: {
      /** Number of results per page. */
      limit?: number;
      /** `nextCursor` of the previous page. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiAddresses"];
    item: never;
    text: never;
  };
  /** Set the hosts of API descriptions and the proxy. Sets the hosts, the only ones from which the server fetches the API descriptions that the docs name by address, and the proxy. Omitted fields stay unchanged. `If-Match` accepts `version` in quotation marks and the `ETag` of the list's first page. Requires a key with the scope `admin`. */
  setApiAccess: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewApiAccess"];
    headers: { "If-Match"?: string };
    answer: Schemas["ApiAddresses"];
    item: never;
    text: never;
  };
  /** Fetch API descriptions again. Fetches the API descriptions that the site names by address again. A program that publishes an API can use this to update the pages of the API within seconds, without a push. Requires a key with the scope `agent`. */
  readApiAddresses: {
    path: {
      /** Identifier of the project, as shown on its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiAddressesAsked"];
    item: never;
    text: never;
  };
}

/** Method and path of each operation, and the field of its answer that is listed page by page. */
export const OPERATIONS = {
  createAgentJob: ["POST", "/v2/agent/{projectId}/job"],
  sendAgentMessage: ["POST", "/v2/agent/{projectId}/job/{id}/message"],
  retryAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/retry"],
  getAgentJob: ["GET", "/v2/agent/{projectId}/job/{id}"],
  deleteAgentJob: ["DELETE", "/v2/agent/{projectId}/job/{id}"],
  cancelAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/cancel"],
  tryChores: ["POST", "/v2/agent/{projectId}/chores/try"],
  listAgentJobs: ["GET", "/v2/agent/{projectId}/jobs", "jobs"],
  archiveAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/archive"],
  unarchiveAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/unarchive"],
  mergeAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/merge"],
  closeAgentJob: ["POST", "/v2/agent/{projectId}/job/{id}/close"],
  listAgentJobEvents: ["GET", "/v2/agent/{projectId}/job/{id}/events", "events"],
  getAgentJobDiff: ["GET", "/v2/agent/{projectId}/job/{id}/diff", "files"],
  listWebhooks: ["GET", "/v2/agent/{projectId}/webhooks", "webhooks"],
  createWebhook: ["POST", "/v2/agent/{projectId}/webhooks"],
  getWebhook: ["GET", "/v2/agent/{projectId}/webhooks/{id}"],
  updateWebhook: ["PATCH", "/v2/agent/{projectId}/webhooks/{id}"],
  deleteWebhook: ["DELETE", "/v2/agent/{projectId}/webhooks/{id}"],
  rotateWebhookSecret: ["POST", "/v2/agent/{projectId}/webhooks/{id}/rotate"],
  testWebhook: ["POST", "/v2/agent/{projectId}/webhooks/{id}/test"],
  listWebhookDeliveries: ["GET", "/v2/agent/{projectId}/webhooks/{id}/deliveries", "deliveries"],
  redeliverWebhook: ["POST", "/v2/agent/{projectId}/webhooks/{id}/deliveries/{deliveryId}/redeliver"],
  listAutomations: ["GET", "/v2/agent/{projectId}/automations", "automations"],
  createAutomation: ["POST", "/v2/agent/{projectId}/automations"],
  getAutomation: ["GET", "/v2/agent/{projectId}/automations/{id}"],
  updateAutomation: ["PATCH", "/v2/agent/{projectId}/automations/{id}"],
  deleteAutomation: ["DELETE", "/v2/agent/{projectId}/automations/{id}"],
  listAutomationRuns: ["GET", "/v2/agent/{projectId}/automations/{id}/runs", "runs"],
  runAutomation: ["POST", "/v2/agent/{projectId}/automations/{id}/run"],
  triggerAutomation: ["POST", "/v1/workflow/{projectId}/{workflowSchemaId}/trigger"],
  searchPages: ["POST", "/discovery/v1/search/{domain}"],
  readPage: ["POST", "/discovery/v1/page/{domain}"],
  getVisitors: ["GET", "/v1/analytics/{projectId}/visitors", "visitors"],
  getViews: ["GET", "/v1/analytics/{projectId}/views", "views"],
  sendViews: ["POST", "/v1/analytics/{projectId}/views"],
  getSearches: ["GET", "/v1/analytics/{projectId}/searches", "searches"],
  getSeries: ["GET", "/v1/analytics/{projectId}/series"],
  getAgents: ["GET", "/v1/analytics/{projectId}/agents"],
  getSurfaces: ["GET", "/v1/analytics/{projectId}/surfaces"],
  getReferrers: ["GET", "/v1/analytics/{projectId}/referrers"],
  getMissingPages: ["GET", "/v1/analytics/{projectId}/missing"],
  getNotCounted: ["GET", "/v1/analytics/{projectId}/not-counted"],
  getFeedback: ["GET", "/v1/analytics/{projectId}/feedback", "feedback"],
  getFeedbackByPage: ["GET", "/v1/analytics/{projectId}/feedback/by-page", "feedback"],
  eraseAddress: ["POST", "/v2/project/{projectId}/erasures"],
  getAnalyticsSnippet: ["GET", "/v2/project/{projectId}/analytics-snippet"],
  listProjects: ["GET", "/v2/projects", "projects"],
  createProject: ["POST", "/v2/projects"],
  getProject: ["GET", "/v2/project/{projectId}"],
  updateProject: ["PATCH", "/v2/project/{projectId}"],
  deleteProject: ["DELETE", "/v2/project/{projectId}"],
  getProjectConnection: ["GET", "/v2/project/{projectId}/connection"],
  replaceProjectToken: ["POST", "/v2/project/{projectId}/connection/token"],
  syncProject: ["POST", "/v2/project/{projectId}/connection/sync"],
  listModels: ["GET", "/v2/project/{projectId}/models"],
  listSources: ["GET", "/v2/project/{projectId}/sources", "sources"],
  addSource: ["POST", "/v2/project/{projectId}/sources"],
  getSource: ["GET", "/v2/project/{projectId}/sources/{id}"],
  removeSource: ["DELETE", "/v2/project/{projectId}/sources/{id}"],
  replaceSourceToken: ["POST", "/v2/project/{projectId}/sources/{id}/token"],
  listMembers: ["GET", "/v2/project/{projectId}/members", "members"],
  setMember: ["PUT", "/v2/project/{projectId}/members"],
  removeMember: ["DELETE", "/v2/project/{projectId}/members/{id}"],
  listInvitations: ["GET", "/v2/project/{projectId}/invitations"],
  inviteMember: ["PUT", "/v2/project/{projectId}/invitations"],
  withdrawInvitation: ["DELETE", "/v2/project/{projectId}/invitations/{id}"],
  listAuditEvents: ["GET", "/v2/project/{projectId}/audit", "events"],
  listInstanceAuditEvents: ["GET", "/v2/instance/audit", "events"],
  createSiteLink: ["POST", "/v2/project/{projectId}/site-links"],
  endSiteSessions: ["DELETE", "/v2/project/{projectId}/site-sessions"],
  listApiKeys: ["GET", "/v2/project/{projectId}/keys", "keys"],
  createApiKey: ["POST", "/v2/project/{projectId}/keys"],
  listInstanceKeys: ["GET", "/v2/instance/keys", "keys"],
  createInstanceKey: ["POST", "/v2/instance/keys"],
  revokeApiKey: ["DELETE", "/v2/project/{projectId}/keys/{id}"],
  revokeInstanceKey: ["DELETE", "/v2/instance/keys/{id}"],
  listLogLines: ["GET", "/v2/instance/logs", "lines"],
  listDeployments: ["GET", "/v2/project/{projectId}/deployments", "deployments"],
  getDeployment: ["GET", "/v2/project/{projectId}/deployments/{id}"],
  getSitePin: ["GET", "/v2/project/{projectId}/pin"],
  pinSite: ["POST", "/v2/project/{projectId}/pin"],
  unpinSite: ["DELETE", "/v2/project/{projectId}/pin"],
  updateSite: ["POST", "/v1/project/update/{projectId}"],
  previewBranch: ["POST", "/v1/project/preview/{projectId}"],
  getSiteUpdate: ["GET", "/v1/project/update-status/{statusId}"],
  listApiAddresses: ["GET", "/v2/project/{projectId}/api-addresses"],
  setApiAccess: ["PUT", "/v2/project/{projectId}/api-addresses"],
  readApiAddresses: ["POST", "/v2/project/{projectId}/api-addresses/read"],
} as const satisfies Record<keyof Operations, readonly [method: string, path: string, list?: string]>;
