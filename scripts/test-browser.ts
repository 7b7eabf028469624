// `npm run test:browser`: test/browser/** with playwright-core and a Chromium of the machine.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
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
  if (process.env["CHROMIUM_PATH"] || process.getuid?.() !== 0) return null;
  if (!existsSync("/usr/bin/apt-get")) return null;
  console.error('Chromium is missing: installing the package "chromium" with apt-get.');
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    spawnSync("apt-get", ["-q", ...args], { stdio: ["ignore", 2, 2], env });
  }
  return findChromium();
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
