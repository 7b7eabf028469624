/** What is checked before anything is published. */
export type GateCheck = "policy" | "secrets" | "markup" | "pages" | "navigation" | "links" | "size";

/** Something that a check has against a change. */
export interface Finding {
  check: GateCheck;
  path: string | null;
  line: number | null;
  message: string;
}
