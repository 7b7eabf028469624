/** A webhook as the interface shows it; more fields than these, which are printed. */
export interface ShownWebhook {
  id: string;
  url: string;
  enabled: boolean;
  failingSince: string | null;
  events: string[];
}

/** A delivery as the interface shows it. */
export interface ShownDelivery {
  id: string;
  createdAt: string;
  type: string;
  status: string;
  attempts: { status: number | null; error: string | null }[];
}

/** What can be asked of a project's webhooks, beside a data directory and at a server alike. Throws `AppError`. */
export interface WebhookActions extends AsyncDisposable {
  /** False where nobody delivers: no server runs on the data directory. */
  isServing: boolean;
  create(asked: { url: string; events?: string[]; description?: string }): Promise<ShownWebhook & { secret: string }>;
  /** The first hundred. */
  list(): Promise<ShownWebhook[]>;
  remove(id: string): Promise<void>;
  /** Sends a test event. */
  test(id: string): Promise<ShownDelivery>;
  /** Newest first. */
  deliveries(id: string, limit: number): Promise<ShownDelivery[]>;
  redeliver(id: string, deliveryId: string): Promise<ShownDelivery>;
}
