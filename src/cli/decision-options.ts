/** The options of every decision of a person: who decides, and why. */
import type { Command } from "commander";
import { byOption, readWords } from "./option-readers.ts";

export interface DecisionOptions {
  readonly reason: string;
  readonly by: string;
}

export function withReason(command: Command): Command {
  return command
    .requiredOption("--reason <words>", "why; it is kept on record", readWords)
    .addOption(byOption("who decides"));
}
