import { html, type Html } from "#kit/pages/markup.ts";
import type { QuotaUse } from "./quotas.ts";

const WORDS = {
  jobsPerDay: { label: "Jobs today", shown: (value: number) => value.toLocaleString("en") },
  storageMb: { label: "Storage", shown: (value: number) => shownMb(value) },
} satisfies Record<QuotaUse["name"], { label: string; shown(value: number): string }>;

const shownMb = (value: number): string =>
  value >= 1_000
    ? `${(value / 1_000).toLocaleString("en", { maximumFractionDigits: 1 })} GB`
    : `${(value > 0 ? Math.max(value, 0.1) : 0).toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 })} MB`;

/** How much of each quota is used, with a bar where there is a limit. */
export const quotaBars = (uses: readonly QuotaUse[]): Html =>
  html`<dl class="quotas">
    ${uses.map(({ name, limit, used }) => {
      const { label, shown } = WORDS[name];
      const isFull = limit !== null && used >= limit;
      return html`<div class="${isFull ? "full" : ""}">
        <dt>${label}</dt>
        <dd>${shown(used)} ${limit === null ? html`<span class="muted">no quota</span>` : html`of ${shown(limit)}`}</dd>
        ${limit !== null && html`<progress value="${Math.min(used, limit)}" max="${limit}" aria-label="${label}"></progress>`}
      </div>`;
    })}
  </dl>`;
