/** The result of one check by the doctor, with the problems that a person must fix. */
import { ConfigFault } from "../../config/index.ts";
import { Fault, type Problem } from "../../faults/index.ts";

export interface Check {
  readonly what: string;
  readonly isGood: boolean;
  /** The finding in words; never a secret. */
  readonly found: string;
  /** The defects; empty if there are none. */
  readonly problems: readonly Problem[];
}

export function good(what: string, found: string): Check {
  return { what, isGood: true, found, problems: [] };
}

export function wrong(what: string, ...problems: readonly Problem[]): Check {
  return { what, isGood: false, found: "", problems };
}

/** Runs `look` and turns its faults into problems. Other errors are thrown. */
export async function checked(what: string, look: () => string | Promise<string>): Promise<Check> {
  try {
    return good(what, await look());
  } catch (error) {
    if (error instanceof ConfigFault) return wrong(what, error.problem, ...error.otherProblems);
    if (error instanceof Fault) return wrong(what, error.problem);
    throw error;
  }
}
