/**
 * The findings that an approver looks at first. Each one that must be accepted has a box, and none is ticked in
 * advance.
 */
import type { Config } from "../../config/index.ts";
import type { Question } from "../../files/screening/screening.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import { type AcceptedFinding, type Approval, destinationOf, readApproved } from "../../model/index.ts";
import { type Question as AskedOfFile, columnTitle, type UnreadColumn } from "../../model/sheet-reading.ts";
import type { ApprovalOptions } from "../../payments/approve-step.ts";
import type { BatchFindings } from "../../views/batch-step.ts";
import type { PaymentStatus } from "../../views/payment-status.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Fields, field, type Visit } from "../page.ts";
import { badge, counted, money, sums, table } from "../parts.ts";
import { plain, said } from "../plain-words.ts";
import { referenceText } from "./payments.ts";

type Kind = "alike" | "changed" | "other" | "repeats" | "values" | "reading";

const TITLES: Readonly<Record<Kind, string>> = {
  alike: "the address looks like a known one, and is another",
  changed: "a known payee is to be paid at another address",
  other: "the address stands for another name elsewhere",
  repeats: "the same amount went to the same address before",
  values: "beside the payments; does one say that its row is not to be paid?",
  reading: "about how the file was read",
};

/** Tells approvers by which rule a question of this kind is asked. */
const RULES: Partial<Record<Kind, string>> = {
  changed:
    "Asked from the first payment on. A payee's known addresses are those where a payment waits, was approved, or " +
    "was paid, and the first one in this file. An address approved here is not asked about again. Only approvers " +
    "see both addresses.",
  other:
    "Asked from the first payment on. The known names of an address are those for which a payment waits, was " +
    "approved, or was paid.",
};

const BOXES: Readonly<Record<Kind, string>> = {
  alike: "I asked the payee in another way than by this file: the address is right",
  changed: "I asked the payee in another way than by this file: the address has changed",
  other: "Both names are one payee's, or both use the address",
  repeats: "It is meant to be paid again",
  values: "I have seen it, and all these rows are to be paid",
  reading: "The file was read correctly, and others like it may be read the same way",
};

const MARKS: Partial<Record<Kind, Html>> = {
  alike: badge("bad", "look-alike"),
  changed: badge("warn", "new address"),
  other: badge("warn", "other name"),
  repeats: badge("warn", "paid before"),
};

const KIND_OF: Readonly<Record<string, Kind>> = {
  DESTINATION_LOOKS_ALIKE: "alike",
  DESTINATION_NOT_USUAL: "changed",
  DESTINATION_OF_ANOTHER: "other",
};

function kindOf(code: string): Kind {
  return KIND_OF[code] ?? "repeats";
}

/** Findings that one box accepts together: payments, or statements of the file. */
export interface Group {
  readonly kind: Kind;
  readonly questions: readonly Question[];
  readonly texts: readonly string[];
  readonly title: string;
  readonly count: number;
  /** Whether the configuration requires them to be accepted, not only shown. */
  readonly isAsked: boolean;
}

/**
 * The open questions about a batch, or those asked before its approval. `counts`: by code, if some questions are
 * missing.
 */
interface Looked {
  readonly questions: readonly Question[];
  readonly open: readonly AskedOfFile[];
  readonly counts?: Readonly<Record<string, number>>;
  readonly asksRepeats?: boolean;
}

/** The groups in the order of the kinds, without empty ones. */
export function groupsOf(looked: Looked, { repeats, destinations }: Config): readonly Group[] {
  const { questions, open, counts, asksRepeats = repeats.onRepeat === "accept" } = looked;
  return (Object.keys(TITLES) as Kind[]).flatMap((kind) => {
    const some = questions.filter(({ code }) => kindOf(code) === kind);
    const isOfFile = kind === "values" || kind === "reading";
    const asked = open.filter(({ value }) => isOfFile && (value === undefined) === (kind === "reading"));
    const texts = asked.map(({ text }) => text);
    const rows = Object.entries(counts ?? {}).reduce(
      (sum, [code, n]) => sum + (kindOf(code) === kind ? n : 0),
      0,
    );
    const count = (counts === undefined ? some.length : rows) + texts.length;
    const noun = { values: "value", reading: "question" }[kind as string] ?? "payment";
    const title = `${counted(count, noun)}${isOfFile ? "" : ":"} ${TITLES[kind]}`;
    const isAsked = isOfFile || (kind === "repeats" ? asksRepeats : destinations.onLookAlike === "accept");
    return count === 0 ? [] : [{ kind, questions: some, texts, title, isAsked, count }];
  });
}

