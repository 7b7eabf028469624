import { readFileSync } from "node:fs";
import { AppError, errorText } from "#lib/app-error.ts";

/** Settings that may be in a file, as secrets are mounted by Kubernetes, Docker and systemd. */
const IN_FILES = [
  "DATABASE_URL",
  "DOCENT_SECRET_KEY",
  "DOCENT_METRICS_TOKEN",
  "DOCENT_OIDC",
  "DOCENT_SMTP",
  "DOCENT_S3_ACCESS_KEY_ID",
  "DOCENT_S3_SECRET_ACCESS_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
];

/** Replaces each `NAME_FILE` of a secret setting by `NAME` with the content of that file. `AppError invalid`. */
export function withSecretFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const expanded = { ...environment };
  for (const name of IN_FILES) {
    const file = environment[`${name}_FILE`];
    delete expanded[`${name}_FILE`];
    if (!file) continue;
    const refuse = (words: string) => new AppError("invalid", `The configuration is not valid. ${name}_FILE: ${words}`);
    if (environment[name]) throw refuse(`${name} is set as well; remove one of them`);
    try {
      expanded[name] = readFileSync(file, "utf8").trim();
    } catch (error) {
      throw new AppError("invalid", refuse(`the file cannot be read (${errorText(error)})`).message, { cause: error });
    }
  }
  return expanded;
}
