/** Checks the references of rows: against earlier rows of the file, and against payments taken in before. */
import { type Problem, problem } from "../faults/index.ts";
import { canonicalFields, type InstructionFields } from "../model/index.ts";
import type { FirstRows } from "./first-rows.ts";
import type { InitiationPolicy } from "./policy.ts";
import { type CheckedRow, goodDraft } from "./row-checker.ts";

/** The first row with a reference keeps it, even if it is bad; every later one gets a problem that names the first. */
export function checkRepeated({ line, reference, problems, place }: CheckedRow, firstUses: FirstRows): void {
  const earlier = reference === undefined ? undefined : firstUses.earlierRow(reference, line);
  if (reference !== undefined && earlier !== undefined)
    problems.push(place("reference", problem("REFERENCE_REPEATED", { reference, earlier })));
}

/**
 * Compares the rows' references with payments taken in before. Returns a notice for each row that was accepted with the
 * file which this one corrects; for any other earlier use the row gets a problem.
 */
export async function checkHistory(
  checked: readonly CheckedRow[],
  policy: InitiationPolicy,
): Promise<ReadonlyMap<CheckedRow, Problem>> {
  const before = new Map<CheckedRow, Problem>();
  const references = checked.map(({ reference }) => reference).filter((reference) => reference !== undefined);
  if (references.length === 0) return before;
  const earlierUses = await policy.earlierUses(references);
  if (earlierUses.size === 0) return before;
  for (const row of checked) {
    const { reference, problems, place } = row;
    const use = reference === undefined ? undefined : earlierUses.get(reference);
    if (reference === undefined || use === undefined) continue;
    const earlier = use.inWords;
    if (use.isFree) {
      row.warnings.push(place("reference", problem("REFERENCE_WITHDRAWN_BEFORE", { reference, earlier })));
    } else if (isAcceptedAs(row, use.corrected)) {
      before.set(row, problem("ROW_ACCEPTED_BEFORE", { earlier }, { row: row.row, line: row.line }));
    } else if (use.corrected === undefined) {
      problems.push(place("reference", problem("REFERENCE_USED", { reference, earlier })));
    } else {
      problems.push(place("reference", problem("ROW_CHANGED_AFTER_ACCEPTANCE", { reference, earlier })));
    }
  }
  return before;
}

function isAcceptedAs(row: CheckedRow, accepted: InstructionFields | undefined): boolean {
  const [draft] = goodDraft(row);
  if (draft === undefined || accepted === undefined) return false;
  return canonicalFields(draft.fields) === canonicalFields(accepted);
}
