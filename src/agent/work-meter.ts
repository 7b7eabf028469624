import type { MarkdownParser } from "#docs/parser.ts";
import { AppError } from "#lib/app-error.ts";
import type { ToolEnvironment } from "#tools/tool.ts";
import type { VirtualTree } from "#tools/virtual-tree.ts";

/** Limits of one tool call. Counted, not timed: the same call on the same files ends the same way on any machine. */
export interface WorkLimits {
  /** Files read, looked up and parsed. */
  steps: number;
  readBytes: number;
  /**
   * Characters passed to the parser. For a million characters of this repository's docs, the parser's process took
   * 0.2 s of CPU time, and receiving the result took 0.3 s in this process.
   */
  parsedCharacters: number;
}

export const WORK_LIMITS: WorkLimits = { steps: 500_000, readBytes: 2 * 1024 ** 3, parsedCharacters: 128_000_000 };

/** The environment with all reads and parses counted and reported. Beyond a limit they throw `AppError too_large`. */
export function meteredEnvironment(
  environment: ToolEnvironment,
  limits: WorkLimits,
  onWork: () => void,
): ToolEnvironment {
  const done: WorkLimits = { steps: 0, readBytes: 0, parsedCharacters: 0 };
  const spend = (kind: keyof WorkLimits, amount: number) => {
    environment.signal.throwIfAborted();
    onWork();
    done[kind] += amount;
    if (done[kind] > limits[kind]) {
      throw new AppError(
        "too_large",
        "It is more work than one call may do. Name a part of the docs, such as one folder, and take the parts one after another.",
      );
    }
  };
  const meterTree = (tree: VirtualTree): VirtualTree => ({
    ...tree,
    async read(path) {
      spend("steps", 1);
      const bytes = await tree.read(path);
      spend("readBytes", bytes?.length ?? 0);
      return bytes;
    },
    async readText(path) {
      spend("steps", 1);
      const text = await tree.readText(path);
      spend("readBytes", text?.length ?? 0);
      return text;
    },
    exists(path) {
      spend("steps", 1);
      return tree.exists(path);
    },
    fork: () => meterTree(tree.fork()),
  });
  const parser: MarkdownParser = {
    async parse(source, format, dialect) {
      spend("steps", 1);
      spend("parsedCharacters", source.length);
      const outcome = await environment.parser.parse(source, format, dialect);
      onWork();
      return outcome;
    },
  };
  return { ...environment, tree: meterTree(environment.tree), parser };
}
