import type { Secret } from "#lib/secrets/secret.ts";

/** An app that a host registered for this server: where it is installed, it gets tokens that are valid for an hour. */
export interface HostApp {
  id: string;
  /** The host: `https://github.com`. */
  origin: string;
  name: string;
  /** The account that owns it there. */
  owner: string;
  /** Its page there. */
  url: string;
  /** Where people install it and choose repositories. */
  installUrl: string;
  createdAt: Date;
}

/** One account's consent to an app. */
export interface Installation {
  appId: string;
  installationId: string;
}

/** A repository that an app was installed on. */
export interface OfferedRepository {
  url: string;
  /** `acme/docs`. */
  path: string;
  isArchived: boolean;
}

export interface OfferedInstallation {
  account: string;
  /** Where its owner configures it. */
  url: string;
  isSuspended: boolean;
  /** The first few hundred only. */
  repositories: OfferedRepository[];
}

/** A form that a person submits to the host, which registers an app from it. */
export interface AppManifest {
  /** The address that the form is sent to. */
  action: string;
  manifest: string;
}

/** Apps of this server. Failures are an `AppError` that says what to do, in words for people. */
export interface HostApps {
  list(): Promise<HostApp[]>;
  find(id: string): Promise<HostApp | null>;
  /** `AppError invalid` for an invalid address or account. */
  manifest(wish: {
    id: string;
    /** Returned with the person. */
    state: string;
    origin: string;
    organization: string;
    baseUrl: string;
  }): Promise<AppManifest>;
  /** Stores the app that the host created from a manifest, given the code from the redirect. */
  take(made: { id: string; origin: string; code: string }): Promise<HostApp>;
  /** By account; one request per account. */
  offers(id: string): Promise<OfferedInstallation[]>;
  /**
   * Finds the installation that reaches a repository, by its address. `AppError not_found` with the address to install
   * it.
   */
  findInstallation(repositoryUrl: string): Promise<Installation>;
  /** A token for one repository only, valid for at least ten more minutes. `AppError forbidden`. */
  token(installation: Installation, repository: { url: string; remoteId: string | null }): Promise<Secret>;
  /** Drops cached tokens of an installation, so that the next one is requested; returns whether there were any. */
  forgetTokens(installation: Installation): boolean;
  /** Null when the app does not exist, or its host sends it no webhooks. */
  webhookSecret(id: string): Promise<Secret | null>;
}

/** The permissions of an app at its host; no token gets more. */
export const APP_PERMISSIONS = {
  contents: "write",
  pull_requests: "write",
  statuses: "write",
  issues: "read",
  metadata: "read",
} as const;
