import { html, type Html } from "#kit/pages/markup.ts";
import { selectOptions } from "#kit/pages/post-form.ts";
import { COMMON_EFFORTS, type CommonEffort } from "#models/settings.ts";

/** The list in forms for how long the model thinks. */
export const effortField = (given: string): Html =>
  html`<select name="effort">${selectOptions([["", "default"], ...COMMON_EFFORTS], given)}</select>`;

/** The chosen effort; null for the default. */
export const chosenEffort = (given: string): CommonEffort | null =>
  COMMON_EFFORTS.find((effort) => effort === given) ?? null;
