import { expect, test } from "vitest";
import { holdsCredentials } from "./credential-files.ts";

test.each([
  ".env", ".env.local", "app/.env.production", ".envrc", "prod.env", ".ENV", "certs/server.pem", "server.key", "id_rsa",
  "keys/id_ed25519", ".npmrc", ".netrc", "_netrc", ".pypirc", ".git-credentials", ".htpasswd", ".aws/credentials", ".aws/config",
  "credentials", "credentials.json", "client_secret.json", "client-secrets.json", "service-account.json", "gcp-service-account.json",
  "prod.tfvars", "terraform.tfstate", "x.tfstate.backup", "release.keystore", "app.jks", "cert.p12", "cert.pfx", "kubeconfig",
  "kubeconfig.yaml", ".kube/config", "secrets.yaml", "config/secrets.yml", "db.secrets.json", "vault.kdbx", ".docker/config.json",
  ".ssh/notes.md", "master.key", "auth.json", "ｃredentials.json", ".env.md", "passwords.csv", "key.asc",
  ".dev.vars", "id_rsa.bak", "id_rsa.old~", ".env.bak.1", "serviceAccountKey.json", "firebase-adminsdk.json", "acme-firebase-adminsdk-x1.json",
  "appsettings.Production.json", "wp-config.php", "config/database.yml", "local.settings.json",
])("%s holds credentials", (path) => expect(holdsCredentials(path)).toBe(true)); // oxfmt-ignore

test.each([
  "index.mdx", "guides/credentials.md", "guides/secrets.mdx", "reference/tokens.md", "docs.json", "package.json", "src/main.ts",
  "environment.md", "api/openapi.yaml", "src/tokenizer.json", "tokens.json", "design-tokens.css", "keyboard.json", ".github/workflows/ci.yml", "AGENTS.md",
  "id_rsa.pub", "secretary.json", "guide.md.bak", "settings.json", "database.md", "v1.2", "src/env.ts", ".docent/AGENTS.md", "LICENSE",
])("%s does not hold credentials", (path) => expect(holdsCredentials(path)).toBe(false)); // oxfmt-ignore
