/** What the last comparison found and somebody has to look at, and a person's word that one of it needs nothing more done. */
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import { present } from "../model/present.ts";
import { appendAudit } from "../store/audit.ts";
import { listBalances } from "../store/balances.ts";
import {
  listOpenBreaks,
  listSettledBreaks,
  type SettledBreak,
  type StoredBreak,
  settleBreaks,
} from "../store/breaks.ts";
import type { Transaction } from "../store/sql.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface BreaksReport {
  /** Of the last comparison; absent where there was none. */
  readonly comparedAt?: Instant;
  /** The newest first. */
  readonly open: readonly StoredBreak[];
  readonly settled: readonly SettledBreak[];
}

/** As the last comparison left them; the service is not asked. */
export function breaksStep({ store }: Workplace): Promise<BreaksReport> {
  return store.read(function* (): Transaction<BreaksReport> {
    const comparedAt = (yield* listBalances("latest"))
      .map(({ observedAt }) => observedAt)
      .sort()
      .at(-1);
    const open = yield* listOpenBreaks();
    return { ...present({ comparedAt }), open, settled: yield* listSettledBreaks() };
  });
}

export interface BreakDecision {
  /** References, payoutIds, depositIds, or ids of breaks. */
  readonly names: readonly string[];
  readonly person: string;
  readonly reason: string;
}

/** Settles every open break that is about one of `names`; returns them. Throws BREAK_UNKNOWN for a name that fits none, and settles nothing. */
export function settleStep(
  { store, context }: Workplace,
  { names, person, reason }: BreakDecision,
): Promise<readonly StoredBreak[]> {
  const at = context.clock.now();
  return store.write(function* (): Transaction<readonly StoredBreak[]> {
    const open = yield* listOpenBreaks();
    const chosen = new Set(names.flatMap((name) => breaksNamed(open, name)));
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

function breaksNamed(open: readonly StoredBreak[], name: string): readonly StoredBreak[] {
  const named = open.filter(({ id, reference, payoutId, depositId }) =>
    [id, reference, payoutId, depositId].includes(name),
  );
  if (named.length === 0) throw fault("BREAK_UNKNOWN", { name });
  return named;
}
