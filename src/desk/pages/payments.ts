/**
 * Payments: finding one by a name that a person has (a reference, an address, ...), and the list of all, newest
 * first.
 */
import { Readable } from "node:stream";
import { kindWords } from "../../model/break-words.ts";
import type { Batch, BatchId, Instruction, ShownStanding, Standing } from "../../model/index.ts";
import { ROLES, SHOWN_STANDINGS, STANDING_WORDS, shownStanding } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type FoundOthers, findOthers } from "../../payments/named/find-others.ts";
import {
  type FoundPayment,
  findPayments,
  listPayments,
  type PaymentsFilter,
} from "../../payments/named/find-payments.ts";
import { paymentsCsv, paymentsWorkbook } from "../../payments/named/payments-file.ts";
import { dayOf } from "../days.ts";
import { type Html, html, type Part } from "../html.ts";
import { type Answer, field, isVisitor, type Page, SEE, seesAll, type Visit } from "../page.ts";
import {
  type Badge,
  badge,
  counted,
  empty,
  fromFile,
  head,
  money,
  panel,
  SUM,
  selectField,
  table,
} from "../parts.ts";

const nav = { group: "Work", label: "Payments" } as const;

export const paymentsPages: readonly Page[] = [
  { method: "GET", path: "/payments", roles: ROLES, nav, handle: paymentsPage },
  { method: "GET", path: "/payments/file/:format", roles: SEE, handle: download },
];

/** The page of a payment's story. */
export function storyPath(reference: string): string {
  return `/payments/story?reference=${encodeURIComponent(reference)}`;
}

/** The page of a deposit, or of a payout that no file asked for. */
export function resourcePath(kind: "payout" | "deposit", id: string): string {
  return `/payments/resource?${new URLSearchParams({ kind, id }).toString()}`;
}

/** A reference is not wrapped, unless it is longer than a line on a phone. */
export function referenceLink(reference: string, href = storyPath(reference)): Html {
  return html`<a href="${href}">${referenceText(reference)}</a>`;
}

export function referenceText(reference: string): Html {
  return html`<span class="${reference.length <= ONE_LINE ? "nowrap" : "long"}">${reference}</span>`;
}

const ONE_LINE = 30;

/** The destination as written in the file. */
export function addressIn({ destinationAddress, destinationAccountId }: Instruction["fields"]): Part {
  return destinationAddress ?? destinationAccountId;
}

/** Whether this person may see the payments of a batch. */
export function mayKnow(visit: Visit, { submittedBy }: Batch): boolean {
  return seesAll(visit) || isVisitor(visit, submittedBy);
}

/** The most rows of a page. */
export const ROWS_MAX = 100;

export const SHAPES: Readonly<Record<ShownStanding, Badge>> = {
  received: "wait",
  approved: "wait",
  sending: "run",
  accepted: "run",
  arrived: "ok",
  failed: "bad",
  refused: "bad",
  "in doubt": "doubt",
  held: "warn",
  withdrawn: "off",
  abandoned: "off",
};

/** The standing of a payment; for a sent one, the state of its payout. */
export function standing(of: Standing, payoutState = ""): Html {
  return standingBadge(shownStanding(of, payoutState));
}

export function standingBadge(of: ShownStanding): Html {
  return badge(SHAPES[of], STANDING_WORDS[of]);
}

async function paymentsPage(visit: Visit): Promise<Answer> {
  const text = field(visit.query, "q").trim();
  if (text === "") return seesAll(visit) ? listPage(visit) : page("Payments", ASK_SUBMITTER);
  const all = await findPayments(visit.workplace, text, ROWS_MAX);
  const found = all.filter(({ batch }) => mayKnow(visit, batch));
  const [only, another] = found;
  if (only !== undefined && another === undefined)
    return { goTo: storyPath(only.instruction.fields.reference) };
  if (seesAll(visit)) {
    const others = await findOthers(visit.workplace, text, ROWS_MAX);
    const answer = othersPage(text, found, others);
    if (answer !== undefined) return answer;
  }
  if (only === undefined) return page("Nothing found", nothingFor(visit, text));
  const many = `the first ${ROWS_MAX}; there may be more`;
  const note = found.length < ROWS_MAX ? counted(found.length, "payment") : many;
  const content = panel("found", "Found", rows(found), { note });
  return page(html`Payments for “${text}”`, "Several payments fit. Each opens its story.", content);
}

function nothingFor(visit: Visit, text: string): Html {
  const more = seesAll(visit)
    ? " Nor is it a file, a deposit, a payout that no file asked for, a break or an amount."
    : "";
  return html`No payment has “${text}” as its reference, payee, address, payout or transaction. A reference
    or payee is found by how it begins, the others by the whole.${more}`;
}

