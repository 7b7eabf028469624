import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTestDirectory } from "#testing/repositories.ts";
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

  it("reads where traces go from OpenTelemetry's own variables", () => {
    const traces = (variables: Record<string, string>) => {
      const read = loadConfig({}, variables).traces;
      return read instanceof Error ? read.message : read;
    };
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.internal:4318/" };
    expect(traces({ OTEL_SERVICE_NAME: "docs" })).toBeNull();
    expect(traces({ ...endpoint, OTEL_SDK_DISABLED: "True" })).toBeNull();
    expect(traces({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toBeNull();
    expect(traces(endpoint)).toMatchObject({ url: "http://collector.internal:4318/v1/traces", ratio: 1, resource: { "service.name": "docent" } });
    const more = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/otlp?a=1",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20a2V5,x-tenant = docs",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=staging",
      OTEL_SERVICE_NAME: "docs",
    };
    const read = traces({ ...endpoint, ...more });
    expect(read).toMatchObject({ url: "https://traces.example/otlp?a=1", ratio: 0.25, resource: { "service.name": "docs", "deployment.environment.name": "staging" } });
    expect(JSON.stringify(read)).not.toContain("a2V5");
    expect(traces({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toContain("OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf, which collectors accept on port 4318");
    expect(traces({ ...endpoint, OTEL_TRACES_SAMPLER: "jaeger_remote" })).toContain("OTEL_TRACES_SAMPLER: must be one of");
    expect(traces({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: "secret" })).toContain("must be a list such as key=value,other=value");
  }); // oxfmt-ignore

  it("strips trailing slashes from the public URL", () => {
    expect(loadConfig({}, { DOCENT_BASE_URL: "https://docs.example.com//" }).baseUrl).toBe("https://docs.example.com");
  });

  it.each([
    ["DOCENT_PROT", "4000", "there is no such setting"],
    ["DOCENT_PORT", "70000", "must be at most 65535"],
    ["DOCENT_PORT", "http", "must be a number"],
    ["DOCENT_BASE_URL", "docs.example.com", "must be a URL"],
    ["DOCENT_BASE_URL", "ftp://docs.example.com", "must be a URL"],
    ["DOCENT_BASE_URL", "https://example.com/docs", "must be a scheme, a host and a port"],
    ["DOCENT_BASE_URL", "https://user@example.com", "must be a scheme, a host and a port"],
    ["DOCENT_TRUSTED_PROXIES", "127.0.0.1, 1.2.3.400", '"1.2.3.400" is not an address range'],
    ["DOCENT_TRUSTED_PROXIES", "proxy.internal", '"proxy.internal" is not an address range'],
    ["DOCENT_WEBHOOK_ALLOW", "hooks.internal,1.2.3.400", '"1.2.3.400" is not a host, an address or a range'],
    ["DOCENT_CODE_HOST_ALLOW", "10.0.0.0/33", '"10.0.0.0/33" is not an address range'],
    ["DOCENT_SITE_DOMAIN", "https://docs.example.com", "must be a domain"],
    ["DOCENT_SITE_DOMAIN", "docs.example.com:8080", "must be a domain"],
    ["DOCENT_REPOSITORIES", "database", "database needs DATABASE_URL"],
    ["DOCENT_REPOSITORIES", "s3", "s3 needs DATABASE_URL"],
    ["DOCENT_S3_BUCKET", "s3://packs/docent", "must be the name of a bucket"],
    ["DATABASE_URL", "mysql://localhost/x", "must start with postgres://"],
  ])("refuses %s=%s and says why", (name, value, reason) => {
    expect(() => loadConfig({}, { [name]: value })).toThrow(`${name}: ${reason}`);
  });

  it("takes hosts, addresses and ranges where it lists them", () => {
    const lists = {
      DOCENT_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,",
      DOCENT_WEBHOOK_ALLOW: "*.ci.internal,::1",
      DOCENT_BASE_URL: "https://bücher.example:443/",
    };
    expect(loadConfig({}, lists)).toMatchObject({
      trustedProxies: ["127.0.0.1", "10.0.0.0/8"],
      webhooks: { allow: ["*.ci.internal", "::1"] },
      codeHosts: { allow: [] },
      baseUrl: "https://bücher.example:443",
    });
  });

  it("never prints the database password", () => {
    const config = loadConfig({}, { DATABASE_URL: "postgres://docent:hunter2@db/docent" });
    expect(`${JSON.stringify(config)} ${JSON.stringify({ ...config.database })}`).not.toContain("hunter2");
  });

  it("reads a bucket with its key from a file, and never prints the key", async () => {
    await using folder = await createTestDirectory();
    const file = path.join(folder.path, "secret");
    await writeFile(file, "hunter2\n");
    const bucket = {
      DOCENT_S3_BUCKET: "packs",
      DOCENT_S3_PREFIX: "/team/docent/",
      DOCENT_S3_ACCESS_KEY_ID: "id",
      DOCENT_S3_SECRET_ACCESS_KEY_FILE: file,
    };
    const { objectStorage } = loadConfig({}, bucket);
    expect(objectStorage).toMatchObject({ prefix: "team/docent/", isPathStyle: false, keepDays: 7 });
    expect(objectStorage?.secretAccessKey.reveal()).toBe("hunter2");
    expect(JSON.stringify(objectStorage)).not.toContain("hunter2");
    const own = loadConfig({}, { ...bucket, DOCENT_S3_ENDPOINT: "https://s3.example.com" });
    expect(own.objectStorage?.isPathStyle).toBe(true);
  });

  it.each([
    [{ DOCENT_S3_BUCKET: "packs" }, "DOCENT_S3_ACCESS_KEY_ID: DOCENT_S3_BUCKET needs it"],
    [{ DOCENT_S3_ENDPOINT: "https://s3.example.com" }, "DOCENT_S3_BUCKET: DOCENT_S3_ENDPOINT needs it"],
    [
      { DOCENT_REPOSITORIES: "s3", DATABASE_URL: "postgres://db/x" },
      "DOCENT_S3_BUCKET: DOCENT_REPOSITORIES=s3 needs it",
    ],
    [{ DOCENT_SECRET_KEY_FILE: "/none" }, "DOCENT_SECRET_KEY_FILE: the file cannot be read"],
    [{ DOCENT_SECRET_KEY_FILE: "/none", DOCENT_SECRET_KEY: "x" }, "DOCENT_SECRET_KEY is set as well"],
  ])("refuses settings that are incomplete: %o", (environment, words) => {
    expect(() => loadConfig({}, environment)).toThrow(words);
  });

  it("passes only the models on to a demo", () => {
    const kept = { PATH: "/bin", OPENAI_API_KEY: "k", DOCENT_MODELS: "{}", DOCENT_DEFAULT_MODEL: "a/b" };
    const own = { DATABASE_URL: "postgres://db/x", DOCENT_DATA: "/srv", DOCENT_BASE_URL: "https://a.example" };
    expect(demoEnvironment({ ...kept, ...own })).toEqual(kept);
  });
});
