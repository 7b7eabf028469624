import { DATA_BAND, FLUSH, inBand, pktLine } from "#hosts/embedded/side-band.ts";

const TEXT_BAND = 2;

/** A host's response to a push that its hooks refuse, in git's own protocol: its messages, then the reason. */
export async function refusedPush(push: Request, said: string, reason: string): Promise<Response> {
  const commands = Buffer.from(await push.arrayBuffer()).toString("latin1");
  const reference = /[0-9a-f]{40} [0-9a-f]{40} (refs\/heads\/[^\0]+)\0/.exec(commands)![1]!;
  const report = Buffer.concat([pktLine("unpack ok\n"), pktLine(`ng ${reference} ${reason}\n`), FLUSH]);
  const body = Buffer.concat([...inBand(TEXT_BAND, Buffer.from(`${said}\n`)), ...inBand(DATA_BAND, report), FLUSH]);
  return new Response(body, { headers: { "content-type": "application/x-git-receive-pack-result" } });
}
