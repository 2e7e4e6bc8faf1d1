/** Parsers for option values. Each throws commander's InvalidArgumentError, a usage problem. */
import { InvalidArgumentError, Option } from "commander";
import { isUuid, personKey } from "../model/index.ts";
import { personAtTerminal } from "./person-at-terminal.ts";

export function integerFrom(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`expected a whole number from ${minimum} to ${maximum}`);
  };
}

/** A text that must not be blank, because it goes on record. */
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
