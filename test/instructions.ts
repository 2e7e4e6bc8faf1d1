/** All of a test's instructions at once, which the program never reads so. */
import type { Instruction } from "../src/model/index.ts";
import { listInstructionsAfter } from "../src/store/instructions.ts";
import type { Transaction } from "../src/store/sql.ts";

export function listInstructions(): Transaction<Instruction[]> {
  return listInstructionsAfter(undefined, 1_000_000);
}
