import { cp } from "node:fs/promises";
import { EXAMPLE_FOLDER } from "#app/example-folder.ts";
import { AppError } from "#lib/app-error.ts";
import { runSubprocess } from "#lib/subprocess.ts";

const GIT_TIMEOUT_MS = 30_000;

/** Creates a git repository of the example project in a new folder; returns its path. */
export async function seedExample(directory: string, signal: AbortSignal): Promise<string> {
  await cp(EXAMPLE_FOLDER, directory, { recursive: true });
  const identity = ["-c", "user.name=Harbor docs team", "-c", "user.email=docs@harbor.example"];
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message=Start the Harbor documentation"],
  ]) {
    const result = await runSubprocess({
      command: "git",
      args: ["-C", directory, ...args],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      signal,
      timeoutMs: GIT_TIMEOUT_MS,
      maxOutputBytes: 1_000_000,
    });
    if (result.exitCode !== 0)
      throw new AppError("unavailable", `The example could not be prepared: ${result.stderr.trim()}`);
  }
  return directory;
}
