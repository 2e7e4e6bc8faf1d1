/** Payouts and deposits as the service shows them, for a person. Nothing is stored or concluded. */
import { Fault, fault } from "../faults/index.ts";
import type {
  FindFilter,
  FindPaging,
  Pages,
  PagingReport,
  SearchOperation,
  SortCriterion,
} from "../gateway/index.ts";
import { isUuid } from "../model/index.ts";
import { DEPOSITS, type Observed, PAYOUTS } from "../observation/index.ts";
import type { Deposit, Payout } from "../wire/index.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface SearchRequest extends FindFilter {
  readonly sort?: readonly SortCriterion[];
  /** Maximum number of elements. */
  readonly limit: number;
  readonly by: SearchOperation;
}

export interface SearchReport<Element> extends PagingReport {
  readonly found: readonly Element[];
  /** Whether there may be more than `limit`. */
  readonly isCut: boolean;
}

/** Throws a ServiceFault when a page stays unanswered, INTERFACE_GAP for `by: route` without one. */
export function searchPayouts(workplace: Workplace, request: SearchRequest): Promise<SearchReport<Payout>> {
  return underEachKey(workplace, request, PAYOUTS);
}

/** Throws a ServiceFault when a page stays unanswered, INTERFACE_GAP for `by: route` without one. */
export function searchDeposits(workplace: Workplace, request: SearchRequest): Promise<SearchReport<Deposit>> {
  return underEachKey(workplace, request, DEPOSITS);
}

/**
 * The payouts with this payoutId or reference. Throws NOT_AT_SERVICE if there is none; if the service shows some
 * but none can be parsed, throws why.
 */
export async function showPayouts(workplace: Workplace, idOrReference: string): Promise<readonly Payout[]> {
  return askedFor(await searchPayouts(workplace, whichOf(idOrReference)), PAYOUTS, idOrReference);
}

/** As `showPayouts`, for deposits. */
export async function showDeposits(workplace: Workplace, idOrReference: string): Promise<readonly Deposit[]> {
  return askedFor(await searchDeposits(workplace, whichOf(idOrReference)), DEPOSITS, idOrReference);
}

/**
 * The single payout with this payoutId or reference. Throws NOT_AT_SERVICE, or NAME_AMBIGUOUS if several have the
 * reference, if others that are not shown may have it, or if the payout shown has another one.
 */
export async function onePayout(workplace: Workplace, idOrReference: string): Promise<Payout> {
  return oneOf(await searchPayouts(workplace, whichOf(idOrReference)), PAYOUTS, idOrReference);
}

/** As `onePayout`, for deposits. */
export async function oneDeposit(workplace: Workplace, idOrReference: string): Promise<Deposit> {
  return oneOf(await searchDeposits(workplace, whichOf(idOrReference)), DEPOSITS, idOrReference);
}

/** Merges the results under each key, each element once. */
async function underEachKey<Element>(
  workplace: Workplace,
  request: SearchRequest,
  { pages, sightingOf }: Observed<Element>,
): Promise<SearchReport<Element>> {
  const reports: SearchReport<Element>[] = [];
  for (const view of workplace.underKeys) {
    const { gateway, context, paging } = view.service().tools;
    const read = () =>
      upTo(request, pages(gateway, context.clock, request, pagingOf(request, paging), request.by));
    reports.push(await paging.askingForLess(read));
  }
  const found = new Map(
    reports.flatMap((report) => report.found.map((element) => [sightingOf(element).id, element])),
  );
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

/** Pages no larger than what is shown. */
function pagingOf({ sort, limit }: SearchRequest, paging: FindPaging): FindPaging {
  const pageSize = Math.min(paging.pageSize, limit);
  return sort === undefined || sort.length === 0 ? { ...paging, pageSize } : { ...paging, pageSize, sort };
}

/** Enough to see that several match. */
const SHOWN_MAX = 20;

function whichOf(idOrReference: string): SearchRequest {
  return {
    ...(isUuid(idOrReference) ? { ids: [idOrReference.toLowerCase()] } : { references: [idOrReference] }),
    limit: SHOWN_MAX,
    by: "path",
  };
}

/** Drops elements with another id than was asked for: the answer may belong to another request. */
function askedFor<Element>(
  { found, problems: [unreadable], doubts: [doubt] }: SearchReport<Element>,
  { kind, sightingOf }: Observed<Element>,
  text: string,
): readonly Element[] {
  const matching = isUuid(text)
    ? found.filter((element) => sightingOf(element).id === text.toLowerCase())
    : found;
  if (matching.length > 0) return matching;
  if (unreadable !== undefined) throw new Fault(unreadable);
  throw fault("NOT_AT_SERVICE", { kind, text, but: doubt === undefined ? "" : `, but ${doubt}` });
}

/**
 * The element to be changed must be the one that the person named; a service that rewrites references must be asked
 * by id.
 */
function oneOf<Element extends { readonly reference?: string | undefined }>(
  report: SearchReport<Element>,
  observed: Observed<Element>,
  text: string,
): Element {
  const { kind, sightingOf } = observed;
  const found = askedFor(report, observed, text);
  const [only, second] = found;
  if (only === undefined || second !== undefined) {
    const ids = found.map((element) => sightingOf(element).id).join(", ");
    throw ambiguous(text, `several ${kind}s have this reference: ${ids}`, "Name the one you mean by its id.");
  }
  const [unreadable] = report.problems;
  const [doubt] = report.doubts;
  // An element that was not shown, or cannot be read, may have the same reference and be the one meant.
  if (!isUuid(text) && doubt !== undefined)
    throw unreadable === undefined
      ? ambiguous(
          text,
          `the service shows one ${kind} with this reference, and there may be others: ${doubt}`,
          "Name the one you mean by its id, or run the command again.",
        )
      : new Fault(unreadable);
  const { reference = "none" } = only;
  if (!isUuid(text) && reference !== text) {
    const { id } = sightingOf(only);
    const how = `Look at it with \`paydrop ${kind}s show ${id}\`; if it is the one you mean, name it by its id.`;
    throw ambiguous(text, `the service shows ${kind} ${id}, whose reference is ${reference}`, how);
  }
  return only;
}

function ambiguous(text: string, reason: string, how: string): Fault {
  return fault("NAME_AMBIGUOUS", { text, reason, how });
}
