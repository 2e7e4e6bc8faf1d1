/** Questions about payments beside each other and the calendar: one address for many, days long past, high fee rates. */
import {
  comparedName,
  type Day,
  destinationField,
  destinationOf,
  type InstructionFields,
} from "../../model/index.ts";
import type { Question } from "../../model/sheet-reading.ts";
import { shownText } from "../../model/shown-text.ts";
import { type Asked, EXAMPLES, question, referencesOf } from "./question.ts";
import { comparedValue } from "./unread.ts";

/**
 * One address in several rows, more than a tenth of them, where no column names payees: it may have been filled down. A
 * column names payees only where most of its names keep one address; where one does, screening compares them. A file that
 * pays one address alone, and says nothing else of its rows, is not asked about.
 */
export function ofAddresses({ rows, unread }: Asked): Question[] {
  const paid = rows.flatMap(({ line, draft }) => (draft === undefined ? [] : [{ ...line, ...draft }]));
  const differ = (group: typeof paid) =>
    group.length < paid.length ||
    unread.some(({ position }) => new Set(group.map(({ cells }) => comparedValue(cells[position]))).size > 1);
  if (namePayees(paid.map(({ fields }) => fields))) return [];
  return [...Map.groupBy(paid, ({ fields }) => destinationOf(fields)).values()].flatMap((group) => {
    const [first] = group;
    const isMost = group.length >= SEVERAL && 10 * group.length > paid.length;
    if (first === undefined || !isMost || !differ(group)) return [];
    const address = first.fields[destinationField(first.fields)] ?? "";
    const text = `one address, ${shownText(address)}, is paid in ${group.length} of ${paid.length} rows, and no column names payees`;
    return [
      question(
        ["one address", address],
        text,
        group.map(({ line }) => line),
      ),
    ];
  });
}

const SEVERAL = 3;

function namePayees(fields: readonly InstructionFields[]): boolean {
  const names = Map.groupBy(fields, ({ customerId = "" }) => comparedName(customerId) ?? "");
  const groups = [...names].filter(([name]) => name !== "").map(([, group]) => group);
  const keeping = groups.filter((group) => new Set(group.map(destinationOf)).size === 1);
  return 2 * keeping.length > groups.length;
}

const PAST_DAYS = 5;

/** The day before which a payment day is long past. */
export function pastBefore(today: Day): Day {
  const day = new Date(today);
  day.setUTCDate(day.getUTCDate() - PAST_DAYS);
  return day.toISOString().slice(0, 10) as Day;
}

/** Once a file: payments whose day was long ago may have been made. A due date is often past, and says nothing. */
export function ofPastDays({ rows, columns, pastBefore }: Asked): Question[] {
  const past = rows.filter(
    ({ draft }) => draft?.fields.payOn !== undefined && draft.fields.payOn < pastBefore,
  );
  const [first] = past;
  const heading = columns.read.find(({ name }) => name === "payOn")?.heading ?? "";
  if (first === undefined || DUE.test(heading)) return [];
  const days = [...new Set(past.flatMap(({ draft }) => draft?.fields.payOn ?? []))].toSorted();
  const [count, it] = past.length === 1 ? ["1 row", "it"] : [`${past.length} rows`, "they"];
  const text = `\`${shownText(heading)}\` is more than ${PAST_DAYS} days past in ${count} (${days.slice(0, EXAMPLES).join(", ")}): ${it} may have been paid already`;
  return [
    question(
      ["past days", ...referencesOf(past)],
      text,
      past.map(({ line }) => line.line),
    ),
  ];
}

const DUE = /due|fällig|échéance|vencim|scadenza|verval|termin płatności|vade|срок/i;

/** A fee rate of a person's own that is far above those of late, each time. */
export function ofFeeRates({ rows, usualFeeRate }: Asked): Question[] {
  if (usualFeeRate === undefined) return [];
  const high = rows.filter(
    ({ draft }) => (draft?.fields.customFeeRateSatPerVbyte ?? 0) > FEE_RATE_TIMES * usualFeeRate,
  );
  if (high.length === 0) return [];
  const rates = high.flatMap(({ draft }) => draft?.fields.customFeeRateSatPerVbyte ?? []);
  const count = high.length === 1 ? "1 row" : `${high.length} rows`;
  const text = `the fee rate of ${count} is up to ${Math.max(...rates)} sat/vB, more than five times the usual ${usualFeeRate} of the last payments`;
  return [
    question(
      ["fee rate", ...referencesOf(high)],
      text,
      high.map(({ line }) => line.line),
    ),
  ];
}

const FEE_RATE_TIMES = 5;
