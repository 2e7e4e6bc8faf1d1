/**
 * Compares a file with the last approved one of its layout: which payees are new, missing, or have other addresses
 * or amounts. It only informs; acceptance is asked elsewhere.
 */
import {
  type BatchId,
  type ControlTotal,
  controlTotals,
  countOf,
  type Day,
  type DraftInstruction,
  destinationOf,
} from "../../../model/index.ts";
import { comparedName } from "../../../model/payee-name.ts";
import { present } from "../../../model/present.ts";
import { shownText } from "../../../model/shown-text.ts";
import { type Amount, Decimal } from "../../../money/index.ts";

/** A payment as it is compared. `payee`: its name in comparable form; if absent, the destination stands for it. */
export interface TimedPayment {
  readonly row: number;
  readonly payee?: string;
  readonly destination: string;
  readonly amount: Amount;
}

/** All that goes to one payee. */
export interface Party {
  /** Its first row. */
  readonly row: number;
  readonly payee?: string;
  /** The destination of its first row; if the payee's address changed, of the first row with another address. */
  readonly destination: string;
  readonly totals: readonly ControlTotal[];
  /** The totals last time. */
  readonly before?: readonly ControlTotal[];
}

/** The number of payees, and the first of them. */
export interface Parties<Shown = Party> {
  readonly count: number;
  readonly parties: readonly Shown[];
}

export interface Changes<Shown = Party> {
  readonly added: Parties<Shown>;
  readonly missing: Parties<Shown>;
  /** Payees whose amount changed by more than a fifth. */
  readonly amounts: Parties<Shown>;
  readonly addresses: Parties<Shown>;
}

/** An approved file of the layout. */
export interface EarlierFile {
  readonly batchId: BatchId;
  readonly file: string;
  readonly day: Day;
  readonly totals: readonly ControlTotal[];
}

/** As shown: with the payee's name, otherwise the address. */
export interface NamedParty extends Pick<Party, "destination" | "totals" | "before"> {
  readonly name: string;
}

/** `earlier`: the newest first, at most three. The file is compared with the first. */
export interface LastTime extends Changes<NamedParty> {
  readonly earlier: readonly EarlierFile[];
  readonly totals: readonly ControlTotal[];
}

export function timedPayment({ row, fields }: DraftInstruction): TimedPayment {
  const payee = comparedName(fields.customerId ?? "");
  return { row, ...present({ payee }), destination: destinationOf(fields), amount: fields.amount };
}

/** Nobody reads a longer list. */
const PARTIES_MAX = 20;
const CHANGE_MAX = Decimal.of("0.2");

export function compareWithLast(now: Iterable<TimedPayment>, last: Iterable<TimedPayment>): Changes {
  const before = groupsOf(last);
  const after = groupsOf(now);
  const found: Record<keyof Changes, Party[]> = { added: [], missing: [], amounts: [], addresses: [] };
  for (const [key, group] of after) {
    const known = before.get(key);
    if (known === undefined) {
      found.added.push(partyOf(group));
      continue;
    }
    const party = { ...partyOf(group), before: known.totals };
    if (isOther(group.totals, known.totals)) found.amounts.push(party);
    const moved = [...group.destinations].find(([destination]) => !known.destinations.has(destination));
    if (moved !== undefined) found.addresses.push({ ...party, destination: moved[0], row: moved[1] });
  }
  for (const [key, group] of before) if (!after.has(key)) found.missing.push(partyOf(group));
  const counted = (parties: readonly Party[]) => {
    return { count: parties.length, parties: parties.slice(0, PARTIES_MAX) };
  };
  return {
    added: counted(found.added),
    missing: counted(found.missing),
    amounts: counted(found.amounts),
    addresses: counted(found.addresses),
  };
}

interface Group {
  readonly payee?: string;
  /** Each destination, with the first row that pays it. */
  readonly destinations: Map<string, number>;
  readonly totals: readonly ControlTotal[];
}

