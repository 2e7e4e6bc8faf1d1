/**
 * Looks deposits up by their ids until their addresses are shown and verified. A verified address stays: if the
 * service later shows a different one, that raises an alarm, and no address is shown any more.
 */
import { Fault, type Problem } from "../faults/index.ts";
import { chunks } from "../model/chunks.ts";
import type { DepositId, ExpectationRow, ObservedDeposit } from "../model/index.ts";
import { DEPOSITS, knownDepositsOf, track } from "../observation/index.ts";
import { listMadeDeposits, noteAddress, noteAddressTrouble } from "../store/expected.ts";
import { ITEMS_PER_STATEMENT } from "../store/sql.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { addressOf } from "./rules/address.ts";
import { addressPolicy, keep, keptProblem } from "./status.ts";

export interface AddressesLooked {
  /** How many addresses became ready to be shown. */
  readonly found: number;
  readonly problems: readonly Problem[];
}

/** A key whose service cannot be asked does not stop the others. */
export async function lookUpAddresses(workplace: Workplace): Promise<AddressesLooked> {
  const { store } = workplace;
  const made = await store.read(() => listMadeDeposits());
  const looked: ExpectationRow[] = [];
  const problems: Problem[] = [];
  for (const view of workplace.underKeys) {
    const own = new Set<string>(view.config.custodyAccounts.map(({ id }) => id));
    const some = made.filter((each) => own.has(each.custodyAccountId) && isAwaited(each));
    try {
      if (some.length > 0)
        problems.push(...(await track({ ...view.service().tools, store }, DEPOSITS, idsOf(some))).problems);
      looked.push(...some);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(error.problem);
    }
  }
  const isLooked = new Set(looked.map(({ id }) => id));
  let found = 0;
  for (const some of chunks(made, ITEMS_PER_STATEMENT)) {
    const known = await store.read(() => knownDepositsOf(idsOf(some) as DepositId[]));
    const deposits = new Map<string, ObservedDeposit>(
      known.map(({ resource }) => [resource.depositId, resource]),
    );
    for (const expectation of some) {
      const deposit = deposits.get(expectation.depositId ?? "");
      const noted = await judge(workplace, expectation, deposit, isLooked.has(expectation.id));
      if (noted === "found") found += 1;
      else if (noted !== undefined) problems.push(noted);
    }
  }
  return { found, problems };
}

/** Its address is not known yet, or was wrong at the last look. */
function isAwaited({ address, trouble }: ExpectationRow): boolean {
  return address === undefined || trouble !== undefined;
}

function idsOf(some: readonly ExpectationRow[]): string[] {
  return some.flatMap(({ depositId }) => depositId ?? []);
}

/** Returns a new problem. `isLooked`: it was just looked up by its id. */
async function judge(
  { store, config, context }: Workplace,
  expectation: ExpectationRow,
  deposit: ObservedDeposit | undefined,
  isLooked: boolean,
): Promise<Problem | "found" | undefined> {
  const { id, address, trouble } = expectation;
  const before = trouble === undefined ? undefined : keptProblem(trouble);
  // An address that once changed stays withheld: it is unknown who got it in between.
  if (before?.code === "EXPECTED_ADDRESS_CHANGED") return undefined;
  const now = addressOf(expectation, deposit, addressPolicy(config));
  if ("trouble" in now) {
    const kept = keep(now.trouble);
    if (kept === trouble) return undefined;
    await store.write(() => noteAddressTrouble(id, kept));
    return now.trouble;
  }
  if (before !== undefined) await store.write(() => noteAddressTrouble(id, undefined));
  if (!("address" in now) || address !== undefined || !isLooked) return undefined;
  await store.write(() => noteAddress(id, now.address, context.clock.now()));
  return "found";
}
