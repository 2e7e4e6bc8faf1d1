/** Finds payments by a reference, payee, address, payout id or transaction hash. */
import {
  type Batch,
  comparableDestination,
  comparedName,
  type Day,
  foldedReference,
  type Instruction,
  isUuid,
  payoutId,
  type ShownStanding,
  startOfDay,
} from "../../model/index.ts";
import { dayEnd } from "../../model/month.ts";
import { present } from "../../model/present.ts";
import { getBatch } from "../../store/batches.ts";
import {
  findByPayoutIds,
  findByReference,
  type InstructionKey,
  listFound,
  listInstructionsBefore,
} from "../../store/instructions.ts";
import { listInTransaction, listSightingsOf } from "../../store/observed.ts";
import type { Transaction } from "../../store/sql.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";

export interface FoundPayment {
  readonly instruction: Instruction;
  readonly batch: Batch;
  /** The payout's state as last seen. */
  readonly payoutState?: string;
}

/**
 * The payment whose reference is `text`; otherwise at most `count` for each kind of name that `text` may be or
 * begin.
 */
export async function findPayments(
  { store }: Workplace,
  text: string,
  count: number,
): Promise<readonly FoundPayment[]> {
  const ids = isUuid(text) ? [payoutId(text.toLowerCase())] : await payoutsIn({ store }, text, count);
  return store.read(function* (): Transaction<readonly FoundPayment[]> {
    const named = yield* findByReference(text);
    if (named !== undefined) return yield* withStates([named]);
    const reference = foldedReference(text);
    if (reference === "") return [];
    const [payee, destination] = [comparedName(text) ?? "", comparableDestination(text)];
    const found = [
      ...(yield* findByPayoutIds(ids)),
      ...(yield* listFound({ reference, payee, destination }, count)),
    ];
    return yield* withStates([...new Map(found.map((each) => [each.id, each])).values()]);
  });
}

const TRANSACTION_HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const PAYOUTS_TOGETHER = 2000;

/** Reads all payouts, some at a time, because a transaction's hash may be in places that no index covers. */
async function payoutsIn({ store }: Pick<Workplace, "store">, hash: string, count: number) {
  const found: ReturnType<typeof payoutId>[] = [];
  if (!TRANSACTION_HASH.test(hash)) return found;
  for await (const window of inWindows<{ readonly id: string; readonly isIn: boolean }>(store, (last) =>
    listInTransaction(hash, last?.id ?? "", PAYOUTS_TOGETHER),
  ))
    found.push(...window.filter(({ isIn }) => isIn).map(({ id }) => payoutId(id)));
  return found.slice(0, count);
}

/** Filters for payments; an absent field does not filter. */
export interface PaymentsFilter {
  readonly standing?: ShownStanding;
  readonly currency?: string;
  /** The beginning of the payee. */
  readonly payee?: string;
  /** Days in the company's time zone on which the payment's file was submitted, both included. */
  readonly from?: Day;
  readonly to?: Day;
}

/** At most `count` payments before `before`, newest first. */
export function listPayments(
  { store, config }: Workplace,
  before: InstructionKey | undefined,
  { from, to, payee, standing, currency }: PaymentsFilter,
  count: number,
): Promise<readonly FoundPayment[]> {
  const { timeZone } = config.ledger;
  const wanted = present({
    ...{ standing, currency },
    payee: payee === undefined ? undefined : comparedName(payee),
    from: from === undefined ? undefined : startOfDay(timeZone, from),
    to: to === undefined ? undefined : dayEnd(timeZone, to),
  });
  return store.read(function* () {
    return yield* withStates(yield* listInstructionsBefore(before, wanted, count));
  });
}

export function* withStates(instructions: readonly Instruction[]): Transaction<FoundPayment[]> {
  const ids = instructions.flatMap((each) => each.payoutId ?? []);
  const states = new Map((yield* listSightingsOf("payout", ids)).map(({ id, state }) => [id, state]));
  const found: FoundPayment[] = [];
  for (const instruction of instructions) {
    const payoutState = states.get(instruction.payoutId ?? "");
    found.push({ instruction, batch: yield* getBatch(instruction.batchId), ...present({ payoutState }) });
  }
  return found;
}
