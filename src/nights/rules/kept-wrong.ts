/** Whether a comparison that used kept results found the same as a comparison of everything. */
import { type BalanceProofRow, type Break, formatControlTotals } from "../../model/index.ts";
import type { Reconciliation } from "./reconciliation.ts";

/** `kept`: the result with kept results; `whole`: the result without. A sentence each. */
export function differencesOf(kept: Reconciliation, whole: Reconciliation): readonly string[] {
  return [
    ...breakDifferences(kept.breaks, whole.breaks),
    ...proofDifferences(kept.balanceProof, whole.balanceProof),
    ...totalDifferences(kept, whole),
  ];
}

function breakDifferences(kept: readonly Break[], whole: readonly Break[]): string[] {
  const [before, now] = [byId(kept), byId(whole)];
  return [
    ...[...now].filter(([id]) => !before.has(id)).map(([, { sentence }]) => `It was not found: ${sentence}`),
    ...[...before].filter(([id]) => !now.has(id)).map(([, { sentence }]) => `It is no break: ${sentence}`),
    ...[...now].flatMap(([id, each]) => {
      const was = before.get(id);
      if (was === undefined || stakeOf(was) === stakeOf(each)) return [];
      return [`It was found otherwise: ${each.sentence} From what was kept: ${was.sentence}`];
    }),
  ];
}

function byId(breaks: readonly Break[]): ReadonlyMap<string, Break> {
  return new Map(breaks.map((each) => [each.id, each]));
}

function stakeOf({ severity, field, expected, found, amount }: Break): string {
  return JSON.stringify([
    severity,
    field,
    expected,
    found,
    amount?.currency,
    amount?.value.normalized().toString(),
  ]);
}

const FIGURES = ["received", "transferredIn", "sent", "fees"] as const;

function proofDifferences(kept: readonly BalanceProofRow[], whole: readonly BalanceProofRow[]): string[] {
  const before = new Map(kept.map((row) => [row.custodyAccountId, row]));
  return whole.flatMap((row) =>
    FIGURES.filter((figure) => before.get(row.custodyAccountId)?.[figure].equals(row[figure]) !== true).map(
      (figure) =>
        `Custody account ${row.custodyAccountId} has ${row[figure].normalized()} ${row.currency} as "${figure}", and ${
          before.get(row.custodyAccountId)?.[figure].normalized() ?? "nothing"
        } was kept.`,
    ),
  );
}

/** The classes of payments whose sums are kept. */
const KEPT_CLASSES = ["agree", "gone"] as const;

function totalDifferences({ totals: kept }: Reconciliation, { totals: whole }: Reconciliation): string[] {
  const counts = ({ payouts, deposits }: Reconciliation["totals"]) => JSON.stringify([payouts, deposits]);
  const wrongCounts =
    counts(kept) === counts(whole) ? [] : [`It counts ${counts(whole)}, where ${counts(kept)} were kept.`];
  const wrongSums = KEPT_CLASSES.flatMap((each) => {
    const [before, now] = [formatControlTotals(kept[each]), formatControlTotals(whole[each])];
    return before === now ? [] : [`It sums up payments that "${each}" to ${now}, where ${before} were kept.`];
  });
  return [...wrongCounts, ...wrongSums];
}
