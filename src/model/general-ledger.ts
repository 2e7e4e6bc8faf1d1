/** What a payment is booked to, in the interface's own names: as its file says it, as the service shows it, as the ledger takes it. */
export const GENERAL_LEDGER_FIELDS = [
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
] as const;

export type GeneralLedgerFields = {
  readonly [Field in (typeof GENERAL_LEDGER_FIELDS)[number]]?: string | undefined;
};

/** All three; undefined where there is none. */
export function generalLedgerOf({
  generalLedgerName,
  generalLedgerProject,
  generalLedgerDistribution,
}: GeneralLedgerFields): Required<GeneralLedgerFields> {
  return { generalLedgerName, generalLedgerProject, generalLedgerDistribution };
}
