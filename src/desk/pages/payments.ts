/** Payments: finding one by what a person has in hand, and the list of all, newest first. */
import { payoutStateMeaning, personKey, STANDINGS, type Standing } from "../../model/index.ts";
import { type FoundPayment, findPayments, listPayments } from "../../pipeline/payments/find-payments.ts";
import { type Html, html } from "../html.ts";
import { PAYMENTS } from "../icons.ts";
import { type Answer, field, type Page, seesAll, type Visit } from "../page.ts";
import { amount, type Badge, badge, counted, empty, head, panel, table } from "../parts.ts";

export const SEE = ["viewer", "approver", "operator", "controller", "admin"] as const;
export const SEE_OWN = [...SEE, "submitter"] as const;

export const paymentsPages: readonly Page[] = [
  {
    method: "GET",
    path: "/payments",
    roles: SEE_OWN,
    nav: { group: "Work", label: "Payments", icon: PAYMENTS },
    handle: paymentsPage,
  },
];

/** The page of a payment's story. */
export function storyPath(reference: string): string {
  return `/payments/story?reference=${encodeURIComponent(reference)}`;
}

/** Whether this person may know of the payments of a batch. */
export function mayKnow(visit: Visit, { submittedBy }: FoundPayment["batch"]): boolean {
  return seesAll(visit) || personKey(submittedBy) === personKey(visit.person);
}

const STANDS: Readonly<Record<Standing, readonly [Badge, string]>> = {
  received: ["wait", "waits for approval"],
  approved: ["wait", "approved"],
  sending: ["run", "being sent"],
  accepted: ["run", "on its way"],
  refused: ["bad", "refused"],
  "in doubt": ["doubt", "in doubt"],
  held: ["warn", "held"],
  withdrawn: ["off", "withdrawn"],
  abandoned: ["off", "given up"],
};

/** Where a payment stands; an accepted one where its payout does. */
export function standing(of: Standing, payoutState = ""): Html {
  const meaning = of === "accepted" ? payoutStateMeaning(payoutState) : undefined;
  if (meaning === "done") return badge("ok", "arrived");
  return meaning === "failed" ? badge("bad", "failed") : badge(...STANDS[of]);
}

const ROWS_MAX = 100;

async function paymentsPage(visit: Visit): Promise<Answer> {
  const text = field(visit.query, "q").trim();
  if (text === "") return seesAll(visit) ? listPage(visit) : page("Payments", ASK_SUBMITTER, html``);
  const found = (await findPayments(visit.workplace, text, ROWS_MAX)).filter(({ batch }) =>
    mayKnow(visit, batch),
  );
  const [only, another] = found;
  if (only !== undefined && another === undefined)
    return { goTo: storyPath(only.instruction.fields.reference) };
  const shown = found.slice(0, ROWS_MAX);
  const none = empty(
    "Nothing found",
    "A reference or payee is found by how it begins, all others by the whole.",
  );
  const note =
    found.length >= ROWS_MAX ? `the first ${ROWS_MAX}; there may be more` : counted(found.length, "payment");
  return page(
    html`Payments for “${text}”`,
    only === undefined
      ? html`No payment has “${text}” as its reference, payee, address, payout or transaction.`
      : "Several payments fit. Each opens its story.",
    panel("found", "Found", only === undefined ? none : rows(shown), { note }),
  );
}

const ASK_SUBMITTER = html`Find a payment of a file that you sent in.<form class="bar" method="get" action="/payments"><div class="field grow"><label for="own">Reference, payee, address or hash</label><input id="own" name="q" type="search"></div><button class="btn">Find</button></form>`;

function page(title: Html | string, lede: Html | string, content: Html): Answer {
  return {
    title: "Payments",
    content: html`<header class="head"><div><h1>${title}</h1><div class="lede">${lede}</div></div></header>${content}`,
  };
}

async function listPage({ workplace, query }: Visit): Promise<Answer> {
  const wanted = STANDINGS.find((each) => each === field(query, "standing"));
  const [batchId, row] = [field(query, "batch"), field(query, "row")];
  const before = /^\d{1,9}$/.test(row)
    ? { batchId: batchId as FoundPayment["batch"]["id"], row: Number(row) }
    : undefined;
  const found = await listPayments(workplace, { before, standing: wanted }, ROWS_MAX + 1);
  const shown = found.slice(0, ROWS_MAX);
  const last = found.length > ROWS_MAX ? shown.at(-1)?.instruction : undefined;
  const older =
    last !== undefined &&
    html`<div class="foot"><a class="btn" href="/payments?${new URLSearchParams({ standing: wanted ?? "", batch: last.batchId, row: String(last.row) }).toString()}">Older</a></div>`;
  const options = STANDINGS.map(
    (each) => html`<option value="${each}"${each === wanted && html` selected`}>${STANDS[each][1]}</option>`,
  );
  const filter = html`<form class="bar" method="get" action="/payments"><div class="field"><label for="standing">Show</label><select id="standing" name="standing"><option value="">all</option>${options}</select></div><button class="btn">Show</button></form>`;
  const list = shown.length === 0 ? empty("No such payment", "Files bring payments in.") : rows(shown);
  return {
    title: "Payments",
    content: html`${head("Payments", "Each payment opens its story: what happened to it, from the file to the books.")}${panel("payments", "Newest first", html`${filter}${list}${older}`)}`,
  };
}

function rows(found: readonly FoundPayment[]): Html {
  const cells = found.map(({ instruction: { fields, row, standing: stands }, batch, payoutState }) => [
    html`<a href="${storyPath(fields.reference)}">${fields.reference}</a><span class="sub">${fields.customerId}</span>`,
    standing(stands, payoutState),
    html`<span class="addr">${fields.destinationAddress ?? fields.destinationAccountId}</span>`,
    html`<a href="/batches/${batch.id}">${batch.id}</a><span class="sub">${batch.fileName}, row ${row}</span>`,
    amount(fields.amount.value, fields.amount.currency),
  ]);
  const columns = [
    { label: "Reference" },
    { label: "Stands at" },
    { label: "To" },
    { label: "File" },
    { label: "Sum", kind: "lead" },
  ] as const;
  return table("Payments", columns, cells);
}
