import { expect, it } from "vitest";
import { createCommandIo } from "#testing/command-io.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { serve } from "./serve.ts";

it.each([
  ["127.0.0.1", "http://localhost:", 0],
  ["127.0.0.2", "http://127.0.0.2:", 1],
  ["0.0.0.0", "http://localhost:", 2],
])("notes at startup what %s means for links and sites", async (host, baseUrl, notes) => {
  await using directory = await createTestDirectory();
  const stop = new AbortController();
  let started = "";
  const { io, said } = createCommandIo({
    stdout(line) {
      started += line;
      setTimeout(() => stop.abort(), 100);
    },
    signal: stop.signal,
  });
  await serve.run(["--host", host, "--port", "0", "--data", directory.path, "--json"], io);
  expect(JSON.parse(started)).toEqual({
    baseUrl: expect.stringMatching(new RegExp(`^${baseUrl}\\d+$`)) as string,
    port: expect.any(Number) as number,
  });
  expect(said.stderr.match(/^Note: /gm) ?? []).toHaveLength(notes);
});
