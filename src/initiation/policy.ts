/** What initiation is told and what it answers; the pipeline fills the policy from configuration and store. */
import type { Config } from "../config/index.ts";
import type { Problem } from "../faults/index.ts";
import type { ColumnMeanings, ColumnName } from "../model/columns.ts";
import type {
  ControlTotal,
  CustodyAccountId,
  Day,
  DraftInstruction,
  InstructionFields,
  TitleLine,
} from "../model/index.ts";
import type { CurrencyScales } from "../money/index.ts";
import type { NumberFormat } from "./amounts/number-format.ts";
import type { NetworkKind } from "./destinations/address-networks.ts";
import type { ProblemCounts } from "./problem-list.ts";

export interface CustodyAccount {
  readonly id: CustodyAccountId;
  readonly name: string;
  readonly currency: string;
  /** The service's operation that creates its payouts; createPayoutV2 where absent. */
  readonly createOperation?: string;
}

/** What a row is given where its cell is empty. */
type RowDefaults = Config["files"]["defaults"] & { readonly username: string; readonly callbackUrl: string };

interface ReferencePattern {
  /** In characters. */
  readonly maxLength: number;
  /** A regular expression that the whole reference must fit. */
  readonly allowed: string;
}

/** A file beside the payout file that holds nothing but its control totals. */
export interface TotalsFile {
  /** The sender's own name for it. */
  readonly file: string;
  readonly lines: readonly TitleLine[];
}

/** What screening says about one row. */
export interface Finding {
  readonly row: number;
  readonly column: ColumnName;
  readonly what: Problem;
  /** The row is not payable; otherwise a person is told. */
  readonly isRefusal: boolean;
}

/** The payment that has a reference already. */
export interface EarlierUse {
  /** "batch B-000003, row 4, paid as 1b2c..." */
  readonly inWords: string;
  /** It was taken back before it was sent, and the reference can be had again. */
  readonly isFree: boolean;
  /** What was accepted, where that was with the file which this one corrects. */
  readonly corrected?: InstructionFields;
}

export interface InitiationPolicy {
  readonly custodyAccounts: readonly CustodyAccount[];
  readonly defaults: RowDefaults;
  readonly network: NetworkKind;
  readonly numberFormat: NumberFormat;
  /** A sender's own headers, and what they mean. */
  readonly columns: ColumnMeanings;
  readonly scales: CurrencyScales;
  /** A currency without both limits is not payable. */
  readonly limits: Pick<Config["limits"], "perRow" | "perFile">;
  readonly referencePattern: ReferencePattern;
  /** In the company's time zone. */
  readonly today: Day;
  /**
   * Which of some hundreds of references were used before, and by what.
   */
  readonly earlierUses: (references: readonly string[]) => Promise<ReadonlyMap<string, EarlierUse>>;
  readonly controlTotals: Config["files"]["controlTotals"];
  readonly totalsFile?: TotalsFile;
  /** Compares some hundreds of good rows with lists, limits, chart and history (screening.ts); without it nothing is compared. */
  readonly screen?: (drafts: readonly DraftInstruction[]) => Promise<readonly Finding[]>;
  /** One bad row rejects the file, or only itself. A problem of the whole file always rejects the file. */
  readonly onBadRow: Config["files"]["onBadRow"];
}

export interface InitiationResult {
  readonly verdict: "accepted" | "rejected";
  /** Always rowsAccepted + rowsRejected. */
  readonly rowsRead: number;
  /** Rows without a problem of their own, also where the file as a whole is rejected. */
  readonly rowsAccepted: number;
  readonly rowsRejected: number;
  /** Rows of a correction that were accepted with the file it corrects; they are neither read nor rejected again. */
  readonly rowsAcceptedBefore: number;
  /**
   * In file order, after those of the header; those of the file as a whole come last. Of more than 20,000 only the first
   * ones, and the first of each code.
   */
  readonly problems: readonly Problem[];
  /** How many of each code there are, also of what `problems` leaves out. */
  readonly problemCounts: ProblemCounts;
  /** Of the file as a whole, whatever is said of its rows; also those that are seen in one row, like a total that differs. */
  readonly fileProblems: readonly Problem[];
  /** What a person should know but nothing has to be corrected for; kept like `problems`. */
  readonly warnings: readonly Problem[];
  readonly warningCounts: ProblemCounts;
  /** Over the accepted rows, at the full scale of each currency. */
  readonly controlTotals: readonly ControlTotal[];
  /** Where the file declares control totals that its rows agree with: "line 12"; empty where it declares none. */
  readonly totalsConfirmedBy: readonly string[];
  /** The sender's own columns, as the header has them. */
  readonly unknownColumns: readonly string[];
}
