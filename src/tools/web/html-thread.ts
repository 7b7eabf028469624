import { parentPort, workerData } from "node:worker_threads";
import { htmlToMarkdown } from "./html-to-markdown.ts";

// Converts one page and ends: see html-in-thread.ts.
const { html, address } = workerData as { html: string; address: string };
parentPort?.postMessage(htmlToMarkdown(html, new URL(address)));
