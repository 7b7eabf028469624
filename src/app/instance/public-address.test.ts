import { describe, expect, it } from "vitest";
import { loadConfig } from "./config.ts";
import { addressNotes, publicAddress } from "./public-address.ts";

const settings = (host: string, environment: Record<string, string> = {}) => loadConfig({ host }, environment);

describe("the address of a server", () => {
  it.each([
    ["127.0.0.1", "http://localhost:4000"],
    ["localhost", "http://localhost:4000"],
    ["::1", "http://localhost:4000"],
    ["192.0.2.7", "http://192.0.2.7:4000"],
    ["127.0.0.2", "http://127.0.0.2:4000"],
    ["2001:db8::7", "http://[2001:db8::7]:4000"],
    ["fe80::1%eth0", "http://[fe80::1]:4000"],
    ["docs.internal", "http://docs.internal:4000"],
    ["0.0.0.0", "http://localhost:4000"],
    ["::", "http://localhost:4000"],
  ])("that listens at %s is %s", (host, address) => {
    expect(publicAddress(settings(host), 4000)).toBe(address);
    expect(URL.canParse(address)).toBe(true);
  });

  it("is the configured one, regardless of the listening address", () => {
    const config = settings("192.0.2.7", { DOCENT_BASE_URL: "https://docs.example.com/" });
    expect(publicAddress(config, 4000)).toBe("https://docs.example.com");
  });
});

describe("the notes on addresses at startup", () => {
  const notes = (host: string, environment: Record<string, string> = {}) => {
    const config = settings(host, environment);
    return addressNotes(config, publicAddress(config, 4000));
  };

  it("are empty if all addresses work", () => {
    expect(notes("127.0.0.1")).toEqual([]);
    expect(notes("0.0.0.0", { DOCENT_BASE_URL: "https://a.example", DOCENT_SITE_DOMAIN: "a.example" })).toEqual([]);
    expect(notes("192.0.2.7", { DOCENT_SITE_DOMAIN: "docs.example.com" })).toEqual([]);
  });

  it.each(["0.0.0.0", "::"])("suggests setting the public URL when listening at %s", (host) => {
    const [links, sites, ...more] = notes(host);
    expect(links).toMatch(
      /links \(prLink, repositories\) begin with http:\/\/localhost:4000 and are broken from other machines\. Set DOCENT_BASE_URL/,
    );
    expect(sites).toBe(
      "Sites are at http://{project}.localhost:4000/, which this machine alone can open. Set DOCENT_SITE_DOMAIN to a " +
        "domain whose subdomains all lead to this server.",
    );
    expect(more).toEqual([]);
  });

  it.each([
    ["192.0.2.7", {}],
    ["2001:db8::7", {}],
    ["127.0.0.1", { DOCENT_BASE_URL: "http://192.0.2.7:4000" }],
  ])("says that an IP address has no names for sites below it: %s %j", (host, environment) => {
    expect(notes(host, environment)).toEqual([
      "Sites are at http://{project}.localhost:4000/, which this machine alone can open. There are no names below an IP " +
        "address: set DOCENT_SITE_DOMAIN to a domain whose subdomains all lead to this server.",
    ]);
  });
});
