/** A list of payments as a file: CSV of any length, or a workbook. */
import { fault } from "../../faults/index.ts";
import { destinationOf, standingInWords } from "../../model/index.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { csvOf, textCell } from "../../writing/cell-text.ts";
import { addFilter, addRow, addTable } from "../../writing/workbook.ts";
import { type FoundPayment, listPayments, type PaymentsFilter } from "./find-payments.ts";

const COLUMNS = [
  ["reference", 24],
  ["payee", 24],
  ["amount", 16],
  ["currency", 10],
  ["to", 46],
  ["stands at", 18],
  ["state at the service", 18],
  ["payout", 38],
  ["file", 24],
  ["batch", 12],
  ["sent in (UTC)", 26],
] as const;

const READ_TOGETHER = 500;

async function* windowsOf(
  workplace: Workplace,
  filter: PaymentsFilter,
): AsyncGenerator<readonly FoundPayment[]> {
  for (let last: FoundPayment | undefined; ; ) {
    const window = await listPayments(workplace, last?.instruction, filter, READ_TOGETHER);
    last = window.at(-1);
    if (last === undefined) return;
    yield window;
    await new Promise((resume) => setImmediate(resume));
  }
}

function cellsOf({ instruction, batch, payoutState = "" }: FoundPayment): string[] {
  const { fields, standing, payoutId = "" } = instruction;
  return [
    ...[fields.reference, fields.customerId ?? "", fields.amount.value.toString(), fields.amount.currency],
    ...[destinationOf(fields), standingInWords(standing, payoutState), payoutState, payoutId],
    ...[batch.fileName, batch.id, batch.submittedAt],
  ];
}

/** In parts, newest first. */
export async function* paymentsCsv(workplace: Workplace, filter: PaymentsFilter): AsyncGenerator<string> {
  yield csvOf([COLUMNS.map(([title]) => title)]);
  for await (const window of windowsOf(workplace, filter))
    yield csvOf(window.map((payment) => cellsOf(payment).map(textCell)));
}

/** A whole workbook is built in memory. */
const WORKBOOK_ROWS_MAX = 20_000;

/** Newest first. Throws USAGE if there are more payments than `WORKBOOK_ROWS_MAX`. */
export async function paymentsWorkbook(workplace: Workplace, filter: PaymentsFilter): Promise<Buffer> {
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.Workbook();
  const sheet = addTable(workbook, "Payments", COLUMNS);
  for await (const window of windowsOf(workplace, filter)) {
    if (sheet.rowCount + window.length > WORKBOOK_ROWS_MAX)
      throw fault("USAGE", {
        what: `these are more than ${WORKBOOK_ROWS_MAX} payments, the most that a workbook can have`,
        how: "Choose fewer days, or take the CSV.",
      });
    for (const payment of window) {
      const [reference = "", payee = "", amount = "", currency = "", ...rest] = cellsOf(payment);
      addRow(sheet, [reference, payee, { amount, currency }, currency, ...rest]);
    }
  }
  addFilter(sheet);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}
