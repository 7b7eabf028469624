import { existsSync } from "node:fs";
import path from "node:path";
import { installDebianPackage } from "./debian-package.ts";

/** The program of the browser for tests: CHROMIUM_PATH, else a Chromium or Chrome of the machine. Throws where there is none. */
export function findChromium(): string {
  const chosen = process.env["CHROMIUM_PATH"];
  const found = chosen ? chosen : installed();
  if (found !== null) return found;
  throw new Error(
    'No Chromium found. Install it ("apt-get install chromium" on Debian) or set CHROMIUM_PATH to the program of a ' +
      "Chromium or Chrome.",
  );
}

/** Installs one where there is none, on Debian as root. Elsewhere the tests that need one say that it is missing. */
export function ensureChromium(): void {
  if (!process.env["CHROMIUM_PATH"] && installed() === null) installDebianPackage("chromium");
}

function installed(): string | null {
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(path.delimiter)];
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(existsSync) ?? null;
}
