/**
 * Reads the pages of a search, several at a time, as one stream of elements. Pages may shift while we read, and the
 * service may claim anything about their number: elements are deduplicated by id, reading always ends, and the
 * report names every inconsistency. An inconsistent reading is no evidence of absence.
 */
import { z } from "zod";
import { type Problem, problem } from "../faults/index.ts";
import { IdSet } from "../model/id-set.ts";
import { present } from "../model/present.ts";
import {
  dateTime,
  mismatchCount,
  mismatchText,
  type searchEnvelope,
  uuid,
  writeJson,
} from "../wire/index.ts";
import { SentElement } from "./elements.ts";
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
  /** Default: oldest first, so that elements created meanwhile come last. */
  readonly sort?: readonly SortCriterion[];
  /** Pages requested concurrently once the first one says how many there are. Default: one. */
  readonly concurrency?: number;
  /**
   * Reading ends with the first page whose elements were all created before this instant; the pages come newest
   * first, one at a time. The absence of an element then proves nothing.
   */
  readonly createdSince?: string;
}

export interface Found<Element> {
  readonly element: Element;
  /** The element's JSON text, as sent. */
  readonly raw: string;
}

export interface PagingReport {
  readonly pagesRead: number;
  /** The pages agreed, and as many readable elements came as the service claimed. */
  readonly complete: boolean;
  /** Every inconsistency, in words; empty when complete. */
  readonly doubts: readonly string[];
  /** By how many the claimed count exceeds the elements; absent if anything else is inconsistent. */
  readonly miscount?: number;
  /** One problem per element that could not be parsed. */
  readonly problems: readonly Problem[];
  /**
   * False when the elements' createdDate did not follow the requested order. With `createdSince` all elements are
   * checked, also the known ones, and one without createdDate makes it false; otherwise only parsed elements are
   * checked.
   */
  readonly sortHeld: boolean;
  /** The last totalElements; absent before the first page. */
  readonly total?: number;
  /** With `createdSince`: the latest createdDate. */
  readonly newest?: string;
}

/**
 * Streams the elements of all pages, each once, without those that are known by their text; `report` and `shown`
 * cover what was read so far. Can be iterated only once.
 */
export interface Pages<Element> extends AsyncIterable<Found<Element>> {
  report(): PagingReport;
  shown(): Shown;
}

export interface Shown {
  /** Of all readable elements, the known ones too. */
  readonly ids: IdSet;
  readonly lastId?: string;
}

export interface PageRequest {
  readonly page: number;
  readonly size: number;
  readonly sort: readonly SortCriterion[];
}

type SearchEnvelope = z.output<typeof searchEnvelope>;

export interface Page
  extends Pick<SearchEnvelope["results"], "content" | "totalPages" | "totalElements" | "size" | "number"> {
  /** Names of the filters that the page echoes differently from the request. */
  readonly unlikeEchoes?: readonly string[];
}

export interface PageSource<Element> {
  readonly operation: OperationName;
  /** How many ids or references the filters name; 0 if they name none. */
  readonly named: number;
  readonly schema: z.ZodType<Element>;
  /** Reads an element of the usual form as `schema` does, only faster; undefined for any other. */
  readonly readUsual?: (sent: unknown) => Element | undefined;
  idOf(element: Element): string;
  createdDateOf(element: Element): string | undefined;
  fetchPage(request: PageRequest): Promise<Page>;
}

const OLDEST_FIRST: readonly SortCriterion[] = [{ property: "createdDate", direction: "ASC" }];

/** Pages may be added while we read. Reading stops at twice the number first expected, plus this one. */
const PAGES_BEYOND_MAX = 100;

/**
 * A service may announce any number. Without a filter this many elements are believed, in pages of at least
 * ELEMENTS_PER_PAGE_MIN.
 */
const ELEMENTS_EXPECTED_MAX = 2_000_000;
const ELEMENTS_PER_PAGE_MIN = 20;

/**
 * An unreadable element costs this, and 1 for each place that does not fit. Above the maximum, after some hundred
 * elements, the rest of a page is not judged.
 */
const COST_OF_UNREADABLE = 10;
const COST_PER_PAGE_MAX = 5000;

/** Elements judged in one turn of the event loop, in which the process does nothing else. */
const JUDGED_TOGETHER = 200;

export function readPages<Element>(source: PageSource<Element>, paging: FindPaging): Pages<Element> {
  const ledger = new PageLedger(source, paging);
  return {
    [Symbol.asyncIterator]: () => streamPages(source, paging, ledger),
    report: () => ledger.report(),
    shown: () => ledger.shown(),
  };
}

