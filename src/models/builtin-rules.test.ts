import { describe } from "vitest";
import { createBuiltinRules } from "#rules/builtin-rules.ts";
import { describeModel } from "./model.contract.ts";

const tool = (name: string) => ({ name, description: `Runs ${name}.`, inputSchema: { type: "object" as const } });

describe("docent/builtin-rules", () => {
  describeModel(() => ({
    model: createBuiltinRules(),
    providerOptions: {},
    prompt: 'Replace "Harbor Cloud" with "Harbor Platform".',
    tools: ["replace_term", "check_links", "fix_links", "add_page", "move_page", "finish"].map(tool),
    result: JSON.stringify({ replaced: 3, files: [{ path: "index.md", replaced: 3 }], left: [] }),
  }));
});
