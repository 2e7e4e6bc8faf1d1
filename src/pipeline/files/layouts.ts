/** What was accepted for a sender's layout: read when a file of it is checked, and grown by what was paid. */
import type { AcceptedLayout } from "../../initiation/index.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import { type Grid, textOf } from "../../model/grid.ts";
import type { Instruction } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { listLargest, listLayouts, recordLargest, type StoredLayout } from "../../store/layouts.ts";
import type { Transaction } from "../../store/sql.ts";
import type { Workplace } from "../workplace/workplace.ts";

/** The name under which an acceptance of one file alone is kept. */
export function fileAlone(sha256: string): string {
  return `file ${sha256}`;
}

/** The accepted layout whose header one of the file's first lines has; of its named sender, or of this file alone. */
export async function acceptedLayout(
  { store }: Workplace,
  sender: string | undefined,
  sha256: string,
  { lines }: Grid,
): Promise<AcceptedLayout | undefined> {
  const heads = new Set(
    lines.slice(0, HEADER_LINES_MAX).map(({ cells }) => JSON.stringify(headerTexts(cells.map(textOf)))),
  );
  const named = [fileAlone(sha256), ...(sender === undefined ? [] : [sender])];
  return store.read(function* (): Transaction<AcceptedLayout | undefined> {
    const layouts = (yield* listLayouts(named)).filter(({ header }) => heads.has(JSON.stringify(header)));
    const [newest] = layouts;
    if (newest === undefined) return undefined;
    const largest = yield* listLargest(newest.sender, newest.header);
    return {
      columns: Object.assign({}, ...layouts.toReversed().map(({ columns }) => columns)),
      accepted: answered(layouts, "pay"),
      notPaid: answered(layouts, "do not pay"),
      largest: Object.fromEntries(
        largest.map(({ currency, row, sum }) => [currency, { row: Decimal.of(row), sum: Decimal.of(sum) }]),
      ),
    };
  });
}

/** A header stands among the first lines. */
const HEADER_LINES_MAX = 30;

/** Trimmed, without empty ones at the end. */
export function headerTexts(texts: readonly string[]): readonly string[] {
  const trimmed = texts.map((text) => text.trim());
  return trimmed.slice(0, trimmed.findLastIndex((text) => text !== "") + 1);
}

function answered(layouts: readonly StoredLayout[], answer: "pay" | "do not pay"): ReadonlySet<string> {
  return new Set(
    layouts.flatMap(({ answers }) => Object.keys(answers).filter((id) => answers[id] === answer)),
  );
}

/** Remembers the largest payment and sum of a released batch, against which later files of its layout are compared. */
export function* growLargest(
  { sender, header }: Pick<BatchReading, "sender" | "header">,
  payments: readonly Pick<Instruction, "fields">[],
): Transaction<void> {
  if (sender === undefined) return;
  const names = headerTexts(header);
  const known = new Map((yield* listLargest(sender, names)).map((each) => [each.currency, each]));
  const ofCurrency = Map.groupBy(payments, ({ fields }) => fields.amount.currency);
  for (const [currency, some] of ofCurrency) {
    const amounts = some.map(({ fields }) => fields.amount.value);
    const before = known.get(currency);
    const row = largestOf([...amounts, ...(before === undefined ? [] : [Decimal.of(before.row)])]);
    const sum = amounts.reduce((total, amount) => total.plus(amount));
    const most = before === undefined ? sum : largestOf([sum, Decimal.of(before.sum)]);
    yield* recordLargest(sender, names, { currency, row: row.toString(), sum: most.toString() });
  }
}

function largestOf(values: readonly Decimal[]): Decimal {
  return values.reduce((most, value) => (value.compare(most) > 0 ? value : most));
}