async function* streamPages<Element>(
  source: PageSource<Element>,
  { pageSize: size, firstPage, sort = OLDEST_FIRST, concurrency = 1, createdSince }: FindPaging,
  ledger: PageLedger<Element>,
): AsyncGenerator<Found<Element>> {
  const underWay: Promise<Fetched>[] = [];
  let requested = 0;
  const ask = () => {
    underWay.push(settled(source.fetchPage({ page: firstPage + requested, size, sort })));
    requested += 1;
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
      const together = createdSince === undefined ? concurrency : 1;
      while (underWay.length < together && requested < ledger.announcedPages) ask();
      // The last announced page was full, so only a request for the next one shows whether it exists.
      if (underWay.length === 0) ask();
    }
  } finally {
    await Promise.all(underWay);
  }
}

type Fetched = { readonly page: Page } | { readonly error: unknown };

/** Turns a rejection into a value, so that a page requested ahead fails only when its turn comes. */
function settled(fetching: Promise<Page>): Promise<Fetched> {
  return fetching.then(
    (page) => ({ page }),
    (error: unknown) => ({ error }),
  );
}

/** Whether the service answered at all: an error beyond the last page means that there is no such page. */
function isAnswered(error: unknown): boolean {
  return error instanceof ServiceFault && error.failure.status !== undefined;
}

/** Counts what the pages contained and what they claimed. */
class PageLedger<Element> {
  private readonly source: PageSource<Element>;
  private readonly paging: FindPaging;
  private readonly ids = new IdSet();
  private lastId: string | undefined;
  /** Keyed by JSON text, so that an element on two pages is one problem. */
  private readonly unreadable = new Map<string, Problem>();
  private readonly totals = new Set<number>();
  private readonly unlikeEchoes = new Set<string>();
  private pagesRead = 0;
  private repeated = 0;
  private unjudged = 0;
  /** The cost of the page that is being read. */
  private cost = 0;
  private pagesMax = 0;
  private latest: Page | undefined;
  private lastBroughtNothingNew = false;
  private misnumbered: string | undefined;
  private dateBefore = "";
  private sortHeld = true;
  private newest: string | undefined;
  private newestOfPage = "";
  private endedEarly = false;

  constructor(source: PageSource<Element>, paging: FindPaging) {
    this.source = source;
    this.paging = paging;
  }

  get announcedPages(): number {
    return Math.min(this.latest?.totalPages ?? 1, this.pagesMax);
  }

  /** All announced pages have been read; false before the first one. */
  get isBeyondTheEnd(): boolean {
    return this.latest !== undefined && this.pagesRead >= this.announcedPages;
  }

  /** A page without new elements ends the reading, so that a lying service cannot keep us reading. */
  get isAtEnd(): boolean {
    const { latest } = this;
    if (latest === undefined) return false;
    if (this.endedEarly) return true;
    const isFull =
      latest.content.length >= Math.min(latest.size || this.paging.pageSize, this.paging.pageSize);
    return this.lastBroughtNothingNew || (!isFull && this.isBeyondTheEnd) || this.pagesRead >= this.pagesMax;
  }

  async *take(page: Page): AsyncGenerator<Found<Element>> {
    this.latest = page;
    this.pagesMax ||= 2 * this.pagesExpected(page) + PAGES_BEYOND_MAX;
    this.checkNumber(page);
    this.pagesRead += 1;
    this.totals.add(page.totalElements);
    for (const name of page.unlikeEchoes ?? []) this.unlikeEchoes.add(name);
    const before = this.ids.size + this.unreadable.size;
    this.newestOfPage = "";
    let judged = 0;
    const { length } = page.content;
    for (this.cost = 0; judged < length && this.cost < COST_PER_PAGE_MAX; judged += 1) {
      if (judged > 0 && judged % JUDGED_TOGETHER === 0) await new Promise((resume) => setImmediate(resume));
      const found = this.read(page.content[judged]);
      if (found !== undefined) yield found;
    }
    const fresh = this.ids.size + this.unreadable.size - before;
    this.unjudged += length - judged;
    this.repeated += judged - fresh;
    this.lastBroughtNothingNew = fresh === 0;
    const { createdSince } = this.paging;
    this.endedEarly = createdSince !== undefined && length > 0 && this.newestOfPage < createdSince;
  }

  /** At most the announced pages. A search by n names has at most n pages. */
  private pagesExpected({ totalPages, content }: Page): number {
    const { named } = this.source;
    const perPage = Math.max(content.length, ELEMENTS_PER_PAGE_MIN);
    return Math.min(totalPages, named === 0 ? ELEMENTS_EXPECTED_MAX / perPage : named);
  }

