import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { addressPrefix, clientAddress, plainAddress } from "./client-address.ts";

const proxies = parseAddressRanges(["10.0.0.0/8", "2001:db8:ffff::/48"]);

test("ignores the header without a trusted proxy, whatever it says", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.ipV4(),
        fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())).map((all) => all.join(", ")),
      ),
      (forwardedFor) => {
        expect(clientAddress({ peer: "198.51.100.7", forwardedFor, isTrustedProxy: proxies })).toBe("198.51.100.7");
      },
    ),
  );
});

test("behind trusted proxies only the right-most untrusted address counts, whatever a client puts left of it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.ipV4(), fc.string())).map((all) => all.join(",")),
      (forged) => {
        const forwardedFor = `${forged}, 198.51.100.7, 10.1.1.1`;
        expect(clientAddress({ peer: "10.0.0.1", forwardedFor, isTrustedProxy: proxies })).toBe("198.51.100.7");
      },
    ),
  );
});

test("an invalid hop ends the search at the proxy before it", () => {
  expect(clientAddress({ peer: "10.0.0.1", forwardedFor: "198.51.100.7, unknown", isTrustedProxy: proxies })).toBe(
    "10.0.0.1",
  );
  expect(clientAddress({ peer: "10.0.0.1", forwardedFor: null, isTrustedProxy: proxies })).toBe("10.0.0.1");
});

test.each([
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:c000:201", "192.0.2.1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["192.0.2.1:8080", "192.0.2.1"],
  ["fe80::1%eth0", "fe80::1"],
  ["nonsense", null],
  ["", null],
])("%s is the address %s", (text, address) => {
  expect(plainAddress(text)).toBe(address);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
])("a visitor at %s is identified by %s", (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix);
});