/** Undefined if the only finds are payments by name, which have their own page. A single find is opened at once. */
function othersPage(
  text: string,
  byName: readonly FoundPayment[],
  { payments, batches, resources, breaks }: FoundOthers,
): Answer | undefined {
  const links = [
    ...batches.map(({ id, fileName }) => ({ href: `/batches/${id}`, name: fileName, sub: id })),
    ...resources.map(({ kind, id, reference = id }) => {
      const sub = kind === "deposit" ? "deposit" : "payout that no file asked for";
      return { href: resourcePath(kind, id), name: reference, sub };
    }),
    ...breaks.map((each) => {
      const { opening, reference = opening } = each;
      const sub = `break: ${kindWords(each).toLowerCase()}`;
      return { href: `/nights/break?name=${opening}`, name: reference, sub };
    }),
  ];
  const all = [...byName, ...payments];
  if (links.length + payments.length === 0) return undefined;
  const [link] = links;
  const [payment] = payments;
  if (link !== undefined && links.length === 1 && all.length === 0) return { goTo: link.href };
  if (payment !== undefined && links.length === 0 && all.length === 1)
    return { goTo: storyPath(payment.instruction.fields.reference) };
  const listed = links
    .slice(0, ROWS_MAX)
    .map(
      ({ href, name, sub }) =>
        html`<li><p>${referenceLink(name, href)}<span class="sub">${sub}</span></p></li>`,
    );
  const content = html`${
    all.length > 0 && panel("found", "Payments", rows(all), { note: counted(all.length, "payment") })
  }
${links.length > 0 && panel("others", "Files, deposits, payouts and breaks", html`<ul class="list">${listed}</ul>`)}`;
  return page(html`What fits “${text}”`, "Each opens its own page.", content);
}

const ASK_SUBMITTER = html`Find a payment of a file that you sent
  in.<form class="bar" method="get" action="/payments"><div class="field grow">
  <label for="own">Reference, payee, address or hash</label><input id="own" name="q" type="search"></div>
  <button class="btn">Find</button></form>`;

function page(title: Part, lede: Part, content?: Html, acts?: Html): Answer {
  return { title: "Payments", content: html`${head(title, lede, acts)}${content}` };
}

async function listPage({ workplace, query }: Visit): Promise<Answer> {
  const filter = filterOf(query);
  const [batchId, row] = [field(query, "batch") as BatchId, field(query, "row")];
  const before = /^\d{1,9}$/.test(row) ? { batchId, row: Number(row) } : undefined;
  const found = await listPayments(workplace, before, filter, ROWS_MAX + 1);
  const last = found.length > ROWS_MAX ? found[ROWS_MAX - 1]?.instruction : undefined;
  const older = last && asked(filter, { batch: last.batchId, row: String(last.row) });
  const shown =
    found.length === 0
      ? empty(
          "No such payment",
          html`Ask for something else above, or look at the <a href="/files">files</a>.`,
        )
      : rows(found);
  const content = html`${filterForm(filter, currenciesOf(workplace))}
${shown}${older && html`<div class="foot"><a class="btn" href="/payments?${older}">Older</a></div>`}`;
  const lede = "Each opens its story: what happened to it, from the file to the books.";
  const acts = html`<a class="btn" href="/payments/file/csv?${asked(filter)}">CSV of
    these</a> <a class="btn" href="/payments/file/xlsx?${asked(filter)}">Excel</a>`;
  return page("Payments", lede, panel("payments", "Newest first", content), acts);
}

function currenciesOf({ config }: Visit["workplace"]): string[] {
  return [...new Set(config.custodyAccounts.map(({ currency }) => currency))];
}

function filterOf(query: Visit["query"]): PaymentsFilter {
  const text = (name: string) => field(query, name).trim() || undefined;
  return present({
    standing: shownStandingIn(field(query, "standing")),
    currency: text("currency"),
    payee: text("payee"),
    from: dayOf(field(query, "from")),
    to: dayOf(field(query, "to")),
  });
}

/** Undefined for any other text. */
export function shownStandingIn(text: string): ShownStanding | undefined {
  return SHOWN_STANDINGS.find((each) => each === text);
}

function asked(filter: PaymentsFilter, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ ...(filter as Record<string, string>), ...more }).toString();
}

function filterForm(
  { standing: wanted, currency, payee = "", from = "", to = "" }: PaymentsFilter,
  currencies: readonly string[],
) {
  const standings = SHOWN_STANDINGS.map((each) => [each, STANDING_WORDS[each]] as const);
  const coins = currencies.map((each) => [each, each] as const);
  return html`<form class="bar" method="get" action="/payments">
  <div class="field grow"><label for="payee">Payee</label>
  <input id="payee" name="payee" type="search" value="${payee}" maxlength="200"></div>
${selectField("standing", "standing", "Which", [["", "all"], ...standings], wanted)}
${selectField("currency", "currency", "Currency", [["", "all"], ...coins], currency)}
<div class="field"><label for="from">Sent in from</label><input id="from" name="from" type="date" value="${from}"></div>
<div class="field"><label for="to">To</label><input id="to" name="to" type="date" value="${to}"></div>
<button class="btn">Show</button></form>`;
}

const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async function download({ workplace, params, query }: Visit): Promise<Answer> {
  const filter = filterOf(query);
  if (params["format"] === "xlsx")
    return { fileName: "payments.xlsx", type: WORKBOOK, bytes: await paymentsWorkbook(workplace, filter) };
  const bytes = Readable.from(paymentsCsv(workplace, filter));
  return { fileName: "payments.csv", type: "text/csv; charset=utf-8", bytes };
}

function rows(found: readonly FoundPayment[]): Html {
  const cells = found.slice(0, ROWS_MAX).map(({ instruction, batch, payoutState }) => {
    const { fields, standing: at } = instruction;
    const named = html`${referenceLink(fields.reference)}<span class="sub">${fromFile(fields.customerId ?? "")}</span>`;
    const to = html`<span class="addr">${addressIn(fields)}</span>`;
    const file = html`<a class="nowrap" href="/batches/${batch.id}">${batch.id}</a>
      <span class="sub">${fromFile(batch.fileName)}</span>`;
    return [named, standing(at, payoutState), to, file, money(fields.amount)];
  });
  return table("Payments", ["Reference", "Stands at", "To", "File", SUM], cells);
}
