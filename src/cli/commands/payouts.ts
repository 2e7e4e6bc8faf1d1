/** `paydrop payouts`: payouts as the service shows them, and the calls that change one. */
import { fault } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { GENERAL_LEDGER_FIELDS, minuteText } from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import { authorizeStep, voidPayoutStep } from "../../payments/change-step.ts";
import { createPayoutStep } from "../../payments/create-payout-step.ts";
import { type OwnPayout, ownPayout } from "../../payments/named/own-payout.ts";
import { pilotStep } from "../../setup/pilot-step.ts";
import { onePayout, searchPayouts, showPayouts } from "../../views/search-step.ts";
import type { Payout } from "../../wire/index.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { EXIT, type ExitCode, exitCodeOfCreation } from "../exit-code.ts";
import type { Colors } from "../output.ts";
import { cellsOf, type PayoutCells, type PayoutOptions, payoutRequest } from "../payout-options.ts";
import { createdPayoutText } from "../render/pay-text.ts";
import { pilotText } from "../render/pilot-text.ts";
import { shown } from "../render/problem-text.ts";
import { fieldsText } from "../render/text-parts.ts";
import { figures, textTable } from "../render/text-table.ts";
import { fundsText, instantText, moneyText, type NameOf, yesNo } from "../render/wire-text.ts";
import { routeOrPath } from "../search-options.ts";
import { inWorkplace, type Session } from "../session.ts";
import { confirm } from "../terminal.ts";
import {
  type ChangeOptions,
  changeCommand,
  findCommand,
  type Resource,
  type Subject,
  showCommand,
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

export const findPayoutsCommand = findCommand(PAYOUT);
export const showPayoutCommand = showCommand(PAYOUT);
export const voidPayoutCommand = changeCommand(
  PAYOUT,
  "Void",
  (workplace, payout: PayoutKey, options: ChangeOptions) =>
    voidPayoutStep(workplace, payout, options.by, routeOrPath(options)),
  unshownPayout,
);

type PayoutKey = Pick<Payout, "payoutId" | "accountId">;

/** Allows people to void a payout that finds do not show yet. */
async function unshownPayout(
  workplace: Workplace,
  idOrReference: string,
): Promise<Subject<PayoutKey> | undefined> {
  const own = await ownPayout(workplace, idOrReference);
  if (own === undefined) return undefined;
  const { payoutId: id, fields } = own;
  return { key: { payoutId: id, accountId: fields.custodyAccountId }, id, text: unshownPayoutText(own) };
}

/** `username`: the service's user who authorizes. */
export const authorizePayoutCommand = changeCommand(
  PAYOUT,
  "Authorize",
  (workplace, payout: Payout, { by, username }: ChangeOptions & { readonly username?: string }) =>
    authorizeStep(workplace, payout, username ?? workplace.config.service.username, by),
);

/** Exits with 4 while an approval is missing, and otherwise like `pay`. */
export function createPayoutCommand(session: Session, options: PayoutOptions): Promise<ExitCode> {
  const cells = cellsOf(options);
  requireCells(cells, ["reference", "amount"], "payouts create");
  const request = payoutRequest(options, cells);
  return inWorkplace(session, async (workplace) => {
    if (request.approvedBy.length > 0)
      await confirm(session, `${paymentText(cells)} now?`, options.yes === true);
    const created = await createPayoutStep(workplace, request, { signal: session.signal });
    session.output.answer(created, (_, colors) => createdPayoutText(created, colors, true));
    return exitCodeOfCreation(created);
  });
}

/** Throws USAGE that names the missing options; without them there is no payment. */
function requireCells(
  cells: PayoutCells,
  needed: readonly ("reference" | "amount")[],
  command: string,
): void {
  const missing = needed.filter((name) => cells[name] === undefined).map((name) => `--${name}`);
  if (cells["destinationAddress"] === undefined && cells["destinationAccountId"] === undefined)
    missing.push("--destination-address (or --destination-account-id)");
  if (missing.length === 0) return;
  throw fault("USAGE", {
    what: `the payment is incomplete: ${missing.join(", ")} missing`,
    how: `Give them too; \`paydrop ${command} --help\` lists all.`,
  });
}

/** "Pay 0.05 BTC to bc1q... as PAY-1" */
function paymentText(cells: PayoutCells): string {
  const { reference = "?", amount = "?", currency, destinationAddress, destinationAccountId } = cells;
  const what = applying(amount, currency).join(" ");
  return `Pay ${what} to ${destinationAddress ?? destinationAccountId ?? "?"} as ${reference}`;
}

interface PilotOptions extends PayoutOptions {
  readonly waitSeconds: number;
  readonly nonceTrial: boolean;
}

/** Exits with 4 while an approval is missing or if the payout was not found, and otherwise like `pay`. */
export function pilotCommand(session: Session, options: PilotOptions): Promise<ExitCode> {
  const { yes = false, waitSeconds, nonceTrial } = options;
  const given = cellsOf(options);
  requireCells(given, ["amount"], "pilot");
  return inWorkplace(session, async (workplace) => {
    const { output } = session;
    const reference = given["reference"] ?? pilotReference(workplace.context.clock.now());
    const cells = { ...given, reference };
    const deposits = nonceTrial
      ? ", and create up to three deposits that show which nonces the service accepts"
      : "";
    await confirm(session, `${paymentText(cells)}${deposits}?`, yes);
    const request = {
      ...payoutRequest(options, cells),
      waitMs: waitSeconds * 1000,
      triesNonces: nonceTrial,
    };
    const report = await pilotStep(workplace, request, (stage) =>
      output.say(output.colors.dim(`... ${stage}`)),
    );
    output.answer(report, pilotText);
    const code = exitCodeOfCreation(report);
    return code === EXIT.done && report.visibleByReferenceAfterMs === undefined ? EXIT.personNeeded : code;
  });
}

/** "PILOT-20261121-093000" */
function pilotReference(now: string): string {
  return `PILOT-${now.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}`;
}

function payoutsText(payouts: readonly Payout[], nameOf: NameOf): string {
  return textTable(
    ["payout", "reference", figures("amount"), "from", "state", "created"],
    payouts.map((payout) => [
      payout.payoutId,
      payout.reference ?? "",
      moneyText(payout.requestedAmount),
      nameOf(payout.accountId),
      payout.payoutState,
      instantText(payout.createdDate),
    ]),
  );
}

/** A payout that the service does not show yet, described by its payment. */
function unshownPayoutText({ payoutId, fields }: OwnPayout): string {
  const { reference, amount, destinationAddress, destinationAccountId } = fields;
  const requested = fieldsText([
    ["reference", reference],
    ["amount", formatAmount(amount)],
    ["to address", destinationAddress],
    ["to account", destinationAccountId],
  ]);
  return `${shown(payoutId)}, which the service answered for this payment and does not show yet\n${requested}`;
}

/** Every field, and who must still authorize, from which group, until when. */
function payoutText(payout: Payout, nameOf: NameOf, colors: Colors): string {
  const fields = fieldsText([
    ["reference", payout.reference],
    ["amount", moneyText(payout.requestedAmount)],
    ["from", nameOf(payout.accountId)],
    ["to address", payout.destinationAddress],
    ["to account", payout.destinationAccountId && nameOf(payout.destinationAccountId)],
    ["created", instantText(payout.createdDate)],
    ["fee policy", feeText(payout)],
    ["fee subtracted", yesNo(payout.subtractFee)],
    ["batching allowed", yesNo(payout.batchingAllowed)],
    ["coin consolidation", yesNo(payout.useCoinConsolidation)],
    ["order code", payout.orderCodeName],
    ["debit order", payout.debitOrderAlphanumericId],
    [
      "ledger",
      GENERAL_LEDGER_FIELDS.map((field) => payout[field])
        .filter(Boolean)
        .join(" / "),
    ],
    ["callbackUrl", payout.callbackUrl],
    ...(payout.sentFunds ?? []).map((funds) => ["sent", fundsText(funds)] as const),
    ["authorization", payout.authorization?.state],
  ]);
  const head = `${colors.bold(payout.payoutId)} ${shown(payout.payoutState)}`;
  return [head, fields, ...signatures(payout)].filter((part) => part !== "").join("\n");
}

type Authorization = NonNullable<Payout["authorization"]>;
type Signer = NonNullable<Authorization["cosignerAuthorizations"]>[number];

function signatures({ authorization }: Payout): string[] {
  const all = authorization?.cosignerAuthorizations ?? [];
  if (all.length === 0) return [];
  const open = all.filter(({ state }) => state === "PENDING");
  const rows = all.map(({ username, userGroupName, state, expire }) => [
    username ?? "",
    userGroupName ?? "",
    state ?? "",
    expire === undefined ? "" : minuteText(expire),
  ]);
  const table = textTable(["cosigner", "group", "state", "until"], rows);
  return [
    open.length === 0
      ? "  no authorization is missing"
      : `  must still authorize it: ${open.map(signerText).join("; ")}`,
    table.replace(/^/gm, "  "),
  ];
}

function signerText({ username, userGroupName, expire }: Signer): string {
  const group = userGroupName === undefined ? "" : ` of ${shown(userGroupName)}`;
  const until = expire === undefined ? "" : `, until ${minuteText(expire)}`;
  return `${shown(username ?? "somebody")}${group}${until}`;
}

function feeText({ feePolicy, customFeeRate }: Payout): string | undefined {
  return customFeeRate === undefined ? feePolicy : `${feePolicy ?? ""} ${customFeeRate} sat/vB`.trim();
}
