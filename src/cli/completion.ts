import { type Command, readArguments, UsageError } from "./command/command.ts";
import { COMMANDS } from "./commands.ts";
import { TOPICS } from "./help.ts";
import { type CommandIo, writeLine } from "./command/io.ts";

/** Completions: the words after `docent`, and for each command its subcommands and options. */
interface Words {
  commands: { name: string; summary: string }[];
  /** Keyed by the preceding words, such as `jobs` or `projects sources`. */
  next: Map<string, Set<string>>;
  /** Keyed by command. */
  options: Map<string, Set<string>>;
}

const EVERYWHERE = ["--data", "--server", "--project", "--json", "--quiet", "--help"];
const SHELLS: Record<string, (words: Words) => string> = { bash: forBash, zsh: forZsh, fish: forFish };

export const completion: Command = {
  usage: `docent completion bash|zsh|fish

Prints a script that completes commands, actions and options. It is generated from the help of this version: run the command again
after an update.

Example
  docent completion bash > ~/.local/share/bash-completion/completions/docent
  docent completion zsh > ~/.zsh/completions/_docent       # a folder of $fpath
  docent completion fish > ~/.config/fish/completions/docent.fish`,
  async run(args: readonly string[], io: CommandIo) {
    const { positionals } = readArguments(args, {}, { min: 1, max: 1, names: "bash, zsh or fish" });
    const shell = positionals[0]!;
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (!write) throw new UsageError(`The shell is bash, zsh or fish, not "${shell}".`);
    writeLine(io.stdout, write(await gatherWords()));
  },
};

/** Derives completions from the synopsis of every command. */
async function gatherWords(): Promise<Words> {
  const next = new Map<string, Set<string>>([
    ["help", new Set([...COMMANDS.map(({ name }) => name), ...Object.keys(TOPICS)])],
    ["completion", new Set(Object.keys(SHELLS))],
  ]);
  const options = new Map<string, Set<string>>();
  for (const { name, load } of COMMANDS) {
    const { usage } = await load();
    const own = new Set(EVERYWHERE);
    for (const line of usage.split("\n")) {
      const isListed = /^ {2}(?:-\w, )?--/.test(line);
      if (!isListed && !line.startsWith("docent ")) continue;
      const offered = line.match(/--[a-z][a-z-]*/g) ?? [];
      for (const option of isListed ? offered.slice(0, 1) : offered) own.add(option);
      const words = /^docent ((?:[a-z][a-z-]*(?: |$))+)/.exec(`${line} `)?.[1]?.trim().split(" ") ?? [];
      for (let at = 1; at < words.length; at++) {
        const before = words.slice(0, at).join(" ");
        next.set(before, (next.get(before) ?? new Set()).add(words[at]!));
      }
    }
    options.set(name, own);
  }
  const commands = [...COMMANDS.map(({ name, summary }) => ({ name, summary })), { name: "help", summary: "Say more" }];
  return { commands, next, options };
}

const cases = (map: ReadonlyMap<string, ReadonlySet<string>>, line: (key: string, words: string) => string): string =>
  [...map].map(([key, words]) => line(key, [...words].join(" "))).join("\n");

function forBash({ commands, next, options }: Words): string {
  return `# Completion of docent for bash 4 and later.
_docent() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="" i next="" options=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ "\${COMP_WORDS[i]}" == -* ]] && continue
    before="\${before:+$before }\${COMP_WORDS[i]}"
  done
  case "$before" in
    "") next="${commands.map(({ name }) => name).join(" ")} --version --help" ;;
${cases(next, (key, words) => `    "${key}") next="${words}" ;;`)}
  esac
  case "\${before%% *}" in
${cases(options, (key, words) => `    ${key}) options="${words}" ;;`)}
  esac
  if [[ "$word" == -* && -n "$before" ]]; then next="$options"; fi
  COMPREPLY=($(compgen -W "$next" -- "$word"))
  if [[ \${#COMPREPLY[@]} -eq 0 && "$word" != -* && -n "$before" ]]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -F _docent docent`;
}

function forZsh({ commands, next, options }: Words): string {
  return `#compdef docent
# Completion of docent for zsh 5 and later.
_docent() {
  local before="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ "$word" == -* ]] && continue
    before="\${before:+$before }$word"
  done
  if [[ "$PREFIX" == -* && -n "$before" ]]; then
    case "\${before%% *}" in
${cases(options, (key, words) => `      ${key}) compadd -- ${words} ;;`)}
    esac
    return
  fi
  case "$before" in
    "")
      local -a commands=(
${commands.map(({ name, summary }) => `        '${name}:${summary.replaceAll("'", "’").replaceAll(":", "\\:")}'`).join("\n")}
      )
      _describe command commands ;;
${cases(next, (key, words) => `    "${key}") compadd -- ${words} ;;`)}
    *) _files ;;
  esac
}
if [[ "\${funcstack[1]}" == _docent ]]; then _docent "$@"; else compdef _docent docent; fi`;
}

function forFish({ commands, next, options }: Words): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return `# Completion of docent for fish 3 and later.
function __docent_is
    set -l words (commandline -opc)[2..-1]
    set -l plain (string match -v -- '-*' $words)
    test "$plain" = "$argv"
end
function __docent_in
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test "$words[2]" = "$argv"
end
${commands.map(({ name, summary }) => `complete -c docent -f -n '__docent_is' -a ${name} -d ${quoted(summary)}`).join("\n")}
${cases(next, (key, words) => `complete -c docent -f -n '__docent_is ${key}' -a ${quoted(words)}`)}
${[...options].flatMap(([key, words]) => [...words].map((word) => `complete -c docent -n '__docent_in ${key}' -l ${word.slice(2)}`)).join("\n")}`;
}
