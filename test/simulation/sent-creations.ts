/**
 * Every creation whose head left our process, and what is known of its payout at the service: the record that the
 * oracle reads.
 */
import { isMisconduct, type RequestEffect } from "./faults.ts";
import type { LeftOut, WireRequest } from "./service.ts";
import type { ToldOtherwise } from "./told-otherwise.ts";

export interface SentCreation {
  /** Under which client key. */
  readonly key: string;
  /** Its nonce has left before. */
  readonly repeats: boolean;
  /** The lowest nonce of the key's other creations in flight; undefined if there were none. */
  readonly lowestOnItsWay: bigint | undefined;
  readonly leftAtMs: number;
  /** The latest look for it showed nothing at all, not even known payouts. */
  readonly wasLookedForInVain: boolean;
  /** The service had shown a payout with this reference before the process began this run. */
  readonly wasShown: boolean;
  /** A person has ordered the re-send, so its nonce may be lower than others. */
  readonly isOrdered: boolean;
  readonly nonce: bigint;
  readonly reference: string;
  readonly otpCode: string;
  /** The body without nonce and one-time code. */
  readonly businessFields: string;
}

const NONCE = /"nonce":(\d+)/;
const OTP_CODE = /"otpCode":"(\d+)"/;
const REFERENCE = /"reference":"([^"]*)"/;

export class SentCreations {
  readonly all: SentCreation[] = [];
  /** References of payouts that the service never shows, and of those with which it did wrong. */
  readonly neverShown = new Set<string>();
  readonly misconduct = new Set<string>();
  /** References that were answered with another payout's payoutId. */
  readonly misnamed = new Set<string>();
  /** References whose latest look showed nothing at all. */
  private readonly inVain = new Set<string>();
  /** How long a request of a reference was in flight, if that was long. */
  readonly longestMs = new Map<string, number>();
  /** Each with its key. */
  private readonly nonces = new Set<string>();
  /** When the service begins to show the payout of a reference. */
  private readonly shownFromMs = new Map<string, number>();
  /** When it was last told wrongly. */
  private readonly toldOtherwiseAtMs = new Map<string, number>();

  note(
    wire: Pick<WireRequest, "headers" | "body">,
    leftAtMs: number,
    lowestOnItsWay: bigint | undefined,
    { runBeganMs, isOrdered }: { readonly runBeganMs: number; readonly isOrdered: boolean },
    effect: RequestEffect | undefined,
  ): SentCreation {
    const { key, nonce = -1n, otpCode, reference, businessFields } = partsOf(wire);
    const wasShown = this.isShownSince(reference, runBeganMs);
    const repeats = this.nonces.has(`${key} ${nonce}`);
    this.nonces.add(`${key} ${nonce}`);
    const which = { key, nonce, reference, repeats, lowestOnItsWay, leftAtMs };
    const wasLookedForInVain = this.inVain.has(reference);
    const creation = { ...which, wasShown, wasLookedForInVain, isOrdered, otpCode, businessFields };
    this.all.push(creation);
    if (effect?.kind === "hidden" && effect.forMs === undefined) this.neverShown.add(reference);
    if (effect !== undefined && isMisconduct(effect)) this.misconduct.add(reference);
    return creation;
  }

  isShownSince(reference: string, instantMs: number): boolean {
    return (this.shownFromMs.get(reference) ?? Number.POSITIVE_INFINITY) < instantMs;
  }

  /** Whether an answer since then may have shown the payout wrongly, or another thing under its name. */
  isToldOtherwiseSince(reference: string, instantMs = Number.NEGATIVE_INFINITY): boolean {
    return (this.toldOtherwiseAtMs.get(reference) ?? Number.NEGATIVE_INFINITY) >= instantMs;
  }

  noteOnItsWay(wire: Pick<WireRequest, "headers" | "body">, forMs: number): void {
    const { reference } = partsOf(wire);
    this.longestMs.set(reference, Math.max(this.longestMs.get(reference) ?? 0, forMs));
  }

  noteLookedFor(references: readonly string[]): void {
    for (const reference of references) this.inVain.delete(reference);
  }

  /** A find has just left out some payouts: whoever looked then has not seen them. */
  noteLeftOut({ asked, leftOut, shown }: LeftOut, nowMs: number): void {
    if (leftOut.length > 0 && shown === 0) for (const reference of asked) this.inVain.add(reference);
    this.putOff(leftOut, nowMs);
  }

  private putOff(references: readonly string[], nowMs: number): void {
    for (const reference of references) {
      const sinceMs = this.shownFromMs.get(reference);
      if (sinceMs !== undefined) this.shownFromMs.set(reference, Math.max(sinceMs, nowMs));
    }
  }

  /** An answer was altered. */
  noteToldOtherwise({ left, elsewhere, otherwise, misnamed }: ToldOtherwise, nowMs: number): void {
    this.noteLeftOut(left, nowMs);
    this.putOff(elsewhere, nowMs);
    for (const reference of otherwise) this.toldOtherwiseAtMs.set(reference, nowMs);
    for (const reference of misnamed) this.misnamed.add(reference);
  }

  /** The service has created the payout that this body requests, and shows it from then on. */
  noteShown(body: string, fromMs: number): void {
    this.shownFromMs.set(referenceIn(body), fromMs);
  }
}

/** The parts of a creation's body; without a nonce it is none. */
export function partsOf({ headers, body }: Pick<WireRequest, "headers" | "body">) {
  const text = body.toString("utf8");
  const [, digits] = NONCE.exec(text) ?? [];
  const [, otpCode = ""] = OTP_CODE.exec(text) ?? [];
  return {
    key: headers["key"] ?? "",
    nonce: digits === undefined ? undefined : BigInt(digits),
    otpCode,
    reference: referenceIn(text),
    /** The body without nonce and one-time code. */
    businessFields: text.replace(NONCE, "").replace(OTP_CODE, ""),
  };
}

function referenceIn(body: string): string {
  return REFERENCE.exec(body)?.[1] ?? "";
}
