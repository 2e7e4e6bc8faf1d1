/**
 * Keeps a night's findings, in the transaction that stores its breaks. The changes since the last night are read
 * before.
 */

import type { Problem } from "../faults/index.ts";
import { IdSet } from "../model/id-set.ts";
import { dayIn, type Instant } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Amount } from "../money/index.ts";
import { auditHead } from "../store/audit.ts";
import { listOpenBreaks, listSettledBreaks } from "../store/breaks.ts";
import { readComparison } from "../store/comparison.ts";
import {
  keepNight as insertNight,
  lastChange,
  lastNightAt,
  listSeenChanged,
  type SeenChanged,
} from "../store/nights.ts";
import type { Transaction } from "../store/sql.ts";
import { inWindows } from "../store/windows.ts";
import { type Money, parseFunds, parseJson, parseMoney } from "../wire/index.ts";
import { custodyNames } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { ageOf } from "./rules/ageing.ts";
import { ChangesSeen } from "./rules/changes-seen.ts";
import type { Reconciliation } from "./rules/index.ts";
import { nightFrom } from "./rules/night.ts";
import type { NightLook } from "./rules/night-look.ts";

/** The changes seen since the last night, and the number of the last change that counts. */
export interface ChangedSince {
  readonly since?: Instant;
  readonly changesUntil: number;
  readonly changes: ChangesSeen;
}

const CHANGES_TOGETHER = 1_000;

/** Reads only what has changed, each payout and deposit once. */
export async function changedSinceLastNight({ store }: Workplace): Promise<ChangedSince> {
  const { since, changesUntil } = await store.read(function* () {
    return { since: yield* lastNightAt(), changesUntil: yield* lastChange() };
  });
  const changes = new ChangesSeen();
  const windows = inWindows<SeenChanged>(store, (row) =>
    listSeenChanged(changesUntil, row?.seq ?? 0, CHANGES_TOGETHER),
  );
  const counted = { payout: new IdSet(), deposit: new IdSet() };
  // The first change has the state before all of them.
  for await (const window of windows)
    for (const each of window)
      if (counted[each.kind].add(each.id)) changes.add({ ...each, amounts: amountsIn(each) });
  for (const ids of Object.values(counted)) ids.clear();
  return { ...present({ since }), changesUntil, changes };
}

/** Does not fail, because the text was read when it was stored. */
function amountsIn({ kind, money: text }: SeenChanged): Amount[] {
  if (text === undefined) return [];
  const shown = parseJson(text);
  if (kind === "payout") return [amountFrom(parseMoney(shown))];
  return parseFunds(shown).flatMap(({ amount }) => (amount === undefined ? [] : amountFrom(amount)));
}

function amountFrom({ currency, amount: value }: Money): Amount {
  return { currency, value };
}

/**
 * The last statements of a comparison's transaction: reads its open breaks as they are stored. Returns the night's
 * number.
 */
export function* keepNight(
  { config }: Workplace,
  at: Instant,
  { result, look }: { readonly result: Reconciliation; readonly look: NightLook },
  problems: readonly Problem[],
  { since, changesUntil, changes }: ChangedSince,
): Transaction<number> {
  const { incomplete } = yield* readComparison();
  const { allowedDays } = config.reconciliation;
  const nameOf = custodyNames(config);
  const { timeZone } = config.ledger;
  const head = yield* auditHead();
  const night = nightFrom({
    day: dayIn(timeZone, at),
    timeZone,
    comparedAt: at,
    since,
    incomplete,
    problems,
    look,
    result,
    open: (yield* listOpenBreaks()).map((each) => ({ ...each, age: ageOf(each, at, allowedDays) })),
    settled: (yield* listSettledBreaks()).length,
    nameOf,
    accounts: changes.accounts(nameOf),
    projects: changes.projects(),
    audit: { entries: head?.seq ?? 0, head: head?.hash ?? "" },
  });
  const { alarms, warnings, notes } = night.breaks;
  const { day } = night;
  const counts = { isComplete: incomplete === undefined, alarms, warnings, notes };
  return yield* insertNight(
    { day, comparedAt: at, ...counts, document: JSON.stringify(night) },
    changesUntil,
  );
}
