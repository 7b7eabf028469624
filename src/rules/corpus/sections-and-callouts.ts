import type { CorpusEntry } from "./entry.ts";

export const sectionsAndCallouts: readonly CorpusEntry[] = [
  {
    calls: [["add_section", { page: "concepts/networking", title: "Firewalls", text: "Open port 7946." }]],
    say: [
      'Add a section titled "Firewalls" to concepts/networking with the text "Open port 7946."',
      'add a "Firewalls" section to the Networking page with the text: Open port 7946.',
      'On the page Networking, add a section "Firewalls" saying "Open port 7946."',
      'New section "Firewalls" at the end of concepts/networking: "Open port 7946."',
      'Append a section called "Firewalls" to concepts/networking.mdx with the following text:\n```\nOpen port 7946.\n```',
    ],
  },
  {
    calls: [
      ["add_section", { page: "concepts/networking", title: "Firewalls", text: "Open port 7946.", after: "Ports" }],
    ],
    say: [
      'Add a section "Firewalls" after "Ports" on concepts/networking with the text "Open port 7946."',
      'Add a section titled "Firewalls" below the Ports section of concepts/networking, with the text "Open port 7946."',
      'concepts/networking: after the section "Ports", add a section "Firewalls" with the text "Open port 7946."',
    ],
  },
  {
    calls: [["add_section", { page: "quickstart", title: "Upgrade", text: "Run `harbor up`.", before: "Next steps" }]],
    say: [
      'Add a section "Upgrade" before "Next steps" to the quickstart with the text "Run `harbor up`."',
      'In quickstart, insert a section titled "Upgrade" above "Next steps" with the text "Run `harbor up`."',
    ],
  },
  {
    calls: [["replace_section", { page: "concepts/secrets", title: "Rotation", text: "Keys rotate every day." }]],
    say: [
      'Replace the section "Rotation" on concepts/secrets with "Keys rotate every day."',
      'Replace the Rotation section of the Secrets page with the text "Keys rotate every day."',
      'On concepts/secrets, replace what is below "Rotation" with "Keys rotate every day."',
      'Change the text of the section "Rotation" in concepts/secrets to "Keys rotate every day."',
    ],
  },
  {
    calls: [["remove_section", { page: "install/linux", title: "Uninstall" }]],
    say: [
      'Remove the section "Uninstall" from install/linux',
      "delete the Uninstall section on the Install on Linux page",
      'Drop the "Uninstall" section from install/linux.mdx',
      'On install/linux, remove the section "Uninstall".',
      "docs: remove Uninstall section from install/linux",
    ],
  },
  {
    calls: [["remove_section", { page: "guides/backups", title: "Secrets" }]],
    say: [
      "Remove the Secrets section from guides/backups",
      'remove the section "Secrets" of the page "Back up a cluster"',
    ],
  },
  {
    calls: [["remove_section", { page: "operate/upgrade", title: "Known issues" }]],
    say: [
      'Please delete "Known issues" (the section) from operate/upgrade',
      "Remove the Known issues section on the Upgrade Harbor page, all of them are fixed.",
    ],
  },
  {
    calls: [["add_callout", { page: "quickstart", kind: "note", text: "You need an account." }]],
    say: [
      'Add a note to quickstart with the text "You need an account."',
      'add a note to the Quickstart page: "You need an account."',
      'On the quickstart page, add a note that says "You need an account."',
      'Put a note on quickstart saying "You need an account."',
      'Please add the note "You need an account." to quickstart.',
      'quickstart: add note "You need an account."',
    ],
  },
  {
    calls: [
      [
        "add_callout",
        { page: "guides/migrate", kind: "warning", text: "This deletes the old cluster.", section: "Import" },
      ],
    ],
    say: [
      'Add a warning below "Import" on guides/migrate with the text "This deletes the old cluster."',
      'In the Import section of guides/migrate, add a warning: "This deletes the old cluster."',
      'Add a warning to the section "Import" of the page "Migrate from Dockhand" saying "This deletes the old cluster."',
      'warn readers of guides/migrate under "Import": add the warning "This deletes the old cluster."',
    ],
  },
  {
    calls: [["add_callout", { page: "reference/cli", kind: "tip", text: "Use `--json` in scripts." }]],
    say: [
      'Add a tip to reference/cli with the text "Use `--json` in scripts."',
      'CLI reference page: add a tip saying "Use `--json` in scripts."',
    ],
  },
  {
    calls: [["add_callout", { page: "concepts/secrets", kind: "info", text: "Available since 2.6." }]],
    say: [
      'Add an info callout to concepts/secrets with the text "Available since 2.6."',
      'Add an info box "Available since 2.6." to the page Secrets',
    ],
  },
  {
    calls: [["add_callout", { page: "install/windows", kind: "danger", text: "Windows is no longer supported." }]],
    say: ['Add a danger callout to install/windows: "Windows is no longer supported."'],
  },
];
