/** Compares good rows with each other, with payments taken in before, and with what screening knows. */
import { type Problem, problem } from "../faults/index.ts";
import { canonicalFields, foldedReference, type InstructionFields } from "../model/index.ts";
import type { CheckedRow, RowChecker } from "./check-row.ts";
import type { InitiationPolicy } from "./policy.ts";
import type { ScreeningReport } from "./screening/screening.ts";

/** The first row with a reference keeps it, even if it is bad; every later one gets a problem that names the first. */
export function checkRepeated(rows: readonly CheckedRow[], checker: RowChecker): void {
  const first = new Map<string, number>();
  for (const { row, line, reference, problems } of rows) {
    if (reference === undefined) continue;
    const folded = foldedReference(reference);
    const earlier = first.get(folded);
    if (earlier === undefined) first.set(folded, line.line);
    else
      problems.push(
        checker.placed(row, line, "reference", problem("REFERENCE_REPEATED", { reference, earlier })),
      );
  }
}

/** Whether nothing speaks against paying a row. */
export function isGood({ draft, problems }: CheckedRow): boolean {
  return draft !== undefined && problems.length === 0;
}

/**
 * Compares the references with payments taken in before. Returns a notice for each row that was accepted with the file
 * which this one corrects; for any other earlier use the row gets a problem.
 */
export async function checkHistory(
  rows: readonly CheckedRow[],
  checker: RowChecker,
  policy: InitiationPolicy,
): Promise<ReadonlyMap<CheckedRow, Problem>> {
  const before = new Map<CheckedRow, Problem>();
  const uses = await policy.earlierUses(rows.flatMap(({ reference }) => reference ?? []));
  for (const each of uses.size === 0 ? [] : rows) {
    const { reference, row, line } = each;
    const use = reference === undefined ? undefined : uses.get(foldedReference(reference));
    if (reference === undefined || use === undefined) continue;
    const earlier = use.inWords;
    const place = (what: Problem) => checker.placed(row, line, "reference", what);
    if (use.isFree) each.warnings.push(place(problem("REFERENCE_WITHDRAWN_BEFORE", { reference, earlier })));
    else if (isAcceptedAs(each, use.corrected))
      before.set(each, problem("ROW_ACCEPTED_BEFORE", { earlier }, { row, line: line.line }));
    else if (use.corrected === undefined)
      each.problems.push(place(problem("REFERENCE_USED", { reference, earlier })));
    else each.problems.push(place(problem("ROW_CHANGED_AFTER_ACCEPTANCE", { reference, earlier })));
  }
  return before;
}

function isAcceptedAs(row: CheckedRow, accepted: InstructionFields | undefined): boolean {
  if (!isGood(row) || row.draft === undefined || accepted === undefined) return false;
  return canonicalFields(row.draft.fields) === canonicalFields(accepted);
}

/** Screens the good rows, and adds what was found to them. */
export async function screenRows(
  rows: readonly CheckedRow[],
  checker: RowChecker,
  { screen }: InitiationPolicy,
): Promise<ScreeningReport | undefined> {
  const good = rows.filter(isGood);
  const screened = await screen?.(
    good.flatMap(({ draft, line }) => (draft === undefined ? [] : [{ ...draft, line: line.line }])),
  );
  const byRow = new Map(rows.map((each) => [each.row, each]));
  for (const { row, column, what, isRefusal } of screened?.findings ?? []) {
    const found = byRow.get(row);
    if (found === undefined) continue;
    (isRefusal ? found.problems : found.warnings).push(checker.placed(row, found.line, column, what));
  }
  return screened?.report;
}
