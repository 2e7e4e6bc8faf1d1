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
import { addressPolicy, problemFromJson } from "./status.ts";

export interface AddressesLooked {
  /** How many addresses became ready to be shown. */
  readonly found: number;
  readonly problems: readonly Problem[];
}

export async function lookUpAddresses(workplace: Workplace): Promise<AddressesLooked> {
  const { store } = workplace;
  const made = await store.read(() => listMadeDeposits());
  const { looked, problems } = await lookUp(workplace, made.filter(isAwaited));
  let found = 0;
  for (const some of chunks(made, ITEMS_PER_STATEMENT)) {
    const known = await store.read(() => knownDepositsOf(idsOf(some) as DepositId[]));
    const deposits = new Map<string, ObservedDeposit>(
      known.map(({ resource }) => [resource.depositId, resource]),
    );
    for (const expectation of some) {
      const deposit = deposits.get(expectation.depositId ?? "");
      const noted = await judge(workplace, expectation, deposit, looked.has(expectation.id));
      if (noted === "found") found += 1;
      else if (noted !== undefined) problems.push(noted);
    }
  }
  return { found, problems };
}

/** `looked`: the expectations whose deposits were looked up. A key whose service cannot be asked stops no other. */
async function lookUp(workplace: Workplace, awaited: readonly ExpectationRow[]) {
  const { store, underKeys } = workplace;
  const looked = new Set<number>();
  const problems: Problem[] = [];
  for (const view of underKeys) {
    const own = new Set<string>(view.config.custodyAccounts.map(({ id }) => id));
    const some = awaited.filter(({ custodyAccountId }) => own.has(custodyAccountId));
    if (some.length === 0) continue;
    try {
      const tracked = await track({ ...view.service().tools, store }, DEPOSITS, idsOf(some));
      problems.push(...tracked.problems);
      for (const { id } of some) looked.add(id);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(error.problem);
    }
  }
  return { looked, problems };
}

/** Its address is not known yet, or was wrong at the last look. */
function isAwaited({ address, trouble }: ExpectationRow): boolean {
  return address === undefined || trouble !== undefined;
}

function idsOf(some: readonly ExpectationRow[]): string[] {
  return some.flatMap(({ depositId }) => depositId ?? []);
}

/** Notes the address, or what is wrong with it. `isLooked`: the deposit was just looked up by its id. */
async function judge(
  { store, config, context }: Workplace,
  expectation: ExpectationRow,
  deposit: ObservedDeposit | undefined,
  isLooked: boolean,
): Promise<Problem | "found" | undefined> {
  const { id, address, trouble } = expectation;
  const before = trouble === undefined ? undefined : problemFromJson(trouble);
  // An address that once changed stays withheld, because a customer may have been given the wrong one.
  if (before?.code === "EXPECTED_ADDRESS_CHANGED") return undefined;
  const now = addressOf(expectation, deposit, addressPolicy(config));
  if ("trouble" in now) {
    const stored = JSON.stringify(now.trouble);
    if (stored === trouble) return undefined;
    await store.write(() => noteAddressTrouble(id, stored));
    return now.trouble;
  }
  if (before !== undefined) await store.write(() => noteAddressTrouble(id, undefined));
  if (!("address" in now) || address !== undefined || !isLooked) return undefined;
  await store.write(() => noteAddress(id, now.address, context.clock.now()));
  return "found";
}
