type Cell = string | number | null;

/**
 * Rows as CSV (RFC 4180: CRLF, doubled quotes), with a header row, or without one for a continuation. A text that a
 * spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV injection).
 */
export function csvText(columns: readonly string[] | null, rows: Iterable<readonly Cell[]>): string {
  let text = columns === null ? "" : `${columns.map(csvCell).join(",")}\r\n`;
  for (const row of rows) text += `${row.map(csvCell).join(",")}\r\n`;
  return text;
}

function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