function groupsOf(payments: Iterable<TimedPayment>): ReadonlyMap<string, Group> {
  const found = Map.groupBy(payments, ({ payee, destination }) =>
    payee === undefined ? `to ${destination}` : `payee ${payee}`,
  );
  return new Map([...found].map(([key, some]) => [key, groupOf(some)]));
}

function groupOf(payments: readonly TimedPayment[]): Group {
  const destinations = new Map<string, number>();
  for (const { destination, row } of payments)
    if (!destinations.has(destination)) destinations.set(destination, row);
  const totals = controlTotals(payments.map(({ amount }) => amount));
  return { ...present({ payee: payments[0]?.payee }), destinations, totals };
}

function partyOf({ payee, destinations, totals }: Group): Party {
  const [[destination, row] = ["", 0]] = destinations;
  return { row, ...present({ payee }), destination, totals };
}

/** Whether the sum in any currency is more than a fifth above or below the other one. */
function isOther(now: readonly ControlTotal[], before: readonly ControlTotal[]): boolean {
  const sumOf = (totals: readonly ControlTotal[], wanted: string) =>
    totals.find(({ currency }) => currency === wanted)?.amount ?? Decimal.zero;
  return [...now, ...before].some(({ currency }) => {
    const [sum, last] = [sumOf(now, currency), sumOf(before, currency)];
    const change = sum.compare(last) > 0 ? sum.minus(last) : last.minus(sum);
    return change.compare(last.times(CHANGE_MAX)) > 0;
  });
}

/** `nameOf`: the name as written in a row of this file, or of the last one. */
export function named(
  { row, destination, totals, before }: Party,
  nameOf: (row: number) => string | undefined,
): NamedParty {
  const name = shownText(nameOf(row) ?? destination);
  return { name, destination, totals, ...present({ before }) };
}

/** As labels and values, for answers, the terminal and the desk: "Missing payees (1)", "Nordlicht AB (0.2 BTC)". */
export function lastTimeFacts(lastTime: LastTime): readonly (readonly [label: string, value: string])[] {
  const { added, missing, amounts, addresses, totals, earlier } = lastTime;
  const paid = ({ name, totals: sums }: NamedParty) => `${name} (${sumText(sums)})`;
  const changed = ({ name, totals: sums, before = [] }: NamedParty) =>
    `${name} (${sumText(sums)} after ${sumText(before)})`;
  const moved = ({ name, destination }: NamedParty) => `${name} (now ${destination})`;
  const group = (
    label: string,
    { count, parties }: Parties<NamedParty>,
    text: (party: NamedParty) => string,
  ) => {
    const more = count - parties.length;
    const all = [...parties.map(text), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
    return count === 0 ? [] : [[`${label} (${count})`, all] as const];
  };
  const before = earlier.map((file) => `${countedText(file.totals)} (${file.batchId}, ${file.day})`);
  const changes = [
    ...group("New payees", added, paid),
    ...group("Missing payees", missing, paid),
    ...group("Amounts changed by more than 20 %", amounts, changed),
    ...group("Addresses changed", addresses, moved),
  ];
  return [
    ["Sum and count", `${countedText(totals)}; before: ${before.join(", ")}`],
    ...(changes.length > 0 ? changes : [["Payees, amounts and addresses", "as last time"] as const]),
  ];
}

/** "Compared with payroll.csv (B-000003, 2026-11-01)" */
export function lastTimeTitle({ earlier: [last] }: LastTime): string {
  return last === undefined
    ? "Compared with last time"
    : `Compared with last time: ${shownText(last.file)} (${last.batchId}, ${last.day})`;
}

function sumText(totals: readonly ControlTotal[]): string {
  return totals.map(({ amount, currency }) => `${amount.normalized()} ${currency}`).join(" and ");
}

/** "0.21 BTC in 4 payments" */
function countedText(totals: readonly ControlTotal[]): string {
  const count = countOf(totals);
  return `${sumText(totals)} in ${count === 1 ? "1 payment" : `${count} payments`}`;
}
