/**
 * Completion scripts. Each walks the words before the cursor to find the command, then offers its subcommands;
 * after a dash its options; after an option its choices; otherwise names of files.
 */
import { inShell } from "../../model/shell-word.ts";

export type Shell = "bash" | "zsh" | "fish";

interface Word {
  readonly word: string;
  readonly says: string;
}

export interface CompletedCommand {
  /** "paydrop ledger export" */
  readonly path: string;
  readonly children: readonly Word[];
  readonly aliases: readonly { readonly word: string; readonly means: string }[];
  readonly flags: readonly Word[];
  /** Options that take a value; without choices it may be the name of a file. */
  readonly values: readonly { readonly word: string; readonly choices: readonly string[] }[];
  /** The values that its arguments may have. */
  readonly choices: readonly string[];
}

export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  return SCRIPTS[shell](commands);
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly CompletedCommand[]): string {
  const offered = commands.map(
    ({ path, children, choices, flags }) =>
      `    ${inShell(path)})
      case $cur in
        -*) words=${inShell(flags.map(({ word }) => word).join(" "))} ;;
        *) words=${inShell([...children.map(({ word }) => word), ...choices].join(" "))} ;;
      esac ;;`,
  );
  return `# bash completion of paydrop
_paydrop() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=paydrop words='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at:\${COMP_WORDS[i]}" in
${walk(commands)}
    esac
  done
  # An option that takes a value stands before the cursor.
  if ((i > COMP_CWORD)); then
    case "$at:\${COMP_WORDS[COMP_CWORD - 1]}" in
${valued(commands, (choices) => `words=${inShell(choices.join(" "))}`)}
    esac
  else
    case $at in
${offered.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _paydrop paydrop
`;
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const offered = commands.map(
    ({ path, children, choices, flags }) =>
      `    ${inShell(path)})
      options=(${flags.map(zshWord).join(" ")})
      found=(${[...children, ...choices.map((word) => ({ word, says: "" }))].map(zshWord).join(" ")}) ;;`,
  );
  return `#compdef paydrop
_paydrop() {
  local at=paydrop i
  local -a found options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at:\${words[i]}" in
${walk(commands)}
    esac
  done
  # An option that takes a value stands before the cursor.
  if ((i > CURRENT)); then
    case "$at:\${words[CURRENT - 1]}" in
${valued(commands, (choices) => `found=(${choices.map(inShell).join(" ")})`)}
    esac
  else
    case $at in
${offered.join("\n")}
    esac
  fi
  if [[ \${words[CURRENT]} == -* ]]; then _describe option options
  elif ((\${#found})); then _describe command found
  else _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _paydrop "$@"; else compdef _paydrop paydrop; fi
`;
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const line = ({ word, says }: Word) => `printf '%s\\t%s\\n' ${fishQuoted(word)} ${fishQuoted(brief(says))}`;
  const offered = commands.map(
    ({ path, children, choices, flags }) =>
      `    case ${fishQuoted(path)}
      if string match -q -- '-*' $current
${flags.map((flag) => `        ${line(flag)}`).join("\n")}
      else
${children.map((child) => `        ${line(child)}`).join("\n")}
        ${choices.length > 0 ? `printf '%s\\n' ${choices.map(fishQuoted).join(" ")}` : childrenOrFiles(children)}
      end`,
  );
  const moves = commands.flatMap(movesOf).map(
    ({ at, to }) => `      case ${fishQuoted(at)}
        set at ${fishQuoted(to)}`,
  );
  const values = commands.flatMap(valuesOf).map(
    ({ at, choices }) => `      case ${fishQuoted(at)}
        set awaits ${choices.length > 0 ? choices.map(fishQuoted).join(" ") : "files"}`,
  );
  return `# fish completion of paydrop
function __paydrop_complete
  set -l current (commandline -ct)
  set -l at paydrop
  set -l awaits
  for word in (commandline -opc)[2..]
    # The value of an option is neither a command nor an option.
    if set -q awaits[1]
      set awaits
      continue
    end
    switch "$at:$word"
${[...moves, ...values].join("\n")}
    end
  end
  if test "$awaits" = files
    __fish_complete_path $current
    return
  else if set -q awaits[1]
    printf '%s\\n' $awaits
    return
  end
  switch $at
${offered.join("\n")}
  end
end
complete -c paydrop -f -a '(__paydrop_complete)'
`;
}

function childrenOrFiles(children: readonly Word[]): string {
  return children.length > 0 ? "true" : "__fish_complete_path $current";
}

/** By which word at which command one comes to which command below it. */
function movesOf({ path, children, aliases }: CompletedCommand) {
  const means = [...children.map(({ word }) => ({ word, means: word })), ...aliases];
  return means.map((each) => ({ at: `${path}:${each.word}`, to: `${path} ${each.means}` }));
}

/** At which word of which command a value is next. */
function valuesOf({ path, values }: CompletedCommand) {
  return values.map(({ word, choices }) => ({ at: `${path}:${word}`, choices }));
}

/** The branches of a `case` that lead from a command to one below it, and past the value of an option. */
function walk(commands: readonly CompletedCommand[]): string {
  const branches = commands.flatMap((command) => [
    ...movesOf(command).map(({ at, to }) => `      ${inShell(at)}) at=${inShell(to)} ;;`),
    ...valuesOf(command).map(({ at }) => `      ${inShell(at)}) ((i++)) ;;`),
  ]);
  return branches.join("\n");
}

/** The branches of a `case` for options whose values are choices. */
function valued(
  commands: readonly CompletedCommand[],
  offer: (choices: readonly string[]) => string,
): string {
  const chosen = commands.flatMap(valuesOf).filter(({ choices }) => choices.length > 0);
  return chosen.map(({ at, choices }) => `      ${inShell(at)}) ${offer(choices)} ;;`).join("\n");
}

function zshWord({ word, says }: Word): string {
  return inShell(`${word.replaceAll(":", "\\:")}${says === "" ? "" : `:${brief(says)}`}`);
}

/** A description's first clause, which fits a line of a list. */
function brief(says: string): string {
  return (/^[^;:(]{0,100}/.exec(says)?.[0] ?? "").trim();
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
