import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string[];
  /** Headers and text, decoded. */
  text: string;
}

/** A mail server on loopback. `refusal` is its response to every mail while it is set. */
export async function startSmtpServer() {
  const received: ReceivedMail[] = [];
  const state: { refusal: { code: number; message: string } | null } = { refusal: null };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === "docent" && password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong password")),
    onRcptTo: (_address, _session, done) =>
      state.refusal === null
        ? done()
        : done(Object.assign(new Error(state.refusal.message), { responseCode: state.refusal.code })),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const text = raw
          .replaceAll(/=\r?\n/g, "")
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://docent:p%40ss@127.0.0.1:${port}`,
    received,
    state,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
