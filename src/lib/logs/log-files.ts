import { readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";

/** Where a process keeps its log, and the name of its files: several processes may share one data directory. */
export interface LogFolder {
  directory: string;
  node: string;
}

/** One file of a node's log; it continues the file with the number before. */
export interface LogFile {
  name: string;
  node: string;
  number: number;
}

const NAME = /^([a-z0-9-]{1,80})\.(\d{1,9})\.jsonl$/;

export const logDirectory = (dataDirectory: string): string => path.join(dataDirectory, "logs");

/** A host has one process per port. With port 0 (any free port), the processes of a host share a log. */
export const nodeName = (hostname: string, port: number): string =>
  `${hostname.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").slice(0, 70) || "node"}-${port}`; // oxfmt-ignore

export const logFileName = (node: string, number: number): string => `${node}.${number}.jsonl`;

/** The files of all nodes, oldest first within each node. Throws when the folder does not exist. */
export const listLogFiles = async (directory: string): Promise<LogFile[]> => logFilesAmong(await readdir(directory));

/** The synchronous form, for a process that is about to exit. */
export const listLogFilesNow = (directory: string): LogFile[] => logFilesAmong(readdirSync(directory));

const logFilesAmong = (names: readonly string[]): LogFile[] =>
  names
    .flatMap((name) => {
      const [, node, number] = NAME.exec(name) ?? [];
      return node === undefined ? [] : [{ name, node, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number);
