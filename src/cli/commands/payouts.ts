/** `paydrop payouts find | show | create | authorize | void` */
import { fault } from "../../faults/index.ts";
import { authorizeStep, voidPayoutStep } from "../../pipeline/change-step.ts";
import { type CreatedPayout, createPayoutStep } from "../../pipeline/create-payout-step.ts";
import { onePayout, searchPayouts, showPayouts } from "../../pipeline/search-step.ts";
import type { Payout } from "../../wire/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { acceptancesOf, cellsOf, type PayoutCells, type PayoutOptions } from "../payout-options.ts";
import { createdPayoutText } from "../render/created-payout-text.ts";
import { fileJson } from "../render/file-text.ts";
import { payoutsText, payoutText } from "../render/payout-text.ts";
import type { SearchOptions } from "../search-options.ts";
import { inWorkplace, type Session } from "../session.ts";
import { isConfirmed } from "../terminal.ts";
import { exitCodeOfRun } from "./pay.ts";
import {
  type ChangeOptions,
  changeResource,
  findResources,
  type Resource,
  showResource,
} from "./resource.ts";

const PAYOUT: Resource<Payout> = {
  name: "payout",
  search: searchPayouts,
  show: showPayouts,
  one: onePayout,
  idOf: ({ payoutId }) => payoutId,
  stateOf: ({ payoutState }) => payoutState,
  listText: payoutsText,
  text: payoutText,
};

export function findPayoutsCommand(session: Session, options: SearchOptions): Promise<ExitCode> {
  return findResources(session, PAYOUT, options);
}

export function showPayoutCommand(session: Session, idOrReference: string): Promise<ExitCode> {
  return showResource(session, PAYOUT, idOrReference);
}

/** Ends with 4 while an approval is missing, and as `pay` does once it was sent. */
export function createPayoutCommand(session: Session, options: PayoutOptions): Promise<ExitCode> {
  const { by = session.person, approvedBy = [], yes = false } = options;
  const cells = cellsOf(options);
  if (Object.keys(cells).length === 0)
    throw fault("USAGE", {
      what: "no payout was described",
      how: "Give at least --reference, --amount and --destination-address; `paydrop payouts create --help` lists all.",
    });
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

/** "Pay 0.05 BTC as PAY-1" */
export function paymentText({ reference = "?", amount = "?", currency }: PayoutCells): string {
  return `Pay ${amount}${currency === undefined ? "" : ` ${currency}`} as ${reference}`;
}

export function createdPayoutJson({ submitted, ...others }: CreatedPayout) {
  return { submitted: fileJson(submitted), ...others };
}

export function exitCodeOfCreation({ instruction, execution }: CreatedPayout): ExitCode {
  if (instruction === undefined) return EXIT.inputRejected;
  return execution === undefined ? EXIT.personNeeded : exitCodeOfRun(execution);
}

/** `username`: the service's user who authorizes. */
export function authorizePayoutCommand(
  session: Session,
  idOrReference: string,
  options: ChangeOptions & { readonly username?: string },
): Promise<ExitCode> {
  return changeResource(session, PAYOUT, idOrReference, "Authorize", options, (workplace, payout, by) =>
    authorizeStep(workplace, payout, options.username ?? workplace.config.service.username, by),
  );
}

export function voidPayoutCommand(
  session: Session,
  idOrReference: string,
  options: ChangeOptions,
): Promise<ExitCode> {
  return changeResource(session, PAYOUT, idOrReference, "Void", options, voidPayoutStep);
}
