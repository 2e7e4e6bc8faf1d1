/** Movements that cannot be booked, or only to suspense; each is reported beside the ledger files. */
import type { CatalogueEntry } from "./entry.ts";

export const ledgerFaults = {
  LEDGER_UNMAPPED: {
    message: "no ledger account is mapped for {what}; it was booked to suspense",
    fix: "Add a line to the chart of accounts, or rebook it in the ERP.",
    next: "needs-person",
  },
  LEDGER_RATE_MISSING: {
    message: "there is no rate into {currency}, so this movement is held",
    fix: "It is booked as soon as the service reports a rate.",
    next: "needs-person",
  },
  LEDGER_FACT_UNCLEAR: {
    message: "this movement is held: {reason}",
    fix: "Compare it with the service; it is booked once the figures agree.",
    next: "needs-person",
  },
  LEDGER_UNBALANCED: {
    message: "entry {entryId} does not balance: {difference}",
    fix: "Nothing of this run is exported. Report this with the entry id.",
    next: "stopped",
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
