import { html, type Html, raw } from "#kit/pages/markup.ts";
import { AppError } from "#lib/app-error.ts";

/** The choice where a project's docs are published. `address`: as it was entered; null where Docent publishes them. */
export function hostingFields(address: string | null): Html {
  const choice = (value: "docent" | "elsewhere", label: string, help: string) =>
    html`<label>
      <input type="radio" name="hosting" value="${value}" ${(value === "elsewhere") === (address !== null) ? raw("checked") : ""} />
      ${label}
      <small>${help}</small>
    </label>`;
  return html`<fieldset class="radios">
    <legend>Where are the docs published?</legend>
    ${choice("docent", "On Docent", "Docent hosts the site.")}
    ${choice(
      "elsewhere",
      "Somewhere else",
      "On Vercel, Netlify, GitHub Pages, Read the Docs or your own server. The site stays there; Docent runs jobs, previews and checks, and counts its visitors.",
    )}
    <label class="of-elsewhere">
      Address of the site
      <input name="externalSite" type="url" maxlength="300" value="${address ?? ""}" placeholder="https://docs.example.com" autocomplete="off" spellcheck="false" />
      <small>With the path below which the docs are, if there is one: https://example.com/docs.</small>
    </label>
  </fieldset>`;
}

/** What a person chose in `hostingFields`. */
export const chosenAddress = (field: (name: string) => string): string | null =>
  field("hosting") === "elsewhere" ? field("externalSite").trim() : null;

/** `AppError invalid` where an address was not entered that the choice asks for. */
export function refuseNoAddress(address: string | null): void {
  if (address === "") throw new AppError("invalid", "Enter the address of the site.");
}
