import type { Secret } from "#lib/secrets/secret.ts";

/** An app that a host made for this server: installed on repositories there, it has tokens that live an hour. */
export interface HostApp {
  id: string;
  /** Of the host: `https://github.com`. */
  origin: string;
  name: string;
  /** Account that it belongs to there. */
  owner: string;
  /** Its page there. */
  url: string;
  /** Where people install it, and choose its repositories. */
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
  /** Where its owner changes it. */
  url: string;
  isSuspended: boolean;
  /** The first few hundred. */
  repositories: OfferedRepository[];
}

/** What a person takes to the host, which makes an app of it. */
export interface AppManifest {
  /** Where the form goes. */
  action: string;
  manifest: string;
}

/** Apps of this server. What goes wrong is an `AppError` with what to do, in words for people. */
export interface HostApps {
  list(): Promise<HostApp[]>;
  find(id: string): Promise<HostApp | null>;
  /** `AppError invalid` for an address or an account that is none. */
  manifest(wish: {
    id: string;
    /** Comes back with the person. */
    state: string;
    origin: string;
    organization: string;
    baseUrl: string;
  }): Promise<AppManifest>;
  /** Takes over what the host made of a manifest, by the code that it sent the person back with. */
  take(made: { id: string; origin: string; code: string }): Promise<HostApp>;
  /** By account; one request each. */
  offers(id: string): Promise<OfferedInstallation[]>;
  /** Which installation reaches a repository, by its address. `AppError not_found` with where to install. */
  findInstallation(repositoryUrl: string): Promise<Installation>;
  /** A token for one repository alone, good for ten more minutes at least. `AppError forbidden`. */
  token(installation: Installation, repository: { url: string; remoteId: string | null }): Promise<Secret>;
  /** Whether a token of it was held; the next one is asked for. */
  forgetTokens(installation: Installation): boolean;
  /** Null when there is no such app, or its host sends it no webhooks. */
  webhookSecret(id: string): Promise<Secret | null>;
}

/** What an app may do at its host; no token gets more. */
export const APP_PERMISSIONS = {
  contents: "write",
  pull_requests: "write",
  statuses: "write",
  issues: "read",
  metadata: "read",
} as const;
