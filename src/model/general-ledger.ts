/** The general-ledger fields, by the interface's names: in files, at the service and in the ledger. */
export const GENERAL_LEDGER_FIELDS = [
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
] as const;

export type GeneralLedgerFields = {
  readonly [Field in (typeof GENERAL_LEDGER_FIELDS)[number]]?: string | undefined;
};

/** All three fields, each undefined if absent. */
export function generalLedgerOf({
  generalLedgerName,
  generalLedgerProject,
  generalLedgerDistribution,
}: GeneralLedgerFields): Required<GeneralLedgerFields> {
  return { generalLedgerName, generalLedgerProject, generalLedgerDistribution };
}
