/** docs/reference/commands.md: every command with its arguments and options, from the tree that parses them. */
import type { Argument, Command, Option } from "commander";
import { EXIT_MEANINGS } from "../exit-code.ts";
import { addCommands, buildProgram } from "../program.ts";
import { page, prose, table } from "./markdown.ts";

/** What the page says of an option. */
type Said = Pick<
  Option,
  "flags" | "description" | "argChoices" | "mandatory" | "defaultValue" | "defaultValueDescription" | "negate"
>;

/** An option that several commands have, described once; its commands, in their order. */
interface SharedOption {
  readonly option: Said;
  readonly commands: readonly string[];
}

/** So many options that the same commands share are those of a payment. */
const OF_PAYMENT_MIN = 10;

export function commandsPage(): string {
  const program = buildProgram({});
  addCommands(program, () => () => Promise.resolve());
  const families = Map.groupBy(program.commands, (command) => command.helpGroup());
  const shared = sharedOptions(program);
  const groups = [
    ...Map.groupBy(shared.values(), ({ commands }) => commands.map((name) => `\`${name}\``).join(" and ")),
  ];
  const ofPayments = groups.filter(([, options]) => options.length >= OF_PAYMENT_MIN);
  const others = groups.filter((group) => !ofPayments.includes(group)).flatMap(([, options]) => options);
  const named = new Set(others.map(({ option }) => option.flags));
  return page([
    "# Commands",
    "",
    "As `paydrop COMMAND --help` prints them. Every command takes:",
    "",
    ...optionTable(program.options),
    "A command takes these where it names them in parentheses; `!` marks one that it requires:",
    "",
    ...optionTable(others.map(({ option }) => option)),
    ...ofPayments.flatMap(([commands, options]) => [
      `${commands} also take ${options.map(({ option }) => `\`${option.flags.split(" ")[0]}\``).join(", ")}:`,
      "columns of a payout file, which the second sheet of `paydrop template` explains.",
      "",
    ]),
    ...table(["exit code", "means"], EXIT_MEANINGS),
    ...[...families].flatMap(([family, commands]) => [
      `## ${family.replace(/:$/, "")}`,
      "",
      ...table(
        ["command, its own options", "does"],
        commands.flatMap((command) => entries(command, "", { shared, named })),
      ),
    ]),
  ]);
}

/** The options that are described once, by their words; the flags of those that commands name. */
interface Known {
  readonly shared: ReadonlyMap<string, SharedOption>;
  readonly named: ReadonlySet<string>;
}

function sharedOptions(program: Command): ReadonlyMap<string, SharedOption> {
  const all = allCommands(program, "").flatMap(([name, { options }]) =>
    options.map((option) => ({ name, option })),
  );
  const byWords = [...Map.groupBy(all, ({ option }) => words(option))];
  return new Map(
    byWords.flatMap(([key, uses]) => {
      const [first] = uses;
      if (first === undefined || uses.length === 1) return [];
      const { option } = first;
      return [[key, { option: inGeneral(option), commands: uses.map(({ name }) => name) }] as const];
    }),
  );
}

function allCommands(command: Command, parent: string): readonly (readonly [string, Command])[] {
  return command.commands.flatMap((each) => {
    const name = `${parent}${each.name()}`;
    return [[name, each] as const, ...allCommands(each, `${name} `)];
  });
}

/** Equal for options of the same words. Who does a thing is said in other words by each command. */
function words({ flags, description, argChoices = [], mandatory }: Option): string {
  return flags === BY && !mandatory ? BY : JSON.stringify([flags, description, argChoices]);
}

const BY = "--by <name>";

function inGeneral(option: Option): Said {
  const description = option.flags === BY ? "the person who does it, on record" : option.description;
  return { ...option, description, mandatory: false };
}

/** The rows of a command and of its subcommands, whose names are bold, and of their own arguments and options. */
function entries(command: Command, parent: string, known: Known): readonly Row[] {
  const name = `${parent}${command.name()}`;
  const subcommands = command.commands.flatMap((each) => entries(each, `${name} `, known));
  return [...entry(command, name, known), ...subcommands];
}

type Row = readonly [name: string, words: string];

function entry(command: Command, name: string, { shared, named }: Known): readonly Row[] {
  const aliases = command.aliases().map((alias) => `, also \`${alias}\``);
  const usage = [name, ...command.registeredArguments.map(argumentText)].join(" ");
  const own = command.options.filter((option) => !shared.has(words(option)));
  const others = command.options.filter((option) => shared.has(words(option)) && named.has(option.flags));
  const inParentheses = others.map(({ long, mandatory }) => `\`${long}\`${mandatory ? "!" : ""}`);
  return [
    [
      `**\`${usage}\`**${aliases.join("")}`,
      `${prose(command.description())}.${inParentheses.length === 0 ? "" : ` (${inParentheses.join(", ")})`}`,
    ],
    ...command.registeredArguments.filter(isExplained).map(argumentRow),
    ...own.map((option): Row => [`\`${option.flags}\``, meaning(option)]),
  ];
}

function argumentText(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function isExplained({ description, argChoices }: Argument): boolean {
  return description !== "" || argChoices !== undefined;
}

function argumentRow(argument: Argument): Row {
  const parts = [prose(argument.description), choices(argument.argChoices)];
  return [`\`${argument.name()}\``, parts.filter((each) => each !== "").join("; ")];
}

function optionTable(options: readonly Said[]): readonly string[] {
  const rows = options.map((option) => [`\`${option.flags}\``, meaning(option)]);
  return table(["option", "means"], rows);
}

function meaning(option: Said): string {
  const parts = [
    prose(option.description),
    choices(option.argChoices),
    option.mandatory ? "required" : "",
    defaultText(option),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** Longer lists are left to the command. */
const LISTED_MAX = 15;

function choices(values: readonly string[] | undefined): string {
  if (values === undefined) return "";
  return values.length > LISTED_MAX
    ? "as `--help` lists them"
    : values.map((value) => `\`${value}\``).join(", ");
}

/** A default that depends on the machine is described; `--no-X` has the default true, which says nothing. */
function defaultText({ defaultValue, defaultValueDescription, negate }: Said): string {
  if (defaultValueDescription !== undefined) return `default: ${defaultValueDescription}`;
  return defaultValue === undefined || negate ? "" : `default: \`${defaultValue}\``;
}
