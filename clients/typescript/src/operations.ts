// Written by `npm run fix` from docs/openapi.json: change the routes instead.

/** Bodies by their names in the document. */
export interface Schemas {
  AcceptedViews: {
    /** Views that are safely on disk. */
    accepted: number;
    /** Views from before the first day that the project keeps: not counted. */
    tooOld?: number;
  };
  /** Adds a note, warning, tip, info, check or danger box with the given text to a page. */
  AddCalloutChore: {
    /** The inputs of the chore. */
    add_callout: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Kind of box */
      kind: "note" | "warning" | "tip" | "info" | "check" | "danger";
      /** Markdown, used unchanged */
      text: string;
      /** Stands below this heading; at the top of the page when absent */
      section?: string;
    };
  };
  /** Gives pages without a description their own first sentence as one. Never invents: pages without a usable first sentence are reported. */
  AddMissingDescriptionsChore: {
    /** The inputs of the chore. */
    add_missing_descriptions: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  /** Adds a page with a title and the given Markdown and puts it into the navigation. The text is added unchanged; its links must not be broken. */
  AddPageChore: {
    /** The inputs of the chore. */
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
    /** The inputs of the chore. */
    add_redirect: {
      /** Address on this site that readers still ask for, such as /old-name or /v1/* */
      from: string;
      /** Page, address on this site, or https address that they come to */
      to: string;
    };
  };
  /** Adds a section with a heading and the given Markdown to a page, after or before another or at the end. */
  AddSectionChore: {
    /** The inputs of the chore. */
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
  /** A chore: its name with its inputs. */
  AgentChore: Schemas["ReplaceTermChore"] | Schemas["CheckLinksChore"] | Schemas["FixLinksChore"] | Schemas["AddPageChore"] | Schemas["MovePageChore"] | Schemas["RemovePageChore"] | Schemas["AddSectionChore"] | Schemas["ReplaceSectionChore"] | Schemas["RemoveSectionChore"] | Schemas["AddCalloutChore"] | Schemas["SetFrontMatterChore"] | Schemas["AddMissingDescriptionsChore"] | Schemas["SetAltTextChore"] | Schemas["ReportMissingAltChore"] | Schemas["ChangelogFromHistoryChore"] | Schemas["OpenapiPagesChore"] | Schemas["NormaliseStyleChore"] | Schemas["RepairNavigationChore"] | Schemas["OrphanReportChore"] | Schemas["RenameGroupChore"] | Schemas["MoveGroupChore"] | Schemas["AddRedirectChore"] | Schemas["RemoveRedirectChore"] | Schemas["AuditChore"] | Schemas["ApplyPatchChore"];
  /** A job of the agent, as it is now. */
  AgentJob: {
    /** Identifier of the agent job; opaque. */
    id: string;
    /** `active`: the agent works on it; `completed`: every message was handled; `failed`: see `error`; `archived`: put away. */
    status: "active" | "completed" | "archived" | "failed";
    /** Where the job works. */
    source: {
      /** Address of the repository. */
      repository: string;
      /** Branch that the agent works on; null until it has one. */
      ref: string | null;
    };
    /** The model that it uses, provider-qualified. */
    model: string;
    /** Null while the job is active and when no file was changed; of a failed job the draft with what it had done. Opens for who is signed in to the project. */
    prLink: string | null;
    /** When it was created. */
    createdAt: string;
    /** When it was archived; null of a job that is not. */
    archivedAt: string | null;
    /** When the server deleted its instructions and transcript, as it keeps those of archived jobs for a time only; null of a job that has them. Such a job cannot be unarchived. */
    transcriptDeletedAt: string | null;
    /** The job's pull request, while it is active, too; null when it has none. */
    pullRequest: {
      /** Its number in the repository. */
      number: number;
      /** Its page. */
      url: string;
      /** How it stands. */
      state: "open" | "merged" | "closed";
      /** Whether it is a draft. */
      draft: boolean;
    } | null;
    /** Title of the job and its pull request; null until it has one. */
    title: string | null;
    /** What the agent says that it did; null until it has. */
    summary: string | null;
    /** Whether the last message changed a file; of a dry run, whether it would. False while it is being handled. */
    changed: boolean;
    /** The job publishes nothing. */
    dryRun: boolean;
    /** How long the model thinks, as the job or a message asked last; null: as the project or the model's settings say. */
    effort: "low" | "medium" | "high" | null;
    /** What a dry run would have published; null of other jobs and before its end. */
    plan: {
      /** New files. */
      added: number;
      /** Changed files. */
      modified: number;
      /** Files that would be gone. */
      removed: number;
      /** The files, at most 200 of them. */
      paths: string[];
    } | null;
    /** Why the job failed; null of one that did not. */
    error: Schemas["AgentJobError"] | null;
    /** The message that was sent last. */
    lastMessage: {
      /** 1 made the job; later ones are follow-ups. */
      seq: number;
      /** Why it was not carried out; null when it was, and while it waits. A refused follow-up leaves the job `completed`. */
      error: Schemas["AgentJobError"] | null;
      /** What the agent asks before it can go on; null when it asks nothing. Answer with a follow-up. */
      question: string | null;
    };
    /** What all turns of the job have used. */
    usage: {
      /** Answers of the model. */
      steps: number;
      /** What the model read. */
      inputTokens: number;
      /** Of `inputTokens`, what the provider read from its cache. */
      cachedInputTokens: number;
      /** What the model wrote. */
      outputTokens: number;
      /** In US dollars; 0 where no price is set. */
      costUsd: number;
    };
    /** What is done for it just now; `idle` of a job that is not active. */
    phase: "queued" | "preparing" | "running" | "waiting" | "validating" | "publishing" | "idle";
    /** What the job waits for in the phase `waiting`; null in every other phase. */
    waitingFor: {
      /** Name of the model provider that does not answer. */
      provider: string;
      /** What it answered last. */
      reason: string;
      /** When it failed first. */
      since: string;
      /** When it is asked again. */
      retryAt: string;
    } | null;
    /** Opens the preview for whoever has it, until the pull request is merged or closed. */
    previewLink: string | null;
  };
  AgentJobDiff: {
    /** Commit that the changes are compared with; null where there are none. */
    base: string | null;
    /** Commit that has the changes; null where there are none. */
    head: string | null;
    /** The changed files. */
    files: ({
      /** What happened to it. */
      status: "added" | "modified" | "removed" | "renamed";
      /** Its path in the repository. */
      path: string;
      /** Its path before it was renamed; null of one that was not. */
      oldPath: string | null;
      /** Lines that are new; null for a binary file. */
      additions: number | null;
      /** Lines that are gone; null for a binary file. */
      deletions: number | null;
    })[];
    /** Whether there are files after these. */
    hasMore: boolean;
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  /** Why a job failed. */
  AgentJobError: {
    /** Why it failed; branch on this. */
    code: "not_understood" | "impossible" | "cancelled" | "ref_not_found" | "budget_exceeded" | "step_limit" | "time_limit" | "stuck" | "model_error" | "model_auth" | "context_overflow" | "validation_failed" | "branch_moved" | "push_denied" | "code_host_error" | "policy" | "worker_died" | "internal";
    /** What happened, for a person. */
    message: string;
    /** What to do about it. */
    hint: string;
    /** The model's provider or the code host was away, and the same may work later. Absent otherwise. */
    outage?: true;
    /** With `not_understood`, when the job has no language model: chores nearest to the instruction that would change something, tried on the docs. Absent otherwise. */
    suggestions?: Schemas["ChoreSuggestion"][];
  };
  /** A line of the transcript. New types may come: ignore those that you do not know. */
  AgentJobEvent: Schemas["JobCreatedEvent"] | Schemas["JobPhaseEvent"] | Schemas["MessageReceivedEvent"] | Schemas["TurnStartedEvent"] | Schemas["MessageEvent"] | Schemas["ToolStartedEvent"] | Schemas["ToolFinishedEvent"] | Schemas["PlanUpdatedEvent"] | Schemas["UsageEvent"] | Schemas["NoticeEvent"] | Schemas["FilesChangedEvent"] | Schemas["ValidationEvent"] | Schemas["CommitPushedEvent"] | Schemas["PullRequestOpenedEvent"] | Schemas["PullRequestUpdatedEvent"] | Schemas["PullRequestMergedEvent"] | Schemas["PullRequestClosedEvent"] | Schemas["PullRequestReopenedEvent"] | Schemas["TurnFinishedEvent"] | Schemas["MessageRefusedEvent"] | Schemas["JobCompletedEvent"] | Schemas["JobFailedEvent"] | Schemas["JobArchivedEvent"] | Schemas["JobUnarchivedEvent"];
  AgentJobEvents: {
    /** Events, the oldest first. */
    events: Schemas["AgentJobEvent"][];
    /** Whether there are events after these. */
    hasMore: boolean;
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  AgentJobs: {
    /** Jobs, newest first. */
    jobs: Schemas["AgentJob"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  /** `prompt` is required, unless there are `chores`. */
  AgentMessage: {
    /** The instruction for the agent: not blank, without NUL characters. */
    prompt?: string;
    /** Chores to carry out without a model, in order: all of them, or none. `prompt` then says to people what they are for, and is not carried out; without it, the chores are described in words. */
    chores?: Schemas["AgentChore"][];
    /** How long the model thinks from this message on; as before when left out. */
    effort?: "low" | "medium" | "high";
    /** Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. A model that cannot see images is told that there were some, and so is the transcript. */
    attachments?: Schemas["Attachment"][];
  };
  /** An agent job in the form of version 1. */
  AgentSession: {
    /** Identifier of the agent job; opaque. */
    sessionId: string;
    /** The site's name below the server's domain. */
    subdomain: string;
    /** Branch that the agent works on; null until it has one. */
    branch: string | null;
    /** Whether the agent works on nothing now. */
    haulted: boolean;
    /** `processing`: it works; `completed`: every message was handled; `interrupted`: it was cancelled; `github_missconfigured`: the code host refused the push; `error`: anything else. */
    haultReason: "completed" | "github_missconfigured" | "error" | "processing" | "interrupted";
    /** Its pull request; absent while it works, and when it has none. */
    pullRequestLink?: string;
    /** What the agent says that it did, or why it failed; absent until it has. */
    messageToUser?: string;
    /** Empty: jobs have no such lists here. */
    todos: ({
      /** What is to be done. */
      content: string;
    })[];
    /** Title of the job; absent until it has one. */
    title?: string;
    /** When it was created. */
    createdAt: string;
  };
  AgentSessions: {
    /** Jobs, newest first. */
    allSessions: Schemas["AgentSession"][];
  };
  Agents: {
    /** Clients other than browsers, by views. */
    agents: ({
      /** The product, as it names itself. */
      name: string;
      /** Who runs it; null where that is not known. */
      operator: string | null;
      /** What it reads for. */
      category: "assistant" | "search" | "training" | "other_bot" | "browser" | "http_client";
      /** Views by people. */
      human: number;
      /** Views by AI assistants and agents. */
      ai: number;
      /** Views that count in neither. */
      other: number;
      /** Of its views, those that prove that it is the operator's. */
      verified: number;
      /** Of its views, those that prove that it is not. */
      spoofed: number;
      /** Of its views, those from an address that no list of the operator's has, while the list was old. They count. */
      unverified: number;
      /** The last day with a view of it. */
      lastSeen: string;
    })[];
  };
  AnalyticsSnippet: {
    /** An HTML element that loads the script, for every page of the site elsewhere. */
    snippet: string;
    /** Sites that may send views: the origin of the external site, then `settings.analytics.allowedOrigins` of the project. */
    allowedOrigins: string[];
  };
  ApiAddresses: {
    /** Hosts such as `api.example.com`, with a port where it is another than that of https, or `*.example.com`. Empty: off. */
    hosts: string[];
    /** Whether requests that readers try on API pages go through this server. At first they do not. */
    proxy: boolean;
    /** Another one whenever `hosts` or `proxy` is another; what is kept of addresses changes by itself. */
    version: string;
    /** What is kept of each address that the docs name, by address. */
    addresses: ({
      /** As the docs name it, without a fragment. */
      address: string;
      /** Whether the site that readers see names it. */
      live: boolean;
      /** When its host last said that the copy is the newest; null while there is no copy. */
      readAt: string | null;
      /** Size of the copy; null while there is none. */
      sizeBytes: number | null;
      /** Why the last try failed; null when it did not. */
      trouble: string | null;
      /** When it is asked again; null: when a push names it. */
      nextAt: string | null;
    })[];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  ApiAddressesAsked: {
    /** How many addresses are asked. */
    addresses: number;
  };
  /** A key, without the key itself. */
  ApiKey: {
    /** Id of the key, not the key itself. */
    id: string;
    /** What it is for. */
    name: string;
    /** The last four characters of the key. */
    hint: string;
    /** `read`: read jobs, counts and the site; `agent`: and create jobs, send messages and views; `admin`: and all else. */
    scope: "read" | "agent" | "admin";
    /** Where it works from; null: from everywhere. */
    allow: string[] | null;
    /** When it was made. */
    createdAt: string;
    /** When it was used last; null when never. */
    lastUsedAt: string | null;
    /** When it ends; null when it does not. */
    expiresAt: string | null;
    /** When it was revoked; null when it was not. */
    revokedAt: string | null;
  };
  ApiKeys: {
    /** Keys, oldest first. */
    keys: Schemas["ApiKey"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  /** Applies a patch that the caller made, exactly: every hunk has to fit. For changes made in an editor: the checks before a pull request are the same. */
  ApplyPatchChore: {
    /** The inputs of the chore. */
    apply_patch: {
      /** A unified patch of text files, as `git diff` prints it, made from the branch that it is applied to */
      patch: string;
    };
  };
  AskedPage: {
    /** Path or address of the page. */
    path: string;
    /** Empty: sites have no groups of readers here, and the key reads all pages. */
    groups?: string[];
  };
  /** An image. */
  Attachment: {
    /** What the content is. */
    mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
    /** The content in base64. */
    data: string;
  };
  /** Looks over all docs and reports broken links, pages that do not parse, missing descriptions and alt texts, pages outside the navigation, dead navigation entries and titles used twice. Changes nothing. */
  AuditChore: {
    /** The inputs of the chore. */
    audit: Record<string, never>;
  };
  /** Something that was done in a project. */
  AuditEvent: {
    /** Identifier of the entry; opaque. */
    id: string;
    /** When it was done. */
    at: string;
    /** Who did it. */
    actor: {
      /** What they are. */
      kind: "person" | "key" | "operator";
      /** Identifier of the person or key. */
      id: string;
      /** The name that they had then. */
      name: string;
    };
    /** What they did, to be read after their name. */
    sentence: string;
    /** The operation, or the form of the dashboard. */
    action: string;
    /** What it was about, by name; null when nothing was noted. */
    subject: string | null;
    /** The path that it was done at. */
    target: string;
    /** Where it came from. */
    address: string;
  };
  AuditEvents: {
    /** Entries, newest first. */
    events: Schemas["AuditEvent"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  Automation: {
    /** Identifier of the automation; opaque. */
    id: string;
    /** What people call it. */
    name: string;
    /** The instruction for the agent. */
    prompt: string;
    /** What starts it. */
    trigger: {
      /** Starts at the times that `cron` names. */
      kind: "schedule";
      /** Minute, hour, day, month, weekday. */
      cron: string;
      /** Of the hours and days in `cron`. */
      timeZone: string;
    } | {
      /** Starts when a branch of the repository is pushed to. */
      kind: "push";
      /** The branch. */
      branch: string;
    } | {
      /** Starts when a source is pushed to, or a pull request of it is merged. */
      kind: "source_push" | "source_merge";
      /** Name of a source of the project. */
      source: string;
    } | {
      /** Starts when it is asked for. */
      kind: "api";
    };
    /** Branch to start from; null for the project's. */
    ref: string | null;
    /** Its model; null for the project's. */
    model: string | null;
    /** How long the model thinks; null: as the project or the model's settings say. */
    effort: "low" | "medium" | "high" | null;
    /** Its pull requests open as drafts. */
    draft: boolean;
    /** Whether its trigger starts it. */
    enabled: boolean;
    /** How often it has run. */
    runs: number;
    /** When its schedule starts it next; null without one. */
    nextRunAt: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it was changed last. */
    updatedAt: string;
  };
  AutomationChanges: {
    /** What people call it. */
    name?: string;
    /** The instruction for the agent: not blank, without NUL characters. */
    prompt?: string;
    trigger?: Schemas["AutomationTrigger"];
    /** Branch to start from; null for the project's. */
    ref?: string | null;
    /** Provider-qualified model; null for the project's. */
    model?: string | null;
    /** How long the model thinks; null: as the project or the model's settings say. */
    effort?: "low" | "medium" | "high" | null;
    /** Open its pull requests as drafts. */
    draft?: boolean;
    /** Whether its trigger starts it. */
    enabled?: boolean;
  };
  AutomationRun: {
    /** Counts up from 1 in the automation. */
    number: number;
    /** What started it. */
    startedBy: "schedule" | "push" | "api" | "source_push" | "source_merge";
    /** When it started. */
    startedAt: string;
    /** The job that carried it out; null where there is none. */
    jobId: string | null;
    /** 1 made the job; a later one appended to it. */
    messageSeq: number | null;
    /** Why there is no job. */
    note: string | null;
    /** How often it was sent again after an outage. */
    retries: number;
    /** When it was sent again last; null for never. */
    retriedAt: string | null;
  };
  AutomationRuns: {
    /** Runs, newest first. */
    runs: Schemas["AutomationRun"][];
    /** Whether there are earlier ones. */
    hasMore: boolean;
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  /** What starts it. */
  AutomationTrigger: {
    /** Starts at the times that `cron` names. */
    kind: "schedule";
    /** Minute, hour, day, month, weekday. */
    cron: string;
    /** Of the hours and days in `cron`. */
    timeZone?: string;
  } | {
    /** Starts when a branch of the repository is pushed to. */
    kind: "push";
    /** Default: the project's. */
    branch?: string;
  } | {
    /** Starts when a source is pushed to, or a pull request of it is merged. */
    kind: "source_push" | "source_merge";
    /** Name of a source of the project. */
    source: string;
  } | {
    /** Starts when it is asked for. */
    kind: "api";
  };
  Automations: {
    /** Automations, newest first. */
    automations: Schemas["Automation"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  CancelAgentJob: {
    /** Publish what the agent has made, as a draft. */
    keepWork?: boolean;
  };
  /** Adds an entry to the changelog made of the subjects of commits since a tag: grouped when they are conventional commits, merges and internal ones left out. The subjects are used unchanged. */
  ChangelogFromHistoryChore: {
    /** The inputs of the chore. */
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
    /** The inputs of the chore. */
    check_links: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  /** A chore that would change something. */
  ChoreSuggestion: {
    /** The chore with its inputs. Send it in `chores` of a follow-up. */
    chore: Record<string, Record<string, unknown>>;
    /** The chore as an instruction. */
    title: string;
    /** Files that it would change. */
    files: number;
    /** Lines that it would change. */
    places: number;
  };
  /** What chores would change. */
  ChoreTrial: {
    /** Whether a job with these chores would open a pull request, or find that there is nothing to change. */
    ok: boolean;
    /** Commit of the branch that the chores were tried on. */
    commit: string;
    /** What came of each chore, in order. */
    chores: ({
      /** Name of the chore. */
      chore: string;
      /** Whether it can be done. */
      ok: boolean;
      /** What it would do, or why it cannot be done. */
      summary: string;
      /** What a reviewer should know, in Markdown. */
      notes: string[];
      /** What to do where it cannot be done; null without advice. */
      hint: string | null;
    })[];
    /** The files that would change, at most 1,000; empty when a chore cannot be done. */
    files: ({
      /** What would happen to it. */
      status: "added" | "modified" | "removed" | "renamed";
      /** Its path in the repository. */
      path: string;
      /** Its path before; null of a file that is not renamed. */
      oldPath: string | null;
      /** Lines that would be new; null for a binary file. */
      additions: number | null;
      /** Lines that would be gone; null for a binary file. */
      deletions: number | null;
      /** The lines that would change, at most 50. */
      places: ({
        /** Its number after the change, or before it for a removed line. */
        line: number;
        /** The line as it is; null for a new one. */
        before: string | null;
        /** The line as it would be; null for a removed one. */
        after: string | null;
      })[];
      /** Lines that would change and are not in `places`. */
      morePlaces: number;
    })[];
    /** Files that would change and are not in `files`. */
    moreFiles: number;
    /** A unified patch, of at most 100 files and 3,000 lines. */
    diff: string;
    /** Files that would change and are not in `diff`; they have no `places` either. */
    diffLeftOut: number;
    /** What the checks before a pull request find, at most 50 of each. */
    findings: {
      /** What would keep the change from being published. */
      errors: ({
        /** Which check found it. */
        check: string;
        /** The file; null where it is about no single one. */
        path: string | null;
        /** The line; null where it is about no single one. */
        line: number | null;
        /** What it is, for a person. */
        message: string;
      })[];
      /** What a reviewer would be told. */
      warnings: ({
        /** Which check found it. */
        check: string;
        /** The file; null where it is about no single one. */
        path: string | null;
        /** The line; null where it is about no single one. */
        line: number | null;
        /** What it is, for a person. */
        message: string;
      })[];
      /** Findings that are not listed. */
      leftOut: number;
    };
    /** With `withPages`: the changed pages as readers would get them, at most 5. Absent otherwise, and where the checks have errors. */
    pages?: ({
      /** The page's file. */
      path: string;
      /** Its title; null without one. */
      title: string | null;
      /** Its text as readers would get it, at most 4,000 characters. */
      text: string;
      /** What is wrong on it: components, syntax, snippets. */
      problems: string[];
    })[];
  };
  CommitPushedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "commit.pushed";
    /** What there is to say of it. */
    data: {
      /** Id of the commit. */
      commit: string;
      /** Branch that it was pushed to. */
      branch: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  CurrentSitePin: {
    /** Null while the site follows its branch. */
    pin: Schemas["SitePin"] | null;
  };
  Deployment: {
    /** Identifier of the deployment; opaque. */
    id: string;
    /** Counts up from 1 in the project. */
    number: number;
    /** Id of the commit. */
    commit: string;
    /** The site's branch at that time. */
    branch: string;
    /** First line of the commit's message. */
    subject: string;
    /** Who wrote the commit. */
    author: string;
    /** When it was written. */
    authoredAt: string;
    /** When the server saw that it is the newest. */
    noticedAt: string;
    /** When readers first could see it. */
    liveAt: string | null;
    /** From the arrival of the push here to `liveAt`, in milliseconds; null when the push was not seen. */
    liveAfterMs: number | null;
    /** Whether readers see it now. */
    live: boolean;
    /** `loading`: its pages are read for the first time; `ready`: they can be shown; `failed`: it cannot be shown, and readers keep what they had; `skipped`: a newer commit came first. */
    state: "loading" | "ready" | "failed" | "skipped";
    /** Why it is `failed`. */
    trouble: string | null;
    /** How many pages it has; null until they were read. */
    pages: number | null;
    /** Findings of its report; null while there is none. */
    errors: number | null;
    /** Lesser findings of its report; null while there is none. */
    warnings: number | null;
  };
  DeploymentWithReport: (Schemas["Deployment"]) & ({
    /** What is wrong with it; null while that is looked for. */
    report: {
      /** What was found. */
      problems: ({
        /** How bad it is. */
        severity: "error" | "warning";
        /** What kind of problem it is, as `docent check` names it; absent in reports of older versions. */
        code?: string;
        /** The file, in the repository. */
        path: string;
        /** Its line, from 1; null where it has none. */
        line: number | null;
        /** What is wrong, for a person. */
        message: string;
      })[];
      /** Findings that are only counted. */
      leftOut: number;
      /** How the links of the site are. */
      links: {
        /** Links that were followed. */
        checked: number;
        /** Links that are broken. */
        broken: number;
      };
      /** How long the report took, in milliseconds. */
      durationMs: number;
    } | null;
  });
  Deployments: {
    /** Deployments, newest first. */
    deployments: Schemas["Deployment"][];
    /** The commit that the site stays at; null while it follows its branch. */
    pin: Schemas["SitePin"] | null;
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  DocsSearch: {
    /** Words to look for. Misspelt words and beginnings of words find too. */
    query: string;
    /** How many results at most. */
    pageSize?: number;
    /** Taken and not applied: this search ranks its results and gives them no scores. */
    scoreThreshold?: number;
    /** Which pages are looked through. */
    filter?: {
      /** Only pages of this version; else of the default one, then what only others have. */
      version?: string;
      /** Only pages of this language; else of the site's first. */
      language?: string;
      /** Only pages with this `tag` in their front matter. */
      tag?: string;
      /** Empty: sites have no groups of readers here, and the key reads all pages. */
      groups?: string[];
    };
  };
  EndPullRequest: {
    /** The commit that you looked at: any other is refused. `head` of what `GET /v2/agent/{projectId}/job/{id}/diff` answers with `Accept: application/json`. */
    head?: string;
  };
  Erasure: {
    /** What was erased; of IPv6 the /64. */
    address: string;
    /** Visitor numbers that it had. */
    visitors: number;
    /** Views that are gone. */
    views: number;
    /** Days that had some of them. */
    days: number;
    /** Votes and words that are gone. */
    feedback: number;
    /** Files of unreadable bytes of the journal that named it and are gone; null with a project's key, which leaves them, as they are of all projects. */
    damagedFiles: number | null;
    /** What may be left, and what to do about it. */
    notReached: string[];
  };
  Error: {
    /** A sentence for a person. */
    error: string;
    /** What kind of failure it is; branch on this. */
    code: "invalid" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "precondition_failed" | "too_large" | "unsupported_media_type" | "idempotency_mismatch" | "rate_limited" | "internal" | "unavailable";
    /** Of invalid input: each thing that is wrong with it. */
    details?: ({
      /** Dotted path of the field, parameter or header; empty for the whole input. */
      path: string;
      /** What is wrong with it. */
      message: string;
    })[];
    /** The request, as in `X-Request-Id`. Empty where it could not be read. */
    requestId: string;
  };
  Feedback: {
    /** Entries, newest first. */
    feedback: ({
      /** Identifier of the entry; opaque. */
      id: string;
      /** Route of the page. */
      path: string;
      /** As it was written: text, whatever markup it holds. */
      comment: string | null;
      /** Of the last vote or word of its author. */
      createdAt: string;
      /** `contextual`: a reader's vote with words; `thumbs_only`: a vote alone; `agent`: a program; `code_snippet`: never, kept for clients of the commercial API. */
      source: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** How far the team is with it. */
      status: "pending" | "in_progress" | "resolved" | "dismissed";
      /** Null where an agent did not say. */
      helpful: boolean | null;
      /** Always null: readers are not asked for an address. */
      contact: null;
    })[];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
    /** Whether there are entries after these. */
    hasMore: boolean;
  };
  FeedbackByPage: {
    /** Pages, those with the most entries first. */
    feedback: ({
      /** Route of the page. */
      path: string;
      /** Readers who found it helpful. */
      thumbsUp: number;
      /** Readers who did not. */
      thumbsDown: number;
      /** Always 0, see `source`. */
      code: number;
      /** All entries, those of agents among them. */
      total: number;
    })[];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
    /** Whether there are entries after these. */
    hasMore: boolean;
  };
  FilesChangedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "files.changed";
    /** What there is to say of it. */
    data: {
      /** New files. */
      added: string[];
      /** Changed files. */
      modified: string[];
      /** Removed files. */
      removed: string[];
      /** Of those added and removed, the ones that are the same file. */
      moved?: ({
        /** Its path in `removed`. */
        from: string;
        /** Its path in `added`. */
        to: string;
      })[];
    } | {
      /** How much was left out, in words. */
      leftOut: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  /** Corrects broken internal links and anchors where only one target can be meant (a redirect, a page that moved, an anchor spelt differently), and reports the others. */
  FixLinksChore: {
    /** The inputs of the chore. */
    fix_links: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
      /** anchors: only links whose page exists and has no such heading */
      only?: "anchors";
    };
  };
  FoundSection: {
    /** The text around what matches. */
    content: string;
    /** Path of the page, as `readPage` takes it. */
    path: string;
    /** More about it. */
    metadata: {
      /** Title of the page. */
      title: string;
      /** Heading of the section; null for the page as a whole. */
      heading: string | null;
      /** Address of the section on the site. */
      url: string;
    };
  };
  JobArchivedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "job.archived";
    /** What there is to say of it. */
    data: Record<string, unknown>;
    /** When it happened. */
    createdAt: string;
  };
  JobCompletedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "job.completed";
    /** What there is to say of it. */
    data: {
      /** What the agent did. */
      summary: string | null;
    };
    /** When it happened. */
    createdAt: string;
  };
  JobCreatedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "job.created";
    /** What there is to say of it. */
    data: {
      /** Title of the job; null without one. */
      title: string | null;
      /** The model that it uses. */
      model: string;
      /** Branch that it starts from. */
      ref: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  JobFailedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "job.failed";
    /** What there is to say of it. */
    data: {
      error: Schemas["AgentJobError"];
    };
    /** When it happened. */
    createdAt: string;
  };
  JobPhaseEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "job.phase";
    /** What there is to say of it. */
    data: {
      /** What is done for the job from now on. */
      phase: "queued" | "preparing" | "running" | "waiting" | "validating" | "publishing" | "idle";
    };
    /** When it happened. */
    createdAt: string;
  };
  JobUnarchivedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "job.unarchived";
    /** What there is to say of it. */
    data: Record<string, unknown>;
    /** When it happened. */
    createdAt: string;
  };
  /** A line of the log. */
  LogLine: {
    /** Id of the line. */
    id: string;
    /** The process that wrote it, by its host and port: several may work on one data directory. */
    node: string;
    /** When it was written. */
    time: string;
    /** How much it matters; `fatal`: the process ended. */
    level: "trace" | "debug" | "info" | "warn" | "error" | "fatal";
    /** What happened, in a sentence that is always the same. */
    message: string;
    /** What it happened to, such as `requestId`, `projectId` and, of an error, `err` with its stack. */
    fields: Record<string, unknown>;
  };
  LogLines: {
    /** Lines, newest first. */
    lines: Schemas["LogLine"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  /** A person with a role in a project. */
  Member: {
    /** Identifier of the person; opaque. */
    id: string;
    /** Their name. */
    name: string;
    /** Their address. */
    email: string;
    /** Their role in the project. */
    role: "viewer" | "editor" | "admin";
    /** Whether they own the server, which is more than any role. */
    isOwner: boolean;
  };
  Members: {
    /** Members. */
    members: Schemas["Member"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  MessageEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "message";
    /** What there is to say of it. */
    data: {
      /** Who says it. */
      role: "assistant";
      /** What the agent says. */
      text: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  MessageReceivedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "message.received";
    /** What there is to say of it. */
    data: {
      /** 1 made the job; later ones are follow-ups. */
      seq: number;
      /** The instruction; what the chores are for, in words, where there are any. */
      prompt: string;
      /** The person who sent it; absent for a program. */
      by?: string;
      /** The chores of a message that is carried out without a model. */
      chores?: (Record<string, unknown>)[];
      /** Images that came with the message; absent where there were none. */
      attachments?: ({
        /** What it is. */
        mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
        /** How large it is. */
        sizeBytes: number;
      })[];
    };
    /** When it happened. */
    createdAt: string;
  };
  MessageRefusedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "message.refused";
    /** What there is to say of it. */
    data: {
      /** The message that was not carried out. */
      seq: number;
      error: Schemas["AgentJobError"];
    };
    /** When it happened. */
    createdAt: string;
  };
  MissingPages: {
    /** Paths without a page, the most wanted first. */
    missing: ({
      /** What was asked for. */
      path: string;
      /** Views by AI assistants and agents. */
      ai: number;
      /** How often anybody else asked for it. */
      other: number;
      /** The last day on which it was asked for. */
      lastSeen: string;
    })[];
  };
  Models: {
    /** The model of jobs that name none. */
    default: string;
    /** The models, the instance's and the project's own. */
    models: string[];
  };
  /** Moves a group of the navigation before or after another one of the same list, or to its start or end. */
  MoveGroupChore: {
    /** The inputs of the chore. */
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
    /** The inputs of the chore. */
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
  /** `prompt` is required, unless there are `chores`. */
  NewAgentJob: {
    /** The instruction for the agent: not blank, without NUL characters. */
    prompt?: string;
    /** Chores to carry out without a model, in order: all of them, or none. `prompt` then says to people what they are for, and is not carried out; without it, the chores are described in words. */
    chores?: Schemas["AgentChore"][];
    /** Branch to start from and to open the pull request against. */
    ref?: string;
    /** Provider-qualified model. */
    model?: string;
    /** Open the pull request as a draft. */
    draft?: boolean;
    /** Work out what would change and tell it in `summary` and `plan`, and publish nothing: no branch, no pull request. */
    dryRun?: boolean;
    /** How long the model thinks. Models without such a setting ignore it. */
    effort?: "low" | "medium" | "high";
    /** Images that the model sees with the prompt: PNG, JPEG, WebP or GIF, at most 5 of at most 3 MB, 6 MB together. A model that cannot see images is told that there were some, and so is the transcript. */
    attachments?: Schemas["Attachment"][];
    /** Title of the job and its pull request. */
    title?: string;
  };
  NewApiAccess: {
    /** Hosts such as `api.example.com`, with a port where it is another than that of https, or `*.example.com`. Empty: off. */
    hosts?: string[];
    /** Whether requests that readers try on API pages go through this server. At first they do not. */
    proxy?: boolean;
  };
  NewApiKey: {
    /** What it is for. */
    name: string;
    /** `read`: read jobs, counts and the site; `agent`: and create jobs, send messages and views; `admin`: and all else. */
    scope: "read" | "agent" | "admin";
    /** Addresses and ranges that it is to work from; elsewhere it is refused. Null: it works from everywhere. */
    allow?: string[] | null;
    /** Days that it lives: 7, 30, 60 or 90; null for one that does not end. */
    expiresInDays?: 7 | null;
  };
  NewAutomation: {
    /** What people call it. */
    name: string;
    /** The instruction for the agent: not blank, without NUL characters. */
    prompt: string;
    trigger: Schemas["AutomationTrigger"];
    /** Branch to start from; null for the project's. */
    ref?: string | null;
    /** Provider-qualified model; null for the project's. */
    model?: string | null;
    /** How long the model thinks; null: as the project or the model's settings say. */
    effort?: "low" | "medium" | "high" | null;
    /** Open its pull requests as drafts. */
    draft?: boolean;
    /** Whether its trigger starts it. */
    enabled?: boolean;
  };
  NewErasure: {
    /** Whose readers are meant, IPv4 or IPv6; of IPv6 the whole /64. */
    address: string;
    /** User agents of programs that Docent does not know by name. */
    userAgents?: string[];
    /** Where visitors are told apart by a cookie: what readers have as `docent_visitor`. */
    cookies?: string[];
  };
  NewMember: {
    /** Their address. */
    email: string;
    /** Their role in the project. */
    role: "viewer" | "editor" | "admin";
  };
  NewPreview: {
    /** Name of a branch. */
    branch: string;
  };
  NewProject: {
    /** What people call it. */
    name: string;
    /** Made of the name where it is left out. */
    slug?: string;
    /** The branch to publish; that of the repository, else `main`, where it is left out. */
    branch?: string;
    /** Folder of the docs, where docs.json does not say it. */
    contentRoot?: string;
    /** Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP. */
    externalSite?: string;
    /** Where the docs are. Without it the repository is empty: push to it. */
    repository?: {
      /** Its https address, without a user name or password. */
      url: string;
      /** With it the repository stays where it is, and is followed; without, it is copied. */
      token?: string;
      /** In place of a token: the GitHub App of this server. */
      app?: boolean;
      /** What the host runs, where its address does not tell; with a token or an app. */
      host?: "github" | "gitlab" | "gitea" | "forgejo";
    };
  };
  NewProjectToken: {
    /** Token of the code host. It is stored encrypted and never shown. */
    token: string;
  };
  NewSiteLink: {
    /** The page that it opens. */
    path?: string;
    /** How long it lives, from a minute to 366 days; a week where it is left out. */
    expiresInSeconds?: number;
  };
  NewSitePin: {
    /** Of the branch's history or of a deployment: its id, or 7 or more digits of it. */
    commit: string;
  };
  NewSource: {
    /** What people and the agent call it; no two sources of a project alike. */
    name: string;
    /** Its https address, without a user name or password. */
    url: string;
    /** Token that may read it, of a repository that not everybody may see. It is stored encrypted. */
    token?: string;
    /** What the host runs, where its address does not tell. */
    host?: "github" | "gitlab" | "gitea" | "forgejo";
    /** The branch to read; the repository's default branch where it is left out. */
    branch?: string;
  };
  NewSourceToken: {
    /** Token of the code host. It is stored encrypted and never shown. */
    token: string;
  };
  NewWebhook: {
    /** http or https, on the public Internet, or a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names. */
    url: string;
    /** What to be told of; everything when not given. */
    events?: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[];
    /** What it is for. */
    description?: string;
    /** What requests contain; `standard` when not given. */
    format?: "standard" | "slack";
  };
  /** A key, without the key itself. */
  NewlyMadeApiKey: (Schemas["ApiKey"]) & ({
    /** The key: `docent_` and 38 letters and digits. It is not shown again. */
    key: string;
  });
  /** Makes list markers or the case of headings uniform, or replaces the terms of a glossary file by those to be used. Words whose capital the docs use elsewhere keep it. */
  NormaliseStyleChore: {
    /** The inputs of the chore. */
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
    /** Reasons with views in the range, the most frequent first. */
    notCounted: ({
      /** Why; branch on this. */
      reason: "search" | "training" | "other_bot" | "unconfirmed" | "http_client" | "own_traffic" | "not_found" | "duplicate" | "counted_when_served" | "prefetch" | "shed" | "not_collected" | "too_old" | "spoofed" | "automated" | "flood";
      /** The same for a person. */
      explanation: string;
      /** How many views. */
      views: number;
    })[];
  };
  NoticeEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "notice";
    /** What there is to say of it. */
    data: {
      /** What kind of notice it is. */
      code: string;
      /** What people should know. */
      text: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  /** Writes API reference pages from an OpenAPI file, one per tag, and puts them into the navigation. Pages that it made before are rewritten; other pages are never overwritten. */
  OpenapiPagesChore: {
    /** The inputs of the chore. */
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
    /** The inputs of the chore. */
    orphan_report: Record<string, never>;
  };
  PageText: {
    /** Path of the page. */
    path: string;
    /** The page as Markdown. */
    content: string;
  };
  /** Of one page. */
  PageVisitors: (Schemas["VisitorTotals"]) & ({
    /** Path of the page. */
    path: string;
  });
  PlanUpdatedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "plan.updated";
    /** What there is to say of it. */
    data: {
      /** All steps of the plan, in order. */
      steps: ({
        /** What the agent plans to do. */
        text: string;
        /** `dropped`: it is not done after all. */
        state: "open" | "in_progress" | "done" | "dropped";
      })[];
    };
    /** When it happened. */
    createdAt: string;
  };
  /** A docs project, as it is now. */
  Project: {
    /** Identifier of the project; opaque. */
    id: string;
    /** Its label in addresses. */
    slug: string;
    /** What people call it. */
    name: string;
    /** The branch that the site shows and that pull requests go into. */
    branch: string;
    /** Where readers find the site. */
    siteUrl: string;
    /** The repository of the docs. */
    repository: {
      /** Where it is cloned from. */
      url: string;
      /** `embedded`: here; the others are hosts elsewhere. */
      host: "embedded" | "github" | "gitlab" | "gitea" | "forgejo";
      /** Where it was copied from or is; null when nowhere else. */
      source: string | null;
      /** Whether it is missing from the data directory: its site is 503 and its jobs wait until it is put back. */
      missing: boolean;
    };
    settings: Schemas["ProjectSettings"];
    /** Names of the keys of model providers that are stored. The keys are never shown. */
    secrets: string[];
    /** Who may read the site. */
    access: {
      /** `public`: everybody; `password`: who has it; `dashboard`: who may sign in there; `links`: who has a link. */
      mode: "public" | "password" | "dashboard" | "links";
    };
    /** Its own names, the main one first. */
    domains: string[];
    /** The commit that the site is pinned to; null when it is not. */
    pinnedCommit: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it was archived; null when it is not. */
    archivedAt: string | null;
    /** Another one whenever something of the above is another. */
    version: string;
    /** Of a repository elsewhere; null of one that is here. */
    connection: Schemas["ProjectConnection"] | null;
  };
  /** What is to change; what is left out stays. */
  ProjectChanges: {
    /** What people call it. */
    name?: string;
    /** A new address. The old one redirects and stays reserved for this project. */
    slug?: string;
    /** Whether it is archived: its site and its pages stay, and it takes no jobs, automations or pushes until it is unarchived. Jobs that are running finish. */
    archived?: boolean;
    /** A branch that is there. */
    branch?: string;
    settings?: Schemas["ProjectSettingsChanges"];
    /** Keys of model providers by name, stored encrypted. Others stay. */
    secrets?: Record<string, string | null>;
    /** Who may read the site. Every change ends what let somebody in before. */
    access?: {
      /** Who has the password. */
      mode: "password";
      /** It is stored as a hash. */
      password: string;
    } | {
      /** Who may read it without a password. */
      mode: "public" | "dashboard" | "links";
    };
    /** All names of the site, the main one first. What a project's own key adds needs the record in DNS that the refusal names. */
    domains?: string[];
  };
  /** How a repository at a host elsewhere is followed. Its token is never shown. */
  ProjectConnection: {
    /** What the host runs. */
    host: "github" | "gitlab" | "gitea" | "forgejo";
    /** The repository there. */
    url: string;
    /** `waiting`: it was not fetched yet; `failing`: the last look did not work, see `trouble`. */
    state: "current" | "waiting" | "failing";
    /** When the branch was current last; null when never. */
    syncedAt: string | null;
    /** When the host was asked last; null: it is asked next. */
    triedAt: string | null;
    /** When its webhook called last; null when never. */
    webhookAt: string | null;
    /** What went wrong; null when nothing did. */
    trouble: string | null;
    /** What does not work beside that, such as comments. */
    remarks: string[];
    /** The GitHub App that it is reached with; null: a token. */
    app: string | null;
  };
  /** What is set; what is absent is as the server has it by default. */
  ProjectSettings: {
    /** Folder of the docs, where docs.json does not say it. */
    contentRoot?: string;
    /** Model for jobs that name none. */
    model?: string;
    /** How long models think in jobs that do not set an effort. */
    effort?: "low" | "medium" | "high";
    /** Standing instructions for the agent. */
    instructions?: string;
    /** A change with findings becomes a draft pull request instead of failing. */
    draftOnFindings?: boolean;
    /** What happens to a change with words that agents would read and people may not see. */
    unseenWords?: "report" | "refuse";
    /** Everybody may read pull requests and previews, while the site is public. */
    publicPullRequests?: boolean;
    /** What comments for the agent begin with at the code host; `off`: none are. */
    mention?: string;
    /** How previews are shown at the code host. */
    previewPosts?: "off" | "status" | "comment";
    /** Where another site shows this one, maybe below a path: no query, no slash at the end. */
    publicAddress?: string;
    /** Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP. */
    externalSite?: string;
    /** Readers who come by another name are led to the main domain. */
    redirectToMainDomain?: boolean;
    /** Hosts that the server asks for descriptions of APIs. */
    apiHosts?: string[];
    /** Hosts whose web pages the agent may read. */
    webHosts?: string[];
    /** Requests that readers try on API pages go through this server. */
    apiProxy?: boolean;
    /** Own model providers and the allowed models, in the form of `DOCENT_MODELS`. Changed by keys of the instance alone. */
    models?: Record<string, unknown>;
    /** What the project may use, in place of the server's quotas. Changed by keys of the instance alone. */
    quotas?: {
      /** New jobs on a day of UTC. */
      jobsPerDay?: number;
      /** Size of a repository that is hosted here, in megabytes of 1,000,000 bytes. */
      storageMb?: number;
    };
    /** What is counted, and how. */
    analytics?: {
      /** Whether views are counted. */
      collect?: boolean;
      /** Whether readers whose browser sends GPC or DNT are counted. */
      countPrivate?: boolean;
      /** What visitors are told apart by. */
      identity?: "stable" | "daily" | "cookie";
      /** Days that views are kept. */
      retentionDays?: number;
      /** Views from here are not counted. */
      excludedNetworks?: string[];
      /** Sites elsewhere whose pages may send views. */
      allowedOrigins?: string[];
      /** Whether pages ask readers if they helped. */
      feedback?: boolean;
    };
  };
  /** What is to be set; null takes a setting out. */
  ProjectSettingsChanges: {
    /** Folder of the docs, where docs.json does not say it. */
    contentRoot?: string | null;
    /** Model for jobs that name none. */
    model?: string | null;
    /** How long models think in jobs that do not set an effort. */
    effort?: "low" | "medium" | "high" | null;
    /** Standing instructions for the agent. */
    instructions?: string | null;
    /** A change with findings becomes a draft pull request instead of failing. */
    draftOnFindings?: boolean | null;
    /** What happens to a change with words that agents would read and people may not see. */
    unseenWords?: "report" | "refuse" | null;
    /** Everybody may read pull requests and previews, while the site is public. */
    publicPullRequests?: boolean | null;
    /** What comments for the agent begin with at the code host; `off`: none are. */
    mention?: string | null;
    /** How previews are shown at the code host. */
    previewPosts?: "off" | "status" | "comment" | null;
    /** Where another site shows this one, maybe below a path: no query, no slash at the end. */
    publicAddress?: string | null;
    /** Where another service, such as Vercel or Read the Docs, publishes the site. Docent then redirects its pages there, and keeps running jobs, previews, checks, search and MCP. */
    externalSite?: string | null;
    /** Readers who come by another name are led to the main domain. */
    redirectToMainDomain?: boolean | null;
    /** Hosts that the server asks for descriptions of APIs. */
    apiHosts?: string[] | null;
    /** Hosts whose web pages the agent may read. */
    webHosts?: string[] | null;
    /** Requests that readers try on API pages go through this server. */
    apiProxy?: boolean | null;
    /** Own model providers and the allowed models, in the form of `DOCENT_MODELS`. Changed by keys of the instance alone. */
    models?: Record<string, unknown> | null;
    /** What the project may use, in place of the server's quotas: fields that are left out stay, and null resets a field, or all of them. Changed by keys of the instance alone. */
    quotas?: {
      /** New jobs on a day of UTC. */
      jobsPerDay?: number | null;
      /** Size of a repository that is hosted here, in megabytes of 1,000,000 bytes. */
      storageMb?: number | null;
    } | null;
    /** What is counted, and how: fields that are left out stay, and null resets a field, or all of them. */
    analytics?: {
      /** Whether views are counted. */
      collect?: boolean | null;
      /** Whether readers whose browser sends GPC or DNT are counted. */
      countPrivate?: boolean | null;
      /** What visitors are told apart by. */
      identity?: "stable" | "daily" | "cookie" | null;
      /** Days that views are kept. */
      retentionDays?: number | null;
      /** Views from here are not counted. */
      excludedNetworks?: string[] | null;
      /** Sites elsewhere whose pages may send views. */
      allowedOrigins?: string[] | null;
      /** Whether pages ask readers if they helped. */
      feedback?: boolean | null;
    } | null;
  };
  Projects: {
    /** Projects, newest first. */
    projects: Schemas["Project"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  PullRequestClosedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "pull_request.closed";
    /** What there is to say of it. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** Page of the pull request. */
      url: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  PullRequestMergedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "pull_request.merged";
    /** What there is to say of it. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** Page of the pull request. */
      url: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  PullRequestOpenedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "pull_request.opened";
    /** What there is to say of it. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** Page of the pull request. */
      url: string;
      /** Id of the commit. */
      commit: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  PullRequestReopenedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "pull_request.reopened";
    /** What there is to say of it. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** Page of the pull request. */
      url: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  PullRequestUpdatedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "pull_request.updated";
    /** What there is to say of it. */
    data: {
      /** Number of the pull request. */
      number: number;
      /** Page of the pull request. */
      url: string;
      /** Id of the commit. */
      commit: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  Referrers: {
    /** Referring hosts, by views. */
    referrers: ({
      /** The host, without `www.`; null of views that came from nowhere. */
      referrer: string | null;
      /** Views by people. */
      human: number;
      /** Views by AI assistants and agents. */
      ai: number;
    })[];
  };
  /** Removes a page and its navigation entry. With redirectTo it redirects the address to another page and points the links to it there; reports every link that it changed. Without it nothing may link to the page. */
  RemovePageChore: {
    /** The inputs of the chore. */
    remove_page: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Page that takes its place; needed when something links to the page */
      redirectTo?: string;
    };
  };
  /** Removes the redirect from an address. Refuses while links lead by it. */
  RemoveRedirectChore: {
    /** The inputs of the chore. */
    remove_redirect: {
      /** Address that the redirect leads away from */
      from: string;
      /** Where it leads, if that is known: another redirect is left */
      to?: string;
    };
  };
  /** Removes a heading and all content below it. Links from other pages to the heading then lead to the page. */
  RemoveSectionChore: {
    /** The inputs of the chore. */
    remove_section: {
      /** Path, address, file name or title of the page */
      page: string;
      /** Title of the section */
      title: string;
    };
  };
  /** Gives a group of the navigation another title. Pages and their addresses stay. */
  RenameGroupChore: {
    /** The inputs of the chore. */
    rename_group: {
      /** Title of the group, or its trail (Reference > Releases) */
      group: string;
      /** New title of the group */
      to: string;
    };
  };
  /** Removes navigation entries of pages that do not exist. With addOrphans it removes nothing, but adds pages that are not listed to the group that lists most of their folder. */
  RepairNavigationChore: {
    /** The inputs of the chore. */
    repair_navigation: {
      /** Add pages that are not listed, next to the pages of their folder, and remove nothing */
      addOrphans?: boolean;
      /** Group for those pages, instead of the one of their folder */
      group?: string;
    };
  };
  /** Replaces the content below a heading, including its sub-sections, with the given Markdown. The heading stays. */
  ReplaceSectionChore: {
    /** The inputs of the chore. */
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
    /** The inputs of the chore. */
    replace_term: {
      /** The term as readers see it */
      from: string;
      /** What readers see instead */
      to: string;
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
      /** Pages, folders or path patterns that stay as they are */
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
    /** The inputs of the chore. */
    report_missing_alt: {
      /** Pages, folders or path patterns; everywhere when absent */
      in?: string[];
    };
  };
  Searches: {
    /** Queries, the most frequent first. */
    searches: ({
      /** What was searched for. */
      searchQuery: string;
      /** How often it was searched for. */
      hits: number;
      /** Share of these searches that led to a page, 0 to 1. */
      ctr: number;
      /** The page that most of them led to; null where none did. */
      topClickedPage: string | null;
      /** When it was searched for last. */
      lastSearchedAt: string;
    })[];
    /** All searches of the range, those whose words are not kept among them. */
    totalSearches: number;
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  SentViews: {
    /** The views. */
    views: ({
      /** Chosen by the sender; the same id again within the same UTC day is the same view. */
      event_id: string;
      /** Path of the page. */
      path: string;
      /** When it was seen; now when missing. */
      time?: string;
      /** The reader's IPv4 or IPv6 address; it is not stored. */
      address: string;
      /** The reader's `User-Agent`; it is not stored. */
      userAgent: string;
      /** How the page was served. */
      surface?: "html" | "markdown" | "llms";
      /** Whether there was such a page. */
      found?: boolean;
      /** The reader's `Accept`. */
      accept?: string;
      /** The reader's `Referer`: its host is kept. */
      referrer?: string;
    })[];
  };
  Series: {
    /** Each day of the range, oldest first; days without views are zeros. */
    days: ({
      /** The UTC day. */
      day: string;
      /** Unique visitors of the day. */
      visitors: {
        /** Visitors of the day that are people. */
        human: number;
        /** Visitors of the day that are AI assistants and agents. */
        ai: number;
        /** Both. */
        total: number;
      };
      /** Views of the day. */
      views: {
        /** Views that are people. */
        human: number;
        /** Views that are AI assistants and agents. */
        ai: number;
        /** Both. */
        total: number;
      };
    })[];
  };
  /** Sets the alternative text of an image wherever it is shown; an empty text marks it as decoration. */
  SetAltTextChore: {
    /** The inputs of the chore. */
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
    /** The inputs of the chore. */
    set_front_matter: {
      /** Path, address, file name or title of the page */
      page?: string;
      /** In place of a page: all pages of these pages, folders or path patterns ("**" is every page) */
      in?: string[];
      /** Pages, folders or path patterns that stay as they are */
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
    /** Opens the page, and with it the whole site. */
    url: string;
    /** What a program sends as `Authorization: Bearer` to the site in its place. */
    token: string;
    /** When it ends. */
    expiresAt: string;
  };
  SitePin: {
    /** Id of the commit. */
    commit: string;
    /** When it was pinned. */
    at: string;
    /** Name of the API key, or the command. */
    by: string;
  };
  /** A further repository of a project, which the agent reads and never writes. Its token is never shown. */
  Source: {
    /** Identifier of the source; opaque. */
    id: string;
    /** What people and the agent call it; no two sources of a project alike. */
    name: string;
    /** What the host runs. */
    host: "github" | "gitlab" | "gitea" | "forgejo";
    /** The repository there. */
    url: string;
    /** The branch that the agent reads. */
    branch: string;
    /** When the branch was current last; null when never. */
    syncedAt: string | null;
    /** Why the last look failed; null when it did not. */
    trouble: string | null;
  };
  Sources: {
    /** Sources, by name. */
    sources: Schemas["Source"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  Surfaces: {
    /** Every form in which the content is read. */
    surfaces: ({
      /** The form. */
      surface: "html" | "markdown" | "llms";
      /** Views by people. */
      human: number;
      /** Views by AI assistants and agents. */
      ai: number;
    })[];
  };
  ToolFinishedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "tool.finished";
    /** What there is to say of it. */
    data: {
      /** The same as in `tool.started`. */
      id: string;
      /** Name of the tool. */
      tool: string;
      /** Whether it did what it was asked. */
      ok: boolean;
      /** What came of it. */
      summary: string;
      /** Why it failed, as the model was told; absent where it did not. */
      reason?: string;
      /** How long it took, in milliseconds. */
      durationMs: number;
    };
    /** When it happened. */
    createdAt: string;
  };
  ToolStartedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "tool.started";
    /** What there is to say of it. */
    data: {
      /** The same in `tool.finished`. */
      id: string;
      /** Name of the tool. */
      tool: string;
      /** What the tool is given. */
      input?: unknown;
    } | {
      /** How much was left out, in words. */
      leftOut: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  TriggeredAutomation: {
    /** Identifier of the automation; opaque. */
    schemaId: string;
    /** Identifier of the run: that of the automation, and the run's number; opaque. */
    instanceId: string;
    /** Identifier of the agent job; opaque. */
    jobId: string;
  };
  TriggeredPreview: {
    /** Asks for the state. */
    statusId: string;
    /** Opens the preview for whoever has it. */
    previewUrl: string;
  };
  TriggeredUpdate: {
    /** Asks for the state. */
    statusId: string;
  };
  TryChores: {
    /** Chores to carry out, in order: all of them, or none. */
    chores: Schemas["AgentChore"][];
    /** Branch to try them on; the project's by default. */
    ref?: string;
    /** Answer with the changed pages as readers would get them. */
    withPages?: boolean;
  };
  TurnFinishedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "turn.finished";
    /** What there is to say of it. */
    data: {
      /** Whether the turn did what it was asked. */
      ok: boolean;
      /** What came of it. */
      summary: string;
      /** What the agent says of each changed file; absent where it says nothing. */
      files?: ({
        /** Path of the file. */
        path: string;
        /** What was changed in it and why. */
        why: string;
      })[];
      /** Rules that the agent proposes for the project's instructions; absent where it proposes none. */
      forLaterJobs?: string[];
    };
    /** When it happened. */
    createdAt: string;
  };
  TurnStartedEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "turn.started";
    /** What there is to say of it. */
    data: {
      /** The messages that the turn is for. */
      messages: number[];
      /** Id of the commit. */
      baseCommit: string;
      /** Branch that the turn works on. */
      branch: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  UpdateStatus: {
    /** Asks for the state. */
    _id: string;
    /** Identifier of the project; opaque. */
    projectId: string;
    /** When it was asked for. */
    createdAt: string;
    /** Absent until it has ended. */
    endedAt?: string;
    /** How far it is. */
    status: "queued" | "in_progress" | "success" | "failure";
    /** What it came to, in a sentence. */
    summary: string;
    /** What was done, in lines. */
    logs: string[];
    /** The site's name below the server's domain. */
    subdomain: string;
    /** Who wrote the commit. */
    author?: string;
    /** The commit that it led to. */
    commit?: {
      /** Id of the commit. */
      sha: string;
      /** The branch. */
      ref: string;
      /** The commit's message. */
      message: string;
      /** What the commit changed. */
      filesChanged: {
        /** New files. */
        added: string[];
        /** Changed files. */
        modified: string[];
        /** Removed files. */
        removed: string[];
      };
    };
    /** Where the repository is. */
    source: "internal" | "github" | "gitlab" | "gitea" | "forgejo";
  };
  UsageEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "usage";
    /** What there is to say of it. */
    data: {
      /** What the model read. */
      inputTokens: number;
      /** Of these, what the provider read from its cache. */
      cachedTokens: number;
      /** Of these, what the provider wrote to its cache. */
      cacheWriteTokens: number;
      /** What the model wrote. */
      outputTokens: number;
    };
    /** When it happened. */
    createdAt: string;
  };
  ValidationEvent: {
    /** 1, 2, 3 … without gaps, per job. */
    seq: number;
    /** Number of the message that it belongs to. */
    turn: number;
    /** What happened. */
    type: "validation";
    /** What there is to say of it. */
    data: {
      /** Findings that keep the change from being published. */
      errors: unknown[];
      /** Findings that do not. */
      warnings: unknown[];
      /** Hosts that the change links to and that the docs did not link to before. */
      newHosts: string[];
      /** How many were found; the lists may hold fewer. Absent in events of earlier versions. */
      totals?: {
        /** All errors. */
        errors: number;
        /** All warnings. */
        warnings: number;
        /** All new hosts. */
        newHosts: number;
      };
    } | {
      /** How much was left out, in words. */
      leftOut: string;
    };
    /** When it happened. */
    createdAt: string;
  };
  Views: {
    totals: Schemas["VisitorTotals"];
    /** Views of each page, the most viewed first. */
    views: Schemas["PageVisitors"][];
    /** Whether there are pages after these. */
    hasMore: boolean;
  };
  /** Of the whole site in the range, whatever the page. */
  VisitorTotals: {
    /** By people. */
    human: number;
    /** By AI assistants and agents. */
    ai: number;
    /** By both, each visitor once: not necessarily the sum. */
    total: number;
  };
  Visitors: {
    totals: Schemas["VisitorTotals"];
    /** Unique visitors of each page, the most visited first. */
    visitors: Schemas["PageVisitors"][];
    /** Whether there are pages after these. */
    hasMore: boolean;
  };
  Webhook: {
    /** Identifier of the webhook; opaque. */
    id: string;
    /** Where events are sent. */
    url: string;
    /** What it is for. */
    description: string | null;
    /** `standard`: the event, by the Standard Webhooks specification; `slack`: `{text}`, a message for people, as incoming webhooks of Slack, Mattermost, Rocket.Chat and Google Chat take it. */
    format: "standard" | "slack";
    /** What is sent. */
    events: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[];
    /** Whether events are sent to it. */
    enabled: boolean;
    /** Set when the server disabled it. */
    disabledReason: string | null;
    /** Since when every attempt has failed; null while they do not. */
    failingSince: string | null;
    /** Until when requests are signed with the former secret, too; null when they are not. */
    previousSecretUntil: string | null;
    /** When it was made. */
    createdAt: string;
    /** When it was changed last. */
    updatedAt: string;
  };
  WebhookChanges: {
    /** http or https, on the public Internet, or a host or address that the server's setting `DOCENT_WEBHOOK_ALLOW` names. */
    url?: string;
    /** What to be told of. */
    events?: ("job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened")[];
    /** What it is for; null for no words. */
    description?: string | null;
    /** What requests contain from now on. */
    format?: "standard" | "slack";
    /** Whether events are sent to it. */
    enabled?: boolean;
  };
  WebhookDeliveries: {
    /** Deliveries, newest first. */
    deliveries: Schemas["WebhookDelivery"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
  WebhookDelivery: {
    /** Identifier of the delivery; opaque. */
    id: string;
    /** The `webhook-id` of every attempt. */
    eventId: string;
    /** What happened. */
    type: "job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened" | "webhook.test";
    /** The job that it happened to; null for a test. */
    jobId: string | null;
    /** `pending`: it will be tried, perhaps again; `delivered`: a 2xx came; `failed`: it was given up. */
    status: "pending" | "delivered" | "failed";
    /** When it is tried next; null when it is over. */
    nextAttemptAt: string | null;
    /** When it happened. */
    createdAt: string;
    /** When it was delivered or given up. */
    endedAt: string | null;
    /** The requests that were sent, in order. */
    attempts: ({
      /** 1 for the first. */
      attempt: number;
      /** When it was made. */
      startedAt: string;
      /** How long it took, in milliseconds. */
      durationMs: number;
      /** Status of the answer; null when there was none. */
      status: number | null;
      /** What went wrong before or with the answer; null when nothing did. */
      error: string | null;
      /** Start of the answer's body. */
      response: string | null;
    })[];
  };
  WebhookMessage: {
    /** What happened. */
    type: "job.completed" | "job.failed" | "job.archived" | "message.refused" | "pull_request.opened" | "pull_request.updated" | "pull_request.merged" | "pull_request.closed" | "pull_request.reopened";
    /** When it happened. */
    timestamp: string;
    data: Schemas["AgentJob"];
  };
  WebhookTest: {
    /** A test: nothing happened. */
    type: "webhook.test";
    /** When it was asked for. */
    timestamp: string;
    /** Which webhook it is. */
    data: {
      /** Identifier of the project; opaque. */
      projectId: string;
      /** Identifier of the webhook that is tried; opaque. */
      webhookId: string;
    };
  };
  WebhookWithSecret: (Schemas["Webhook"]) & ({
    /** `whsec_` and base64; shown this once. */
    secret: string;
  });
  Webhooks: {
    /** Webhooks, newest first. */
    webhooks: Schemas["Webhook"][];
    /** Asks for the next page; null on the last one. */
    nextCursor: string | null;
  };
}

/** What each operation takes and answers with, by its `operationId`. */
export interface Operations {
  /** Create an agent job. The agent works in the background. Follow the job by asking for it, by its stream of events, or by a webhook. When the agent has edited files, a pull request is made, and `prLink` leads to it. Needs a key with the scope `agent`. */
  createAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewAgentJob"];
    headers: Record<never, never>;
    answer: Schemas["AgentJob"];
    item: never;
    text: never;
  };
  /** Send a follow-up message to an agent job. Messages are handled in order, one at a time per job, each exactly once. The job goes on from where it stands: with its branch, and with its pull request while that is open. Needs a key with the scope `agent`. */
  sendAgentMessage: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Retry a failed agent job. Sends the last message again, if it failed or was refused. Like a follow-up, it continues from where the job stands and counts towards the hourly limit. Needs a key with the scope `agent`. */
  retryAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Get an agent job. The job as it is now, with its pull request as it stands at the code host. Ask until `status` is not `active`, with `If-None-Match`: that costs next to nothing. */
  getAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Delete an agent job. Removes the job and its transcript. Its branch and pull request stay. Needs a key with the scope `admin`. */
  deleteAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Cancel an active agent job. What the agent has made is dropped, or published as a draft with `keepWork`. A follow-up goes on from there. Needs a key with the scope `agent`. */
  cancelAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Try chores. Says what chores would change, without a job: files, lines, the patch, and what the checks before a pull request find. It makes no branch, no job and no pull request. One trial of a project runs at a time, for at most 60 seconds. Needs a key with the scope `agent`. */
  tryChores: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["TryChores"];
    headers: Record<never, never>;
    answer: Schemas["ChoreTrial"];
    item: never;
    text: never;
  };
  /** List agent jobs. Jobs of the project, newest first. `nextCursor` asks for the page after this one. */
  listAgentJobs: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Only jobs in these states; given once for each. */
      status?: ("active" | "completed" | "archived" | "failed")[];
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJobs"];
    item: Schemas["AgentJob"];
    text: never;
  };
  /** Archive an agent job. Puts away a job that is not active; it takes no messages then. Its branch and pull request stay. Needs a key with the scope `agent`. */
  archiveAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Bring an archived agent job back. Gives a job the state that it had before it was archived. Of a job that is not archived it changes nothing. Needs a key with the scope `agent`. */
  unarchiveAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Merge the pull request of an agent job. Merges it at the code host, as its settings say. Of one that is merged already it changes nothing. 409 while the job is active, for a draft, a conflict, a rule of the host, and when `head` is not its commit any more. Needs a key with the scope `admin`. */
  mergeAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Close the pull request of an agent job. Closes it at the code host without merging it. Of one that is closed already it changes nothing. Needs a key with the scope `admin`. */
  closeAgentJob: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Read an agent job's transcript. What happened to the job, in order. Ask again with `after` set to the last `seq` for what comes next. `cursor` goes before `after`. */
  listAgentJobEvents: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: {
      /** Only events after this one. */
      after?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Events per page. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJobEvents"];
    item: Schemas["AgentJobEvent"];
    text: never;
  };
  /** Get the changes of an agent job. A unified patch of the job's pull request or branch; with `Accept: application/json` the changed files, with `Accept: text/plain` the patch under that name. */
  getAgentJobDiff: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
      /** Identifier of the agent job. */
      id: string;
    };
    query: {
      /** Files per page of the list. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AgentJobDiff"];
    item: {
      /** What happened to it. */
      status: "added" | "modified" | "removed" | "renamed";
      /** Its path in the repository. */
      path: string;
      /** Its path before it was renamed; null of one that was not. */
      oldPath: string | null;
      /** Lines that are new; null for a binary file. */
      additions: number | null;
      /** Lines that are gone; null for a binary file. */
      deletions: number | null;
    };
    text: "text/x-diff" | "text/plain";
  };
  /** List webhooks. Webhooks of the project, newest first, without their secrets. Needs a key with the scope `admin`. */
  listWebhooks: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Webhooks"];
    item: Schemas["Webhook"];
    text: never;
  };
  /** Create a webhook. Requests follow the Standard Webhooks specification: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`). The body is `{type, timestamp, data}`, `data` the job; with `format: slack` it is `{text}` for a chat. Needs a key with the scope `admin`. */
  createWebhook: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewWebhook"];
    headers: Record<never, never>;
    answer: Schemas["WebhookWithSecret"];
    item: never;
    text: never;
  };
  /** Get a webhook. The webhook, without its secret. Needs a key with the scope `admin`. */
  getWebhook: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Change a webhook. Changes the fields that are given; the others stay. `enabled: true` starts one again that the server disabled. Needs a key with the scope `admin`. */
  updateWebhook: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Delete a webhook. Nothing more is sent, and its delivery log is gone. Needs a key with the scope `admin`. */
  deleteWebhook: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Give a webhook a new secret. For 24 hours requests are signed with the former secret too. Needs a key with the scope `admin`. */
  rotateWebhookSecret: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Send a test event. Sends `webhook.test` to this webhook, whatever it asks to be told of: signed, tried again, and shown among its deliveries like any other. At most 60 an hour. Needs a key with the scope `admin`. */
  testWebhook: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** List what a webhook delivered. What was sent, or is to be, with each attempt and its answer. Needs a key with the scope `admin`. */
  listWebhookDeliveries: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
      /** Identifier of the webhook. */
      id: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Only deliveries in this state. */
      status?: "pending" | "delivered" | "failed";
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["WebhookDeliveries"];
    item: Schemas["WebhookDelivery"];
    text: never;
  };
  /** Deliver again. Sends the same event once more, with the same `webhook-id`. Needs a key with the scope `admin`. */
  redeliverWebhook: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** List automations. Automations of the project, newest first. `nextCursor` asks for the page after this one. */
  listAutomations: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Automations"];
    item: Schemas["Automation"];
    text: never;
  };
  /** Create an automation. An instruction that starts by itself: at times, after a push, or when it is asked for. Needs a key with the scope `admin`. */
  createAutomation: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewAutomation"];
    headers: Record<never, never>;
    answer: Schemas["Automation"];
    item: never;
    text: never;
  };
  /** Get an automation. The automation with its next run. */
  getAutomation: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Change an automation. Changes the fields that are given; the others stay. Needs a key with the scope `admin`. */
  updateAutomation: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Delete an automation. Removes the automation and its runs. Its jobs stay. Needs a key with the scope `admin`. */
  deleteAutomation: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** List the runs of an automation. What started it, and the job that each run made or added to. Ask again with `before` set to the lowest `number` for earlier ones. `cursor` goes before `before`. */
  listAutomationRuns: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
      /** Identifier of the automation. */
      id: string;
    };
    query: {
      /** Only runs with a lower number. */
      before?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Results per page. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AutomationRuns"];
    item: Schemas["AutomationRun"];
    text: never;
  };
  /** Run an automation now. Counts as one agent call. While the pull request of an earlier run is open, the run adds to it. Needs a key with the scope `agent`. */
  runAutomation: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Trigger an automation. Runs it now, as `runAutomation` does, in the shape that other platforms have for this. Needs a key with the scope `agent`. */
  triggerAutomation: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Search a site. Finds sections of pages by their words, the best one first. Counts among the site's searches. */
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
  /** Read a page of a site. The whole page as Markdown. Counts as no view. */
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
  /** Get unique visitors. Unique visitors of the whole site and of each page, people and AI apart, in any range of UTC days. The counts are exact. While `hasMore` is true, raise `offset` by `limit`. */
  getVisitors: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
      /** Pages of the site in one answer. */
      limit?: number;
      /** Pages of the site to skip. */
      offset?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Visitors"];
    item: Schemas["PageVisitors"];
    text: "text/csv";
  };
  /** Get views. The same as the visitors, counting views in place of visitors. */
  getViews: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
      /** Pages of the site in one answer. */
      limit?: number;
      /** Pages of the site to skip. */
      offset?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Views"];
    item: Schemas["PageVisitors"];
    text: "text/csv";
  };
  /** Send views from a server. At most 1000 views. The same `event_id` on the same UTC day is the same view: sending again is safe. Needs a key with the scope `agent`. */
  sendViews: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["SentViews"];
    headers: Record<never, never>;
    answer: Schemas["AcceptedViews"];
    item: never;
    text: never;
  };
  /** Get search queries. What readers typed into the search of the site, and where it led. */
  getSearches: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
      /** Queries per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Searches"];
    item: {
      /** What was searched for. */
      searchQuery: string;
      /** How often it was searched for. */
      hits: number;
      /** Share of these searches that led to a page, 0 to 1. */
      ctr: number;
      /** The page that most of them led to; null where none did. */
      topClickedPage: string | null;
      /** When it was searched for last. */
      lastSearchedAt: string;
    };
    text: "text/csv";
  };
  /** Get visitors and views of each day. The last 800 days of the range at most, oldest first. Who comes on two days is a visitor of both, so the days add up to more than the range has. */
  getSeries: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Series"];
    item: never;
    text: "text/csv";
  };
  /** Get readers that are no browsers. Assistants, crawlers and programs, by views, with whether they proved who they are. */
  getAgents: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Agents"];
    item: never;
    text: "text/csv";
  };
  /** Get views by form of the content. Counted views of pages, Markdown, llms.txt and the other forms in which the content is read. */
  getSurfaces: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Surfaces"];
    item: never;
    text: "text/csv";
  };
  /** Get views by referring host. Counted views by the host that readers came from. */
  getReferrers: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Referrers"];
    item: never;
    text: "text/csv";
  };
  /** Get pages that AI readers miss. Paths that AI readers asked for and that are not there, by how often. */
  getMissingPages: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["MissingPages"];
    item: never;
    text: "text/csv";
  };
  /** Get what was not counted. Requests and views that count neither as human nor as AI, by the reason. A page that went to a browser is `unconfirmed` until its script reports the view. */
  getNotCounted: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["NotCounted"];
    item: never;
    text: "text/csv";
  };
  /** Get feedback. Votes and words of readers and agents, newest first. `nextCursor` asks for the page after this one. */
  getFeedback: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
      /** Only entries from there. */
      source?: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** Statuses with commas between them; all of them by default. */
      status?: ("pending" | "in_progress" | "resolved" | "dismissed")[];
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Entries per page. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Feedback"];
    item: {
      /** Identifier of the entry; opaque. */
      id: string;
      /** Route of the page. */
      path: string;
      /** As it was written: text, whatever markup it holds. */
      comment: string | null;
      /** Of the last vote or word of its author. */
      createdAt: string;
      /** `contextual`: a reader's vote with words; `thumbs_only`: a vote alone; `agent`: a program; `code_snippet`: never, kept for clients of the commercial API. */
      source: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** How far the team is with it. */
      status: "pending" | "in_progress" | "resolved" | "dismissed";
      /** Null where an agent did not say. */
      helpful: boolean | null;
      /** Always null: readers are not asked for an address. */
      contact: null;
    };
    text: "text/csv";
  };
  /** Get feedback by page. Votes and entries of each page. `nextCursor` asks for the pages after these. */
  getFeedbackByPage: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date. */
      dateFrom?: string;
      /** Day after the last one: results include dates before it, not on it. */
      dateTo?: string;
      /** Only entries from there. */
      source?: "code_snippet" | "contextual" | "agent" | "thumbs_only";
      /** Statuses with commas between them; all of them by default. */
      status?: ("pending" | "in_progress" | "resolved" | "dismissed")[];
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Pages in one answer. */
      limit?: number;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["FeedbackByPage"];
    item: {
      /** Route of the page. */
      path: string;
      /** Readers who found it helpful. */
      thumbsUp: number;
      /** Readers who did not. */
      thumbsDown: number;
      /** Always 0, see `source`. */
      code: number;
      /** All entries, those of agents among them. */
      total: number;
    };
    text: "text/csv";
  };
  /** Erase the readers of an address. Deletes for good what the project stores of them: views, visitor numbers, what they add to any count, and feedback. The answer comes when it is done, which takes up to a minute and more where there are many views. At most 60 an hour. Needs a key with the scope `admin`. */
  eraseAddress: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewErasure"];
    headers: Record<never, never>;
    answer: Schemas["Erasure"];
    item: never;
    text: never;
  };
  /** Get the script for a site elsewhere. It sends each page that is seen to this server, from the origins that the project allows. */
  getAnalyticsSnippet: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AnalyticsSnippet"];
    item: never;
    text: never;
  };
  /** List projects. All projects of the instance, newest first. Needs a key of the instance with the scope `admin`. */
  listProjects: {
    path: Record<never, never>;
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Projects"];
    item: Schemas["Project"];
    text: never;
  };
  /** Create a project. Of a repository elsewhere, copied or followed, or of an empty one here. The answer comes when it is there, which takes minutes for a large repository: whoever hangs up meanwhile asks again with the same `Idempotency-Key`. Needs a key of the instance with the scope `admin`. */
  createProject: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Schemas["NewProject"];
    headers: Record<never, never>;
    answer: Schemas["Project"];
    item: never;
    text: never;
  };
  /** Get a project. What is set, and how its repository is followed. Secrets show by their names alone. Needs a key with the scope `admin`. */
  getProject: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Project"];
    item: never;
    text: never;
  };
  /** Change a project. Changes what is named; the rest stays. Everything is looked at before anything is changed. Needs a key with the scope `admin`. */
  updateProject: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["ProjectChanges"];
    headers: { "If-Match"?: string };
    answer: Schemas["Project"];
    item: never;
    text: never;
  };
  /** Delete a project. For good, with its repository here, its jobs, keys, pull requests and counts. A repository at a host elsewhere stays there. Needs a key with the scope `admin`. */
  deleteProject: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** The name of the project, so that none is deleted by mistake. */
      name: string;
    };
    body: undefined;
    headers: { "If-Match"?: string };
    answer: null;
    item: never;
    text: never;
  };
  /** Get a project's connection. How its repository at a host elsewhere is followed; 404 of one that is here. Needs a key with the scope `admin`. */
  getProjectConnection: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ProjectConnection"];
    item: never;
    text: never;
  };
  /** Replace a project's token. The host is asked first what the new one may do. From the next request on it is used. Needs a key with the scope `admin`. */
  replaceProjectToken: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewProjectToken"];
    headers: Record<never, never>;
    answer: Schemas["ProjectConnection"];
    item: never;
    text: never;
  };
  /** Look at a project's host. Has the host asked within a second, where its webhook does not call. Needs a key with the scope `admin`. */
  syncProject: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ProjectConnection"];
    item: never;
    text: never;
  };
  /** List models. The models that a job of this project may name. One that ends in `/…` stands for every model of its provider. */
  listModels: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Models"];
    item: never;
    text: never;
  };
  /** List sources. The repositories that the project's agent reads beside the docs, and how following them goes. */
  listSources: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Sources"];
    item: Schemas["Source"];
    text: never;
  };
  /** Add a source. The agent may read the repository from then on, and nobody here writes it. The answer comes when its mirror is there, which takes minutes for a large repository: whoever hangs up meanwhile asks again with the same `Idempotency-Key`. A project has at most ten. Needs a key with the scope `admin`. */
  addSource: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSource"];
    headers: Record<never, never>;
    answer: Schemas["Source"];
    item: never;
    text: never;
  };
  /** Get a source. The source, and how following it goes. */
  getSource: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Remove a source. With its mirror and its token. Automations that it sets off stay, and say that it is gone. Needs a key with the scope `admin`. */
  removeSource: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Replace a source's token. The repository is fetched with the new one first. From then on it is used. Needs a key with the scope `admin`. */
  replaceSourceToken: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** List members. Everybody with a role in the project, in the order of their identifiers. Needs a key with the scope `admin`. */
  listMembers: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Members"];
    item: Schemas["Member"];
    text: never;
  };
  /** Add a member or change their role. Gives the person with this address the role, whether they had one or not. They need an account: without one it is a 409, and an admin invites them on the members page. Needs a key with the scope `admin`. */
  setMember: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewMember"];
    headers: Record<never, never>;
    answer: Schemas["Member"];
    item: never;
    text: never;
  };
  /** Remove a member. Takes their role in the project away at their next request. Their account stays. Needs a key with the scope `admin`. */
  removeMember: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** List the audit log. Who changed what in the project, newest first, for as long as the server keeps it: 400 days by default. Needs a key with the scope `admin`. */
  listAuditEvents: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["AuditEvents"];
    item: Schemas["AuditEvent"];
    text: never;
  };
  /** Create a link to a private site. Whoever has it reads the whole site until it ends. It is stored nowhere: one alone cannot be taken back, all of them can (`endSiteSessions`). 409 of a public site. Needs a key with the scope `admin`. */
  createSiteLink: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSiteLink"];
    headers: Record<never, never>;
    answer: Schemas["SiteLink"];
    item: never;
    text: never;
  };
  /** Sign readers out. Ends every sign-in of readers and every link of the site. Who may read it stays as it is. Needs a key with the scope `admin`. */
  endSiteSessions: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: null;
    item: never;
    text: never;
  };
  /** List API keys. Every key of the project, oldest first, those that are over among them. Needs a key with the scope `admin`. */
  listApiKeys: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiKeys"];
    item: Schemas["ApiKey"];
    text: never;
  };
  /** Create an API key. The answer has the key, which is not shown again. Needs a key with the scope `admin`. */
  createApiKey: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewApiKey"];
    headers: Record<never, never>;
    answer: Schemas["NewlyMadeApiKey"];
    item: never;
    text: never;
  };
  /** List the instance's keys. Every key that is good for all projects, oldest first, those that are over among them. Needs a key of the instance with the scope `admin`. */
  listInstanceKeys: {
    path: Record<never, never>;
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiKeys"];
    item: Schemas["ApiKey"];
    text: never;
  };
  /** Create a key of the instance. It may do on every project what its scope allows, and with the scope `admin` make projects and keys like itself. The answer has the key, which is not shown again. Needs a key of the instance with the scope `admin`. */
  createInstanceKey: {
    path: Record<never, never>;
    query: Record<never, never>;
    body: Schemas["NewApiKey"];
    headers: Record<never, never>;
    answer: Schemas["NewlyMadeApiKey"];
    item: never;
    text: never;
  };
  /** Revoke an API key. It ends at once, on every node, with the sessions that were begun with it. It stays in the list. Needs a key with the scope `admin`. */
  revokeApiKey: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Revoke a key of the instance. It ends at once, on every node, with the sessions that were begun with it. It stays in the list. Needs a key of the instance with the scope `admin`. */
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
  /** Read the log. What the nodes of this server logged, newest first: the last 5 to 10 MB of each. Values that the log hides are `[redacted]` here, too. Needs a key of the instance with the scope `admin`. */
  listLogLines: {
    path: Record<never, never>;
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
      /** Lines of this level and those above it. What is below the server's `DOCENT_LOG_LEVEL` is not there. */
      level?: "trace" | "debug" | "info" | "warn" | "error" | "fatal";
      /** Lines of this time and later alone. */
      since?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["LogLines"];
    item: Schemas["LogLine"];
    text: never;
  };
  /** List deployments. Each commit that came to be the newest of the site's branch, and what became of it. `nextCursor` asks for the page after this one. */
  listDeployments: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["Deployments"];
    item: Schemas["Deployment"];
    text: never;
  };
  /** Get a deployment. The deployment with its report: what its author should know, by file and line. */
  getDeployment: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  /** Get the pin. The commit that the site stays at. Its `ETag` is what `If-Match` of a change of the pin names. */
  getSitePin: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["CurrentSitePin"];
    item: never;
    text: never;
  };
  /** Pin the site to a commit. Readers see it within a second, on every node. Newer commits wait, and agent jobs go on with the branch. Needs a key with the scope `admin`. */
  pinSite: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewSitePin"];
    headers: { "If-Match"?: string };
    answer: Schemas["SitePin"];
    item: never;
    text: never;
  };
  /** Unpin the site. The site follows its branch again. Of a site that is not pinned it changes nothing. Needs a key with the scope `admin`. */
  unpinSite: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: { "If-Match"?: string };
    answer: null;
    item: never;
    text: never;
  };
  /** Bring a site up to date. Docent does so by itself. Of a repository on another host this looks there now; of one that is here it makes sure that the newest commit is live. Needs a key with the scope `agent`. */
  updateSite: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["TriggeredUpdate"];
    item: never;
    text: never;
  };
  /** Preview a branch. The same branch has the same address, which opens for whoever has it and always shows its newest commit. Needs a key with the scope `agent`. */
  previewBranch: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewPreview"];
    headers: Record<never, never>;
    answer: Schemas["TriggeredPreview"];
    item: never;
    text: never;
  };
  /** Get the state of an update or a preview. How far it is. Ask until `status` is `success` or `failure`. */
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
  /** List descriptions at addresses. The hosts that the server asks for descriptions of APIs, and what it has of each address. */
  listApiAddresses: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: {
      /** Results per page. */
      limit?: number;
      /** `nextCursor` of the page before. */
      cursor?: string;
    };
    body: undefined;
    headers: Record<never, never>;
    answer: Schemas["ApiAddresses"];
    item: never;
    text: never;
  };
  /** Set the hosts of descriptions, and the proxy. The server asks these hosts, and no others, for the descriptions that the docs name by address. What is left out stays as it is. `If-Match` takes `version` in quotation marks, too, and the `ETag` of the list's first page. Needs a key with the scope `admin`. */
  setApiAccess: {
    path: {
      /** Identifier of the project, from its API keys page. */
      projectId?: string;
    };
    query: Record<never, never>;
    body: Schemas["NewApiAccess"];
    headers: { "If-Match"?: string };
    answer: Schemas["ApiAddresses"];
    item: never;
    text: never;
  };
  /** Read descriptions again. For the program that publishes an API: its pages follow in seconds, without a push. Needs a key with the scope `agent`. */
  readApiAddresses: {
    path: {
      /** Identifier of the project, from its API keys page. */
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
  listAuditEvents: ["GET", "/v2/project/{projectId}/audit", "events"],
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
