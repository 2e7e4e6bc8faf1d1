/**
 * What an approver looks at first: payees that are new, changed or look like others, repeats, and what of the file was not
 * read. Each thing that must be accepted has a box, of which none is ticked before.
 */
import type { Config } from "../../config/index.ts";
import { destinationOf, isOfDestination } from "../../model/index.ts";
import type { Question as ReadingQuestion, UnreadColumn } from "../../model/sheet-reading.ts";
import type { ApprovalOptions } from "../../pipeline/approve-step.ts";
import type { BatchFindings } from "../../pipeline/batch-step.ts";
import type { Question } from "../../pipeline/screening/screening.ts";
import type { PaymentStatus } from "../../pipeline/status/payment-status.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Fields, field } from "../page.ts";
import { amount, type Badge, counted, countOf, sums, table } from "../parts.ts";

/** Things of one kind, which are accepted together by one box. */
export interface Kind {
  /** Of its part of the page, and of its box. */
  readonly id: "alike" | "changed" | "other" | "repeats" | "values" | "unread";
  readonly title: (count: number) => string;
  readonly hint: string;
  readonly box: string;
  /** Beside a row; none for what is about the file. */
  readonly mark?: readonly [Badge, string];
}

const KIND_OF: Readonly<Record<string, Kind>> = {
  DESTINATION_LOOKS_ALIKE: {
    id: "alike",
    title: (count) => `${counted(count, "address looks", "addresses look")} like a known one, and is another`,
    hint: "Somebody may hope that only the ends are compared.",
    box: "I asked the payee by another way than this file: the address is right",
    mark: ["bad", "look-alike"],
  },
  DESTINATION_NOT_USUAL: {
    id: "changed",
    title: (count) => `${counted(count, "payment goes", "payments go")} to a new address of a known payee`,
    hint: "The payee was paid elsewhere before, more than once.",
    box: "I asked the payee by another way than this file: the address has changed",
    mark: ["warn", "new address"],
  },
  DESTINATION_OF_ANOTHER: {
    id: "other",
    title: (count) => `${counted(count, "address stands", "addresses stand")} for another name elsewhere`,
    hint: "One address, two names.",
    box: "Both names are one payee's, or both use the address",
    mark: ["warn", "other name"],
  },
};

const REPEATS: Kind = {
  id: "repeats",
  title: (count) => `${counted(count, "payment was", "payments were")} made before`,
  hint: "The same amount to the same address.",
  box: "It is meant to be paid again",
  mark: ["warn", "paid before"],
};

const OF_VALUES: Kind = {
  id: "values",
  title: (count) => `${counted(count, "value is", "values are")} new in a column that is not read`,
  hint: "It may say that a row is not to be paid.",
  box: "I have seen it, and all these rows are to be paid",
};

const OF_READING: Kind = {
  id: "unread",
  title: (count) => `${counted(count, "question", "questions")} about how the file was read`,
  hint: "What is accepted once is not asked about the next file of this kind.",
  box: "The file was read as it is meant",
};

interface Group<Of> {
  readonly kind: Kind;
  readonly found: readonly Of[];
}

export function kindOf({ code }: Pick<Question, "code">): Kind {
  return KIND_OF[code] ?? REPEATS;
}

export function rowGroups({ questions }: BatchFindings): readonly Group<Question>[] {
  const groups = [...Map.groupBy(questions, kindOf)].map(([kind, found]) => ({ kind, found }));
  const order = Object.values(KIND_OF);
  return groups.toSorted((one, other) => place(one.kind) - place(other.kind));
  function place(kind: Kind): number {
    return order.includes(kind) ? order.indexOf(kind) : order.length;
  }
}

function readingGroups({ asked: { open } }: BatchFindings): readonly Group<ReadingQuestion>[] {
  const { values = [], others = [] } = Object.groupBy(open, ({ value }) =>
    value === undefined ? "others" : "values",
  );
  const groups = [
    { kind: OF_VALUES, found: values },
    { kind: OF_READING, found: others },
  ];
  return groups.filter(({ found }) => found.length > 0);
}

