/** The completion of commands, options and their choices, as a script for one shell. */
import type { Argument, Command, Option } from "commander";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type CompletedCommand, completionScript, type Shell } from "../render/completion-script.ts";
import type { Session } from "../session.ts";

export function completionOf(program: Command) {
  return async ({ output }: Session, shell: Shell): Promise<ExitCode> => {
    const script = completionScript(shell, commandsOf(program, program.name(), []));
    if (output.json) output.answer({ shell, script }, () => script);
    else await output.stream(once(script));
    return EXIT.done;
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** The command at `path` and all below it, as their help shows them. */
function commandsOf(command: Command, path: string, inherited: readonly Option[]): CompletedCommand[] {
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...inherited];
  const children = help.visibleCommands(command).filter(({ name }) => name !== undefined);
  const valued = options.filter(({ required, optional }) => required || optional);
  const own: CompletedCommand = {
    path,
    children: children.map((child) => ({ word: child.name(), says: help.subcommandDescription(child) })),
    flags: options.flatMap((option) => flagsOf(option).map((word) => ({ word, says: option.description }))),
    values: valued.flatMap((option) => flagsOf(option).map((word) => ({ word, choices: choicesOf(option) }))),
    choices: help.visibleArguments(command).flatMap(choicesOf),
    aliases: children.flatMap((child) => child.aliases().map((word) => ({ word, means: child.name() }))),
  };
  const passedOn = [
    ...inherited,
    ...(command.parent === null ? help.visibleOptions(command).filter(isShared) : []),
  ];
  const below = children.filter((child) => child.name() !== "help");
  return [own, ...below.flatMap((child) => commandsOf(child, `${path} ${child.name()}`, passedOn))];
}

/** Each command has its own `--help`, and only the program a `--version`. */
function isShared({ long }: Option): boolean {
  return long !== "--help" && long !== "--version";
}

function flagsOf({ long, short }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined && flag !== null);
}

function choicesOf({ argChoices = [] }: Option | Argument): readonly string[] {
  return argChoices;
}
