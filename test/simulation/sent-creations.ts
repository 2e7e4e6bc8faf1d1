/** Every creation whose head left our process, and what is known of its payout at the service: the account that the oracle reads. */
import { isMisconduct, type RequestEffect } from "./faults.ts";

export interface SentCreation {
  /** The service had shown a payout of this reference since before the process began this run. */
  readonly wasShown: boolean;
  /** A person has ordered that it leaves again; its nonce may then be lower than others. */
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
  /** References of payouts that the service never shows, and of those about which it did wrong. */
  readonly neverShown = new Set<string>();
  readonly misconduct = new Set<string>();
  private readonly nonces = new Set<bigint>();
  /** When the service begins to show the payout of a reference. */
  private readonly shownFromMs = new Map<string, number>();

  /** Returns whether the nonce has left before. */
  note(
    body: string,
    { runBeganMs, isOrdered }: { readonly runBeganMs: number; readonly isOrdered: boolean },
    effect: RequestEffect | undefined,
  ): boolean {
    const [, digits = "-1"] = NONCE.exec(body) ?? [];
    const [, otpCode = ""] = OTP_CODE.exec(body) ?? [];
    const reference = referenceIn(body);
    const nonce = BigInt(digits);
    const wasShown = this.isShownSince(reference, runBeganMs);
    const businessFields = body.replace(NONCE, "").replace(OTP_CODE, "");
    const repeats = this.nonces.has(nonce);
    this.nonces.add(nonce);
    this.all.push({ wasShown, isOrdered, nonce, reference, otpCode, businessFields });
    if (effect?.kind === "hidden" && effect.forMs === undefined) this.neverShown.add(reference);
    if (effect !== undefined && isMisconduct(effect)) this.misconduct.add(reference);
    return repeats;
  }

  isShownSince(reference: string, instantMs: number): boolean {
    return (this.shownFromMs.get(reference) ?? Number.POSITIVE_INFINITY) < instantMs;
  }

  /** The service has created the payout that this body asks for, and shows it from then on. */
  noteShown(body: string, fromMs: number): void {
    this.shownFromMs.set(referenceIn(body), fromMs);
  }
}

function referenceIn(body: string): string {
  return REFERENCE.exec(body)?.[1] ?? "";
}
