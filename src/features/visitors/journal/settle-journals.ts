import { access, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addressPrefix, plainAddress } from "#features/visitors/client-address.ts";
import { listSegments, segmentName } from "./journal.ts";

/** Twice as long as a journal segment is written to. */
const WAIT_MS = 60_000;
const LOOK_MS = 200;

/**
 * Waits until the current content of the journals under `root` is counted and deleted, which a running server does
 * within half a minute. False when that takes more than a minute.
 */
export async function waitForJournals(
  root: string,
  { waitMs = WAIT_MS, signal }: { waitMs?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const until = performance.now() + waitMs;
  const files = await listFiles(root);
  for (const file of files) {
    while (await isThere(file)) {
      if (performance.now() >= until) return false;
      await sleep(LOOK_MS, undefined, signal ? { signal } : {});
    }
  }
  return true;
}

async function listFiles(root: string): Promise<string[]> {
  const slots = (await readdir(root).catch((): string[] => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    slots.map(async (slot) => {
      const directory = path.join(root, slot);
      return (await listSegments(directory)).map((segment) => path.join(directory, segmentName(segment)));
    }),
  );
  return found.flat();
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** Deletes the files of damaged bytes that contain an address (IPv6: its /64), and returns their number. */
export async function removeDamageOf(root: string, address: string): Promise<number> {
  const wanted = addressPrefix(address);
  let removed = 0;
  const names = await readdir(root, { recursive: true }).catch((): string[] => []);
  for (const name of names.filter((one) => one.endsWith(".damaged"))) {
    const file = path.join(root, name);
    const text = await readFile(file, "latin1").catch(() => "");
    const isNamed = [...text.matchAll(/"address":"([^"]{1,64})"/g)].some(([, found = ""]) => {
      const plain = plainAddress(found);
      return plain !== null && addressPrefix(plain) === wanted;
    });
    if (!isNamed) continue;
    await rm(file, { force: true });
    removed++;
  }
  return removed;
}
