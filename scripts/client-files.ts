import { PYTHON_OPERATIONS, PYTHON_TYPES, pythonOperations } from "./python-client.ts";
import { pythonTypes } from "./python-types.ts";
import { TYPESCRIPT_OPERATIONS, typescriptOperations } from "./typescript-client.ts";

/** The files of the clients that are made from `docs/openapi.json`: path and text of each. */
export function clientFiles(root: string): [string, string][] {
  return [
    [TYPESCRIPT_OPERATIONS, typescriptOperations(root)],
    [PYTHON_OPERATIONS, pythonOperations(root)],
    [PYTHON_TYPES, pythonTypes(root)],
  ];
}
