export type CheckKind = "content" | "navigation" | "scope" | "size" | "inventions" | "links" | "rendering";

/** A check that a change failed. */
export interface Failure {
  kind: CheckKind;
  check: string;
  message: string;
}
