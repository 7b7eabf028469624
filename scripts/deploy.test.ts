import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { loadConfig } from "#app/instance/config.ts";

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

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
it.runIf(hasSystemd)("systemd rates the unit as hardened", () => {
  const unit = path.join(root, "deploy", "docent.service");
  const said = execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=25", unit], {
    encoding: "utf8",
  });
  expect(said).toContain("Overall exposure level");
});
