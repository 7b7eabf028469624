import { readFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`styles/${name}.css`, import.meta.url), "utf8");

/** Colors, type and sizes that the layout, the content and the dashboard share. */
export const TOKENS_CSS = read("tokens");

// The order matters: later styles override earlier ones.
const DASHBOARD_STYLES = [
  "base",
  "pull-request",
  "diff",
  "conversation",
  "analytics",
  "forms",
  "job",
  "settings",
  "editor",
  "command-menu",
];

/** The style sheet of the dashboard. */
export const dashboardCss = (): string => [TOKENS_CSS, ...DASHBOARD_STYLES.map(read)].join("\n");
