/**
 * The control totals that a file declares about itself: in lines above its header, in rows among or below its payouts, or in a
 * totals file beside it. Collected here while the rows go by; compared with them in control-comparison.ts.
 */
import { type Problem, problem, type Where } from "../faults/index.ts";
import { type Row, RunningTotals, resultOf, type Table, type TitleLine } from "../model/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { cellPlace } from "./cell-place.ts";
import { compareControlTotals, type PlacedFigure } from "./control-comparison.ts";
import { labelReader } from "./control-label.ts";
import { type ControlLine, type ControlLineReading, readControlLine } from "./control-line.ts";
import { type ControlRows, controlRows } from "./control-row.ts";
import type { Header } from "./header.ts";
import type { InitiationPolicy, TotalsFile } from "./policy.ts";
import type { CheckedRow } from "./row-checker.ts";
import { shownText } from "./shown-text.ts";

type TableParts = Pick<Table, "format" | "sheet" | "header" | "titleLines">;

/** One table's check: first `take` every row, then `see` those that are payouts, then ask for the `problems`. */
export class ControlTotalCheck {
  /** The lines above the header that declare control totals. */
  readonly titles: readonly TitleLine[];
  private readonly table: TableParts;
  private readonly policy: InitiationPolicy;
  private readonly reading: ControlLineReading;
  private readonly rows: ControlRows;
  private readonly figures: PlacedFigure[] = [];
  private readonly refusals: Problem[] = [];
  private readonly sources = new Set<string>();
  private readonly asked = new RunningTotals();
  private rowCount = 0;
  private firstUnread: number | undefined;

  constructor(table: TableParts, header: Header, policy: InitiationPolicy) {
    this.table = table;
    this.policy = policy;
    this.reading = controlLineReading(policy);
    this.rows = controlRows(header);
    this.titles = (table.titleLines ?? []).filter((title) => this.takeTitle(title));
    if (policy.totalsFile !== undefined) this.takeFile(policy.totalsFile);
  }

  /** Whether the row declares control totals, and so is no payout. A row that could be paid never does. */
  take(row: Row): boolean {
    const reference = this.rows.payableReference(row);
    if (reference !== undefined) {
      this.refuseTotalByName(reference, row);
      return false;
    }
    const cells = this.rows.cellsOf(row);
    if (cells === undefined) return false;
    const line = readControlLine(cells, this.reading);
    if (line === undefined) return false;
    this.keep(line, `line ${row.line}`, (position) =>
      position === undefined ? this.firstCellOf(row) : cellPlace(this.table, row, position),
    );
    return true;
  }

  /** Good and bad rows alike: the declared totals are those of what the sender meant to send. */
  see({ line, asked }: Pick<CheckedRow, "line" | "asked">): void {
    this.rowCount += 1;
    if (asked === undefined) this.firstUnread ??= line;
    else this.asked.add(asked);
  }

  problems(): Problem[] {
    if (this.refusals.length > 0) return this.refusals;
    if (this.sources.size === 0)
      return this.policy.controlTotals.required ? [problem("CONTROL_TOTAL_MISSING", {})] : [];
    const { rowCount, firstUnread } = this;
    const found = { rowCount, firstUnread, totals: this.asked.totals() };
    return compareControlTotals(this.figures, found, this.policy.scales);
  }

  /** Where the totals stand that the rows agree with, for people: "line 12"; empty where there are none. */
  confirmedBy(): string[] {
    return this.problems().length === 0 ? [...this.sources] : [];
  }

  /** References mostly have digits, and labels have none. */
  private refuseTotalByName(reference: string, row: Row): void {
    if (/\d/.test(reference) || (this.reading.labelOf(reference)?.names ?? "unclear") === "unclear") return;
    const what = problem("PAYOUT_NAMED_TOTAL", { reference: shownText(reference) });
    this.refusals.push({ ...what, ...this.firstCellOf(row) });
  }

  private takeTitle({ line, cells }: TitleLine): boolean {
    const { format, sheet } = this.table;
    const where = format === "xlsx" && sheet !== undefined ? { sheet, line } : { line };
    if (cells.some((cell) => holdsPrivateKey(resultOf(cell).text))) {
      this.refusals.push(problem("VALUE_IS_SECRET", { field: "a line above the header" }, where));
      return false;
    }
    return this.takeLine(cells, where, `line ${line}`);
  }

  private takeFile({ file, lines }: TotalsFile): void {
    this.sources.add(file);
    for (const { line, cells } of lines) {
      if (this.takeLine(cells, { file, line }, file)) continue;
      const text = shownText(cells.find(({ kind }) => kind !== "empty")?.text ?? "");
      const reason = "a totals file holds nothing but totals and row counts";
      this.refusals.push(problem("CONTROL_TOTAL_UNREADABLE", { text, reason }, { file, line }));
    }
  }

  /** A line that is no row of the table. */
  private takeLine(cells: TitleLine["cells"], where: Where, source: string): boolean {
    const line = readControlLine(
      cells.map((cell) => ({ cell })),
      this.reading,
    );
    if (line === undefined) return false;
    // A label alone is a heading here; among the rows, where it stands in a payout's place, it has to say something.
    if (line.figures.length > 0 || line.problems.length > 0) this.keep(line, source, () => where);
    return true;
  }

  private keep(line: ControlLine, source: string, placeOf: (position?: number) => Where): void {
    this.sources.add(source);
    this.refusals.push(...line.problems.map(({ what, position }) => ({ ...what, ...placeOf(position) })));
    this.figures.push(...line.figures.map((figure) => ({ ...figure, where: placeOf(figure.position) })));
  }

  private firstCellOf(row: Row): Where {
    const position = row.cells.findIndex(({ kind }) => kind !== "empty");
    return cellPlace(this.table, row, position);
  }
}

function controlLineReading({
  controlTotals: words,
  scales,
  numberFormat,
}: InitiationPolicy): ControlLineReading {
  const isCurrency = (code: string) => scales.scaleOf(code) !== undefined;
  return { labelOf: labelReader(words, isCurrency), isCurrency, numberFormat };
}