/** The numbers that the ticked boxes stand for; absent for a box that is not ticked. */
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
    for (const { row } of questions) marks.set(row, html`${marks.get(row)} ${MARKS[kind]}`);
  return marks;
}

/**
 * `payments`: the mentioned ones, by row; `max`: how many of each group are shown; `isOffered`: whether boxes are
 * shown.
 */
export interface Shown {
  readonly visit: Visit;
  readonly payments: ReadonlyMap<number, PaymentStatus>;
  readonly max: number;
  readonly hrefOfAll: string;
  readonly isOffered: boolean;
  /** The approvals after a decision, to name the people who accepted each group. */
  readonly approvals?: readonly Approval[];
}

/** The people who accepted a group's questions, according to what they signed. */
function acceptedBy({ kind, texts }: Group, approvals: readonly Approval[]): readonly string[] {
  const isOf = ({ code, about }: AcceptedFinding) =>
    kind === "values" || kind === "reading"
      ? code === "READING_NOT_ACCEPTED" && texts.includes(about)
      : code !== "READING_NOT_ACCEPTED" && kindOf(code) === kind;
  return approvals
    .filter(({ approved }) => readApproved(approved).accepted.some(isOf))
    .map(({ person }) => person);
}

export function groupPart(group: Group, shown: Shown): Html {
  const { kind, questions, texts, title, isAsked, count } = group;
  const { visit, max, hrefOfAll, isOffered, approvals } = shown;
  const some = questions.slice(0, max);
  const people = approvals === undefined ? [] : acceptedBy(group, approvals);
  const nobody = isAsked ? "not accepted by a valid approval" : "shown to everybody who approved it";
  const decided =
    approvals !== undefined &&
    html`<p>${
      people.length > 0
        ? html`${badge("ok", "accepted")} by ${people.join(" and ")}`
        : html`${badge("off", nobody)}`
    }</p>`;
  const compared = () => some.map((each) => comparison(each, kind, shown));
  const evidence = kind === "repeats" ? repeatsTable(some, shown) : compared();
  return html`<div class="check" id="${kind}">
  <h3>${title}</h3>${decided}${RULES[kind] !== undefined && html`<p class="small mute">${RULES[kind]}</p>`}
  ${evidence}${
    texts.length > 0 &&
    html`<ul>${texts.slice(0, max).map((text) => html`<li>${plain(visit, text)}</li>`)}</ul>`
  }
${count > max && html`<p class="small">${max} are shown. <a href="${hrefOfAll}#${kind}">Show all ${count}</a></p>`}
${
  isOffered &&
  isAsked &&
  html`<div class="tick">
  <input type="checkbox" id="t-${kind}" name="${kind}" value="${count}" required><label for="t-${kind}">
  ${BOXES[kind]}</label></div>`
}</div>`;
}

/** A payment's address and the address that it is compared with, both in full. */
function comparison({ row, against }: Question, kind: Kind, { visit, payments }: Shown): Html {
  const fields = payments.get(row)?.fields;
  if (fields === undefined) return html``;
  const { address, where } = against ?? {};
  const own = destinationOf(fields);
  const [here, there] = kind === "alike" && address !== undefined ? marked(own, address) : [own, address];
  return html`<dl class="kv"><dt>Payment</dt>
  <dd>${fields.reference}, ${money(fields.amount)} to ${fields.customerId ?? "nobody named"}</dd>
  <dt>In this file</dt><dd><span class="addr">${here}</span></dd>
<dt>${kind === "changed" ? "Otherwise" : "Known"}</dt>
<dd>${there !== undefined && html`<span class="addr">${there}</span>`}
  ${where !== undefined && html`<span class="sub">${plain(visit, where)}</span>`}</dd></dl>`;
}

/** Marks the differences: place by place, or between the equal ends if the lengths differ. */
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

