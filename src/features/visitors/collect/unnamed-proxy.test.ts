import { pino } from "pino";
import { expect, test } from "vitest";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { createProxyWatch } from "./unnamed-proxy.ts";

/** A watch, and the lines of its log. */
function watchWith(trustedProxies: string[] = []) {
  const lines: unknown[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const isTrustedProxy = parseAddressRanges(trustedProxies);
  const watch = createProxyWatch({ trustedProxies, isTrustedProxy, logger });
  /** Sends requests with this many user agents, each with forwarding headers of an address of its own. */
  const come = (peer: string, readers: number, headersOf: (reader: string) => Record<string, string> = () => ({})) => {
    for (let reader = 0; reader < readers; reader++) {
      const headers = new Headers({ "user-agent": `Reader/${reader}`, ...headersOf(`203.0.113.${reader}`) });
      watch.note({ headers }, peer);
    }
    return watch.found();
  };
  return { come, lines };
}
const forwardedFor = (reader: string) => ({ "x-forwarded-for": reader });
const inTls = () => ({ "x-forwarded-proto": "https" });

test("a private peer that forwards for three user agents is a proxy, and the log says once what to set", () => {
  const { come, lines } = watchWith(["192.168.0.0/16"]);
  expect(come("::ffff:10.0.0.5", 2, forwardedFor)).toBeNull();
  const found = { address: "10.0.0.5", namesReaders: true, trustedProxies: "192.168.0.0/16,10.0.0.5" };
  expect(come("10.0.0.5", 3, forwardedFor)).toEqual(found);
  come("10.0.0.6", 30, forwardedFor);
  expect(lines).toMatchObject([{ level: 40, ...found }]);
});

test("detects a proxy that does not name readers by its other headers, or by the number of user agents", () => {
  expect(watchWith().come("127.0.0.1", 3, inTls)).toMatchObject({ address: "127.0.0.1", namesReaders: false });
  expect(watchWith().come("172.17.0.1", 19)).toBeNull();
  expect(watchWith().come("172.17.0.1", 20)).toMatchObject({ address: "172.17.0.1", namesReaders: false });
  const named = watchWith(["127.0.0.1"]).come("127.0.0.1", 20);
  expect(named).toEqual({ address: "127.0.0.1", namesReaders: false, trustedProxies: "127.0.0.1" });
});

test("detects a proxy in front of a trusted one, and not a trusted one that names readers", () => {
  const behindTwo = (reader: string) => ({ "x-forwarded-for": `${reader}, 10.0.0.7` });
  expect(watchWith(["127.0.0.1"]).come("127.0.0.1", 3, behindTwo)).toMatchObject({ address: "10.0.0.7" });
  expect(
    watchWith(["127.0.0.1"]).come("127.0.0.1", 90, (reader) => ({ ...forwardedFor(reader), ...inTls() })),
  ).toBeNull();
});

test("a public address that forwards is the server's proxy only when nearly all readers come through it", () => {
  const { come } = watchWith();
  expect(come("198.41.128.1", 10, forwardedFor)).toBeNull();
  for (let reader = 0; reader < 20; reader++) come(`93.184.216.${reader}`, 1);
  expect(come("198.41.128.1", 40, forwardedFor)).toBeNull();
  expect(watchWith().come("198.41.128.1", 20, forwardedFor)).toMatchObject({ address: "198.41.128.1" });
  expect(watchWith().come("198.41.128.1", 90)).toBeNull(); // an office, or a school
});
