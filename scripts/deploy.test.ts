import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { loadConfig } from "#app/instance/config.ts";
import { createTestDirectory } from "#testing/repositories.ts";

const root = path.dirname(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const files = readdirSync(path.join(root, "deploy"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));

it.each([...files, "docs/operate/deployment.md", "docs/operate/configuration.md"])(
  "%s names only settings that exist",
  (file) => {
    // A variable of the reader's own shell, in an example of a call.
    const names = new Set(
      read(file)
        .match(/\bDOCENT_[A-Z_]*[A-Z]\b/g)
        ?.filter((name) => name !== "DOCENT_INSTANCE_KEY"),
    );
    for (const name of names) expect(() => loadConfig({}, { [name]: "" })).not.toThrow();
  },
);

it("Compose sets a server up that reads its configuration", () => {
  const { services } = parseAllDocuments(read("deploy/compose.yaml"))[0]!.toJS() as {
    services: Record<
      string,
      { environment?: Record<string, string>; volumes?: string[]; build?: { dockerfile: string } }
    >;
  };
  const environment = Object.fromEntries(
    Object.entries(services["docent"]!.environment!).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) =>
        variable === "DOMAIN" ? "docs.example.com" : "x",
      ),
    ]),
  );
  expect(loadConfig({}, environment)).toMatchObject({
    baseUrl: "https://docs.example.com",
    database: { engine: "postgres" },
    siteDomain: "docs.example.com",
  });
  expect(files).toContain(services["docent"]!.build!.dockerfile);
});

it("the image copies what its package needs and nothing of this machine", () => {
  const ignored = read("deploy/Dockerfile.dockerignore").trim().split("\n");
  const { files: packed, scripts } = JSON.parse(read("package.json")) as {
    files: string[];
    scripts: Record<string, string>;
  };
  expect(scripts["prepack"]).toBeDefined();
  for (const folder of ["src", "scripts", "clients", "examples", ...packed.filter((each) => !each.includes("dist"))]) {
    expect(ignored).not.toContain(folder);
  }
});

it("the Debian package runs commands of its user with the environment of the service, and nobody else's", async () => {
  await using directory = await createTestDirectory();
  const place = (name: string) => path.join(directory.path, name);
  const script = read("deploy/docent.sh")
    .replaceAll("/usr/lib/docent/docent", place("program"))
    .replaceAll("/etc/default/docent", place("default"));
  const program = '#!/bin/sh\necho "$1 $DOCENT_DATA $DOCENT_UNPACK_DIR $DATABASE_URL"\n';
  for (const [name, text] of [
    ["docent", script],
    ["program", program],
    ["id", "#!/bin/sh\necho $NAME\n"],
  ] as const) {
    writeFileSync(place(name), text, { mode: 0o755 });
  }
  writeFileSync(place("default"), "# DOCENT_PORT=1\nDATABASE_URL='postgres://a b'\n");
  const said = (env: Record<string, string>) =>
    execFileSync(place("docent"), ["backup"], {
      encoding: "utf8",
      env: { PATH: `${directory.path}:/usr/bin:/bin`, ...env },
    }).trimEnd();
  expect(said({ NAME: "docent" })).toBe("backup /var/lib/docent /var/cache/docent postgres://a b");
  expect(said({ NAME: "docent", DOCENT_DATA: "/data" })).toBe("backup /data /var/cache/docent");
  expect(said({ NAME: "anna" }).trimEnd()).toBe("backup");
});

it("Kubernetes stops the old version before the new one migrates the database", () => {
  expect(read("deploy/helm/docent/templates/docent.yaml")).toMatch(/^ {2}strategy:\n {4}type: Recreate$/m);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
it.runIf(hasSystemd)("systemd rates the unit as hardened", () => {
  const unit = path.join(root, "deploy", "docent.service");
  const said = execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=25", unit], {
    encoding: "utf8",
  });
  expect(said).toContain("Overall exposure level");
});
