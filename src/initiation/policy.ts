/** The input and the result of initiation; the pipeline fills the policy from configuration and store. */
import type { Config } from "../config/index.ts";
import type { Problem } from "../faults/index.ts";
import type { ColumnMeanings, ColumnName } from "../model/columns.ts";
import type { ControlTotal, CustodyAccountId, Day, InstructionFields, TitleLine } from "../model/index.ts";
import type { CurrencyScales } from "../money/index.ts";
import type { NumberFormat } from "./amounts/number-format.ts";
import type { NetworkKind } from "./destinations/address-networks.ts";
import type { ProblemCounts } from "./problem-list.ts";
import type { ScreenedDraft } from "./screening/screened-payment.ts";

export interface CustodyAccount {
  readonly id: CustodyAccountId;
  readonly name: string;
  readonly currency: string;
  /** The operation that creates its payouts; default createPayoutV2. */
  readonly createOperation?: string;
}

/** Values for empty cells. */
type RowDefaults = Config["files"]["defaults"] & { readonly username: string; readonly callbackUrl: string };

interface ReferencePattern {
  /** In characters. */
  readonly maxLength: number;
  /** A regular expression that must match the whole reference. */
  readonly allowed: string;
}

/** A file beside the payout file with nothing but its control totals. */
export interface TotalsFile {
  /** The sender's name of the file. */
  readonly file: string;
  readonly lines: readonly TitleLine[];
}

/** A finding of screening about one row. */
export interface Finding {
  readonly row: number;
  readonly column: ColumnName;
  readonly what: Problem;
  /** Whether the row must not be paid; otherwise it is a warning. */
  readonly isRefusal: boolean;
  /** Of what an approver must accept: the earlier payment, or the two addresses that look alike. */
  readonly about?: string;
}

/** The earlier payment with the same reference. */
export interface EarlierUse {
  /** "batch B-000003, row 4, paid as 1b2c..." */
  readonly inWords: string;
  /** It was withdrawn before it was sent, so its reference is free again. */
  readonly isFree: boolean;
  /** The accepted fields, if that payment came with the file which this one corrects. */
  readonly corrected?: InstructionFields;
}

export interface InitiationPolicy {
  readonly custodyAccounts: readonly CustodyAccount[];
  readonly defaults: RowDefaults;
  readonly network: NetworkKind;
  readonly numberFormat: NumberFormat;
  /** The sender's own column headers and their meanings. */
  readonly columns: ColumnMeanings;
  readonly scales: CurrencyScales;
  /** A currency without both limits is not payable. */
  readonly limits: Pick<Config["limits"], "perRow" | "perFile">;
  readonly referencePattern: ReferencePattern;
  /** The current day in the company's time zone. */
  readonly today: Day;
  /** By reference, the earlier payment that uses it; called with some hundreds of references at a time. */
  readonly earlierUses: (references: readonly string[]) => Promise<ReadonlyMap<string, EarlierUse>>;
  readonly controlTotals: Config["files"]["controlTotals"];
  readonly totalsFile?: TotalsFile;
  /** Screens some hundreds of good rows at a time (screening.ts); without it no screening takes place. */
  readonly screen?: (drafts: readonly ScreenedDraft[]) => Promise<readonly Finding[]>;
  /** One bad row rejects the file, or only itself. A problem of the whole file always rejects the file. */
  readonly onBadRow: Config["files"]["onBadRow"];
}

export interface InitiationResult {
  readonly verdict: "accepted" | "rejected";
  /** Always rowsAccepted + rowsRejected. */
  readonly rowsRead: number;
  /** Rows without a problem of their own, even if the file as a whole is rejected. */
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  /** Rows of a correction that were accepted with the file it corrects; not counted in rowsRead. */
  readonly rowsAcceptedBefore: number;
  /** In file order: of the header, of rows, of the whole file. Beyond 20,000 only the first few of each code. */
  readonly problems: readonly Problem[];
  /** The number of problems per code, including those that `problems` leaves out. */
  readonly problemCounts: ProblemCounts;
  /** The problems of the file as a whole, including those that show in one row, like a total that differs. */
  readonly fileProblems: readonly Problem[];
  /** What a person should know although nothing must be corrected; limited like `problems`. */
  readonly warnings: readonly Problem[];
  readonly warningCounts: ProblemCounts;
  /** Sums over the accepted rows, at the full scale of each currency. */
  readonly controlTotals: readonly ControlTotal[];
  /** Where the file declares control totals, if its rows agree with them ("line 12"); otherwise empty. */
  readonly totalsConfirmedBy: readonly string[];
  /** The sender's own columns, as written in the header. */
  readonly unknownColumns: readonly string[];
}
