/** Which elements of the service a night looked at: all, or those that may have changed and new ones. */
import { counted } from "../../model/counted.ts";
import { dayIn, dayWords, type Instant } from "../../model/index.ts";

const WHY_FULL = {
  asked: "it was ordered",
  first: "there was none yet, or none complete since the last baseline or interruption",
  due: "the last one was long enough ago",
  few: "all of it fits on one page",
  many: "more than half of it may have changed",
  unsorted: "the service does not show the newest first",
  miscounted: "the service counts more than a short look knows",
  unclear: "a short look got no clear answer",
  untied: "the balances did not tie after a short look",
  missing: "a short look did not show something that had been there",
} as const;

/** Why a night was not short. */
export type WhyFull = keyof typeof WHY_FULL;

export interface FullLook {
  readonly kind: "full";
  readonly why: WhyFull;
}

export interface ShortLook {
  readonly kind: "short";
  /** Elements that had ended before this, and have not changed since, were not asked for. */
  readonly endedBefore: Instant;
  /** When the last full night began: elements that were not asked for were seen then or later. */
  readonly seenSince: Instant;
  /** How many were not asked for. */
  readonly unseen: { readonly payouts: number; readonly deposits: number };
}

export type NightLook = (FullLook | ShortLook) & {
  /** A custody account on which everything was asked for and compared again. */
  readonly account?: { readonly name: string; readonly payouts: number; readonly deposits: number };
};

/** One or two sentences, with the age of the elements that were not asked for. */
export function lookSentence(look: NightLook, timeZone: string): string {
  const { account } = look;
  const again = account
    ? ` ${counted(account.payouts, "payout")} and ${counted(account.deposits, "deposit")} of ${account.name} were ` +
      `asked for and compared again.`
    : "";
  if (look.kind === "full")
    return `A full night, because ${WHY_FULL[look.why]}: the service was asked for everything.${again}`;
  const { payouts, deposits } = look.unseen;
  const day = (at: Instant) => dayWords(dayIn(timeZone, at));
  const unseen =
    payouts + deposits === 0
      ? "all that is known was seen."
      : `${counted(payouts, "payout")} and ${counted(deposits, "deposit")} that had ended before ` +
        `${day(look.endedBefore)} were not asked for; the service showed them last on ` +
        `${day(look.seenSince)} or later.`;
  return `A short night: ${unseen}${again}`;
}
