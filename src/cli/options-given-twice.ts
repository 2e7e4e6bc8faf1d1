/** Refuses an option that is given twice, of which commander would take the last without a word. */
import type { Command, Option } from "commander";
import { fault } from "../faults/index.ts";

/**
 * For all options of the command's subcommands that take one value. The program's own, such as `--config`, may be given
 * again: an alias of the shell sets them, and whoever uses it overrides them.
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
