/** The input and the result of initiation. Intake fills the policy from configuration, layouts and store. */
import type { Config } from "../../config/index.ts";
import type { Problem } from "../../faults/index.ts";
import type { ColumnMeanings } from "../../model/columns.ts";
import type { Line } from "../../model/grid.ts";
import type {
  ControlTotal,
  CustodyAccountId,
  Day,
  EarlierCourse,
  GeneralLedgerFields,
  InstructionFields,
  SentBefore,
} from "../../model/index.ts";
import type { PaymentLine, ReadColumn, SheetReading } from "../../model/sheet-reading.ts";
import type { CurrencyScales, Decimal } from "../../money/index.ts";
import type { NetworkKind } from "../../readers/address.ts";
import type { NumberFormat } from "./column-format.ts";
import type { ScreenedDraft } from "./screening/screened-payment.ts";
import type { Screened, ScreeningReport } from "./screening/screening.ts";

export interface CustodyAccount {
  readonly id: CustodyAccountId;
  readonly name: string;
  readonly currency: string;
  /** The operation that creates its payouts; default createPayoutV2. */
  readonly createOperation?: string;
}

/** Values for empty cells. */
type RowDefaults = Config["files"]["defaults"] & { readonly username: string; readonly callbackUrl: string };

/** A file beside the payout file that holds only its control totals. */
export interface TotalsFile {
  /** The sender's name of the file. */
  readonly file: string;
  readonly lines: readonly Line[];
}

/** The earlier payment with the same reference. */
export interface EarlierUse extends EarlierCourse {
  /** "paid on 24 November 2026 as B-000003, row 4" */
  readonly inWords: string;
  readonly fields: Pick<InstructionFields, "amount" | "destinationAddress" | "destinationAccountId">;
  /** It was withdrawn before it was sent, so its reference is free again. */
  readonly isFree: boolean;
  /** The accepted fields, if that payment came with the file which this one corrects. */
  readonly corrected?: InstructionFields;
}

/** The reading that a person has accepted for a sender's layout, or for this file alone. */
export interface AcceptedLayout {
  /** By heading as written; `ignore` for a column that is not shown again. */
  readonly columns: ColumnMeanings;
  /** Ids of questions that are not asked again. */
  readonly accepted: ReadonlySet<string>;
  /** Ids of questions about values whose rows are left out. */
  readonly notPaid: ReadonlySet<string>;
  /** By currency, the largest amount and the largest sum of a file so far. */
  readonly largest: Readonly<Record<string, { readonly row: Decimal; readonly sum: Decimal }>>;
}

export interface InitiationPolicy {
  readonly custodyAccounts: readonly CustodyAccount[];
  /** Our own addresses and account ids, in comparable form: never found as a destination by content. */
  readonly ownDestinations: ReadonlySet<string>;
  readonly defaults: RowDefaults;
  readonly network: NetworkKind;
  readonly numberFormat: NumberFormat;
  /** `DD/MM/YYYY`, `MM/DD/YYYY`; if absent, the only order that fits every cell of the column. */
  readonly dateFormat?: string;
  /** How to round a calculated amount with more decimals than its currency; if absent, it is refused. */
  readonly roundCalculated?: "half-even";
  /** The sender's own column headers and their meanings. */
  readonly columns: ColumnMeanings;
  readonly layout?: AcceptedLayout;
  /** The sheets that `chooseSheet` did not choose, and the hidden ones of them that hold payouts. */
  readonly otherSheets: readonly string[];
  readonly hiddenPayouts: readonly string[];
  /** The median of the last fee rates that people set, in sat/vB. */
  readonly usualFeeRate?: number;
  readonly scales: CurrencyScales;
  /** A currency without both limits is not payable. */
  readonly limits: Pick<Config["limits"], "perRow" | "perFile">;
  /** `allowed`: a regular expression of the company's own that must match the whole reference. */
  readonly referencePattern: { readonly maxLength: number; readonly allowed?: string };
  /** The current day in the company's time zone. */
  readonly today: Day;
  /** The day itself, or the next working day after a day off. */
  readonly workingDayFrom: (day: Day) => Day;
  /** By folded reference, the earlier payment that uses it. */
  readonly earlierUses: (references: readonly string[]) => Promise<ReadonlyMap<string, EarlierUse>>;
  /** `required`: a file must have a totals file, or a line with its sum. */
  readonly controlTotals: { readonly required: boolean };
  readonly totalsFile?: TotalsFile;
  /** The sender's name of the file. */
  readonly fileName: string;
  /**
   * The fields whose values the chart of accounts does not have, if it has no line for them together; no field
   * without a chart.
   */
  readonly unknownToChart?: (fields: GeneralLedgerFields) => readonly (keyof GeneralLedgerFields)[];
  /**
   * Called once, with lines of payments, unless the file is rejected in any case. The second reader can then read
   * their cells while they are checked: those of a long file as soon as they are found, otherwise those that are good
   * by themselves, while they are compared with history.
   */
  readonly onceFound?: (columns: readonly ReadColumn[], lines: readonly Line[]) => void;
  /**
   * Screens the good rows (screening.ts), whose references may be assigned ones; absent: no screening. It may
   * iterate the drafts again.
   */
  readonly screen?: (drafts: Iterable<ScreenedDraft>, givesReferences: boolean) => Promise<Screened>;
  /** One bad row rejects the file, or only itself. A problem of the whole file always rejects the file. */
  readonly onBadRow: Config["files"]["onBadRow"];
}

export interface InitiationResult {
  readonly verdict: "accepted" | "rejected";
  /** Undefined if the rows could not be screened. */
  readonly screened: ScreeningReport | undefined;
  /** Absent if no header was found. Its questions must be answered before the file is paid. */
  readonly reading: SheetReading | undefined;
  /** Every line that is a payment, in file order. If the verdict is accepted, those with a draft are paid. */
  readonly rows: readonly PaymentLine[];
  /** Always rowsAccepted + rowsRejected. */
  readonly rowsRead: number;
  /** Rows without a problem of their own, even if the file as a whole is rejected. */
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  /** Rows of a correction that were accepted with the file it corrects; not counted in rowsRead. */
  readonly rowsAcceptedBefore: number;
  /** The outcomes of rows that were sent before. For a correction, only if it has no new row. */
  readonly sentBefore: readonly SentBefore[];
  /** Rows that a person answered not to pay; not counted in rowsRead. */
  readonly rowsLeftOut: number;
  /** In file order: problems of the file as a whole, then of its rows. */
  readonly problems: readonly Problem[];
  /** The problems of the file as a whole; any of them rejects it. */
  readonly fileProblems: readonly Problem[];
  /** Findings that a person should know although nothing must be corrected; in file order. */
  readonly warnings: readonly Problem[];
  /** Sums over the accepted rows, at the full scale of each currency. */
  readonly controlTotals: readonly ControlTotal[];
  /** The place where the file declares a total of all its rows, if it is their sum ("line 12"); otherwise empty. */
  readonly totalsConfirmedBy: readonly string[];
}

/** The result of a file in which no rows were found, apart from its verdict and problems. */
export const NOTHING_READ = {
  reading: undefined,
  rowsRead: 0,
  rowsAccepted: 0,
  rowsRejected: 0,
  rowsAcceptedBefore: 0,
  sentBefore: [],
  rowsLeftOut: 0,
  warnings: [],
  controlTotals: [],
  totalsConfirmedBy: [],
} as const satisfies Partial<InitiationResult>;
