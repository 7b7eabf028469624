import { createHash } from "node:crypto";
import { type Database, insideTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { MAX_API_HOSTS, normaliseApiHost } from "#features/projects/site/api-hosts.ts";
import { takeProject } from "#features/projects/change-project.ts";
import type { Project } from "#features/projects/project.ts";
import { saveSettings, withSetting } from "#features/projects/projects.ts";
import { askAgain, readAddresses } from "./address-rows.ts";

interface Deps {
  database: Database;
  clock: Clock;
}

/** A project's API descriptions at addresses, as its members see them. */
export interface ApiAccess {
  hosts: readonly string[];
  /** Requests that readers try on API pages go through this server. */
  proxy: boolean;
  addresses: readonly {
    address: string;
    /** The live site names it. */
    live: boolean;
    /** When its host last confirmed that the copy is current; null while there is no copy. */
    readAt: Date | null;
    sizeBytes: number | null;
    /** Why the last fetch failed; null when it succeeded. */
    trouble: string | null;
    /** When it is fetched next; null: when a new version names it. */
    nextAt: Date | null;
  }[];
}

export async function readApiAccess(deps: Pick<Deps, "database">, { id }: Pick<Project, "id">): Promise<ApiAccess> {
  const known = await readAddresses(deps, id);
  const dateOf = (at: number | null) => (at === null ? null : new Date(at));
  const addresses = (known?.rows ?? []).map((row) => ({
    address: row.address,
    live: row.is_live === 1,
    readAt: row.version === null ? null : dateOf(row.read_at),
    sizeBytes: row.size_bytes,
    trouble: row.trouble,
    nextAt: dateOf(row.next_at),
  }));
  return { hosts: known?.hosts ?? [], proxy: known?.proxy ?? false, addresses };
}

/** The JSON of the API. */
export function apiAccessToJson({ hosts, proxy, addresses }: ApiAccess) {
  return {
    hosts: [...hosts],
    proxy,
    addresses: addresses.map((each) => ({
      ...each,
      readAt: each.readAt?.toISOString() ?? null,
      nextAt: each.nextAt?.toISOString() ?? null,
    })),
  };
}

/** Changes when someone changes the settings; copies of addresses change on their own. */
export const apiAccessVersion = ({ hosts, proxy }: Pick<ApiAccess, "hosts" | "proxy">): string =>
  createHash("sha256")
    .update(JSON.stringify([hosts, proxy]))
    .digest("hex")
    .slice(0, 16);

/** Normalizes hosts that people entered. `AppError invalid` names an invalid one. */
export function readApiHosts(written: readonly string[]): string[] {
  const hosts = written.map((text) => {
    const host = normaliseApiHost(text);
    if (host !== null) return host;
    const words = `"${text.slice(0, 100)}" is no host such as api.example.com, api.example.com:8443 or *.example.com.`;
    throw new AppError("invalid", words);
  });
  const all = [...new Set(hosts)];
  if (all.length > MAX_API_HOSTS) throw new AppError("invalid", `A project names at most ${MAX_API_HOSTS} hosts.`);
  return all;
}

/**
 * Saves the given settings: the hosts of a project's API descriptions (an empty list turns them off) and the proxy.
 * `check` receives the current settings inside the transaction and may throw. `AppError invalid`.
 */
export async function saveApiAccess(
  deps: Pick<Deps, "database">,
  { id }: Pick<Project, "id">,
  { hosts: written, proxy }: { hosts?: readonly string[] | undefined; proxy?: boolean | undefined },
  check?: (current: ApiAccess) => void,
): Promise<void> {
  const hosts = written && readApiHosts(written);
  await deps.database.transaction(async (transaction) => {
    const database = insideTransaction(deps.database, transaction);
    // The current row: another setting may have changed since the caller read the project.
    let { settings } = await takeProject(database, id);
    check?.(await readApiAccess({ database }, { id }));
    if (hosts) settings = withSetting(settings, "apiHosts", hosts.length === 0 ? null : hosts);
    if (proxy !== undefined) settings = withSetting(settings, "apiProxy", proxy ? true : null);
    await saveSettings({ database }, { id }, settings);
  });
}

/** Fetches the addresses of a project's site now, but at most every few seconds. Returns how many there are. */
export const askApiAddresses = (
  deps: Deps,
  { id }: Pick<Project, "id">,
  beside?: Parameters<typeof askAgain>[2],
): Promise<number> => askAgain(deps, id, beside);
