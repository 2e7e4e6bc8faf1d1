/** One thing that the doctor looked at: how it was found, and what a person does about it where it is wrong. */
import { ConfigFault } from "../../config/index.ts";
import { Fault, type Problem } from "../../faults/index.ts";

export interface Check {
  readonly what: string;
  readonly isGood: boolean;
  /** What was found, for people; never a secret. */
  readonly found: string;
  /** What is wrong; empty where it is good. */
  readonly problems: readonly Problem[];
}

export function good(what: string, found: string): Check {
  return { what, isGood: true, found, problems: [] };
}

export function wrong(what: string, ...problems: readonly Problem[]): Check {
  return { what, isGood: false, found: "", problems };
}

/** What `look` found, or the faults that it threw. Throws whatever is no fault of the catalogue. */
export async function checked(what: string, look: () => string | Promise<string>): Promise<Check> {
  try {
    return good(what, await look());
  } catch (error) {
    if (error instanceof ConfigFault) return wrong(what, error.problem, ...error.otherProblems);
    if (error instanceof Fault) return wrong(what, error.problem);
    throw error;
  }
}
