/**
 * Reads the pages of a search, several at a time, as one stream of elements. The service may insert while we read, and may say
 * anything about how much there is: elements are told apart by id, reading always ends, and the report says what did not tie. A
 * reading that does not tie is no evidence of absence.
 */
import { z } from "zod";
import { type Problem, problem } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { mismatchText, type searchEnvelope, uuid, writeJson } from "../wire/index.ts";
import { ServiceFault } from "./failure.ts";
import type { OperationName } from "./operations.ts";

export interface SortCriterion {
  readonly property: string;
  readonly direction: "ASC" | "DESC";
}

export interface FindPaging {
  readonly pageSize: number;
  /** The number of the first page: 0 or 1. */
  readonly firstPage: number;
  /** Oldest first where absent, so that what is created while we read comes behind what was read. */
  readonly sort?: readonly SortCriterion[];
  /** Pages asked for at the same time, once the first one has told how many there are. One where absent. */
  readonly concurrency?: number;
}

export interface Found<Element> {
  readonly element: Element;
  /** The element as JSON text, digits as sent. */
  readonly raw: string;
}

export interface PagingReport {
  readonly pagesRead: number;
  /** The pages agreed with each other, all elements were readable and as many as the service said. */
  readonly complete: boolean;
  /** What did not tie, in words; empty when complete. */
  readonly doubts: readonly string[];
  /** Elements that could not be read. */
  readonly problems: readonly Problem[];
  /** False when elements came in another order of createdDate than was asked for. */
  readonly sortHeld: boolean;
}

/** The elements of all pages, each once; `report` tells about what has been read so far. Can be iterated once. */
export interface Pages<Element> extends AsyncIterable<Found<Element>> {
  report(): PagingReport;
}

export interface PageRequest {
  readonly page: number;
  readonly size: number;
  readonly sort: readonly SortCriterion[];
}

type SearchEnvelope = z.output<typeof searchEnvelope>;

/** A page with its elements unread. */
export interface Page
  extends Pick<SearchEnvelope["results"], "content" | "totalPages" | "totalElements" | "size" | "number"> {
  /** Names of the filters that it echoes differently from what was asked. */
  readonly unlikeEchoes?: readonly string[];
}

export interface PageSource<Element> {
  readonly operation: OperationName;
  readonly schema: z.ZodType<Element>;
  idOf(element: Element): string;
  createdDateOf(element: Element): string | undefined;
  fetchPage(request: PageRequest): Promise<Page>;
}

const OLDEST_FIRST: readonly SortCriterion[] = [{ property: "createdDate", direction: "ASC" }];

/** Pages are read beyond what the first one announced, because more is created meanwhile; at most so many more than twice as many. */
const PAGES_BEYOND_MAX = 100;

export function readPages<Element>(source: PageSource<Element>, paging: FindPaging): Pages<Element> {
  const ledger = new PageLedger(source, paging);
  return {
    [Symbol.asyncIterator]: () => streamPages(source, paging, ledger),
    report: () => ledger.report(),
  };
}

async function* streamPages<Element>(
  source: PageSource<Element>,
  { pageSize: size, firstPage, sort = OLDEST_FIRST, concurrency = 1 }: FindPaging,
  ledger: PageLedger<Element>,
): AsyncGenerator<Found<Element>> {
  const underWay: Promise<Fetched>[] = [];
  let asked = 0;
  const ask = () => {
    underWay.push(settled(source.fetchPage({ page: firstPage + asked, size, sort })));
    asked += 1;
  };
  ask();
  try {
    for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) {
      const fetched = await next;
      if ("error" in fetched) {
        if (ledger.isBeyondTheEnd && isAnswered(fetched.error)) return;
        throw fetched.error;
      }
      yield* ledger.take(fetched.page);
      if (ledger.isAtEnd) return;
      while (underWay.length < concurrency && asked < ledger.announcedPages) ask();
      // The last page that was announced is full: whether there is another is seen by asking for it.
      if (underWay.length === 0) ask();
    }
  } finally {
    await Promise.all(underWay);
  }
}

type Fetched = { readonly page: Page } | { readonly error: unknown };

/** Pages are asked for ahead: one that fails waits for its turn to say so. */
function settled(fetching: Promise<Page>): Promise<Fetched> {
  return fetching.then(
    (page) => ({ page }),
    (error: unknown) => ({ error }),
  );
}

/** An error answer for a page behind the last one means that there is no such page; whether elements are missing is seen from the totals. */
function isAnswered(error: unknown): boolean {
  return error instanceof ServiceFault && error.failure.status !== undefined;
}

/** Keeps account of what the pages brought and claimed. */
class PageLedger<Element> {
  private readonly source: PageSource<Element>;
  private readonly paging: FindPaging;
  private readonly ids = new Set<string>();
  /** By their text, so that an element on two pages is one problem. */
  private readonly unreadable = new Map<string, Problem>();
  private readonly totals = new Set<number>();
  private readonly unlikeEchoes = new Set<string>();
  private pagesRead = 0;
  private repeated = 0;
  private pagesMax = 0;
  private latest: Page | undefined;
  private lastBroughtNothingNew = false;
  private misnumbered: string | undefined;
  private newest = "";
  private sortHeld = true;

