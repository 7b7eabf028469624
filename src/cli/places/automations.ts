/** What starts an automation, as the interface has it. A push without a branch is one to the project's. */
export type Trigger =
  | { kind: "schedule"; cron: string; timeZone: string }
  | { kind: "push"; branch?: string }
  | { kind: "source_push" | "source_merge"; source: string }
  | { kind: "api" };

/** An automation as the interface shows it; more fields than these, which are printed. */
export interface ShownAutomation {
  id: string;
  name: string;
  trigger: Trigger;
  enabled: boolean;
  runs: number;
  nextRunAt: string | null;
}

/** A run as the interface shows it. */
export interface ShownRun {
  number: number;
  jobId: string | null;
  messageSeq: number | null;
  note: string | null;
}

export interface NewAutomation {
  name: string;
  prompt: string;
  trigger: Trigger;
  ref: string | null;
  model: string | null;
  draft: boolean;
}

/** What can be asked of a project's automations, beside a data directory and at a server alike. Throws `AppError`. */
export interface AutomationActions extends AsyncDisposable {
  create(asked: NewAutomation): Promise<ShownAutomation>;
  /** The first hundred. */
  list(): Promise<ShownAutomation[]>;
  /** The run that it made; null where it is only asked for. */
  run(id: string): Promise<ShownRun | null>;
  remove(id: string): Promise<void>;
}
