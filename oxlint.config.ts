import { readdirSync } from "node:fs";
import { defineConfig, type OxlintOverride } from "oxlint";
import { adapters, importTable, packageOwners, subfolders } from "./scripts/import-table.ts";

const exemptFiles = ["**/*.test.ts", "**/*.contract.ts", "src/testing/**", "test/**", "bench/**"];
type Restriction = { regex: string; message: string };

function oneOf(names: readonly string[]): string {
  return names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|");
}

const noParentPath: Restriction = {
  regex: "(^|/)\\.\\.(/|$)",
  message: 'Across folders write #folder/file.ts, not a path with "..".',
};

const noTestCode: Restriction = {
  regex: "^#testing/|\\.(test|contract)\\.ts$",
  message: "Only tests may import test code.",
};

const noProcessModule: Restriction = {
  regex: "^(node:)?process$",
  message: "Use the global process; only src/app/instance/config.ts reads its environment.",
};

function noAdapters(folder: string, except: string | null): Restriction[] {
  const others = adapters.filter((adapter) => adapter !== except && adapter !== folder);
  const local = others
    .filter((adapter) => adapter.startsWith(`${folder}/`))
    .map((adapter) => adapter.slice(folder.length + 1));
  const message = "Adapters are imported by src/app/ alone.";
  return [
    { regex: `^#(${oneOf(others)})[./-]`, message },
    ...(local.length > 0 && except === null ? [{ regex: `^\\./(${oneOf(local)})[./-]`, message }] : []),
  ];
}

function noForeignPackages(folder: string): Restriction[] {
  const foreign = Object.keys(packageOwners).filter((name) => !packageOwners[name]?.includes(folder));
  return foreign.map((name) => ({
    regex: `^${oneOf([name])}(/|$)`,
    message: `Only src/${packageOwners[name]?.join(" and src/")} imports ${name}.`,
  }));
}

// A folder without a row is refused to all, and may itself import nothing.
const rootEntries = [
  ...new Set(["main.ts", ...Object.keys(importTable), ...readdirSync(new URL("src/", import.meta.url))]),
];

function outsideTable(folder: string, allowed: readonly string[]): Restriction {
  const refused = rootEntries.filter((name) => name !== folder && !allowed.includes(name));
  return {
    regex: `^#(${oneOf(refused)})(/|$)`,
    message: `src/${folder} may import only ${["itself", ...allowed].join(", ")}: see importTable in scripts/import-table.ts.`,
  };
}

/** The subfolders that files below `path` must not import: its siblings that are not listed, and those of each parent. */
function closedTo(path: string): string[] {
  const segments = path.split("/");
  return segments.flatMap((segment, depth) => {
    const parent = segments.slice(0, depth).join("/");
    const siblings = subfolders[parent] ?? {};
    return Object.keys(siblings)
      .filter((name) => name !== "." && name !== segment && !siblings[segment]?.includes(name))
      .map((name) => `${parent}/${name}`);
  });
}

/** The subfolders that a folder's own files must not import. */
function closedToOwnFiles(folder: string): string[] {
  const { ".": open = [], ...children } = subfolders[folder] ?? {};
  return Object.keys(children)
    .filter((name) => !open.includes(name))
    .map((name) => `${folder}/${name}`);
}

function closedSubfolders(path: string, closed: readonly string[]): Restriction[] {
  if (closed.length === 0) return [];
  const below = closed.filter((each) => each.startsWith(`${path}/`)).map((each) => each.slice(path.length + 1));
  const local = below.length > 0 ? `|^\\./(${oneOf(below)})/` : "";
  return [
    {
      regex: `^#(${oneOf(closed)})/${local}`,
      message: `src/${path} must not import ${closed.join(", ")}: see scripts/import-table.ts.`,
    },
  ];
}

function restrict(files: string[], patterns: Restriction[]): OxlintOverride {
  return {
    files,
    excludeFiles: exemptFiles,
    rules: { "no-restricted-imports": ["error", { patterns }] },
  };
}

