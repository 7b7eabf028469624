import { expect, test } from "vitest";
import { isPublicAddress, parseAddressRanges, unmappedAddress } from "./network-address.ts";

const PRIVATE = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "168.63.129.16",
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "2001:db8::1",
  "3fff::1",
  "100::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:169.254.169.254",
  "::127.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::808:808",
  "2002:7f00:1::",
  "2002:c0a8:101::1",
  "2001:0:1::1",
  "5f00::1",
  "",
  "example.com",
  "1.2.3",
  "0x7f.1",
];
const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "172.32.0.1",
  "100.128.0.1",
  "192.0.1.1",
  "2606:4700:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
  "2002:808:808::1",
];

test.each(PRIVATE)("%j is not on the public Internet", (address) => expect(isPublicAddress(address)).toBe(false));
test.each(PUBLIC)("%j is on the public Internet", (address) => expect(isPublicAddress(address)).toBe(true));

test("a range contains the addresses inside it, of its own family only", () => {
  const isInside = parseAddressRanges(["10.1.0.0/16", "fd12::/16", "192.168.7.9"]);
  expect(["10.1.200.3", "fd12:34::1", "192.168.7.9"].map(isInside)).toEqual([true, true, true]);
  expect(["10.2.0.0", "fd13::1", "192.168.7.10", "nonsense"].map(isInside)).toEqual([false, false, false, false]);
});

test.each(["::/0", "::/1", "::/64", "::/80", "::fffe:0:0/80", "0:0:0:0:0:fffe::/95"])(
  "%s contains no IPv4 address",
  (range) => {
    const isInside = parseAddressRanges([range]);
    expect(["1.2.3.4", "::ffff:1.2.3.4", "::ffff:102:304"].map(isInside)).toEqual([false, false, false]);
  },
);

test("an IPv4-mapped address counts as the IPv4 address, in ranges and in lookups", () => {
  for (const range of ["10.0.0.0/8", "::ffff:10.0.0.0/104", "::ffff:a00:0/104"]) {
    const isInside = parseAddressRanges([range]);
    expect(["10.1.2.3", "::ffff:10.1.2.3", "::ffff:a01:203", "11.0.0.1"].map(isInside)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  }
  const everywhere = parseAddressRanges(["0.0.0.0/0", "::/0"]);
  expect(["1.2.3.4", "::ffff:1.2.3.4", "2001:db8::1", "::1"].map(everywhere)).toEqual([true, true, true, true]);
  expect(["2001:db8::1", "::1"].map(parseAddressRanges(["0.0.0.0/0"]))).toEqual([false, false]);
});

test.each(["10.0.0.0/33", "10.0.0.0/8/9", "10.0.0.0/x", "10.0.0", "hello", "::/129"])(
  "refuses %j as a range",
  (range) => {
    expect(() => parseAddressRanges([range])).toThrow(RangeError);
  },
);

test("returns the IPv4 form of an IPv4 address in IPv6", () => {
  expect(unmappedAddress("::ffff:10.1.2.3")).toBe("10.1.2.3");
  expect(unmappedAddress("2001:db8::1")).toBe("2001:db8::1");
});
