import { expect, it } from "vitest";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { describe } from "./description.ts";

it.each([
  ["H<sub>2</sub>O", "<p>H<sub>2</sub>O</p>"],
  ["a <sub>b", "<p>a <sub>b</sub></p>"],
  ["<sub>a</kbd>b</sub></sub>", "<p><sub>ab</sub></p>"],
  ["a <b>c</b>", '<p>a <code class="html">&lt;b&gt;</code>c<code class="html">&lt;/b&gt;</code></p>'],
  ["```\n<script>\n```", "<pre><code>&lt;script&gt;</code></pre>"],
  ["`<b>`", "<p><code>&lt;b&gt;</code></p>"],
  [
    "![A](https://a.example/b.png)",
    '<p><a href="https://a.example/b.png" rel="nofollow noopener noreferrer">A</a></p>',
  ],
  ["[a](javascript:alert(1)) [b](/c)", "<p>a b</p>"],
])("prints %j with harmless elements alone", async (written, expected) => {
  expect(String(await describe(createInProcessParser(), written))).toBe(expected);
});
