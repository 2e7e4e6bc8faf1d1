/** docs/reference/commands.md: every command with its arguments and options, from the tree that parses them. */
import type { Argument, Command, Option } from "commander";
import { EXIT_MEANINGS } from "../exit-code.ts";
import { addCommands, buildProgram } from "../program.ts";
import { page, prose, table } from "./markdown.ts";

export function commandsPage(): string {
  const program = buildProgram({});
  addCommands(program, () => () => Promise.resolve());
  const families = Map.groupBy(program.commands, (command) => command.helpGroup());
  return page([
    "# Commands",
    "",
    "`paydrop COMMAND --help` prints the same. Options of every command:",
    "",
    ...optionTable(program),
    "| exit code | means |",
    "|---|---|",
    ...EXIT_MEANINGS.map(([codes, meaning]) => `| ${codes} | ${meaning} |`),
    "",
    ...[...families].flatMap(([family, commands]) => [
      `## ${family.replace(/:$/, "")}`,
      "",
      ...commands.flatMap((command) => sections(command, "")),
    ]),
  ]);
}

/** A command and its subcommands, each under a heading of its own. */
function sections(command: Command, parent: string): readonly string[] {
  const name = `${parent}${command.name()}`;
  const subcommands = command.commands.flatMap((each) => sections(each, `${name} `));
  return [...section(command, name), ...subcommands];
}

function section(command: Command, name: string): readonly string[] {
  const aliases = command.aliases().map((alias) => `, also \`${alias}\``);
  const usage = [name, ...command.registeredArguments.map(argumentText)].join(" ");
  return [
    `### ${name}`,
    "",
    `\`paydrop ${usage}\`${aliases.join("")}: ${prose(command.description())}.`,
    "",
    ...table(["argument", "means"], command.registeredArguments.filter(isExplained).map(argumentRow)),
    ...optionTable(command),
  ];
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function isExplained({ description, argChoices }: Argument): boolean {
  return description !== "" || argChoices !== undefined;
}

function argumentRow(argument: Argument): readonly string[] {
  const words = [prose(argument.description), choices(argument.argChoices)];
  return [`\`${argument.name()}\``, words.filter((each) => each !== "").join("; ")];
}

function optionTable(command: Command): readonly string[] {
  const rows = command.options.map((option) => [`\`${option.flags}\``, meaning(option)]);
  return table(["option", "means"], rows);
}

function meaning(option: Option): string {
  const parts = [
    prose(option.description),
    choices(option.argChoices),
    option.mandatory ? "required" : "",
    defaultText(option),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

function choices(words: readonly string[] | undefined): string {
  return words === undefined ? "" : `one of ${words.map((word) => `\`${word}\``).join(", ")}`;
}

/** A default that depends on the machine is described; `--no-X` has the default true, which says nothing. */
function defaultText({ defaultValue, defaultValueDescription, negate }: Option): string {
  if (defaultValueDescription !== undefined) return `default: ${defaultValueDescription}`;
  return defaultValue === undefined || negate ? "" : `default: \`${defaultValue}\``;
}
