import { requireProject } from "#features/projects/projects.ts";
import {
  apiAccessToJson,
  askApiAddresses,
  readApiAccess,
  saveApiAccess,
} from "#features/sites/api-addresses/api-access.ts";
import { openInstance } from "./open-instance.ts";
import type { ApiActions } from "./places/apis.ts";

/** Descriptions of APIs at addresses of a project in the store of a data directory. */
export async function apisInDirectory(options: { data?: string | undefined }, named: string): Promise<ApiActions> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await openInstance(options));
  const project = await requireProject(instance, named);
  const read = async () => apiAccessToJson(await readApiAccess(instance, project));
  const owned = stack.move();
  return {
    isServing: instance.isServing,
    read,
    async change(wanted) {
      await saveApiAccess(instance, project, wanted);
      return read();
    },
    askAgain: () => askApiAddresses(instance, project),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
