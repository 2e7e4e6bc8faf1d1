/** Page, search envelope and filters of the find operations (interface, sections Resources and Endpoints). */
import { z } from "zod";
import { deposit } from "./deposit.ts";
import { payout } from "./payout.ts";
import { bounded, dateTime, integer, maybe, text, uuid } from "./primitives.ts";

export const sortDescriptor = z.looseObject({
  direction: maybe(text),
  nullHandling: maybe(text),
  ascending: maybe(z.boolean()),
  property: maybe(text),
  ignoreCase: maybe(z.boolean()),
});

const pageable = z.looseObject({
  offset: maybe(integer),
  sort: maybe(bounded(sortDescriptor, z.array(sortDescriptor))),
  unpaged: maybe(z.boolean()),
  paged: maybe(z.boolean()),
  pageNumber: maybe(integer),
  pageSize: maybe(integer),
});

function pageOf<Element extends z.ZodType>(element: Element) {
  return z.looseObject({
    content: z.array(element),
    totalPages: integer,
    totalElements: integer,
    size: maybe(integer),
    number: maybe(integer),
    numberOfElements: maybe(integer),
    first: maybe(z.boolean()),
    last: maybe(z.boolean()),
    empty: maybe(z.boolean()),
    // Services write these two in several forms, and nothing depends on them, so any other form is ignored.
    sort: maybe(bounded(sortDescriptor, z.array(sortDescriptor))).catch(undefined),
    pageable: maybe(pageable).catch(undefined),
  });
}

function envelopeOf<Element extends z.ZodType>(element: Element) {
  return z.looseObject({ filters: maybe(z.looseObject({})), results: pageOf(element) });
}

/** The envelope with unparsed elements, so that one unreadable element does not hide the others. */
export const searchEnvelope = envelopeOf(z.unknown());

export const payoutSearchResponse = envelopeOf(payout);
export const depositSearchResponse = envelopeOf(deposit);

const searchFields = {
  queryDate: dateTime,
  page: maybe(integer),
  size: maybe(integer),
  sort: maybe(z.record(z.string(), text)),
  references: maybe(z.array(text)),
  states: maybe(z.array(text)),
};

/** findPayoutFilteredV2 body. */
export const payoutSearchRequest = z.object({ ...searchFields, payoutIds: maybe(z.array(uuid)) });

/** findDepositFilteredV2 body. */
export const depositSearchRequest = z.object({ ...searchFields, depositIds: maybe(z.array(uuid)) });

export type PayoutSearchRequest = z.output<typeof payoutSearchRequest>;
export type DepositSearchRequest = z.output<typeof depositSearchRequest>;
export type PayoutSearchResponse = z.output<typeof payoutSearchResponse>;
export type DepositSearchResponse = z.output<typeof depositSearchResponse>;