function repeatsTable(questions: readonly Question[], { visit, payments }: Shown): Html {
  const rows = questions.flatMap(({ row, against }) => {
    const fields = payments.get(row)?.fields;
    if (fields === undefined) return [];
    const where = against?.where;
    return [
      [
        referenceText(fields.reference),
        fields.customerId,
        where && plain(visit, where),
        money(fields.amount),
      ],
    ];
  });
  const sum = { label: "Amount", kind: "lead" } as const;
  return table("Payments made before", ["This file", "Payee", "Paid before", sum], rows);
}

const LISTED = 10;

/**
 * The column with only those values that are not asked about: accepted before, or never asked. Empty if all values
 * are asked about.
 */
function notAsked(column: UnreadColumn, open: readonly AskedOfFile[]): UnreadColumn[] {
  const title = columnTitle(column);
  const isAsked = open.some(({ text }) => text.includes(`column "${title}" was not read: `));
  if (column.kind === "empty" || column.kind === "counter" || isAsked) return [];
  const values = column.values.filter(({ value: each }) =>
    open.every(({ value }) => value !== `${title}=${each}`),
  );
  return values.length === 0 ? [] : [{ ...column, values }];
}

/** Findings that nobody needs to accept; false if there are none. */
export function information(
  visit: Visit,
  {
    newDestinations,
    warnings,
    reading,
    open = [],
  }: Pick<BatchFindings, "newDestinations" | "warnings"> & {
    readonly reading?: BatchReading | undefined;
    readonly open?: BatchFindings["asked"]["open"];
  },
): Html | false {
  const { destinations, totals, count: newCount } = newDestinations;
  const entry = (label: string, lines: readonly Part[], count = lines.length) =>
    count > 0 &&
    html`<dt>${label}</dt><dd>${lines.slice(0, LISTED).map((line) => html`<p class="small">${line}</p>`)}
      ${count > LISTED && html`<p class="small mute">and ${count - LISTED} others</p>`}</dd>`;
  const first = destinations.map(({ destination, payee, name = payee ?? "nobody named", totals: toIt }) => {
    return html`${sums(toIt)} to ${name}<br><span class="addr">${destination}</span>`;
  });
  const read = reading && readingNotes(visit, reading, open);
  const others = warnings.filter(({ code }) => !(code in KIND_OF) && !code.startsWith("PAYMENT_"));
  const otherWarnings = others.map(
    ({ message, count }) => `${said(visit, message)} (${counted(count, "time")})`,
  );
  const paidFirst = [
    html`${sums(totals)} to ${counted(newCount, "address", "addresses")}, the largest first`,
    ...first,
  ];
  const entries = [
    entry("Paid for the first time", paidFirst, newCount && newCount + 1),
    entry("Columns not read", read?.columns ?? []),
    entry("Notes in the file", read?.notes ?? []),
    entry("Read by content", read?.byContent ?? []),
    entry("Warnings", otherWarnings),
  ].filter((each) => each !== false);
  return (
    entries.length > 0 &&
    html`<div class="check"><div><h3>For your information</h3><p class="small mute">Nothing to tick.</p></div>
  <dl class="kv">${entries}</dl></div>`
  );
}

/** How the file was read, without what is asked: open questions have their own boxes. */
function readingNotes(visit: Visit, reading: BatchReading, open: readonly AskedOfFile[]) {
  const isAsked = (text: string) => open.some((question) => question.text === text);
  const unread = reading.unread.flatMap((column) => notAsked(column, open));
  return {
    columns: unread.map(({ heading, values }) => {
      const some = values.slice(0, LISTED);
      return html`“${heading}”: ${some.map(({ value, count }) => html`${value} <span class="mute">${count}</span> `)}
        ${values.length > LISTED && "..."}`;
    }),
    notes: reading.notes
      .filter(({ place, text }) => !isAsked(`${place}: "${text}"`))
      .map(({ line, place, text }) => html`${line === undefined ? place : `line ${line}`}: “${text}”`),
    byContent: reading.columns.flatMap(({ heading, name, evidence }) =>
      evidence === undefined || open.some(({ text }) => text.includes(evidence))
        ? []
        : [`“${heading}” as ${plain(visit, name)}: ${plain(visit, evidence)}`],
    ),
  };
}
