import { describe, expect, it } from "vitest";
import { demoEnvironment, loadConfig } from "./config.ts";

describe("the configuration", () => {
  it("has a default for every setting", () => {
    const config = loadConfig({}, {});
    expect(config).toMatchObject({
      database: { engine: "sqlite" },
      host: "127.0.0.1",
      port: 4000,
      baseUrl: null,
      siteDomain: "localhost",
      limits: { agentCallsPerHour: 100, analyticsCallsPerHour: 1000, keysPerHour: 10 },
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("prefers options to variables, and treats an empty variable as unset", () => {
    const config = loadConfig(
      { port: 5000 },
      { DOCENT_PORT: "6000", DOCENT_HOST: "", DOCENT_SITE_DOMAIN: "Docs.Example" },
    );
    expect(config).toMatchObject({ port: 5000, host: "127.0.0.1", siteDomain: "docs.example" });
  });

  it("strips trailing slashes from the public URL", () => {
    expect(loadConfig({}, { DOCENT_BASE_URL: "https://docs.example.com//" }).baseUrl).toBe("https://docs.example.com");
  });

  it.each([
    ["DOCENT_PROT", "4000", "there is no such setting"],
    ["DOCENT_PORT", "70000", "must be at most 65535"],
    ["DOCENT_PORT", "http", "must be a number"],
    ["DOCENT_BASE_URL", "docs.example.com", "must be a URL"],
    ["DOCENT_BASE_URL", "ftp://docs.example.com", "must be a URL"],
    ["DOCENT_SITE_DOMAIN", "https://docs.example.com", "must be a domain"],
    ["DOCENT_SITE_DOMAIN", "docs.example.com:8080", "must be a domain"],
    ["DOCENT_REPOSITORIES", "database", "database needs DATABASE_URL"],
    ["DATABASE_URL", "mysql://localhost/x", "must start with postgres://"],
  ])("refuses %s=%s and says why", (name, value, reason) => {
    expect(() => loadConfig({}, { [name]: value })).toThrow(`${name}: ${reason}`);
  });

  it("never prints the database password", () => {
    const config = loadConfig({}, { DATABASE_URL: "postgres://docent:hunter2@db/docent" });
    expect(`${JSON.stringify(config)} ${JSON.stringify({ ...config.database })}`).not.toContain("hunter2");
  });

  it("passes only the models on to a demo", () => {
    const kept = { PATH: "/bin", OPENAI_API_KEY: "k", DOCENT_MODELS: "{}", DOCENT_DEFAULT_MODEL: "a/b" };
    const own = { DATABASE_URL: "postgres://db/x", DOCENT_DATA: "/srv", DOCENT_BASE_URL: "https://a.example" };
    expect(demoEnvironment({ ...kept, ...own })).toEqual(kept);
  });
});
