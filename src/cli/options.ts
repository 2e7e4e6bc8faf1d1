/**
 * The options of the command line: parsers for their values (each throws commander's InvalidArgumentError, a usage
 * problem), shared options, and the refusal of an option given twice.
 */
import { userInfo } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fault } from "../faults/index.ts";
import { isUuid, personKey } from "../model/index.ts";

export function integerFrom(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`expected a whole number from ${minimum} to ${maximum}`);
  };
}

/** A day of the calendar, as 2026-12-01. */
export function readDay(text: string): string {
  const day = text.trim();
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // `Date` reads 31 February as a day of March.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)) return day;
  throw new InvalidArgumentError("expected a day, such as 2026-12-01");
}

/** "2026-10" */
export function readMonth(text: string): string {
  const month = text.trim();
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) return month;
  throw new InvalidArgumentError("expected a month, such as 2026-10");
}

/** A text that must not be blank, because it is recorded. */
export function readWords(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("expected a reason in words");
}

const NAME_LENGTH_MAX = 100;

/** A person's name, as recorded. */
export function readName(text: string): string {
  const name = text.trim();
  if (personKey(name) !== "" && name.length <= NAME_LENGTH_MAX) return name;
  throw new InvalidArgumentError(`expected a person's name, of at most ${NAME_LENGTH_MAX} characters`);
}

/** `--by NAME`: the person on record. */
export function byOption(description: string): Option {
  return new Option("--by <name>", description)
    .argParser(readName)
    .default(personAtTerminal(), "the user of the operating system");
}

/** The UUID of a payout or deposit, in lower case. */
export function readId(text: string): string {
  const id = text.trim().toLowerCase();
  if (isUuid(id)) return id;
  throw new InvalidArgumentError("expected the UUID that the service gave it");
}

/** One of these words, case-insensitive. */
export function oneOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    const word = text.trim().toUpperCase();
    if (words.includes(word)) return word;
    throw new InvalidArgumentError(`expected one of ${words.join(", ")}`);
  };
}

/** For an option that may be repeated or take several words: all of them, without duplicates. */
export function listOf(
  read: (text: string) => string,
): (text: string, earlier?: readonly string[]) => readonly string[] {
  return (text, earlier = []) => [...new Set([...earlier, read(text)])];
}

/** The options of every decision of a person: who decides, and why. */
export interface DecisionOptions {
  readonly reason: string;
  readonly by: string;
}

export function withReason(command: Command, by = "who decides"): Command {
  return command
    .requiredOption("--reason <words>", "why; it is kept on record", readWords)
    .addOption(byOption(by));
}

/**
 * Refuses an option that is given twice, because commander would silently take the last value. Applies to all
 * options of the subcommands that take one value. The program's own, such as `--config`, may be given again: the
 * user's value overrides that of a shell alias.
 */
export function refuseOptionsGivenTwice(program: Command): void {
  for (const command of program.commands) {
    for (const option of command.options) {
      if (option.required && !option.variadic) refuseSecond(command, option);
    }
    refuseOptionsGivenTwice(command);
  }
}

function refuseSecond(command: Command, option: Option): void {
  let isGiven = false;
  command.on(`option:${option.name()}`, () => {
    if (isGiven)
      throw fault("USAGE", { what: `option ${option.long} is given twice`, how: "Leave one of them out." });
    isGiven = true;
  });
}

/** For commands without `--by`: the operating system's user name; a number in a container whose user has none. */
export function personAtTerminal(read: () => { readonly username: string } = userInfo): string {
  try {
    return read().username;
  } catch (error) {
    if (!(error instanceof Error && error.name === "SystemError")) throw error;
    return `user ${process.getuid?.()}`;
  }
}
