import { readArguments } from "./command.ts";
import { type CommandIo, writeLine } from "./io.ts";
import { openUpkeep } from "./open-places.ts";
import { around } from "./progress.ts";

/** `docent analytics snippet`. */
export async function printSnippet(args: readonly string[], io: CommandIo): Promise<void> {
  const { values, positionals } = readArguments(args, {}, { min: 1, max: 1, names: "one PROJECT" });
  await using place = await openUpkeep(values, positionals[0]!, around(io));
  const { snippet, allowedOrigins } = await place.snippet();
  if (allowedOrigins.length === 0) {
    const setting = `docent projects set ${place.name} analytics '{"allowedOrigins": ["https://docs.example.com"]}'`;
    writeLine(io.stderr, `No origin may send views yet. Name those that carry the script:\n  ${setting}`);
  }
  writeLine(io.stdout, values.json ? JSON.stringify({ snippet, allowedOrigins }) : snippet);
}
