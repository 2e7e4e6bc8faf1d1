/** Lists the open breaks of the last comparison, and settles breaks by a person's word. */
import { fault } from "../faults/index.ts";
import { proveDecision } from "../pipeline/people/prove.ts";
import { custodyNames } from "../pipeline/workplace/custody-accounts.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { appendAudit } from "../store/audit.ts";
import {
  listOpenBreaks,
  listSettledBreaks,
  type SettledBreak,
  type StoredBreak,
  settleBreaks,
} from "../store/breaks.ts";
import { type ComparisonState, readComparison } from "../store/comparison.ts";
import type { Transaction } from "../store/sql.ts";

export interface BreaksReport extends ComparisonState {
  /** Newest first. */
  readonly open: readonly StoredBreak[];
  readonly settled: readonly SettledBreak[];
}

/** The breaks as of the last comparison; does not ask the service. */
export function breaksStep({ store }: Workplace): Promise<BreaksReport> {
  return store.read(function* (): Transaction<BreaksReport> {
    return {
      ...(yield* readComparison()),
      open: yield* listOpenBreaks(),
      settled: yield* listSettledBreaks(),
    };
  });
}

export interface BreakDecision {
  /** References, payoutIds, depositIds or break ids. */
  readonly names: readonly string[];
  readonly person: string;
  readonly reason: string;
}

/**
 * Settles every open break about one of `names` and returns them. Throws NAME_UNKNOWN if a name matches none, and
 * STATEMENT_CHANGED for one that was
 * found while it was being signed; then nothing is settled.
 */
export async function settleStep(
  workplace: Workplace,
  { names, person, reason }: BreakDecision,
): Promise<readonly StoredBreak[]> {
  const { store, context, config } = workplace;
  const nameOf = custodyNames(config);
  const meant = await store.read(function* (): Transaction<string[]> {
    const open = yield* listOpenBreaks();
    return names.flatMap((name) => breaksNamed(open, name, nameOf).map(({ sentence }) => sentence));
  });
  const subject = names.join(", ");
  await proveDecision(workplace, {
    decision: "settle break",
    person,
    subject,
    reason,
    detail: { breaks: meant },
  });
  const at = context.clock.now();
  return store.write(function* (): Transaction<readonly StoredBreak[]> {
    const open = yield* listOpenBreaks();
    const chosen = new Set(names.flatMap((name) => breaksNamed(open, name, nameOf)));
    if (![...chosen].every(({ sentence }) => meant.includes(sentence)))
      throw fault("STATEMENT_CHANGED", { reason: "other breaks are open now" });
    yield* settleBreaks([...chosen], { settledAt: at, person, reason });
    yield* appendAudit(
      ...[...chosen].map(({ id, reference }) => ({
        at,
        person,
        action: "settle break",
        subject: reference ?? id,
        detail: { break: id, reason },
      })),
    );
    return [...chosen];
  });
}

/** A custody account names the break about its balance, and none about its payouts and deposits. */
function breaksNamed(
  open: readonly StoredBreak[],
  name: string,
  nameOf: (custodyAccountId: string) => string,
): readonly StoredBreak[] {
  const named = open.filter(({ id, kind, reference, payoutId, depositId, custodyAccountId }) => {
    const account = kind === "balance" ? custodyAccountId : undefined;
    return [id, reference, payoutId, depositId, account, account && nameOf(account)].includes(name);
  });
  if (named.length === 0) throw fault("NAME_UNKNOWN", { what: `open break for ${name}`, how: NAMES });
  return named;
}

const NAMES =
  "`paydrop breaks` lists the open ones; name a reference, a payoutId, a depositId or the custody account of a balance, or a break by its id in `paydrop breaks --json`.";
