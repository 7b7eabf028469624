import { readFile } from "node:fs/promises";
import { AppError, errorText } from "#lib/app-error.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { CommandIo } from "#cli/command/io.ts";

/** Never read from an argument, which every user of the machine can see. */
export async function readToken(io: CommandIo, file: string): Promise<Secret> {
  const text =
    file === "-"
      ? await io.readInput()
      : await readFile(file, "utf8").catch((cause: unknown) => {
          throw new AppError("invalid", `The token cannot be read from ${file}: ${errorText(cause)}.`, { cause });
        });
  const token = text.trim();
  if (token === "" || /\s/.test(token))
    throw new AppError("invalid", "A token is one word, and there is none in the file.");
  return new Secret(token);
}
