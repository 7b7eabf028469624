import { addressPrefix, plainAddress } from "#features/visitors/client-address.ts";
import { AppError } from "#lib/app-error.ts";
import { ONE_PROJECT, onProject } from "#cli/command/action.ts";
import { UsageError } from "#cli/command/command.ts";
import { writeLine } from "#cli/command/io.ts";

const texts = { type: "string", multiple: true } as const;

/** `docent analytics erase`. */
export const eraseReaders = onProject(
  ONE_PROJECT,
  { address: { type: "string" }, "user-agent": texts, cookie: texts, yes: { type: "boolean" } },
  ({ values, io }) => {
    const address = plainAddress(values.address ?? "");
    if (address === null) throw new UsageError("--address takes an IPv4 or IPv6 address.");
    const who = addressPrefix(address);
    return async ({ call, name }) => {
      const question = `Erase everything that ${name} stores about readers with the address ${who}?`;
      const isConfirmed = values.yes === true || (await io.confirm(question));
      if (isConfirmed === null)
        throw new AppError("conflict", `Nothing was erased. To erase ${who} permanently, add --yes.`);
      if (!isConfirmed) return writeLine(io.stderr, "Nothing was erased.");
      const erased = await call("eraseAddress", {
        body: {
          address,
          userAgents: values["user-agent"] ?? [],
          cookies: values.cookie ?? [],
        },
      });
      const { visitors, views, days, feedback, damagedFiles, notReached } = erased;
      const [seen, on, numbers, votes] = [views, days, visitors, feedback].map((count) => count.toLocaleString("en"));
      const words = [
        `${seen} views of ${numbers} visitor ids on ${on} days`,
        feedback > 0 && `${votes} votes and comments`,
        damagedFiles !== null && damagedFiles > 0 && `${damagedFiles} damaged files`,
      ];
      const lines = [
        `Erased the readers of ${who} from ${name}: ${words.filter(Boolean).join(", ")}.`,
        ...notReached.map((limit) => `Not reached: ${limit}`),
      ];
      return { json: erased, text: lines.join("\n") };
    };
  },
);
