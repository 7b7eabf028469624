import { html, type Html, raw } from "#kit/pages/markup.ts";
import { visibleHtml } from "#kit/pages/visible-text.ts";

export type Cell = string | number;

export interface ReportCard {
  title: string;
  /** Address of all rows as CSV. */
  csv: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** The column that is drawn as bars; null for none. */
  bars?: number | null;
  /** Spans both columns of the page. */
  isWide?: boolean;
  /** The link of a row's first cell. */
  hrefOf?: (cell: string) => string;
  /** The first cell of the row for the current page. */
  current?: string | null;
}

/** Rows that are visible at first, and those that can be unfolded; all are in the CSV. */
const SHOWN_ROWS = 8;
const MAX_ROWS = 50;

export const shownNumber = (value: number): string => value.toLocaleString("en");

/** A number, or a share as "67 %". */
const isNumeric = (cell: Cell | undefined): boolean => typeof cell === "number" || /^\d{1,3} %$/.test(cell ?? "");

/** One report of the analytics page: a table with bars, the longest one for the largest number. */
export function reportCard(card: ReportCard): Html {
  const { title, csv, columns, rows, isWide = false } = card;
  const rest = rows.slice(SHOWN_ROWS, MAX_ROWS);
  return html`<section class="card report ${isWide ? "wide" : ""}">
    <h2>${title} <a href="${csv}">CSV</a></h2>
    ${
      rows.length === 0
        ? html`<p class="muted">No data in this range.</p>`
        : html`${table(card, rows.slice(0, SHOWN_ROWS))}
            ${
              rest.length > 0 &&
              html`<details>
                <summary>${rest.length} more</summary>
                ${table(card, rest)}
                ${rows.length > MAX_ROWS && html`<p class="muted">${shownNumber(rows.length - MAX_ROWS)} more are in the CSV.</p>`}
              </details>`
            }`
    }
  </section>`;

  function table({ bars = null, hrefOf, current = null }: ReportCard, shown: ReportCard["rows"]): Html {
    const most = bars === null ? 0 : Math.max(1, ...rows.map((row) => Number(row[bars])));
    return html`<table class="figures ${columns.length > 4 ? "many" : ""}">
      <thead>
        <tr>${columns.map((column, index) => html`<th scope="col" class="${isNumeric(rows[0]?.[index]) ? "count" : ""}">${column}</th>`)}</tr>
      </thead>
      <tbody>
        ${shown.map((row) => {
          const [first, ...others] = row;
          const share = bars === null ? 0 : (100 * Number(row[bars])) / most;
          const name = raw(visibleHtml(String(first)));
          return html`<tr>
            <td class="name">
              ${bars !== null && html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${share.toFixed(1)}" height="1" /></svg>`}
              <span>${hrefOf ? html`<a href="${hrefOf(String(first))}" ${first === current && raw('aria-current="true"')}>${name}</a>` : name}</span>
            </td>
            ${others.map((cell, index) => (isNumeric(cell) ? html`<td class="count" data-label="${columns[index + 1]}">${typeof cell === "number" ? shownNumber(cell) : cell}</td>` : html`<td>${raw(visibleHtml(String(cell)))}</td>`))}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}
