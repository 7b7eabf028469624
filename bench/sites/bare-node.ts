import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// The maximum of Node's own HTTP server: the same bytes with the same headers for every request, and nothing else.
const [, , file, headers] = process.argv;
const body = readFileSync(file!);
const sent = JSON.parse(headers!) as Record<string, string>;
const server = createServer((_request, response) => response.writeHead(200, sent).end(body));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}`, port })}\n`);
});
