/**
 * Reads the pages of a find operation. The service may insert while we read, so elements are told apart by id, and a
 * reading whose totals changed or did not add up says so: it is then no evidence of absence.
 */
import { z } from "zod";
import type { Clock } from "../context/clock.ts";
import { type Problem, problem } from "../faults/index.ts";
import { type Deposit, deposit, type Payout, payout, writeJson } from "../wire/index.ts";
import type { Gateway } from "./gateway.ts";
import { lookUp } from "./look-up.ts";

export interface FindFilter {
  readonly ids?: readonly string[];
  readonly references?: readonly string[];
  readonly states?: readonly string[];
}

export interface FindPaging {
  readonly pageSize: number;
  readonly firstPage: number;
}

export interface Found<Element> {
  readonly element: Element;
  /** The element as JSON text, digits as sent. */
  readonly raw: string;
}

export interface Reading<Element> {
  /** Each element once, by id. */
  readonly found: readonly Found<Element>[];
  /** The pages agreed with each other, all elements were readable and as many as the service said. */
  readonly complete: boolean;
  readonly problems: readonly Problem[];
  readonly pagesRead: number;
}

export function findPayouts(
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
): Promise<Reading<Payout>> {
  const { ids, ...others } = filter;
  return readPages(
    payout,
    (element) => element.payoutId,
    "findPayoutFilteredV2",
    paging,
    (page) =>
      lookUp(gateway, clock, "findPayoutFilteredV2", {
        ...mutableFilter(others),
        payoutIds: ids?.slice(),
        ...page,
      }),
  );
}

export function findDeposits(
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
): Promise<Reading<Deposit>> {
  const { ids, ...others } = filter;
  return readPages(
    deposit,
    (element) => element.depositId,
    "findDepositFilteredV2",
    paging,
    (page) =>
      lookUp(gateway, clock, "findDepositFilteredV2", {
        ...mutableFilter(others),
        depositIds: ids?.slice(),
        ...page,
      }),
  );
}

interface PageRequest {
  page: number;
  size: number;
  sort: Record<string, string>;
}

interface Envelope {
  readonly results: {
    readonly content: readonly unknown[];
    readonly totalPages: number;
    readonly totalElements: number;
  };
}

/** Oldest first, so that what is created while we read comes behind what was read. */
const OLDEST_FIRST = { createdDate: "ASC" };

async function readPages<Element>(
  schema: z.ZodType<Element>,
  idOf: (element: Element) => string,
  operation: string,
  { pageSize, firstPage }: FindPaging,
  fetchPage: (page: PageRequest) => Promise<Envelope>,
): Promise<Reading<Element>> {
  const found = new Map<string, Found<Element>>();
  /** By their text, so that an element on two pages is one problem. */
  const unreadable = new Map<string, Problem>();
  const totals = new Set<number>();
  let pagesRead = 0;
  let repeated = false;
  for (;;) {
    const { results } = await fetchPage({
      page: firstPage + pagesRead,
      size: pageSize,
      sort: { ...OLDEST_FIRST },
    });
    pagesRead += 1;
    totals.add(results.totalElements);
    const before = found.size + unreadable.size;
    for (const element of results.content) {
      const parsed = schema.safeParse(element);
      const raw = writeJson(element);
      if (parsed.success) found.set(idOf(parsed.data), { element: parsed.data, raw });
      else unreadable.set(raw, unreadableElement(operation, element, parsed.error));
    }
    const fresh = found.size + unreadable.size - before;
    repeated ||= fresh < results.content.length;
    // A page without anything new ends the reading whatever totalPages says, so that a lying service cannot keep us here.
    const isLast = results.content.length < pageSize && pagesRead >= results.totalPages;
    if (isLast || fresh === 0) break;
  }
  const complete = unreadable.size === 0 && totals.size === 1 && totals.has(found.size) && !repeated;
  return { found: [...found.values()], complete, problems: [...unreadable.values()], pagesRead };
}

function unreadableElement(operation: string, element: unknown, error: z.ZodError): Problem {
  const id = z
    .looseObject({ payoutId: z.string().optional(), depositId: z.string().optional() })
    .safeParse(element);
  const { payoutId, depositId } = id.data ?? {};
  return problem(
    "SERVICE_ANSWER_UNREADABLE",
    { operation, status: 200, reason: z.prettifyError(error) },
    {
      operation,
      ...(payoutId === undefined ? {} : { payoutId }),
      ...(depositId === undefined ? {} : { depositId }),
    },
  );
}

function mutableFilter({ references, states }: Omit<FindFilter, "ids">) {
  return { references: references?.slice(), states: states?.slice() };
}
