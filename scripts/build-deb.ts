// `npm run build:deb`: dist/docent_VERSION_ARCH.deb for Debian 12 and Ubuntu 22.04 or later, of the executable that
// `npm run build:executable` made, with deploy/docent.service. Needs dpkg-deb.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, "dist");
const executable = path.join(dist, "docent");
const staged = path.join(dist, "deb");

const ENVIRONMENT = `# Environment of the service docent and of commands that the user docent runs: a variable a line, and a value with spaces
# or other special characters in single quotes. After a change: systemctl restart docent
# DOCENT_BASE_URL=https://docs.example.com
# DOCENT_SITE_DOMAIN=docs.example.com
# DOCENT_TRUSTED_PROXIES=127.0.0.1
`;

/**
 * Makes the user, whose home is no folder: a command must not unpack into the data directory. The environment may contain passwords. Starts the service on a first installation; an upgrade restarts it.
 */
const POSTINST = `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  adduser --system --group --home /nonexistent --no-create-home --quiet docent
  install --directory --owner docent --group docent --mode 0755 /var/cache/docent
  chown root:docent /etc/default/docent
  chmod 0640 /etc/default/docent
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --quiet docent.service
    systemctl restart docent.service
    echo "Docent runs at http://localhost:4000. The link that creates the owner's account: journalctl -u docent -n 20"
  fi
fi
`;
/** Data stays: it is removed by hand. */
const PRERM = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now --quiet docent.service
fi
`;

build();

function build(): void {
  if (!existsSync(executable)) {
    process.stderr.write('There is no dist/docent. Run "npm run build:executable" first.\n');
    process.exitCode = 1;
    return;
  }
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string };
  const architecture = execFileSync("dpkg", ["--print-architecture"], { encoding: "utf8" }).trim();
  rmSync(staged, { recursive: true, force: true });
  place("usr/lib/docent/docent", executable, 0o755);
  place("usr/bin/docent", path.join(root, "deploy", "docent.sh"), 0o755);
  place("lib/systemd/system/docent.service", path.join(root, "deploy", "docent.service"));
  place("usr/share/doc/docent/copyright", path.join(root, "LICENSE"));
  write("etc/default/docent", ENVIRONMENT);
  write("DEBIAN/conffiles", "/etc/default/docent\n");
  write("DEBIAN/postinst", POSTINST, 0o755);
  write("DEBIAN/prerm", PRERM, 0o755);
  write(
    "DEBIAN/control",
    `Package: docent
Version: ${version}
Architecture: ${architecture}
Maintainer: Docent maintainers <maintainers@docent.invalid>
Installed-Size: ${Math.ceil(statSync(executable).size / 1024)}
Depends: adduser, ca-certificates, git, libc6 (>= 2.35), libstdc++6
Section: web
Priority: optional
Description: Self-hosted documentation platform
 Hosts documentation from a git repository, runs agent jobs that open pull
 requests, and counts unique visitors, people and AI apart.
`,
  );
  const file = path.join(dist, `docent_${version}_${architecture}.deb`);
  execFileSync("dpkg-deb", ["--root-owner-group", "-Zgzip", "--build", staged, file], { stdio: "inherit" });
  rmSync(staged, { recursive: true });
}

function place(to: string, from: string, mode = 0o644): void {
  const target = path.join(staged, to);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(from, target);
  chmodSync(target, mode);
}

function write(to: string, text: string, mode = 0o644): void {
  const target = path.join(staged, to);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text, { mode });
}
