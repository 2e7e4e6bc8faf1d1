/** What an approver looks at first. Each thing that must be accepted has a box, of which none is ticked before. */
import type { Config } from "../../config/index.ts";
import { destinationOf } from "../../model/index.ts";
import type { ApprovalOptions } from "../../pipeline/approve-step.ts";
import type { BatchFindings } from "../../pipeline/batch-step.ts";
import type { Question } from "../../pipeline/screening/screening.ts";
import type { PaymentStatus } from "../../pipeline/status/payment-status.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Fields, field } from "../page.ts";
import { amount, badge, counted, sums, table } from "../parts.ts";

type Kind = "alike" | "changed" | "other" | "repeats" | "values" | "reading";

const KINDS: Readonly<Record<Kind, { readonly title: string; readonly box: string; readonly mark?: Html }>> =
  {
    alike: {
      title: "the address looks like a known one, and is another",
      box: "I asked the payee by another way than this file: the address is right",
      mark: badge("bad", "look-alike"),
    },
    changed: {
      title: "a known payee is paid at a new address",
      box: "I asked the payee by another way than this file: the address has changed",
      mark: badge("warn", "new address"),
    },
    other: {
      title: "the address stands for another name elsewhere",
      box: "Both names are one payee's, or both use the address",
      mark: badge("warn", "other name"),
    },
    repeats: {
      title: "the same amount went to the same address before",
      box: "It is meant to be paid again",
      mark: badge("warn", "paid before"),
    },
    values: {
      title: "in a column that is not read; does it say that a row is not to be paid?",
      box: "I have seen it, and all these rows are to be paid",
    },
    reading: {
      title: "about how the file was read",
      box: "The file was read as it is meant, and others like it may be",
    },
  };

const KIND_OF: Readonly<Record<string, Kind>> = {
  DESTINATION_LOOKS_ALIKE: "alike",
  DESTINATION_NOT_USUAL: "changed",
  DESTINATION_OF_ANOTHER: "other",
};

/** Things that are accepted together, by one box: payments, or what the file says. */
export interface Group {
  readonly kind: Kind;
  readonly questions: readonly Question[];
  readonly texts: readonly string[];
  readonly title: string;
  /** Whether the configuration has them accepted, and not only shown. */
  readonly isAsked: boolean;
}

/** In the order of the kinds; only those that there are. */
export function groupsOf(findings: BatchFindings, { repeats, destinations }: Config): readonly Group[] {
  const { questions, asked } = findings;
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const some = questions.filter(({ code }) => (KIND_OF[code] ?? "repeats") === kind);
    const isOfFile = kind === "values" || kind === "reading";
    const texts = asked.open.flatMap(({ value, text }) =>
      isOfFile && (value === undefined) === (kind === "reading") ? [text] : [],
    );
    const count = some.length + texts.length;
    const noun = kind === "values" ? "value" : kind === "reading" ? "question" : "payment";
    const title = `${counted(count, noun)}${isOfFile ? "" : ":"} ${KINDS[kind].title}`;
    const policy = kind === "repeats" ? repeats.onRepeat : destinations.onLookAlike;
    const isAsked = isOfFile || policy === "accept";
    return count === 0 ? [] : [{ kind, questions: some, texts, title, isAsked }];
  });
}

/** The numbers that the ticked boxes stand for; none where a box is not ticked. */
export function acceptedIn(form: Fields, findings: BatchFindings, groups: readonly Group[]): ApprovalOptions {
  const all = (count: number, ...kinds: readonly Kind[]) =>
    groups.every(({ kind }) => !kinds.includes(kind) || field(form, kind) !== "") ? count : undefined;
  return {
    acceptLookAlikes: all(findings.lookAlikeRows.length, "alike", "changed", "other"),
    acceptRepeats: all(findings.repeatedRows.length, "repeats"),
    acceptReading: all(findings.asked.open.length, "values", "reading"),
  };
}

/** The badges of rows. */
export function marksOf(groups: readonly Group[]): ReadonlyMap<number, Html> {
  const marks = new Map<number, Html>();
  for (const { kind, questions } of groups)
    for (const { row } of questions) marks.set(row, html`${marks.get(row)} ${KINDS[kind].mark}`);
  return marks;
}

export interface Shown {
  /** Those that are spoken of, by row. */
  readonly payments: ReadonlyMap<number, PaymentStatus>;
  /** Of each group. */
  readonly max: number;
  /** A page with all of them. */
  readonly hrefOfAll: string;
  /** Whether boxes are offered. */
  readonly isOffered: boolean;
}

