import { allowsScope, type Level } from "#kit/levels.ts";
import { html, type Html, raw } from "./markup.ts";

const SECTIONS = [
  { name: "settings", label: "General", needs: "admin" },
  { name: "site", label: "Site", needs: "admin" },
  { name: "models", label: "Models", needs: "admin" },
  { name: "automations", label: "Automations", needs: "agent" },
  { name: "sources", label: "Sources", needs: "admin" },
  { name: "webhooks", label: "Webhooks", needs: "admin" },
  { name: "keys", label: "API keys", needs: "admin" },
  { name: "members", label: "Members", needs: "admin" },
  { name: "connection", label: "Connection", needs: "admin" },
  { name: "audit", label: "Audit log", needs: "admin" },
] as const satisfies readonly { name: string; label: string; needs: Level }[];

/** A page of a project's settings; its path is its name. */
export type SettingsSection = (typeof SECTIONS)[number]["name"];

interface Reader {
  slug: string;
  hostUrl: string | null;
  level?: Level;
}

/** The pages of the settings that a reader may see. */
export const settingsSections = ({ level, hostUrl }: Reader) =>
  SECTIONS.filter(
    ({ name, needs }) =>
      level !== undefined && allowsScope(level, needs) && (name !== "connection" || hostUrl !== null),
  );

export const isSettings = (section: string | undefined): section is SettingsSection =>
  SECTIONS.some(({ name }) => name === section);

/** The first page of a project's settings that a reader may see; null when there is none. */
export function settingsHref(reader: Reader): string | null {
  const [first] = settingsSections(reader);
  return first ? `/${reader.slug}/${first.name}` : null;
}

/** A page of the settings next to the list of the others. */
export function settingsLayout(reader: Reader, section: SettingsSection, body: Html): Html {
  return html`<div class="settings">
    <nav class="settings-nav" aria-label="Settings">
      ${settingsSections(reader).map(
        ({ name, label }) =>
          html`<a href="/${reader.slug}/${name}" ${name === section ? raw('aria-current="page"') : ""}>${label}</a>`,
      )}
    </nav>
    <div>${body}</div>
  </div>`;
}