/** The kinds that need a box, by the rules of the configuration, with how many there are of each. */
export function toTick(
  findings: BatchFindings,
  { repeats, destinations }: Config,
): readonly { readonly kind: Kind; readonly count: number }[] {
  const isAsked = ({ kind }: Group<unknown>) =>
    (kind === REPEATS ? repeats.onRepeat : destinations.onLookAlike) === "accept";
  const asked = [...rowGroups(findings).filter(isAsked), ...readingGroups(findings)];
  return asked.map(({ kind, found }) => ({ kind, count: found.length }));
}

/** The numbers that the ticked boxes stand for: of a kind of which one box is not ticked, none. */
export function acceptedIn(form: Fields, findings: BatchFindings): ApprovalOptions {
  const { lookAlikeRows, repeatedRows, asked } = findings;
  const isTicked = ({ kind }: Group<unknown>) => field(form, kind.id) !== "";
  const rows = rowGroups(findings);
  const ofAddresses = rows.filter(({ found: [first] }) => first !== undefined && isOfDestination(first.code));
  const repeated = rows.filter(({ kind }) => kind === REPEATS);
  return {
    acceptLookAlikes: ofAddresses.every(isTicked) ? lookAlikeRows.length : undefined,
    acceptRepeats: repeated.every(isTicked) ? repeatedRows.length : undefined,
    acceptReading: readingGroups(findings).every(isTicked) ? asked.open.length : undefined,
  };
}

export interface Shown {
  /** The payments that are spoken of, by row. */
  readonly payments: ReadonlyMap<number, PaymentStatus>;
  /** Of each kind. */
  readonly max: number;
  /** Where all of a kind are. */
  readonly hrefOf: (kind: Kind) => string;
  readonly ticks: readonly Kind[];
}

/** The inside of the panel; `ticks`: the kinds for which this person is offered a box. */
export function findingsParts(findings: BatchFindings, shown: Shown): Html {
  const rows = rowGroups(findings).map(({ kind, found }) => {
    const some = found.slice(0, shown.max);
    const evidence =
      kind === REPEATS ? repeatsTable(some, shown) : some.map((each) => comparison(each, shown));
    return check(kind, found.length, shown, evidence);
  });
  const reading = readingGroups(findings).map(({ kind, found }) => {
    const questions = found.slice(0, shown.max).map(({ text }) => html`<li>${text}</li>`);
    const columns = kind === OF_READING && unreadColumns(findings.asked.reading?.unread ?? []);
    return check(kind, found.length, shown, html`<ul>${questions}</ul>${columns}`);
  });
  return html`${rows}${reading}${information(findings)}`;
}

function check({ id, title, hint, box }: Kind, count: number, { max, hrefOf, ticks }: Shown, evidence: Part) {
  const kind = ticks.find((each) => each.id === id);
  const others =
    count > max &&
    html`<p class="small">${counted(max, "is", "are")} shown here. <a href="${hrefOf({ id } as Kind)}">Show all ${count}</a></p>`;
  const tick =
    kind !== undefined &&
    html`<div class="tick"><input type="checkbox" id="t-${id}" name="${id}" value="${count}" required><label for="t-${id}">${box}</label></div>`;
  return html`<div class="check" id="${id}"><div><h3>${title(count)}</h3><p class="small mute">${hint}</p></div>${evidence}${others}${tick}</div>`;
}

/** One payment, its address, and what that is compared with, both whole. */
function comparison({ row, code, against: { address, where } = {} }: Question, { payments }: Shown): Html {
  const payment = payments.get(row);
  if (payment === undefined) return html``;
  const { fields } = payment;
  const destination = destinationOf(fields);
  const [here, there] =
    address === undefined || code === "DESTINATION_NOT_USUAL"
      ? [html`${destination}`, html`${address}`]
      : marked(destination, address);
  const known =
    address === undefined
      ? html`<dt>Elsewhere</dt><dd>${where}</dd>`
      : html`<dt>${code === "DESTINATION_NOT_USUAL" ? "Until now" : "Known"}</dt><dd><span class="addr">${there}</span>${where !== undefined && html`<span class="sub">${where}</span>`}</dd>`;
  return html`<dl class="kv"><dt>Payment</dt><dd>${fields.reference}, ${amount(fields.amount.value, fields.amount.currency)}${fields.customerId !== undefined && html` to ${fields.customerId}`}</dd><dt>In this file</dt><dd><span class="addr">${here}</span></dd>${known}</dl>`;
}

