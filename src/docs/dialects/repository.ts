import { parseDocument } from "yaml";
import { errorText } from "#lib/app-error.ts";
import { createLineIndex } from "#lib/line-index.ts";
import type { ProblemList } from "#docs/problems.ts";
import type { Snapshot } from "#docs/snapshot.ts";
import { decodeText, withoutByteOrderMark } from "#docs/text-encoding.ts";
import { keepNumbersAsWritten } from "#docs/yaml-numbers.ts";
import { readConfigModule } from "./reading/evaluate.ts";
import { Data } from "./reading/data.ts";

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_ALIASES = 100;

/** The files of a repository, for the readers of dialects. */
export interface RepositoryFiles {
  snapshot: Snapshot;
  /** Paths of all regular files, in order. */
  paths: readonly string[];
  has(path: string): boolean;
  /** Paths of the files in a folder and below, without the folder's name. */
  below(folder: string): string[];
  /** Text of a file of at most 1 MB; null when it does not exist or is larger. */
  text(path: string): Promise<string | null>;
  /** A data file or the export of a program (`.json`, `.yml`, `.ts` …), by its extension. A broken file is a problem. */
  data(path: string, problems: ProblemList, exportName?: string): Promise<Data>;
  /** A YAML file, whatever its name. */
  yaml(path: string, problems: ProblemList): Promise<Data>;
  /** Files over the limit that `text`, `data` or `yaml` were asked for. */
  tooLarge: ReadonlySet<string>;
}

export async function openRepository(snapshot: Snapshot): Promise<RepositoryFiles> {
  const files = (await snapshot.files()).filter(({ kind }) => kind === "file");
  const sizes = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const paths = files.map(({ path }) => path).toSorted();
  const tooLarge = new Set<string>();
  const text = async (path: string): Promise<string | null> => {
    const sizeBytes = sizes.get(path);
    if (sizeBytes !== undefined && sizeBytes > MAX_TEXT_BYTES) tooLarge.add(path);
    const bytes = sizeBytes === undefined || sizeBytes > MAX_TEXT_BYTES ? null : await snapshot.read(path);
    return bytes === null ? null : withoutByteOrderMark(decodeText(bytes).text);
  };
  const yaml = async (path: string, problems: ProblemList) =>
    Data.of(readYaml(path, (await text(path)) ?? "", problems), problems);
  return {
    snapshot,
    paths,
    has: (path) => sizes.has(path),
    below: (folder) =>
      folder === ""
        ? [...paths]
        : paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
    text,
    data: async (path, problems, name) =>
      /\.ya?ml$/i.test(path)
        ? await yaml(path, problems)
        : Data.of(await readConfigModule(snapshot, { path, name }, problems), problems),
    yaml,
    tooLarge,
  };
}

/** Parses YAML and ignores the tags of any program (`!!python/name:x`, `!ENV`): the tagged values are read without them. */
export function readYaml(path: string, text: string, problems: ProblemList): unknown {
  try {
    const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });
    const [error] = document.errors;
    if (error)
      problems.error(
        { path, line: createLineIndex(text)(error.pos[0]) },
        `The file is no valid YAML: ${error.message.slice(0, 200)}`,
      );
    keepNumbersAsWritten(document);
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    problems.error({ path, line: null }, `The file is no valid YAML: ${errorText(error).slice(0, 200)}`);
    return null;
  }
}
