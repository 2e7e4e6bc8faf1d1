/** What the service shows, asked for by a person: payouts, deposits, balances, accounts. Nothing of it is stored or concluded from. */
import { z } from "zod";
import { type Fault, fault } from "../faults/index.ts";
import {
  depositPages,
  type FindFilter,
  type FindPaging,
  lookUp,
  type Pages,
  type PagingReport,
  payoutPages,
  type SearchOperation,
  type SortCriterion,
} from "../gateway/index.ts";
import { findCustodyAccount } from "../model/index.ts";
import { type AccountBalance, type Deposit, type Payout, uuid } from "../wire/index.ts";
import { custodyAccountsElsewhere, type Workplace } from "./workplace.ts";

export interface SearchRequest extends FindFilter {
  readonly sort?: readonly SortCriterion[];
  /** Elements at most. */
  readonly limit: number;
  readonly by: SearchOperation;
}

export interface SearchReport<Element> extends PagingReport {
  readonly found: readonly Element[];
  /** There may be more than `limit`. */
  readonly isCut: boolean;
}

/** Throws a ServiceFault when a page stays unanswered, ROUTE_MISSING for `by: route` without one. */
export function searchPayouts(workplace: Workplace, request: SearchRequest): Promise<SearchReport<Payout>> {
  return underEachKey(workplace, request, payoutPages, ({ payoutId }) => payoutId);
}

/** Throws a ServiceFault when a page stays unanswered, ROUTE_MISSING for `by: route` without one. */
export function searchDeposits(workplace: Workplace, request: SearchRequest): Promise<SearchReport<Deposit>> {
  return underEachKey(workplace, request, depositPages, ({ depositId }) => depositId);
}

/** The payouts with this payoutId or reference. Throws NOT_AT_SERVICE where there is none. */
export async function showPayouts(workplace: Workplace, idOrReference: string): Promise<readonly Payout[]> {
  const { found } = await searchPayouts(workplace, whichOf(idOrReference));
  if (found.length === 0) throw notAtService("payout", idOrReference);
  return found;
}

/** The deposits with this depositId or reference. Throws NOT_AT_SERVICE where there is none. */
export async function showDeposits(workplace: Workplace, idOrReference: string): Promise<readonly Deposit[]> {
  const { found } = await searchDeposits(workplace, whichOf(idOrReference));
  if (found.length === 0) throw notAtService("deposit", idOrReference);
  return found;
}

/** The one payout with this payoutId or reference. Throws NOT_AT_SERVICE, or REFERENCE_SHARED where several have the reference. */
export async function onePayout(workplace: Workplace, idOrReference: string): Promise<Payout> {
  return oneOf(idOrReference, await showPayouts(workplace, idOrReference), ({ payoutId }) => payoutId);
}

/** The one deposit with this depositId or reference. Throws NOT_AT_SERVICE, or REFERENCE_SHARED where several have the reference. */
export async function oneDeposit(workplace: Workplace, idOrReference: string): Promise<Deposit> {
  return oneOf(idOrReference, await showDeposits(workplace, idOrReference), ({ depositId }) => depositId);
}

export interface NamedBalance extends AccountBalance {
  /** The configuration's name; absent for an account that it does not have. */
  readonly name?: string;
}

/** Balances as they are now, of the accounts named by name or id; of all that the configuration has where none is named. */
export async function showBalances(
  workplace: Workplace,
  namesOrIds: readonly string[],
  by: SearchOperation,
): Promise<NamedBalance[]> {
  const { custodyAccounts } = workplace.config;
  const asked = namesOrIds.map((text) => findCustodyAccount(text, custodyAccounts)?.id ?? idIn(text));
  const accountIds = namesOrIds.length === 0 ? custodyAccounts.map(({ id }) => id) : [...new Set(asked)];
  const balances: AccountBalance[] = [];
  for (const view of workplace.underKeys) {
    const elsewhere = new Set<string>(custodyAccountsElsewhere(workplace, view));
    const own = accountIds.filter((id) => !elsewhere.has(id));
    if (own.length > 0) balances.push(...(await balancesUnder(view, own, by)));
  }
  return balances.map((balance) => {
    const name = custodyAccounts.find(({ id }) => id === balance.accountId)?.name;
    return name === undefined ? balance : { ...balance, name };
  });
}

