type Input =
  | { kind: "text" | "branch" | "lines" | "long" | "number"; placeholder: string }
  | { kind: "flag"; usual: boolean }
  /** The first option is the default. */
  | { kind: "choice"; options: readonly (readonly [value: string, label: string])[] };

/** A form field for a setting. An empty or default value removes the setting. */
export interface SettingField {
  /** Path in the body of `updateProject`, with dots; also the name of the form field. */
  path: string;
  label: string;
  help: string;
  input: Input;
  /** Only for connected repositories. */
  isOfHost?: boolean;
}

export interface SettingsForm {
  title: string;
  fields: readonly SettingField[];
}

/** Settings of a project without a page of their own, by form. */
export const SETTINGS_FORMS = {
  general: {
    title: "General",
    fields: [
      {
        path: "name",
        label: "Project name",
        help: "Shown in the dashboard. The address of the project does not change with it.",
        input: { kind: "text", placeholder: "" },
      },
      {
        path: "slug",
        label: "Address",
        help: "Part of the addresses of the site, the dashboard and the repository. Earlier addresses redirect to the new one.",
        input: { kind: "text", placeholder: "" },
      },
      {
        path: "branch",
        label: "Main branch",
        help: "The site shows it, and pull requests go into it.",
        input: { kind: "branch", placeholder: "main" },
      },
      {
        path: "settings.contentRoot",
        label: "Docs folder",
        help: "Only needed if the docs are not in the folder of docs.json.",
        input: { kind: "text", placeholder: "The folder of docs.json" },
      },
      {
        path: "settings.publicPullRequests",
        label: "Public pull requests",
        help: "Everyone can read pull requests and their previews, while the site is public.",
        input: { kind: "flag", usual: false },
      },
    ],
  },
  agent: {
    title: "Agent",
    fields: [
      {
        path: "settings.instructions",
        label: "Instructions",
        help: "Standing instructions that the agent follows in every job, such as your style guide. Up to 16 KB.",
        input: { kind: "long", placeholder: "Write in the second person. Say “sign in”, not “log in”." },
      },
      {
        path: "settings.webHosts",
        label: "Web pages",
        help: "Hosts whose pages the agent may read when a job needs them. One per line. *.example.com allows all names below it. A port other than 443 and 80 is part of the host: localhost:8471.",
        input: { kind: "lines", placeholder: "blog.example.com" },
      },
      {
        path: "settings.effort",
        label: "Effort",
        help: "How long models think in jobs that do not set an effort. Higher effort costs more, because thinking counts as output.",
        input: {
          kind: "choice",
          options: [
            ["", "As the model's settings say"],
            ["low", "Low"],
            ["medium", "Medium"],
            ["high", "High"],
          ],
        },
      },
      {
        path: "settings.draftOnFindings",
        label: "Open a draft when checks fail",
        help: "A change with findings becomes a draft pull request instead of failing, unless it is unsafe.",
        input: { kind: "flag", usual: false },
      },
      {
        path: "settings.unseenWords",
        label: "Hidden text",
        help: "What happens to a change with text that AI agents would read and people may not see.",
        input: {
          kind: "choice",
          options: [
            ["report", "List it in the pull request"],
            ["refuse", "Refuse the change"],
          ],
        },
      },
      {
        path: "settings.mention",
        label: "Mention name",
        help: "A line of a comment on a pull request that begins with @ and this name goes to the agent. Enter off to ignore comments.",
        input: { kind: "text", placeholder: "docent" },
      },
      {
        path: "settings.previewPosts",
        label: "Preview links",
        help: "How pull requests on the code host show the address of their preview.",
        input: {
          kind: "choice",
          options: [
            ["status", "As a commit status"],
            ["comment", "As a comment"],
            ["off", "Not at all"],
          ],
        },
        isOfHost: true,
      },
    ],
  },
  visitors: {
    title: "Visitors",
    fields: [
      {
        path: "settings.analytics.collect",
        label: "Count visitors",
        help: "Count the views of the site.",
        input: { kind: "flag", usual: true },
      },
      {
        path: "settings.analytics.countPrivate",
        label: "Count readers who send Do Not Track",
        help: "Readers whose browser sends Global Privacy Control or Do Not Track are counted, with an identity of one day.",
        input: { kind: "flag", usual: true },
      },
      {
        path: "settings.analytics.feedback",
        label: "Ask readers for feedback",
        help: "Pages ask “Was this page helpful?”.",
        input: { kind: "flag", usual: true },
      },
      {
        path: "settings.analytics.identity",
        label: "Identity",
        help: "How returning visitors are recognized.",
        input: {
          kind: "choice",
          options: [
            ["stable", "By a hash, without cookies"],
            ["daily", "By a hash that changes each day"],
            ["cookie", "By a cookie"],
          ],
        },
      },
      {
        path: "settings.analytics.retentionDays",
        label: "Retention in days",
        help: "Older views and counts are deleted.",
        input: { kind: "number", placeholder: "396" },
      },
      {
        path: "settings.analytics.excludedNetworks",
        label: "Excluded networks",
        help: "Views from these addresses and ranges are not counted. One per line.",
        input: { kind: "lines", placeholder: "10.0.0.0/8" },
      },
      {
        path: "settings.analytics.allowedOrigins",
        label: "Other sites that send views",
        help: "Origins of docs hosted elsewhere that may send views. One per line.",
        input: { kind: "lines", placeholder: "https://docs.example.com" },
      },
    ],
  },
  quotas: {
    title: "Quotas",
    fields: [
      {
        path: "settings.quotas.jobsPerDay",
        label: "Jobs per day",
        help: "New jobs between 00:00 and 24:00 UTC, those of automations and comments included. Follow-ups do not count.",
        input: { kind: "number", placeholder: "The server's quota" },
      },
      {
        path: "settings.quotas.storageMb",
        label: "Storage in MB",
        help: "Size of a repository that is hosted here. A push that would exceed it is refused.",
        input: { kind: "number", placeholder: "The server's quota" },
      },
    ],
  },
} as const satisfies Record<string, SettingsForm>;
export type SettingsFormName = keyof typeof SETTINGS_FORMS;
