import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ingestSnippet } from "#features/visitors/collect/ingest-snippet.ts";
import { browserModule } from "#kit/pages/browser-modules.ts";

// The scripts that confirm views, in as much of a browser as they use.

interface Sent {
  path: string;
  referrer: string;
  id: string;
  automated: unknown;
  missing?: unknown;
}

function openPage(
  script: string,
  given: {
    hash?: string;
    base?: string;
    pathname?: string;
    webdriver?: boolean;
    status?: number | undefined;
    without?: string;
    kept?: string;
  } = {},
) {
  const sent: Sent[] = [];
  const requests: { by: string; keepalive: unknown; method: unknown }[] = [];
  const asked: string[] = [];
  const listeners = new Map<string, ((event: object) => void)[]>();
  const listen = (name: string, listener: (event: object) => void) =>
    void listeners.set(name, [...(listeners.get(name) ?? []), listener]);
  const storage = new Map(given.kept === undefined ? [] : [[given.kept, "1"]]);
  const location = {
    pathname: given.pathname ?? `${given.base ?? ""}/guide`,
    hash: given.hash ?? "",
    get href() {
      return `http://docs.example${location.pathname}?token=secret`;
    },
  };
  const read = (address: string, body: string | undefined) => {
    asked.push(new URL(address, "http://docs.example").pathname);
    const fields = body ?? JSON.stringify(Object.fromEntries(new URL(address, "http://docs.example").searchParams));
    sent.push(JSON.parse(fields) as Sent);
  };
  const change = (_state: unknown, _title: string, address: string) => void (location.pathname = address);
  const browser = {
    document: {
      referrer: "https://news.example/a?b=c",
      visibilityState: "visible",
      addEventListener: listen,
      documentElement: { dataset: given.base === undefined ? {} : { base: given.base } },
    },
    location,
    history: { pushState: change, replaceState: change },
    navigator: {
      cookieEnabled: true,
      webdriver: given.webdriver,
      ...(given.without !== "sendBeacon" && {
        sendBeacon: (address: string, body?: string) => {
          requests.push({ by: "beacon", keepalive: true, method: "POST" });
          read(address, body);
          return true;
        },
      }),
    },
    fetch: async (address: string, options: { method: string; keepalive: boolean; body?: string }) => {
      requests.push({ by: "fetch", keepalive: options.keepalive, method: options.method });
      read(address, options.body);
    },
    localStorage: {
      getItem: (key: string) => {
        if (given.without === "localStorage") throw new Error("blocked");
        return storage.get(key) ?? null;
      },
      setItem: (key: string, value: string) => void storage.set(key, value),
      removeItem: (key: string) => void storage.delete(key),
    },
    // Without `randomUUID`, as on plain http.
    crypto: { getRandomValues: (bytes: Uint8Array) => crypto.getRandomValues(bytes) },
    addEventListener: listen,
    performance: { getEntriesByType: () => (given.status === undefined ? [] : [{ responseStatus: given.status }]) },
    btoa,
    URLSearchParams,
    Uint8Array,
  };
  runInNewContext(script, browser);
  const fire = (name: string, event: object = {}) => listeners.get(name)?.forEach((listener) => listener(event));
  return { sent, asked, requests, fire, location, history: browser.history, storage };
}

const scripts = [
  ["the site's script", browserModule("confirm-view")],
  ["the snippet for sites elsewhere", ingestSnippet({ endpoint: "https://docent.example/ingest/x" }).slice(8, -9)],
] as const;

test("the site's script knows the base path of its site", () => {
  const { sent, asked } = openPage(browserModule("confirm-view"), { base: "/docs" });
  expect([asked, sent.map(({ path }) => path)]).toEqual([["/docs/_docent/view"], ["/guide"]]);
  const home = openPage(browserModule("confirm-view"), { base: "/docs", pathname: "/docs" });
  expect(home.sent.map(({ path }) => path)).toEqual(["/"]);
});

test("the snippet says that its host answered 404, until another page is opened", () => {
  const [, [, snippet]] = scripts;
  const { sent, history } = openPage(snippet, { status: 404 });
  history.pushState(null, "", "/found");
  expect(sent.map(({ missing }) => missing)).toEqual([true, false]);
  expect([200, undefined].map((status) => openPage(snippet, { status }).sent[0]?.missing)).toEqual([false, false]);
});

describe.each(scripts)("%s", (_name, script) => {
  test("sends the page's path and the referring site, and nothing else of either address", () => {
    const { sent, history } = openPage(script);
    history.pushState(null, "", "/next");
    expect(sent.map(({ path, referrer }) => [path, referrer])).toEqual([
      ["/guide", "https://news.example"],
      ["/next", "http://docs.example"],
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/secret|b=c/);
    expect(sent[0]?.id).toMatch(/^[\w+/]{22}==$/);
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
  });

  test("counts a page once, one that pushState and replaceState open, and one from the back-forward cache", () => {
    const { sent, history, fire } = openPage(script);
    fire("visibilitychange");
    fire("pageshow", { persisted: false });
    history.replaceState(null, "", "/guide");
    history.replaceState(null, "", "/replaced");
    history.pushState(null, "", "/pushed");
    fire("pageshow", { persisted: true });
    expect(sent.map(({ path }) => path)).toEqual(["/guide", "/replaced", "/pushed", "/pushed"]);
  });

  test("reports an automated browser", () => {
    expect(openPage(script, { webdriver: true }).sent.map(({ automated }) => String(automated))).toEqual(["true"]);
    expect(openPage(script, { webdriver: false }).sent.map(({ automated }) => String(automated))).toEqual(["false"]);
    expect(String(openPage(script).sent[0]?.automated)).not.toBe("true");
  });

  test("falls back to a keepalive request if there is no beacon", () => {
    const { requests } = openPage(script, { without: "sendBeacon" });
    expect(requests).toEqual([{ by: "fetch", keepalive: true, method: "POST" }]);
  });

  test("sends nothing for a reader who opted out, on this and later visits, until they opt in", () => {
    const left = openPage(script, { hash: "#docent-do-not-count" });
    expect([left.sent, [...left.storage.keys()]]).toEqual([[], ["docent-do-not-count"]]);
    expect(openPage(script, { kept: "docent-do-not-count" }).sent).toEqual([]);
    const back = openPage(script, { kept: "docent-do-not-count", hash: "#docent-count" });
    expect([back.sent.length, back.storage.size]).toEqual([1, 0]);
    expect(openPage(script, { without: "localStorage" }).sent).toHaveLength(1);
    expect(openPage(script, { without: "localStorage", hash: "#docent-do-not-count" }).sent).toEqual([]);
  });
});
