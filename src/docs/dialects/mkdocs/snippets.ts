import { posix } from "node:path";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { SnippetRules } from "#docs/page-rules.ts";

/** Where `pymdownx.snippets` looks for files: `folder` is that of the configuration, `source` that of the pages. */
export function snippetRules(config: Data, { folder, source }: { folder: string; source: string }): SnippetRules {
  const extensions = config.get("markdown_extensions");
  const options = [extensions, ...extensions.list()].map((each) => each.get("pymdownx.snippets"));
  const entries = (key: string): string[] => options.flatMap((each) => textsOf(each.get(key)));
  return {
    folders: entries("base_path").map((entry) => folderOf(entry, { folder, source })),
    appended: entries("auto_append"),
  };
}

function textsOf(value: Data): readonly string[] {
  const text = value.text();
  return text === null ? value.texts() : [text];
}

/** `!relative` is a YAML tag, which says from where MkDocs resolves the path. */
function folderOf(entry: string, { folder, source }: { folder: string; source: string }): string {
  const path = entry.replace(/^!relative[ \t]+/, "");
  if (path.startsWith("$docs_dir")) return posix.join(source, path.slice("$docs_dir".length));
  return posix.join(folder, path.replace(/^\$config_dir/, "."));
}