/** What differs is marked: place by place, or between equal ends if one is longer. */
export function marked(one: string, other: string): readonly [Html, Html] {
  const isEqual = (at: number) => one[at] === other[at];
  let [start, end] = [0, 0];
  const shorter = Math.min(one.length, other.length);
  while (start < shorter && isEqual(start)) start += 1;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const differs = (text: string, at: number) =>
    one.length === other.length ? !isEqual(at) : at >= start && at < text.length - end;
  const parts = (text: string) => {
    const runs: { text: string; isMarked: boolean }[] = [];
    for (const [at, character] of [...text].entries()) {
      const last = runs.at(-1);
      if (last !== undefined && last.isMarked === differs(text, at)) last.text += character;
      else runs.push({ text: character, isMarked: differs(text, at) });
    }
    return html`${runs.map((run) => (run.isMarked ? html`<mark>${run.text}</mark>` : run.text))}`;
  };
  return [parts(one), parts(other)];
}

function repeatsTable(questions: readonly Question[], { payments }: Shown): Html {
  const columns = [
    { label: "This file" },
    { label: "Payee" },
    { label: "Paid before" },
    { label: "Amount", kind: "lead" },
  ] as const;
  const rows = questions.flatMap(({ row, against }) => {
    const fields = payments.get(row)?.fields;
    if (fields === undefined) return [];
    const sum = amount(fields.amount.value, fields.amount.currency);
    return [
      [html`${fields.reference}<span class="sub">row ${row}</span>`, fields.customerId, against?.where, sum],
    ];
  });
  return table("Payments made before", columns, rows);
}

const VALUES_SHOWN = 8;

function unreadColumns(columns: readonly UnreadColumn[]): Html {
  const filled = columns.filter(({ kind }) => kind !== "empty");
  if (filled.length === 0) return html``;
  return html`<dl class="kv">${filled.slice(0, LISTED).map(({ heading, values }) => {
    const some = values.slice(0, VALUES_SHOWN);
    const others = values.length - some.length;
    return html`<dt>“${heading}”</dt><dd>${some.map(({ value, count }, index) => html`${index > 0 && " · "}${value} <span class="mute">${count}</span>`)}${others > 0 && ` and ${others} others`}</dd>`;
  })}</dl>`;
}

const LISTED = 10;

/** What nobody must accept. */
function information({ newDestinations, warnings, asked: { reading } }: BatchFindings): Html {
  const { destinations, isCut, totals } = newDestinations;
  const first = destinations
    .slice(0, LISTED)
    .map(
      ({ destination, payee, name = payee, totals: toIt }) =>
        html`<span class="sub">${name !== undefined && html`${name}, `}${sums(toIt)}<br><span class="addr">${destination}</span></span>`,
    );
  const count = isCut
    ? `more than ${destinations.length} addresses`
    : counted(destinations.length, "address", "addresses");
  const byContent = reading?.columns.filter(({ evidence }) => evidence !== undefined) ?? [];
  const entry = (label: string, lines: readonly Part[]) => {
    const others = lines.length - LISTED;
    return (
      lines.length > 0 &&
      html`<dt>${label}</dt><dd>${lines.slice(0, LISTED).map((line) => html`<span class="sub">${line}</span>`)}${others > 0 && html`<span class="sub">and ${others} others</span>`}</dd>`
    );
  };
  const others = warnings.filter(({ code }) => KIND_OF[code] === undefined && !code.startsWith("PAYMENT_"));
  const parts = [
    destinations.length > 0 &&
      html`<dt>First time</dt><dd>${count}, ${sums(totals)}${first}${(isCut || destinations.length > LISTED) && html`<span class="sub">and others</span>`}</dd>`,
    entry(
      "Notes in the file",
      reading?.notes.map(
        ({ line, place, text }) => `${line === undefined ? place : `line ${line}`}: “${text}”`,
      ) ?? [],
    ),
    entry(
      "Read by content",
      byContent.map(({ heading, name, evidence = "" }) => `“${heading}” as ${name}: ${evidence}`),
    ),
    entry(
      "Warnings",
      others.map(({ message, reference }) => `${reference === undefined ? "" : `${reference}: `}${message}`),
    ),
  ].filter((part) => part !== false);
  if (parts.length === 0 && countOf(totals) === 0) return html``;
  return html`<div class="check"><div><h3>For your information</h3><p class="small mute">Nothing to tick.</p></div><dl class="kv">${parts}</dl></div>`;
}