  report(): PagingReport {
    const doubts = this.doubts();
    return {
      pagesRead: this.pagesRead,
      complete: doubts.length === 0,
      doubts,
      problems: [...this.unreadable.values()],
      sortHeld: this.sortHeld,
      ...present({
        miscount: doubts.length === 0 ? 0 : this.miscount(doubts),
        total: [...this.totals].at(-1),
        newest: this.newest,
      }),
    };
  }

  shown(): Shown {
    return { ids: this.ids, ...present({ lastId: this.lastId }) };
  }

  /** The parsed element; undefined if it is known or unreadable, or came before. */
  private read(sent: unknown): Found<Element> | undefined {
    const { idOf, createdDateOf } = this.source;
    if (sent instanceof SentElement && sent.knownId !== undefined) {
      this.isNew(sent.knownId);
      if (this.paging.createdSince !== undefined) this.checkOrder(createdDateIn(sent.text));
      return undefined;
    }
    const value = sent instanceof SentElement ? sent.value : sent;
    const element = this.source.readUsual?.(value) ?? this.judge(value);
    if (element === undefined) return undefined;
    const isNew = this.isNew(idOf(element));
    if (isNew || this.paging.createdSince !== undefined) this.checkOrder(createdDateOf(element));
    if (!isNew) return undefined;
    return { element, raw: sent instanceof SentElement ? sent.text : writeJson(sent) };
  }

  /** Parses an element by the schema; keeps the problem of an unreadable one. */
  private judge(value: unknown): Element | undefined {
    const { schema, operation } = this.source;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.cost += COST_OF_UNREADABLE + mismatchCount(parsed.error);
    this.unreadable.set(JSON.stringify(value), unreadableElement(operation, value, parsed.error));
    return undefined;
  }

  private isNew(id: string): boolean {
    if (!this.ids.add(id)) return false;
    this.lastId = id;
    return true;
  }

  private checkNumber({ number }: Page): void {
    const expected = this.paging.firstPage + this.pagesRead;
    if (number === undefined || number === expected) return;
    this.misnumbered ??= `page ${expected} called itself ${number}: check \`paging.firstPage\``;
  }

  private checkOrder(createdDate: string | undefined): void {
    const [{ property, direction } = { property: "" }] = this.paging.sort ?? OLDEST_FIRST;
    if (property !== "createdDate") return;
    if (createdDate === undefined) {
      this.sortHeld &&= this.paging.createdSince === undefined;
      return;
    }
    if (this.dateBefore !== "")
      this.sortHeld &&=
        direction === "DESC" ? createdDate <= this.dateBefore : createdDate >= this.dateBefore;
    this.dateBefore = createdDate;
    if (createdDate > this.newestOfPage) this.newestOfPage = createdDate;
    if (this.paging.createdSince !== undefined && createdDate > (this.newest ?? ""))
      this.newest = createdDate;
  }

  private miscount({ length }: readonly string[]): number | undefined {
    const [claimed, another] = this.totals;
    const isAllThatDiffers = length === 1 && another === undefined && !this.totals.has(this.ids.size);
    return isAllThatDiffers && claimed !== undefined ? claimed - this.ids.size : undefined;
  }

  private doubts(): string[] {
    const doubts: string[] = [];
    const claimed = [...this.totals];
    const seen = this.ids.size;
    if (this.unlikeEchoes.size > 0)
      doubts.push(`it echoes other ${[...this.unlikeEchoes].join(" and ")} than were sent`);
    if (this.unreadable.size > 0) doubts.push(unreadableText([...this.unreadable.values()]));
    if (this.unjudged > 0)
      doubts.push(`${this.unjudged} more elements after too many of these were not read`);
    if (claimed.length > 1) doubts.push(`totalElements was ${claimed.join(", then ")}`);
    if (this.repeated > 0) doubts.push(`${this.repeated} elements came again on a later page`);
    if (!this.endedEarly && !this.totals.has(seen))
      doubts.push(`${seen} elements came and totalElements was ${claimed.at(-1) ?? 0}`);
    if (this.pagesRead >= this.pagesMax) doubts.push(`there was no end after ${this.pagesRead} pages`);
    return doubts.length > 0 && this.misnumbered !== undefined ? [...doubts, this.misnumbered] : doubts;
  }
}

/**
 * The createdDate of a known element, in the form of `createdDateOf`; the element was judged when it was stored.
 */
function createdDateIn(text: string): string | undefined {
  const { createdDate } = JSON.parse(text) as { readonly createdDate?: unknown };
  return dateTime.safeParse(createdDate).data;
}

const NAMED_MAX = 3;

/** Names the ids, because the element that was searched for may be among these. */
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