export function groupPart({ kind, questions, texts, title, isAsked }: Group, shown: Shown): Html {
  const { max, hrefOfAll, isOffered } = shown;
  const some = questions.slice(0, max);
  const count = questions.length + texts.length;
  const evidence =
    kind === "repeats" ? repeatsTable(some, shown) : some.map((each) => comparison(each, kind, shown));
  return html`<div class="check" id="${kind}"><h3>${title}</h3>${evidence}${texts.length > 0 && html`<ul>${texts.slice(0, max).map((text) => html`<li>${text}</li>`)}</ul>`}
${count > max && html`<p class="small">${max} are shown. <a href="${hrefOfAll}#${kind}">Show all ${count}</a></p>`}
${isOffered && isAsked && html`<div class="tick"><input type="checkbox" id="t-${kind}" name="${kind}" value="${count}" required><label for="t-${kind}">${KINDS[kind].box}</label></div>`}</div>`;
}

/** A payment's address, and what that is compared with, both whole. */
function comparison({ row, against }: Question, kind: Kind, { payments }: Shown): Html {
  const fields = payments.get(row)?.fields;
  if (fields === undefined) return html``;
  const { address, where } = against ?? {};
  const own = destinationOf(fields);
  const [here, there] = kind === "alike" && address !== undefined ? marked(own, address) : [own, address];
  return html`<dl class="kv"><dt>Payment</dt><dd>${fields.reference}, ${amount(fields.amount.value, fields.amount.currency)} to ${fields.customerId ?? "nobody named"}</dd><dt>In this file</dt><dd><span class="addr">${here}</span></dd>
<dt>${kind === "changed" ? "Until now" : "Known"}</dt><dd>${there !== undefined && html`<span class="addr">${there}</span>`}${where !== undefined && html`<span class="sub">${where}</span>`}</dd></dl>`;
}

/** What differs is marked: place by place, or between equal ends if one is longer. */
export function marked(one: string, other: string): readonly [Html, Html] {
  const isLong = one.length !== other.length;
  const shorter = Math.min(one.length, other.length);
  let [start, end] = [0, 0];
  while (start < shorter && one[start] === other[start]) start += 1;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const differs = (text: string, at: number) =>
    isLong ? at >= start && at < text.length - end : one[at] !== other[at];
  const parts = (text: string) => {
    const mask = Array.from(text, (_, at) => (differs(text, at) ? "x" : "-")).join("");
    const runs = [...mask.matchAll(/x+|-+/g)].map(({ 0: run, index }) => {
      const part = text.slice(index, index + run.length);
      return run.startsWith("x") ? html`<mark>${part}</mark>` : part;
    });
    return html`${runs}`;
  };
  return [parts(one), parts(other)];
}

function repeatsTable(questions: readonly Question[], { payments }: Shown): Html {
  const labels = ["This file", "Payee", "Paid before"].map((label) => ({ label }));
  const rows = questions.flatMap(({ row, against }) => {
    const fields = payments.get(row)?.fields;
    if (fields === undefined) return [];
    const { reference, customerId, amount: sum } = fields;
    return [[reference, customerId, against?.where, amount(sum.value, sum.currency)]];
  });
  return table("Payments made before", [...labels, { label: "Amount", kind: "lead" }], rows);
}

const LISTED = 10;

/** What nobody must accept. */
export function information({ newDestinations, warnings, asked: { reading } }: BatchFindings): Html {
  const { destinations, isCut, totals } = newDestinations;
  const entry = (label: string, lines: readonly Part[], count = lines.length) =>
    count > 0 &&
    html`<dt>${label}</dt><dd>${lines.slice(0, LISTED).map((line) => html`<p class="small">${line}</p>`)}${count > LISTED && html`<p class="small mute">and ${count - LISTED}${isCut && " or more"} others</p>`}</dd>`;
  const first = destinations.map(
    ({ destination, payee, name = payee, totals: toIt }) =>
      html`${sums(toIt)} to ${name ?? "nobody named"}<br><span class="addr">${destination}</span>`,
  );
  const unread = reading?.unread.filter(({ kind }) => kind !== "empty") ?? [];
  const columns = unread.map(
    ({ heading, values }) =>
      html`“${heading}”: ${values.slice(0, LISTED).map(({ value, count }) => html`${value} <span class="mute">${count}</span> `)}${values.length > LISTED && "..."}`,
  );
  const notes = reading?.notes.map(
    ({ line, place, text }) => `${line === undefined ? place : `line ${line}`}: “${text}”`,
  );
  const byContent = reading?.columns.flatMap(({ heading, name, evidence }) =>
    evidence === undefined ? [] : [`“${heading}” as ${name}: ${evidence}`],
  );
  const others = warnings.filter(({ code }) => !(code in KIND_OF) && !code.startsWith("PAYMENT_"));
  const told = [...Map.groupBy(others, ({ message }) => message)].map(
    ([message, { length }]) => `${message} (${counted(length, "time")})`,
  );
  return html`<div class="check"><div><h3>For your information</h3><p class="small mute">Nothing to tick.</p></div><dl class="kv">
${entry("Paid for the first time", [html`${sums(totals)} in all`, ...first], first.length && first.length + 1)}${entry("Columns not read", columns)}${entry("Notes in the file", notes ?? [])}${entry("Read by content", byContent ?? [])}${entry("Warnings", told)}</dl></div>`;
}
