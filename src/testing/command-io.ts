import type { CommandIo } from "#cli/command/io.ts";

/** What a command reads and writes where no person sits, and what it has written. */
export function createCommandIo(given: Partial<CommandIo> = {}): {
  io: CommandIo;
  said: { stdout: string; stderr: string };
} {
  const said = { stdout: "", stderr: "" };
  const io: CommandIo = {
    stdout: (text) => void (said.stdout += text),
    stderr: (text) => void (said.stderr += text),
    readInput: async () => "",
    confirm: async () => null,
    isTerminal: false,
    signal: new AbortController().signal,
    ...given,
  };
  return { io, said };
}
