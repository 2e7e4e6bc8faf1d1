/**
 * Compares an altered answer with what the service had said: which payouts are missing from it, and which are shown
 * wrongly.
 */
import type { Creation } from "../../src/sandbox/index.ts";
import { parseJson } from "../../src/wire/index.ts";
import type { LeftOut } from "./service.ts";

export interface ToldOtherwise {
  readonly left: LeftOut;
  /** References that other pages may show, which nobody may have asked for. */
  readonly elsewhere: readonly string[];
  /** References of payouts that are shown wrongly in any way, or whose names something else has. */
  readonly otherwise: readonly string[];
  /** References that are shown with another payout's payoutId, which nobody can notice. */
  readonly misnamed: readonly string[];
}

interface Answers {
  readonly honest: string;
  readonly told: string;
}

/** For an answer to a find that asked for some references. An answer that is not the interface's says nothing. */
export function foundOtherwise(
  { honest, told }: Answers,
  asked: readonly string[],
  creations: readonly Creation[],
): ToldOtherwise {
  const [page, toldPage] = [pageIn(honest), pageIn(told)];
  if (page === undefined || toldPage === undefined) return NOTHING;
  const owners = new Map(creations.flatMap(({ reference, payoutId }) => [[payoutId, reference]]));
  const isTrue = (payout: Payout) => owners.get(lowered(payout.payoutId)) === payout.reference;
  const verbatim = new Set(page.content.map(textOf));
  const toldTexts = new Set(toldPage.content.map(textOf));
  const borne = new Set(toldPage.content.map(({ reference }) => reference));
  const wrong = toldPage.content.filter((payout) => !verbatim.has(textOf(payout)));
  const changed = page.content.filter((payout) => !toldTexts.has(textOf(payout)));
  return {
    left: {
      asked,
      leftOut: page.content.flatMap(({ reference }) =>
        reference !== undefined && asked.includes(reference) && !borne.has(reference) ? [reference] : [],
      ),
      shown: toldPage.content.filter(isTrue).length,
    },
    elsewhere: page.counts === toldPage.counts ? [] : asked.filter((reference) => !borne.has(reference)),
    otherwise: [...wrong, ...changed].flatMap((payout) => namesIn(payout, owners, creations)),
    misnamed: wrong.flatMap((payout) =>
      isTrue(payout) || payout.reference === undefined ? [] : [payout.reference],
    ),
  };
}

/** For a 202 to a creation. One without a payoutId says nothing. */
export function acceptedOtherwise(
  { honest, told }: Answers,
  reference: string,
  creations: readonly Creation[],
): ToldOtherwise {
  const [own, id] = [payoutIdIn(honest), payoutIdIn(told)];
  if (own === undefined || id === undefined || id === own) return NOTHING;
  const others = creations.filter(({ payoutId }) => payoutId === id);
  const otherwise = [reference, ...others.map((other) => other.reference)];
  return { ...NOTHING, otherwise, misnamed: [reference] };
}

const NOTHING: ToldOtherwise = {
  left: { asked: [], leftOut: [], shown: 0 },
  elsewhere: [],
  otherwise: [],
  misnamed: [],
};

interface Payout {
  readonly payoutId?: string;
  readonly reference?: string;
  readonly callbackUrl?: string;
}

interface Page {
  readonly content: readonly Payout[];
  /** Everything in the answer besides them. */
  readonly counts: string;
}

function pageIn(text: string): Page | undefined {
  const { results } = (read(text) ?? {}) as { results?: { content?: unknown } };
  if (results === undefined || results === null) return undefined;
  const { content, ...counts } = results;
  return { content: Array.isArray(content) ? content.filter(isPayout) : [], counts: textOf(counts) };
}

function isPayout(one: unknown): one is Payout {
  return typeof one === "object" && one !== null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function payoutIdIn(text: string): string | undefined {
  const { payoutId } = (read(text) ?? {}) as { payoutId?: unknown };
  const id = typeof payoutId === "string" ? lowered(payoutId) : "";
  return UUID.test(id) ? id : undefined;
}

function read(text: string): unknown {
  try {
    return parseJson(text, "refused");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function namesIn(
  { payoutId, reference, callbackUrl }: Payout,
  owners: ReadonlyMap<string, string>,
  creations: readonly Creation[],
): string[] {
  const called = creations.filter(({ body }) => body.includes(`"callbackUrl":${textOf(callbackUrl)}`));
  const owner = owners.get(lowered(payoutId));
  return [reference, owner, ...called.map((one) => one.reference)].filter((name) => typeof name === "string");
}

function lowered(id: unknown): string {
  return String(id).toLowerCase();
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
