/**
 * Untrue answers to a find: pages that contradict their own counts, payouts spelled differently, and payouts left out
 * although they exist. The service itself stays correct, so that the next answer can be true again.
 */
import type { SandboxAnswer } from "../../src/sandbox/index.ts";
import { parseJson, writeJson } from "../../src/wire/index.ts";

/** What a page says wrongly about itself. */
export type PageLie = "total-too-small" | "total-too-large" | "last-too-early" | "never-last" | "empty";

/** How the payouts of a page are spelled. */
export type Spelling =
  | "amounts-with-zeros"
  | "amounts-with-exponents"
  | "amounts-as-texts"
  | "amounts-with-commas"
  | "references-in-lower-case"
  | "references-padded"
  | "references-cut"
  | "states-unknown"
  | "states-gone-back";

export function misnumberedPage(answer: SandboxAnswer, lie: PageLie): SandboxAnswer {
  return changed(answer, (results) => ({ ...results, ...PAGE_LIES[lie](results) }));
}

export function spelledPage(answer: SandboxAnswer, spelling: Spelling): SandboxAnswer {
  return changed(answer, (results) => ({ ...results, content: results.content.map(SPELLINGS[spelling]) }));
}

/**
 * The requested page of the payouts that remain. `all`: the answer to the same find on one page that holds everything.
 */
export function pageWithout(
  all: SandboxAnswer,
  { page, size }: { readonly page: number; readonly size: number },
  isLeftOut: (element: FoundPayout, place: number) => boolean,
): SandboxAnswer {
  return changed(all, (results) => {
    const left = results.content.filter((element, place) => !isLeftOut(element, place));
    const content = left.slice(page * size, (page + 1) * size);
    const totalPages = Math.ceil(left.length / size);
    const isLast = page >= totalPages - 1;
    return {
      ...results,
      content,
      totalElements: left.length,
      totalPages,
      size,
      number: page,
      numberOfElements: content.length,
      first: page === 0,
      last: isLast,
      empty: content.length === 0,
    };
  });
}

export interface FoundPayout {
  readonly reference: string;
  readonly createdDate: string;
  readonly requestedAmount: { readonly currency: string; readonly amount: string };
}

interface Results {
  readonly content: readonly FoundPayout[];
  readonly totalElements: number;
  readonly totalPages: number;
}

const PAGE_LIES: Readonly<Record<PageLie, (results: Results) => object>> = {
  "total-too-small": ({ totalElements }) => ({ totalElements: Math.max(0, totalElements - 1) }),
  "total-too-large": ({ totalElements, totalPages }) => ({
    totalElements: totalElements + 3,
    totalPages: totalPages + 1,
  }),
  "last-too-early": () => ({ last: true, totalPages: 1 }),
  "never-last": () => ({ last: false, totalPages: 1_000_000 }),
  empty: () => ({ content: [], numberOfElements: 0, empty: true }),
};

const SPELLINGS: Readonly<Record<Spelling, (payout: FoundPayout) => object>> = {
  "amounts-with-zeros": (payout) => withAmount(payout, (digits) => `${digits}000`),
  "amounts-with-exponents": (payout) =>
    withAmount(
      payout,
      (digits) => `${digits.slice(0, MARK_LENGTH)}${BigInt(digits.slice(MARK_LENGTH).replace(".", ""))}E-8`,
    ),
  "amounts-as-texts": (payout) => withAmount(payout, (digits) => digits.slice(MARK_LENGTH)),
  "amounts-with-commas": (payout) =>
    withAmount(payout, (digits) => digits.slice(MARK_LENGTH).replace(".", ",")),
  "references-in-lower-case": (payout) => ({ ...payout, reference: payout.reference.toLowerCase() }),
  "references-padded": (payout) => ({ ...payout, reference: ` ${payout.reference} ` }),
  "references-cut": (payout) => ({ ...payout, reference: payout.reference.slice(0, -1) }),
  "states-unknown": (payout) => ({ ...payout, payoutState: "ARCHIVED" }),
  "states-gone-back": (payout) => ({ ...payout, payoutState: "REQUESTED" }),
};

/** `parseJson` reads a number as its digits after a one-character mark. */
const MARK_LENGTH = 1;

function withAmount(payout: FoundPayout, spell: (markedDigits: string) => string): object {
  const { requestedAmount } = payout;
  return { ...payout, requestedAmount: { ...requestedAmount, amount: spell(requestedAmount.amount) } };
}

/** With the echo of a service that has looked only for these references. */
export function echoing(answer: SandboxAnswer, references: readonly string[]): SandboxAnswer {
  if (answer.body === "") return answer;
  const body = parseJson(answer.body) as { filters?: object };
  return { ...answer, body: writeJson({ ...body, filters: { ...body.filters, references } }) };
}

/** Answers to anything but a find are returned unchanged. */
function changed(answer: SandboxAnswer, change: (results: Results) => object): SandboxAnswer {
  const body = answer.body === "" ? undefined : (parseJson(answer.body) as { results?: ReadResults });
  if (body?.results === undefined) return answer;
  const { results } = body;
  const counted = {
    ...results,
    totalElements: Number.parseInt(results.totalElements.slice(MARK_LENGTH), 10),
    totalPages: Number.parseInt(results.totalPages.slice(MARK_LENGTH), 10),
  };
  return { ...answer, body: writeJson({ ...body, results: change(counted) }) };
}

interface ReadResults {
  readonly content: readonly FoundPayout[];
  readonly totalElements: string;
  readonly totalPages: string;
}
