import type { CommandIo } from "#cli/command/io.ts";

/** The input and output of a command outside a terminal, and what the command has written. */
export function createCommandIo(given: Partial<CommandIo> = {}): {
  io: CommandIo;
  said: { stdout: string; stderr: string };
} {
  const written = { stdout: "", stderr: "" };
  const io: CommandIo = {
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
    readInput: async () => "",
    confirm: async () => null,
    isTerminal: false,
    signal: new AbortController().signal,
    ...given,
  };
  return { io, said: written };
}
