import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const LONGEST_BUILD_MS = 20 * 60_000;

/** A static site generator to compare with Docent, with the minimum that it needs to show the pages. */
export interface Peer {
  name: string;
  packages: readonly string[];
  /** Files in addition to the pages. */
  files: Record<string, string>;
  /** Folder of the pages. */
  pages: string;
  build: readonly string[];
  /** The HTML of `guides/part-0/page-0.md`, to verify that the build included it. */
  built: string;
}

export const PEERS: readonly Peer[] = [
  {
    name: "VitePress",
    packages: ["vitepress@1.6.4"],
    files: { "index.md": "# Bench\n" },
    pages: ".",
    build: ["vitepress", "build"],
    built: ".vitepress/dist/guides/part-0/page-0.html",
  },
  {
    name: "Starlight",
    packages: ["astro@7.3.5", "@astrojs/starlight@0.42.4"],
    files: {
      "astro.config.mjs":
        'import { defineConfig } from "astro/config";\nimport starlight from "@astrojs/starlight";\n' +
        'export default defineConfig({ site: "https://bench.example", integrations: [starlight({ title: "Bench", sidebar: [{ label: "Guides", items: [{ autogenerate: { directory: "guides" } }] }] })] });\n',
      "src/content.config.ts":
        'import { defineCollection } from "astro:content";\nimport { docsLoader } from "@astrojs/starlight/loaders";\nimport { docsSchema } from "@astrojs/starlight/schema";\n' +
        "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n",
      "src/content/docs/index.md": "---\ntitle: Bench\n---\n",
    },
    pages: "src/content/docs",
    build: ["astro", "build"],
    built: "dist/guides/part-0/page-0/index.html",
  },
  {
    name: "Docusaurus",
    packages: [
      "@docusaurus/core@3.10.2",
      "@docusaurus/preset-classic@3.10.2",
      "@docusaurus/faster@3.10.2",
      "react@19",
      "react-dom@19",
    ],
    files: {
      "docusaurus.config.js":
        'module.exports = { title: "Bench", url: "https://bench.example", baseUrl: "/", onBrokenLinks: "ignore", future: { v4: true, faster: true }, ' +
        'presets: [["classic", { docs: { routeBasePath: "/" }, blog: false, pages: false }]] };\n',
    },
    pages: "docs",
    build: ["docusaurus", "build"],
    built: "build/guides/part-0/page-0/index.html",
  },
];

/** Prepares the folder of a peer. Its packages are kept between runs. */
export async function preparePeer(peer: Peer, root: string, pages: Record<string, string>): Promise<string> {
  const folder = path.join(root, peer.name);
  if (!existsSync(path.join(folder, "installed"))) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true }));
    await run("npm", ["install", "--no-audit", "--no-fund", ...peer.packages], { cwd: folder });
    await writeFile(path.join(folder, "installed"), "");
  }
  const all = { ...peer.files };
  for (const [name, text] of Object.entries(pages)) all[path.join(peer.pages, name)] = text;
  await rm(path.join(folder, peer.pages, "guides"), { recursive: true, force: true });
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return folder;
}

/** Writes one page and builds. Returns the time of the build in milliseconds; throws if the build did not include the page. */
export async function buildPeer(peer: Peer, folder: string, change: { path: string; text: string }): Promise<number> {
  await writeFile(path.join(folder, peer.pages, change.path), change.text);
  const [program = "", ...args] = peer.build;
  const bin = path.join(folder, "node_modules", ".bin", program);
  const started = performance.now();
  await run(bin, args, {
    cwd: folder,
    timeout: LONGEST_BUILD_MS,
    maxBuffer: 1 << 28,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  const tookMs = performance.now() - started;
  if (!existsSync(path.join(folder, peer.built))) throw new Error(`${peer.name} built no ${peer.built}.`);
  return tookMs;
}
