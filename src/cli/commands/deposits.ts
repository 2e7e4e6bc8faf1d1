/** `paydrop deposits`: deposits as the service shows them, and the calls that create or change one. */
import type { Config } from "../../config/index.ts";
import { fault } from "../../faults/index.ts";
import { readReference as readReferenceText } from "../../files/reading/index.ts";
import { custodyAccountId, findCustodyAccount, type Instant } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import {
  createDepositStep,
  type DepositRequest,
  voidDepositStep,
  whyNotAsRequested,
} from "../../payments/change-step.ts";
import { accountUnknown } from "../../views/balances-step.ts";
import { oneDeposit, searchDeposits, showDeposits } from "../../views/search-step.ts";
import { type Deposit, dateTime } from "../../wire/index.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { problemLines, shown } from "../render/problem-text.ts";
import { fieldsText, lines } from "../render/text-parts.ts";
import { figures, textTable } from "../render/text-table.ts";
import { fundsText, instantText, moneyText, type NameOf, rateText } from "../render/wire-text.ts";
import { routeOrPath } from "../search-options.ts";
import { inWorkplace, type Session } from "../session.ts";
import {
  type ChangeOptions,
  changeCommand,
  changeText,
  findCommand,
  type Resource,
  showCommand,
  shownAfter,
} from "./resource.ts";

const DEPOSIT: Resource<Deposit> = {
  name: "deposit",
  search: searchDeposits,
  show: showDeposits,
  one: oneDeposit,
  idOf: ({ depositId }) => depositId,
  stateOf: ({ depositState }) => depositState,
  listText: depositsText,
  text: depositText,
};

export const findDepositsCommand = findCommand(DEPOSIT);
export const showDepositCommand = showCommand(DEPOSIT);
export const voidDepositCommand = changeCommand(
  DEPOSIT,
  "Void",
  (workplace, deposit: Deposit, options: ChangeOptions) =>
    voidDepositStep(workplace, deposit, options.by, routeOrPath(options)),
);

interface CreateDepositOptions {
  readonly account: string;
  readonly reference: string;
  readonly customer?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** An ISO-8601 instant. */
  readonly expires?: string;
  readonly sync?: boolean;
  readonly route?: boolean;
  readonly by: string;
}

/** Exits with 4 if the outcome is unknown, or if the deposit differs from the request. */
export function createDepositCommand(session: Session, options: CreateDepositOptions): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const request = depositRequest(workplace, options);
    const change = await createDepositStep(workplace, request);
    const { depositId } = change;
    const after = depositId === undefined ? undefined : await shownAfter(workplace, DEPOSIT, depositId);
    const deposit = after?.shown;
    const unlike = deposit && whyNotAsRequested(request, deposit);
    const problems = unlike === undefined ? after?.problems : [unlike];
    session.output.answer({ change, ...present({ deposit, problems }) }, (_, colors) =>
      lines(
        changeText(change, after?.now, colors),
        deposit && depositText(deposit, custodyNames(workplace.config), colors),
        ...problemLines(unlike === undefined ? [] : [unlike], colors),
      ),
    );
    return change.isInDoubt || unlike !== undefined ? EXIT.personNeeded : EXIT.done;
  });
}

function depositRequest(
  { config, scales, context }: Workplace,
  options: CreateDepositOptions,
): DepositRequest {
  const { account, reference, amount, expires, sync = false, route = false } = options;
  const custody = findCustodyAccount(account, config.custodyAccounts);
  if (custody === undefined) throw accountUnknown(account);
  if (sync && route)
    throw usage("--sync and --route name two different operations", "Leave one of them out.");
  if (amount === undefined && expires !== undefined)
    throw usage("--expires needs an amount", "Give `--amount` and `--currency` too.");
  if (amount === undefined && options.currency !== undefined)
    throw usage("--currency needs an amount", "Give `--amount` too.");
  return {
    custodyAccountId: custodyAccountId(custody.id),
    reference: readReference(reference, config),
    ...present({
      customerId: options.customer,
      requestedAmount:
        amount === undefined
          ? undefined
          : readAmount(amount, options.currency ?? custody.currency, scales.scaleOf),
      expiresAt: expires === undefined ? undefined : readExpiry(expires, context.clock.now()),
    }),
    by: sync ? "synchronously" : routeOrPath({ route }),
    person: options.by,
  };
}

/** Applies the rule for references in files: a service that rewrites references does not find them. */
function readReference(text: string, { reference }: Config): string {
  const { maxLength, pattern: allowed } = reference;
  const read = readReferenceText(text, { maxLength, ...present({ allowed }) }, "--reference");
  if (typeof read === "string") return read;
  throw usage(read.message, read.fix);
}

function readAmount(
  text: string,
  currency: string,
  scaleOf: (currency: string) => number | undefined,
): Amount {
  const scale = scaleOf(currency);
  if (scale === undefined) {
    throw usage(
      `the number of decimals of ${currency} is not configured`,
      "Correct it, or add it under `currencies`.",
    );
  }
  const value = /^\d{1,30}(\.\d{1,30})?$/.test(text) ? Decimal.parse(text) : undefined;
  if (value === undefined || value.isZero() || value.normalized().scale > scale) {
    throw usage(
      `${JSON.stringify(text)} is not an amount of ${currency}`,
      `Give plain digits with at most ${scale} decimals, such as ${scale === 0 ? "5" : "0.5"}.`,
    );
  }
  return { currency, value };
}

function readExpiry(text: string, now: Instant): Instant {
  const { data: instant } = dateTime.safeParse(text);
  if (instant === undefined) {
    throw usage(
      `${JSON.stringify(text)} is not a date and time`,
      "Give it with its zone, such as 2026-12-01T12:00:00Z.",
    );
  }
  if (instant <= now)
    throw usage(`--expires ${text} is over already`, "Give the instant until which the rate is fixed.");
  return instant;
}

function usage(what: string, how: string) {
  return fault("USAGE", { what, how });
}

function depositsText(deposits: readonly Deposit[], nameOf: NameOf): string {
  return textTable(
    ["deposit", "reference", figures("asked for"), "to", "state", figures("received"), "created"],
    deposits.map((deposit) => [
      deposit.depositId,
      deposit.reference ?? "",
      moneyText(deposit.requestedAmountInFiat ?? deposit.requestedAmountInCryptoAtFixedRate),
      nameOf(deposit.accountId),
      deposit.depositState,
      (deposit.receivedFunds ?? []).map(({ amount }) => moneyText(amount)).join(" + "),
      instantText(deposit.createdDate),
    ]),
  );
}

/** Every field. */
function depositText(deposit: Deposit, nameOf: NameOf, colors: Colors): string {
  const fields = fieldsText([
    ["reference", deposit.reference],
    ["customer", deposit.customerId],
    ["asked for", moneyText(deposit.requestedAmountInFiat)],
    ["in crypto", moneyText(deposit.requestedAmountInCryptoAtFixedRate)],
    ["fixed rate", rateText(deposit.fixedExchangeRate)],
    ["rate ends", instantText(deposit.expiryDate)],
    ["to", nameOf(deposit.accountId)],
    ["pay to address", deposit.receiverAddress],
    ["created", instantText(deposit.createdDate)],
    ["credit order", deposit.creditOrderAlphanumericId ?? deposit.creditOrderId],
    ["duplicate of", deposit.duplicatedFromDepositId],
    ["callbackUrl", deposit.callbackUrl],
    ...(deposit.receivedFunds ?? []).map((funds) => ["received", fundsText(funds)] as const),
  ]);
  return `${colors.bold(deposit.depositId)} ${shown(deposit.depositState)}\n${fields}`;
}
