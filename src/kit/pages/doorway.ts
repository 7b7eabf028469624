import { html, type Html } from "./markup.ts";
import { dashboardDocument, type DashboardSection, type Reader, type ShownProject } from "./document.ts";

/** A page that is visible for a moment, or for longer in a browser that does not follow `Refresh`. */
export function doorway(options: {
  place: ShownProject;
  reader: Reader;
  href: string;
  to: string;
  section: DashboardSection;
}): Html {
  const { place, reader, href, to, section } = options;
  return dashboardDocument({
    title: `${to} · ${place.name}`,
    place,
    reader,
    section,
    body: html`<div class="empty">
      <h1>${to} opens</h1>
      <p><a href="${href}">Open it now</a></p>
    </div>`,
  });
}
