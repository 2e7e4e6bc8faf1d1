/** A table whose rows carry their problems, as the pipeline passes it to an answer. */
import type { Problem } from "../../../src/faults/index.ts";
import type { Row, Table } from "../../../src/model/index.ts";

export function withProblems(table: Table, problemsOf: (row: Row) => readonly Problem[]): Table {
  return {
    ...table,
    async *windows() {
      for await (const window of table.windows())
        yield window.map((row) => ({ ...row, problems: [...row.problems, ...problemsOf(row)] }));
    },
  };
}
