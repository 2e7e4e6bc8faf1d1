/** Whether a comparison that used kept results found the same as a comparison of everything. */
import { type Break, formatControlTotals } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import type { Reconciliation } from "./reconciliation.ts";
import { type AccountShare, FIGURES } from "./shares.ts";

/** `kept`: the result with kept results; `whole`: the result without. A sentence each. */
export function differencesOf(kept: Reconciliation, whole: Reconciliation): readonly string[] {
  return [
    ...breakDifferences(kept.breaks, whole.breaks),
    ...figureDifferences(kept.figures, whole.figures),
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

function figureDifferences(kept: readonly AccountShare[], whole: readonly AccountShare[]): string[] {
  const before = new Map(kept.map((account) => [account.custodyAccountId, account]));
  const now = new Set(whole.map(({ custodyAccountId }) => custodyAccountId));
  const nothing: Pick<AccountShare, "figures" | "uncountedMovements"> = {
    figures: {},
    uncountedMovements: 0,
  };
  const vanished = kept
    .filter(({ custodyAccountId }) => !now.has(custodyAccountId))
    .map((account) => ({ ...account, ...nothing }));
  return [...whole, ...vanished].flatMap((account) => {
    const { custodyAccountId, currency, figures, uncountedMovements } = account;
    const was = before.get(custodyAccountId) ?? nothing;
    const sentence = (has: string, name: string, wrong: string) =>
      `Custody account ${custodyAccountId} has ${has} as "${name}", and ${wrong} was kept.`;
    const sentences = FIGURES.flatMap((figure) => {
      const [right, wrong] = [figures[figure] ?? Decimal.zero, was.figures[figure] ?? Decimal.zero];
      if (right.equals(wrong)) return [];
      return [sentence(`${right.normalized()} ${currency}`, figure, `${wrong.normalized()}`)];
    });
    if (uncountedMovements === was.uncountedMovements) return sentences;
    return [
      ...sentences,
      sentence(`${uncountedMovements}`, "uncountedMovements", `${was.uncountedMovements}`),
    ];
  });
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
