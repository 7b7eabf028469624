import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { callApi, createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const PAGES = Object.fromEntries(
  Array.from({ length: 40 }, (_, page) => [`guides/page-${page}.md`, `# Page ${page}\n\nHarbor Cloud keeps [ships](/guides/page-${page + 1}).\n`.repeat(20)]), // oxfmt-ignore
);

/** Which is what is going on when somebody stops the server. */
it("a server that is stopped in the middle of work logs no stack", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n", ...PAGES });
  for (const delay of [0, 300, 1_500]) {
    const args = ["serve", "--port", "0", "--json", "--data", instance.data];
    const server = await startProcess("src/cli/main.ts", args, instance.environment);
    const { baseUrl, port } = server.started;
    using site = createSiteClient({ instance, port });
    const lost = () => undefined; // the server is stopped meanwhile
    const going = [
      callApi(baseUrl, instance, { path: "/job", body: { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' } }).catch(lost),
      ...[0, 1, 2, 3].map((page) => site.send(`/guides/page-${page}`, { headers: { "user-agent": "Mozilla/5.0 Chrome/130.0", accept: "text/html" } }).catch(lost)),
      site.send("/guides/page-5.md", { headers: { "user-agent": "claude-code/2.1.4" } }).catch(lost),
      site.send("/_docent/search?q=ships").catch(lost),
      fetch(`${baseUrl}/v1/analytics/${instance.project.id}/visitors`, { headers: { authorization: `Bearer ${instance.key}` } }).then((answer) => answer.text()).catch(lost),
    ]; // oxfmt-ignore
    await pause(delay);
    await server.kill("SIGTERM");
    await Promise.all(going);
    expect([delay, server.log()]).toEqual([delay, expect.not.stringMatching(/"stack"|\n\s+at /)]);
  }
});
