/** Every action names the person who does it. */
import { fault } from "../faults/index.ts";
import { personKey } from "../model/index.ts";

/** Throws USAGE if the name of the person who does something is empty or invisible. */
export function requirePerson(name: string): void {
  const what = "the person who does this is not named";
  if (personKey(name) === "") throw fault("USAGE", { what, how: "Name the person with `--by NAME`." });
}
