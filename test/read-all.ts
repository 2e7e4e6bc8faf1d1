/** Reads all instructions, payouts or deposits of a test at once; the program itself reads them in windows. */
import {
  BatchDigest,
  type DraftInstruction,
  type Instruction,
  type ObservedDeposit,
  type ObservedPayout,
} from "../src/model/index.ts";
import { depositWindows, type Known, payoutWindows } from "../src/observation/index.ts";
import { instructionsIn } from "../src/store/instructions.ts";
import { sql, type Transaction } from "../src/store/sql.ts";
import type { Store } from "../src/store/store.ts";

export function batchDigest(instructions: Iterable<DraftInstruction>): string {
  const digest = new BatchDigest();
  digest.add(instructions);
  return digest.hex();
}

export function listInstructions(): Transaction<Instruction[]> {
  return instructionsIn(sql`select * from instruction order by batch_id, row`);
}

/** All payouts ever seen, as last seen. */
export function knownPayouts(store: Store): Promise<Known<ObservedPayout>[]> {
  return gathered(payoutWindows(store));
}

/** All deposits ever seen, as last seen. */
export function knownDeposits(store: Store): Promise<Known<ObservedDeposit>[]> {
  return gathered(depositWindows(store));
}

async function gathered<Item>(windows: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const window of windows) items.push(...window);
  return items;
}
