import type { CommandIo } from "#cli/command/io.ts";

/** The input and output of a command outside a terminal, and what the command has written. */
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