/** Later entries replace earlier ones, so they go from the whole folder to its special files. */
function folderOverrides(folder: string) {
  const common = [
    noParentPath,
    noTestCode,
    noProcessModule,
    outsideTable(folder, importTable[folder] ?? []),
    ...noForeignPackages(folder),
  ];
  const all = [...common, ...noAdapters(folder, null)];
  const inside = (path: string): Restriction => ({ regex: `^#${path}/`, message: "Inside a folder write ./file.ts." });
  const ownFiles = (path: string) =>
    restrict(
      [`src/${path}/*.ts`],
      [...all, inside(path), ...closedSubfolders(path, [...closedTo(path), ...closedToOwnFiles(path)])],
    );
  const tables = Object.keys(subfolders).filter((path) => path.split("/")[0] === folder);
  return [
    restrict([`src/${folder}/**`], all),
    ownFiles(folder),
    ...tables.flatMap((path) => {
      const children = Object.keys(subfolders[path] ?? {}).filter((name) => name !== ".");
      return [
        ownFiles(path),
        ...children.map((name) => {
          const child = `${path}/${name}`;
          return restrict([`src/${child}/**`], [...all, ...closedSubfolders(child, closedTo(child))]);
        }),
      ];
    }),
    ...adapters
      .filter((adapter) => adapter.startsWith(`${folder}/`))
      .map((adapter) =>
        restrict(
          [`src/${adapter}/**`, `src/${adapter}.ts`, `src/${adapter}-*.ts`],
          [...common, ...noAdapters(folder, adapter)],
        ),
      ),
  ];
}

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "node", "promise", "vitest"],
  categories: { correctness: "error" },
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: [
    "node_modules",
    "clients/typescript/dist",
    "clients/typescript/src/operations.ts",
    "examples/**",
    "**/fixtures/**",
    "bench/.data/**",
  ],
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "import/no-relative-parent-imports": "off",
    "no-restricted-properties": [
      "error",
      {
        object: "process",
        property: "env",
        message: "Only src/app/instance/config.ts and src/cli/places/command-environment.ts read the environment.",
      },
    ],
    "no-restricted-imports": ["error", { patterns: [noParentPath] }],
    "no-console": "error",
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-var": "error",
    "prefer-const": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "no-eval": "error",
    "max-lines": ["error", { max: 300 }],
    "max-params": ["error", { max: 4 }],
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/consistent-type-imports": "error",
    "typescript/consistent-type-assertions": ["error", { assertionStyle: "as", objectLiteralTypeAssertions: "never" }],
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/unbound-method": "off",
    "unicorn/prefer-node-protocol": "error",
    "unicorn/no-array-sort": "off",
    "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*"] }],
  },
  overrides: [
    ...rootEntries
      .filter((name) => !/[.]|^cli$|^app$|^testing$/.test(name))
      .flatMap((folder) => folderOverrides(folder)),
    restrict(
      ["src/app/**"],
      [
        noParentPath,
        noTestCode,
        noProcessModule,
        { regex: "^#(main\\.ts$|cli/)", message: "src/main.ts and the commands are built of these parts." },
      ],
    ),
    restrict(
      ["clients/typescript/**"],
      [
        noParentPath,
        {
          regex: "^[^.]",
          message: "The client is a package without dependencies, for any place with fetch: write ./file.ts.",
        },
      ],
    ),
    restrict(["src/cli/**"], [noParentPath, noTestCode, ...noAdapters("cli", null)]),
    { files: ["scripts/**"], rules: { "no-restricted-imports": "off" } },
    {
      files: ["src/app/instance/config.ts", "src/cli/places/command-environment.ts"],
      rules: { "no-restricted-properties": "off" },
    },
    { files: ["src/cli/**"], rules: { "no-console": "off" } },
    {
      files: [...exemptFiles],
      rules: {
        "no-restricted-properties": "off",
        "no-console": "off",
        "max-lines": ["error", { max: 700 }],
        "max-params": "off", // tables of cases
      },
    },
    {
      files: ["scripts/**", "bin/**", "*.config.ts"],
      rules: { "no-restricted-properties": "off", "no-console": "off" },
    },
    // JSON.parse() has no typed form in plain JavaScript.
    { files: ["scripts/*.mjs"], rules: { "typescript/no-unsafe-assignment": "off" } },
    {
      files: ["*.config.ts", "scripts/count-reporter.ts", "src/testing/postgres-setup.ts"],
      rules: { "import/no-default-export": "off" },
    },
  ],
});
