import { request } from "node:http";
import { expect, it } from "vitest";
import { startTestServer } from "#test/support/server.ts";
import { ENGINES } from "#testing/databases.ts";

it.each(ENGINES)("readers who are signed out over HTTP lose access at the next request, on %s", async (engine) => {
  await using server = await startTestServer({ engine, files: { "index.md": "# Start\n\nThe lighthouse.\n" } });
  const { id, slug } = server.instance.project;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.baseUrl}/v2/project/${id}${path}`, {
      method,
      headers: { Authorization: `Bearer ${server.instance.key}`, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.ok).toBe(true);
    return answer.status === 204 ? null : ((await answer.json()) as { token: string });
  };
  /** What a browser or a program sees at once, without a connection of its own for each. */
  const read = (headers: Record<string, string>, path = "/") =>
    new Promise<{ status: number; cookie: string; isShown: boolean }>((resolve, reject) => {
      const host = `${slug}.localhost:${server.port}`;
      const asked = request({ port: server.port, path, headers: { Host: host, ...headers } }, (answer) => {
        let text = "";
        answer.on("data", (chunk) => (text += String(chunk)));
        answer.on("end", () => {
          const cookie = (answer.headers["set-cookie"]?.[0] ?? "").replace(/;.*/, "");
          resolve({ status: answer.statusCode ?? 0, cookie, isShown: text.includes("lighthouse") });
        });
      });
      asked.on("error", reject).end();
    });
  await call("PATCH", "", { access: { mode: "links" } });
  for (let turn = 0; turn < 3; turn += 1) {
    const token = (await call("POST", "/site-links", {}))?.token ?? "";
    const person = { "User-Agent": "Mozilla/5.0", Accept: "text/html", "Sec-Fetch-Mode": "navigate" };
    const { cookie } = await read(person, `/?access=${encodeURIComponent(token)}`);
    const asProgram = { Authorization: `Bearer ${token}` };
    const asReader = { ...person, Cookie: cookie };
    expect([(await read(asProgram)).isShown, (await read(asReader)).isShown]).toEqual([true, true]);
    await call("DELETE", "/site-sessions");
    const after = [await read(asProgram), await read(asReader), await read(person, `/?access=${token}`)];
    expect(after.map(({ isShown, cookie: given }) => [isShown, given])).toEqual([
      [false, ""],
      [false, ""],
      [false, ""],
    ]);
  }
});
