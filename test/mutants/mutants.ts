import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

/** A small mistake put into the code on purpose, and the tests that must see it. */
export type Mutant = z.infer<typeof Mutant> & { area: string };

const Mutant = z.strictObject({
  /** What the mistake does, as a sentence. */
  name: z.string().min(10),
  /** The file below the root of the project. */
  file: z.string(),
  /** Text that occurs once in the file. */
  find: z.string().min(1),
  replace: z.string(),
  /** Test files of which at least one must fail. */
  tests: z.array(z.string()).min(1),
  /** Why no test can see it, for the few that survive. */
  survives: z.string().min(20).optional(),
});

/** All mutants of `test/mutants/*.json` below `root`, by file name. Throws on a list that is not one. */
export function readMutants(root: string): Mutant[] {
  const folder = path.join(root, "test/mutants");
  const lists = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return lists.sort().flatMap((name) => {
    const list = z.array(Mutant).parse(JSON.parse(readFileSync(path.join(folder, name), "utf8")));
    return list.map((mutant) => ({ ...mutant, area: name.replace(/\.json$/, "") }));
  });
}

/** The file's text with the mistake in it. Throws when its place is not there exactly once. */
export function mutate(text: string, { file, find, replace }: Mutant): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places with ${JSON.stringify(find)}, not one.`);
  return text.replace(find, () => replace);
}

/** What is wrong with a mutant as it is written: it has no place in the code, changes nothing, or names a file that does not exist. */
export function faultsOf(root: string, mutant: Mutant): string[] {
  const title = `${mutant.area}: ${mutant.name}`;
  const missing = [mutant.file, ...mutant.tests].filter((file) => !existsSync(path.join(root, file)));
  if (missing.length > 0) return missing.map((file) => `${title}: there is no ${file}`);
  const text = readFileSync(path.join(root, mutant.file), "utf8");
  try {
    return mutate(text, mutant) === text ? [`${title}: changes nothing`] : [];
  } catch (error) {
    return [`${title}: ${String(error)}`];
  }
}