  constructor(source: PageSource<Element>, paging: FindPaging) {
    this.source = source;
    this.paging = paging;
  }

  get announcedPages(): number {
    return Math.min(this.latest?.totalPages ?? 1, this.pagesMax);
  }

  /** Everything that the service announced has been read; never before it announced anything. */
  get isBeyondTheEnd(): boolean {
    return this.latest !== undefined && this.pagesRead >= this.announcedPages;
  }

  /** A page without anything new ends the reading whatever totalPages says, so that a lying service cannot keep us here. */
  get isAtEnd(): boolean {
    const { latest } = this;
    if (latest === undefined) return false;
    const isFull =
      latest.content.length >= Math.min(latest.size || this.paging.pageSize, this.paging.pageSize);
    return this.lastBroughtNothingNew || (!isFull && this.isBeyondTheEnd) || this.pagesRead >= this.pagesMax;
  }

  *take(page: Page): Generator<Found<Element>> {
    this.latest = page;
    this.pagesMax ||= 2 * page.totalPages + PAGES_BEYOND_MAX;
    this.checkNumber(page);
    this.pagesRead += 1;
    this.totals.add(page.totalElements);
    for (const name of page.unlikeEchoes ?? []) this.unlikeEchoes.add(name);
    const before = this.ids.size + this.unreadable.size;
    for (const one of page.content) {
      const found = this.read(one);
      if (found !== undefined) yield found;
    }
    const fresh = this.ids.size + this.unreadable.size - before;
    this.repeated += page.content.length - fresh;
    this.lastBroughtNothingNew = fresh === 0;
  }

  report(): PagingReport {
    const doubts = this.doubts();
    return {
      pagesRead: this.pagesRead,
      complete: doubts.length === 0,
      doubts,
      problems: [...this.unreadable.values()],
      sortHeld: this.sortHeld,
    };
  }

  /** The element, unless it cannot be read or came before. */
  private read(one: unknown): Found<Element> | undefined {
    const { schema, idOf, createdDateOf, operation } = this.source;
    const parsed = schema.safeParse(one);
    const raw = writeJson(one);
    if (!parsed.success) {
      this.unreadable.set(raw, unreadableElement(operation, one, parsed.error));
      return undefined;
    }
    const id = idOf(parsed.data);
    if (this.ids.has(id)) return undefined;
    this.ids.add(id);
    this.checkOrder(createdDateOf(parsed.data));
    return { element: parsed.data, raw };
  }

  private checkNumber({ number }: Page): void {
    const asked = this.paging.firstPage + this.pagesRead;
    if (number === undefined || number === asked) return;
    this.misnumbered ??= `page ${asked} called itself ${number}: check \`paging.firstPage\``;
  }

  private checkOrder(createdDate = this.newest): void {
    const [{ property, direction } = { property: "" }] = this.paging.sort ?? OLDEST_FIRST;
    if (property !== "createdDate") return;
    if (this.newest !== "") {
      this.sortHeld &&= direction === "DESC" ? createdDate <= this.newest : createdDate >= this.newest;
    }
    this.newest = createdDate;
  }

  private doubts(): string[] {
    const doubts: string[] = [];
    const claimed = [...this.totals];
    const seen = this.ids.size;
    if (this.unlikeEchoes.size > 0)
      doubts.push(`it echoes other ${[...this.unlikeEchoes].join(" and ")} than it was asked for`);
    if (this.unreadable.size > 0) doubts.push(unreadableText([...this.unreadable.values()]));
    if (claimed.length > 1) doubts.push(`totalElements was ${claimed.join(", then ")}`);
    if (this.repeated > 0) doubts.push(`${this.repeated} elements came again on a later page`);
    if (!this.totals.has(seen))
      doubts.push(`${seen} elements came and totalElements was ${claimed.at(-1) ?? 0}`);
    if (this.pagesRead >= this.pagesMax) doubts.push(`there was no end after ${this.pagesRead} pages`);
    return doubts.length > 0 && this.misnumbered !== undefined ? [...doubts, this.misnumbered] : doubts;
  }
}

const NAMED_MAX = 3;

/** With their ids: whoever is told that something was not found is to know that it may be one of them. */
function unreadableText(problems: readonly Problem[]): string {
  const ids = problems.flatMap(({ payoutId, depositId }) => {
    const id = uuid.safeParse(payoutId ?? depositId);
    return id.success ? [`${payoutId === undefined ? "deposit" : "payout"} ${id.data}`] : [];
  });
  const named =
    ids.length === 0
      ? ""
      : ` (${ids.slice(0, NAMED_MAX).join(", ")}${ids.length > NAMED_MAX ? ", ..." : ""})`;
  const count = problems.length === 1 ? "1 element was" : `${problems.length} elements were`;
  return `${count} shown and could not be read${named}`;
}

function unreadableElement(operation: OperationName, element: unknown, error: z.ZodError): Problem {
  const text = z.string().optional();
  const { payoutId, depositId } =
    z.looseObject({ payoutId: text, depositId: text }).safeParse(element).data ?? {};
  const params = { operation, status: 200, reason: mismatchText(error) };
  return problem("SERVICE_ANSWER_UNREADABLE", params, { operation, ...present({ payoutId, depositId }) });
}
