/** What is checked before anything is published, in the order that people read it in. */
export const GATE_CHECKS = [
  "policy",
  "secrets",
  "markup",
  "invisible",
  "surfaces",
  "pages",
  "navigation",
  "links",
  "deletions",
  "size",
] as const;

export type GateCheck = (typeof GATE_CHECKS)[number];

/** Something that a check has against a change. */
export interface Finding {
  check: GateCheck;
  path: string | null;
  line: number | null;
  message: string;
}
