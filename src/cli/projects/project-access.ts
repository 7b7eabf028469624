import type { Input } from "#client/client.ts";
import { AppError } from "#lib/app-error.ts";
import { onProject } from "#cli/command/action.ts";

type Access = NonNullable<NonNullable<Input<"updateProject">["body"]>["access"]>;

/** `docent projects access PROJECT [MODE]`: who may read the site. Reads a password from standard input. */
export const setProjectAccess = onProject(
  { min: 1, max: 2, names: "PROJECT and a MODE" },
  {},
  ({ words: [, mode], io }) => {
    if (mode !== undefined && !Object.hasOwn(WORDS, mode)) {
      throw new AppError("invalid", `MODE is one of ${Object.keys(WORDS).join(", ")}.`);
    }
    return async ({ call }) => {
      const password = mode === "password" && { password: (await io.readInput()).replace(/\r?\n$/, "") };
      const wanted: object = { mode, ...password };
      const project = await (mode === undefined
        ? call("getProject")
        : call("updateProject", { body: { access: wanted as Access } }));
      const { id, slug, access: now } = project;
      return { json: { id, slug, mode: now.mode }, text: `${slug} is ${WORDS[now.mode] ?? now.mode}.` };
    };
  },
);

const WORDS: Record<string, string> = {
  public: "public: everybody may read it",
  password: "private: it opens by its password, by links and to keys of the project",
  dashboard: "private: it opens to people who can sign in to its dashboard, with links and with keys of the project",
  links: "private: it opens by links and to keys of the project",
};
