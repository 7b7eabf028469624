// `npm run test:browser`: test/browser/** with playwright-core and a Chromium of the machine.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installDebianPackage } from "#test/support/debian-package.ts";
import { runVitest } from "./vitest.ts";

function findChromium(): string | null {
  const chosen = process.env["CHROMIUM_PATH"];
  if (chosen !== undefined && chosen !== "") return existsSync(chosen) ? chosen : null;
  const folders = ["/usr/bin", ...(process.env["PATH"] ?? "").split(delimiter)];
  const candidates = folders.flatMap((folder) =>
    ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)),
  );
  return candidates.find((path) => existsSync(path)) ?? null;
}

function installChromium(): string | null {
  return !process.env["CHROMIUM_PATH"] && installDebianPackage("chromium") ? findChromium() : null;
}

const chromium = findChromium() ?? installChromium();
if (chromium === null) {
  console.error(
    'No Chromium found. Install it ("apt-get install chromium" on Debian) or set CHROMIUM_PATH to ' +
      "the program of a Chromium or Chrome.",
  );
  process.exitCode = 1;
} else {
  const counts = await runVitest("browser", process.argv.slice(2), { CHROMIUM_PATH: chromium });
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.ok && counts.failed === 0 ? 0 : 1;
}
