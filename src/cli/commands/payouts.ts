/** `paydrop payouts find | show | create | authorize | void` */
import type { ChangeReport } from "../../execution/index.ts";
import { fault } from "../../faults/index.ts";
import { present } from "../../model/present.ts";
import { authorizeStep, voidPayoutStep } from "../../pipeline/change-step.ts";
import { type CreatedPayout, createPayoutStep } from "../../pipeline/create-payout-step.ts";
import { onePayout, searchPayouts, showPayouts } from "../../pipeline/search-step.ts";
import { custodyNames } from "../../pipeline/workplace/custody-accounts.ts";
import type { Workplace } from "../../pipeline/workplace/workplace.ts";
import type { Payout } from "../../wire/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type AcceptanceFlags, acceptancesOf } from "../payout-options.ts";
import { changeText } from "../render/change-text.ts";
import { createdPayoutText } from "../render/created-payout-text.ts";
import { fileJson } from "../render/file-text.ts";
import { payoutsText, payoutText } from "../render/payout-text.ts";
import { type SearchOptions, searchRequest } from "../search-options.ts";
import { inWorkplace, type Session } from "../session.ts";
import { shownAfter } from "../shown-after.ts";
import { isConfirmed } from "../terminal.ts";
import { exitCodeOfRun } from "./pay.ts";

export function findPayoutsCommand(session: Session, options: SearchOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const report = await searchPayouts(workplace, searchRequest(options));
    const { found, ...others } = report;
    session.output.answer({ payouts: found, ...others }, () =>
      payoutsText(report, custodyNames(workplace.config)),
    );
    return EXIT.done;
  });
}

export function showPayoutCommand(session: Session, idOrReference: string): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const payouts = await showPayouts(workplace, idOrReference);
    session.output.answer({ payouts }, () =>
      payouts
        .map((payout) => payoutText(payout, custodyNames(workplace.config), session.output.colors))
        .join("\n\n"),
    );
    return EXIT.done;
  });
}

export interface CreateOptions extends AcceptanceFlags {
  /** Texts by column name. */
  readonly cells: Readonly<Record<string, string>>;
  readonly by?: string;
  readonly approvedBy?: readonly string[];
  readonly yes?: boolean;
}

/** Ends with 4 while an approval is missing, and as `pay` does once it was sent. */
export function createPayoutCommand(session: Session, options: CreateOptions): Promise<ExitCode> {
  const { cells, by = session.person, approvedBy = [], yes = false } = options;
  requireCells(cells, ["reference", "amount"], "payouts create");
  return inWorkplace(session, async (workplace) => {
    const isSent = approvedBy.length > 0;
    if (isSent && !(await isConfirmed(session, `${paymentText(cells)} now?`, yes))) return EXIT.personNeeded;
    const created = await createPayoutStep(
      workplace,
      { cells, submittedBy: by, approvedBy, ...acceptancesOf(options) },
      { signal: session.signal },
    );
    session.output.answer(createdPayoutJson(created), () =>
      createdPayoutText(created, session.output.colors, true),
    );
    return exitCodeOfCreation(created);
  });
}

/** Throws USAGE, which names the options without which there is no payment to speak of. */
export function requireCells(
  cells: CreateOptions["cells"],
  needed: readonly ("reference" | "amount")[],
  command: string,
): void {
  const missing = needed.filter((name) => cells[name] === undefined).map((name) => `--${name}`);
  if (cells["destinationAddress"] === undefined && cells["destinationAccountId"] === undefined)
    missing.push("--destination-address (or --destination-account-id)");
  if (missing.length === 0) return;
  throw fault("USAGE", {
    what: `it is not said what is to be paid to whom: ${missing.join(", ")} missing`,
    how: `Give them too; \`paydrop ${command} --help\` lists all.`,
  });
}

/** "Pay 0.05 BTC as PAY-1" */
export function paymentText({ reference = "?", amount = "?", currency }: CreateOptions["cells"]): string {
  return `Pay ${amount}${currency === undefined ? "" : ` ${currency}`} as ${reference}`;
}

export function createdPayoutJson({ submitted, ...others }: CreatedPayout) {
  return { submitted: fileJson(submitted), ...others };
}

export function exitCodeOfCreation({ instruction, execution }: CreatedPayout): ExitCode {
  if (instruction === undefined) return EXIT.inputRejected;
  return execution === undefined ? EXIT.personNeeded : exitCodeOfRun(execution);
}

export interface ChangeOptions {
  readonly by?: string;
  readonly yes?: boolean;
  readonly route?: boolean;
}

export interface AuthorizeOptions extends ChangeOptions {
  /** The service's user who authorizes. */
  readonly username?: string;
}

/** Shows the payout, asks, authorizes, and shows it again. */
export function authorizePayoutCommand(
  session: Session,
  idOrReference: string,
  { username, by = session.person, yes = false }: AuthorizeOptions,
): Promise<ExitCode> {
  return changePayout(session, idOrReference, yes, "Authorize", (workplace, payout) =>
    authorizeStep(workplace, payout, username ?? workplace.config.service.username, by),
  );
}

/** Shows the payout, asks, voids, and shows it again. */
export function voidPayoutCommand(
  session: Session,
  idOrReference: string,
  { by = session.person, yes = false, route = false }: ChangeOptions,
): Promise<ExitCode> {
  return changePayout(session, idOrReference, yes, "Void", (workplace, payout) =>
    voidPayoutStep(workplace, payout, by, route ? "route" : "path"),
  );
}

function changePayout(
  session: Session,
  idOrReference: string,
  yes: boolean,
  verb: string,
  carryOut: (workplace: Workplace, payout: Payout) => Promise<ChangeReport>,
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const { colors } = session.output;
    const before = await onePayout(workplace, idOrReference);
    session.output.say(payoutText(before, custodyNames(workplace.config), colors));
    if (!(await isConfirmed(session, `${verb} this payout?`, yes))) return EXIT.personNeeded;
    const change = await carryOut(workplace, before);
    const after = await shownAfter(
      () => onePayout(workplace, before.payoutId),
      ({ payoutState }) => payoutState,
    );
    session.output.answer({ change, ...present({ payout: after.shown, problems: after.problems }) }, () =>
      changeText(change, after.now, colors),
    );
    return change.isInDoubt ? EXIT.personNeeded : EXIT.done;
  });
}
