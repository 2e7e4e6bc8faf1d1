/** What somebody changes in the database after an approval. */
import { expect } from "vitest";
import { payStep, type Workplace } from "../../src/index.ts";
import { tamper } from "../store/stored-batch.ts";

export interface Alteration {
  readonly what: string;
  /** The table that `text`, a statement in SQL, changes. */
  readonly table: "instruction" | "approval";
  readonly text: string;
}

/** Fails where a run does not stop at one of the alterations. Each is taken back before the next. */
export async function stopAtEach(workplace: Workplace, alterations: readonly Alteration[]) {
  const { store } = workplace;
  for (const table of new Set(alterations.map((each) => each.table)))
    await tamper(store, `create table kept_${table} as select * from ${table}`);
  for (const { what, table, text } of alterations) {
    await tamper(store, text);
    const altered = { problem: { code: "BATCH_ALTERED" } };
    await expect(payStep(workplace), what).rejects.toMatchObject(altered);
    await tamper(store, `delete from ${table}`);
    await tamper(store, `insert into ${table} select * from kept_${table}`);
  }
}
