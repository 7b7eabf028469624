import { execFile } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { installDebianPackage } from "#test/support/debian-package.ts";
import { PROCESSOR_CORE } from "./processor-core.ts";

const run = promisify(execFile);

export interface PageLoad {
  port: number;
  connections: number;
  pages: readonly string[];
  /** Requests that are sent in addition to pages, by their kind; empty for slices with only pages. */
  besides: Record<string, readonly string[]>;
  /** The kind of each slice, in their order. */
  slices: readonly string[];
  sliceSeconds: number;
  /** Seconds at the start of a slice that are not measured. */
  leadSeconds: number;
  /** Requests in addition to pages. */
  perSecond: number;
  /** Process id of the server. */
  server: number;
}

/** The measurements of a slice. */
export interface Slice {
  kind: string;
  /** 0 when nothing was measured. */
  seconds: number;
  pages: number;
  beside: number;
  /** Requests in addition to pages, including those that were not measured; the last `beside` of them were. */
  sent: number;
  /** CPU time of the server's first thread; NaN where the system does not report it. */
  threadMs: number;
}

export interface LoadResult {
  slices: Slice[];
  /** Connections that broke or waited for seconds. */
  failed: number;
  /** Responses with status 400 and above. */
  refused: number;
  medianMs: number;
  p99Ms: number;
}

/** Only pages, after the last slice: pending requests of the slices are answered before the load ends. */
const REST_SECONDS = 1;
const NS_PER_MS = 1_000_000;

/** Installs wrk, a load generator, if possible. Throws with instructions if not. */
export async function ensureWrk(): Promise<void> {
  // `--version` prints the usage and exits with code 1.
  const isThere = () => run("wrk", ["--version"]).catch((error: NodeJS.ErrnoException) => error.code !== "ENOENT");
  if (await isThere()) return;
  installDebianPackage("wrk");
  if (!(await isThere())) throw new Error("wrk is missing, which sends the requests: apt-get install wrk");
}

/** Loads a server with wrk, as described in `page-load.lua`. */
export async function loadPages(load: PageLoad): Promise<LoadResult> {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), "docent-load-"));
  const kinds = Object.keys(load.besides);
  const write = async (name: string, requests: readonly string[]) => {
    if (requests.length === 0) return "-";
    const file = path.join(directory.path, name);
    await writeFile(file, requests.map((request) => `${request}\0`).join(""));
    return file;
  };
  const files = [await write("pages", load.pages)];
  for (const kind of kinds) files.push(await write(kind, load.besides[kind]!));
  const order = load.slices.map((kind) => kinds.indexOf(kind) + 1).join(" ");
  const seconds = Math.ceil(load.slices.length * load.sliceSeconds) + REST_SECONDS;
  const script = path.join(import.meta.dirname, "page-load.lua");
  const options = ["-t1", `-c${load.connections}`, `-d${seconds}s`, "--timeout", "10s", "-s", script];
  const given = [...files, order, ...[load.perSecond, load.sliceSeconds, load.leadSeconds, load.server].map(String)];
  const command = ["wrk", ...options, `http://127.0.0.1:${load.port}`, "--", ...given];
  const { stdout } = await run("taskset", ["--cpu-list", String(PROCESSOR_CORE.load), ...command]);
  const text = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (text === undefined) throw new Error(`wrk says nothing of what it measured:\n${stdout}`);
  const { slices, ...rest } = JSON.parse(text) as Omit<LoadResult, "slices"> & { slices: number[][] };
  return {
    ...rest,
    slices: slices.map(([pages = 0, beside = 0, sent = 0, countedSeconds = 0, processorNs = -1], index) => ({
      kind: load.slices[index]!,
      pages,
      beside,
      sent,
      seconds: countedSeconds,
      threadMs: processorNs < 0 ? Number.NaN : processorNs / NS_PER_MS,
    })),
  };
}
