/** Adds the findings of screening to their rows. */
import type { InitiationPolicy } from "../policy.ts";
import type { CheckedRow } from "../row-checker.ts";

/** Screens the rows that have no problems. */
export async function screenRows(
  checked: readonly CheckedRow[],
  { screen }: Pick<InitiationPolicy, "screen">,
): Promise<void> {
  const drafts = checked.flatMap(({ draft, problems }) =>
    draft === undefined || problems.length > 0 ? [] : [draft],
  );
  if (screen === undefined || drafts.length === 0) return;
  const findings = await screen(drafts);
  if (findings.length === 0) return;
  const rows = new Map(checked.map((checkedRow) => [checkedRow.row, checkedRow]));
  for (const { row, column, what, isRefusal } of findings) {
    const checkedRow = rows.get(row);
    if (checkedRow !== undefined)
      (isRefusal ? checkedRow.problems : checkedRow.warnings).push(checkedRow.place(column, what));
  }
}