async function balancesUnder(
  view: Workplace,
  accountIds: string[],
  by: SearchOperation,
): Promise<readonly AccountBalance[]> {
  const { gateway, context } = view.service().tools;
  const { balances } =
    by === "path"
      ? await lookUp(gateway, context.clock, "getAccountsBalance", { accountIds })
      : await lookUp(gateway, context.clock, "accountBalances", { accountIds: accountIds.join(",") });
  return balances;
}

/** The accounts in which a user may approve, as the service tells them: the interface does not show the answer's form. */
export function showAccountsOfUser(workplace: Workplace, username: string): Promise<unknown> {
  const { gateway, context } = workplace.service().tools;
  return lookUp(gateway, context.clock, "accountsOfUser", { username });
}

/** `payoutPages` or `depositPages`. */
type PagesOf<Element> = (...asked: Parameters<typeof payoutPages>) => Pages<Element>;

/** What several keys show is one list, each element once. */
async function underEachKey<Element>(
  workplace: Workplace,
  request: SearchRequest,
  pagesOf: PagesOf<Element>,
  idOf: (element: Element) => string,
): Promise<SearchReport<Element>> {
  const reports: SearchReport<Element>[] = [];
  for (const view of workplace.underKeys) {
    const { gateway, context, paging } = view.service().tools;
    const read = () =>
      upTo(request, pagesOf(gateway, context.clock, request, pagingOf(request, paging), request.by));
    reports.push(await paging.askingForLess(read));
  }
  const found = new Map(reports.flatMap((report) => report.found.map((element) => [idOf(element), element])));
  return {
    found: [...found.values()].slice(0, request.limit),
    isCut: found.size > request.limit || reports.some(({ isCut }) => isCut),
    pagesRead: reports.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
    complete: reports.every(({ complete }) => complete),
    doubts: reports.flatMap(({ doubts }) => doubts),
    problems: reports.flatMap(({ problems }) => problems),
    sortHeld: reports.every(({ sortHeld }) => sortHeld),
  };
}

async function upTo<Element>(
  { limit }: SearchRequest,
  pages: Pages<Element>,
): Promise<SearchReport<Element>> {
  const found: Element[] = [];
  let isCut = false;
  for await (const { element } of pages) {
    isCut = found.length >= limit;
    if (isCut) break;
    found.push(element);
  }
  return { found, isCut, ...pages.report() };
}

/** No larger pages than are shown. */
function pagingOf({ sort, limit }: SearchRequest, paging: FindPaging): FindPaging {
  const pageSize = Math.min(paging.pageSize, limit);
  return sort === undefined || sort.length === 0 ? { ...paging, pageSize } : { ...paging, pageSize, sort };
}

/** More than one is enough to know that there are several. */
const SHOWN_MAX = 20;

function whichOf(idOrReference: string): SearchRequest {
  const isId = uuid.safeParse(idOrReference).success;
  return {
    ...(isId ? { ids: [idOrReference.toLowerCase()] } : { references: [idOrReference] }),
    limit: SHOWN_MAX,
    by: "path",
  };
}

function oneOf<Element>(
  text: string,
  found: readonly Element[],
  idOf: (element: Element) => string,
): Element {
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  throw fault("REFERENCE_SHARED", { text, ids: found.map(idOf).join(", ") });
}

function idIn(text: string): string {
  const id = z.guid().safeParse(text);
  if (id.success) return id.data.toLowerCase();
  throw fault("ACCOUNT_UNKNOWN", { text });
}

function notAtService(kind: "payout" | "deposit", text: string): Fault {
  return fault("NOT_AT_SERVICE", { kind, text });
}
