/**
 * Questions about payments, compared with each other and with the calendar: one address for many, days long past,
 * high fee rates.
 */
import { comparableDestination, comparedName, type Day, RunningTotals } from "../../../model/index.ts";
import { cellAt } from "../../../model/lines.ts";
import type { Question } from "../../../model/sheet-reading.ts";
import { shownText } from "../../../model/shown-text.ts";
import { Decimal } from "../../../money/index.ts";
import type { CheckedRow } from "../check-row.ts";
import { type Asked, EXAMPLES, examplesOf, linesOf, question, questionAboutRows } from "./question.ts";
import { comparedValue } from "./unread.ts";

/**
 * Asks about one address in several rows, more than a tenth of them, if no column names payees: it may have been
 * filled down. A column names payees only if most of its names have one address each; screening then compares them.
 * A file that pays only one address, and gives no further values per row, is not asked about.
 */
export function ofAddresses({ rows, unread }: Asked, several: Groups): Question[] {
  const paid = rows.filter(({ hasFields }) => hasFields);
  const often = several.filter(({ length }) => 10 * length > paid.length);
  const differ = (group: readonly CheckedRow[]) =>
    group.length < paid.length ||
    unread.some(
      ({ position }) => new Set(group.map(({ sent }) => comparedValue(cellAt(sent, position)))).size > 1,
    );
  if (often.length === 0 || namePayees(paid)) return [];
  return often.filter(differ).map((group) => {
    const address = shownDestination(group[0]);
    const text =
      `one address, ${shownText(address)}, is paid in ${group.length} of ${paid.length} rows, and no ` +
      `column names payees`;
    return question(["one address", address], text, linesOf(group));
  });
}

/** By destination that at least three payments go to, these payments. */
export type Groups = readonly (readonly CheckedRow[])[];

export function severalToOne(rows: readonly CheckedRow[]): Groups {
  const counts = new Map<string, number>();
  const destinations = rows.map((row) => (row.hasFields ? destinationOfRow(row) : ""));
  for (const each of destinations) counts.set(each, (counts.get(each) ?? 0) + 1);
  const some = rows.filter(
    (row, at) => row.hasFields && (counts.get(destinations[at] ?? "") ?? 0) >= SEVERAL,
  );
  return [...Map.groupBy(some, destinationOfRow).values()];
}

/**
 * A line that repeats the sum of a payee's other lines would pay them twice. A file that pays only one address is not
 * asked about.
 */
export function ofSumsOfOthers(several: Groups, paidCount: number, asked: ReadonlySet<number>): Question[] {
  const sums = several.flatMap((group) => {
    if (group.length === paidCount) return [];
    const all = new RunningTotals();
    for (const { amount } of group) if (amount !== undefined) all.add(amount);
    return group.filter(({ amount, line }) => {
      if (amount === undefined || asked.has(line)) return false;
      const total = all.of(amount.currency);
      return total?.count === group.length && total.amount.equals(amount.value.times(TWO));
    });
  });
  if (sums.length === 0) return [];
  const examples = examplesOf(sums.map(({ reference = "" }) => `"${shownText(reference)}"`)).join(", ");
  const [pays, more] =
    sums.length === 1 ? ["pays", ""] : ["each pay", sums.length > EXAMPLES ? " and more" : ""];
  const text = `${examples}${more} ${pays} the sum of the other payments to the same address`;
  return [questionAboutRows("sum of others", text, sums)];
}

const SEVERAL = 3;
const TWO = Decimal.of("2");

/** As written. */
function shownDestination(row: CheckedRow | undefined): string {
  return row?.field("destinationAddress") ?? row?.field("destinationAccountId") ?? "";
}

function destinationOfRow(row: CheckedRow): string {
  return comparableDestination(shownDestination(row));
}

function namePayees(rows: readonly CheckedRow[]): boolean {
  /** By name, its one destination; undefined if it has several. */
  const destinations = new Map<string, string | undefined>();
  for (const row of rows) {
    const name = comparedName(row.field("customerId") ?? "") ?? "";
    const destination = destinationOfRow(row);
    const isOther = destinations.has(name) && destinations.get(name) !== destination;
    if (name !== "") destinations.set(name, isOther ? undefined : destination);
  }
  const keeping = [...destinations.values()].filter((destination) => destination !== undefined).length;
  return 2 * keeping > destinations.size;
}

const PAST_DAYS = 5;

/** The day before which a payment day is long past. */
function pastBefore(today: Day): Day {
  const day = new Date(today);
  day.setUTCDate(day.getUTCDate() - PAST_DAYS);
  return day.toISOString().slice(0, 10) as Day;
}

/**
 * Asked once a file: payments whose day is long past may have been made. A due date is often past, so it does not
 * count.
 */
export function ofPastDays({ rows, columns, policy: { today, workingDayFrom } }: Asked): Question[] {
  const limit = pastBefore(today);
  const past = rows.filter((row) => {
    const day = row.field("payOn");
    return day !== undefined && workingDayFrom(day) < limit;
  });
  const [first] = past;
  const heading = columns.read.find(({ name }) => name === "payOn")?.heading ?? "";
  if (first === undefined || DUE.test(heading)) return [];
  const days = [...new Set(past.flatMap((row) => row.field("payOn") ?? []))].toSorted();
  const [count, it] = past.length === 1 ? ["1 row", "it"] : [`${past.length} rows`, "they"];
  const text =
    `\`${shownText(heading)}\` is more than ${PAST_DAYS} days past in ` +
    `${count} (${days.slice(0, EXAMPLES).join(", ")}): ${it} may have been paid already`;
  return [questionAboutRows("past days", text, past)];
}

const DUE = /due|fällig|échéance|vencim|scadenza|verval|termin płatności|vade|срок/i;

/** Asked in every file: a reference in the form of a transaction's hash may be that of a payment that was made. */
export function ofHashes({ rows, columns }: Asked): Question[] {
  const hashed = rows.filter(({ reference = "" }) => /^(?:0x)?[0-9a-f]{64}$/i.test(reference));
  const [first] = hashed;
  if (first === undefined) return [];
  const heading = columns.read.find(({ name }) => name === "reference")?.heading ?? "";
  const [count, it] = hashed.length === 1 ? ["1 row", "it"] : [`${hashed.length} rows`, "they"];
  const text =
    `\`${shownText(heading)}\` has the form of a transaction's hash in ${count} (${first.reference}): ${it} may ` +
    `have been paid already`;
  return [questionAboutRows("hashes", text, hashed)];
}

/** Asked in every file: a fee rate that a person set far above recent ones. */
export function ofFeeRates({ rows, policy: { usualFeeRate } }: Asked): Question[] {
  if (usualFeeRate === undefined) return [];
  const rateOf = (row: CheckedRow) => row.field("customFeeRateSatPerVbyte") ?? 0;
  const high = rows.filter((row) => rateOf(row) > FEE_RATE_TIMES * usualFeeRate);
  if (high.length === 0) return [];
  const highest = high.reduce((most, row) => Math.max(most, rateOf(row)), 0);
  const count = high.length === 1 ? "1 row" : `${high.length} rows`;
  const text =
    `the fee rate of ${count} is up to ${highest} sat/vB, more than five times the usual ` +
    `${usualFeeRate} of the last payments`;
  return [questionAboutRows("fee rate", text, high)];
}

const FEE_RATE_TIMES = 5;
