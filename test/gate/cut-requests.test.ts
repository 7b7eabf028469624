import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { expect, it } from "vitest";
import { startTestServer } from "#test/support/server.ts";

// Their failure has the code of a lost connection, as that of a database has.
it.each(["/sign-in", "/v2/agent/PROJECT/job"])(
  "a client that disconnects during its %s is not mistaken for a lost database",
  async (path) => {
    const lines: string[] = [];
    const logger = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
    await using server = await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n" },
      server: { logger },
    });
    const socket = connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      `POST ${path.replace("PROJECT", server.instance.project.id)} HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${server.instance.key}\r\nContent-Type: ${path === "/sign-in" ? "application/x-www-form-urlencoded" : "application/json"}\r\n` +
        `Origin: http://localhost\r\nContent-Length: 5000\r\n\r\nkey=half`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(lines.filter((line) => /out of reach|ECONNRESET|"level":50/.test(line))).toEqual([]);
  },
);
