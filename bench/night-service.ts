/**
 * A service for benchmarks of nights: a fixed set of payouts and deposits in pages, as the sandbox shows them, and
 * a balance that they explain. It keeps no element: each page is made when it is asked for, so that a million cost
 * no memory.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { addressOf, type HistoryOptions, paymentsOf } from "./history.ts";

/** How what is shown differs from the first night. */
export interface Night {
  /** By how much all confirmations have counted on. */
  readonly confirmations: number;
  /** Every so many-th element means something else; none for 0. */
  readonly changedEvery: number;
  /** Besides, every fifth of the last twentieth means something else again: a hundredth of all. */
  readonly isLateChanged?: boolean;
}

/** The part of a history that ended within `reconciliation.watchDays`. */
export const LATE = 0.05;
const LATE_CHANGED_EVERY = 5;

export const FIND = { payouts: "/payouts/v2/find", deposits: "/deposits/v2/find" } as const;
export const NIGHT_PATH = "/bench/night";
export const OPENING_BALANCE = "1000000";
export const LEDGER_NAME = "5100 Suppliers";

const DEPOSIT_AMOUNT = 2_500_000n;
const FEE = 1_130n;
/** From this number on, addresses are received at by us, and nobody is paid there. */
const OUR_ADDRESSES = 1_000_000_000;
const SATOSHIS = 100_000_000n;
const CONFIRMATIONS = 144;
const HOUR_MS = 3_600_000;

type Shown = HistoryOptions & { readonly deposits: number };

/** Serves on a free port; returns its address. */
export async function serveNights(shown: Shown): Promise<string> {
  let night: Night = { confirmations: 0, changedEvery: 0 };
  const payouts = payoutsOf(shown);
  const elements = {
    [FIND.payouts]: {
      count: shown.payments,
      textOf: payouts,
      indexOf: (id: string) => Number(id.slice(-12)),
    },
    [FIND.deposits]: {
      count: shown.deposits,
      textOf: depositsOf(shown),
      indexOf: (id: string) => Number(id.slice(0, 8)),
    },
  };
  const balance = balanceAfter(shown);
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await textOf(request)) || "{}");
    const found = elements[request.url as keyof typeof elements];
    if (request.url === NIGHT_PATH) night = body as Night;
    const answer = found === undefined ? otherAnswer(shown, balance) : page(body, found, night);
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

type TextOf = (index: number, night: Night) => string;

interface PageAsked {
  readonly page: number;
  readonly size: number;
  readonly payoutIds?: readonly string[];
  readonly depositIds?: readonly string[];
  readonly references?: readonly string[];
  readonly sort?: Readonly<Record<string, "ASC" | "DESC">>;
}

interface Elements {
  readonly count: number;
  readonly textOf: TextOf;
  readonly indexOf: (id: string) => number;
}

function page(asked: PageAsked, { count, textOf: text, indexOf }: Elements, night: Night): string {
  const ids = asked.payoutIds ?? asked.depositIds;
  const { page: number, size } = asked;
  const from = number * size;
  const total = asked.references?.length ? 0 : (ids?.length ?? count);
  const direction = asked.sort?.["createdDate"] ?? "ASC";
  const indexAt = (at: number) => {
    if (ids !== undefined) return indexOf(ids[at] ?? "");
    return direction === "ASC" ? at : count - 1 - at;
  };
  const content: string[] = [];
  for (let at = from; at < Math.min(total, from + size); at += 1) content.push(text(indexAt(at), night));
  const totalPages = Math.ceil(total / size);
  const sort = [
    {
      direction,
      nullHandling: "NATIVE",
      ascending: direction === "ASC",
      property: "createdDate",
      ignoreCase: false,
    },
  ];
  const pageable = { offset: from, sort, unpaged: false, paged: true, pageNumber: number, pageSize: size };
  const rest = {
    ...{ totalPages, totalElements: total, size, number, numberOfElements: content.length },
    ...{ first: number === 0, last: number >= totalPages - 1, empty: content.length === 0, sort, pageable },
  };
  const results = `{"content":[${content.join(",")}],${JSON.stringify(rest).slice(1)}`;
  return `{"filters":${JSON.stringify(asked)},"results":${results}}`;
}

function otherAnswer({ custodyAccount: accountId }: Shown, balance: string): string {
  const total = `{"currency":"BTC","amount":${balance}}`;
  return `{"balances":[{"accountId":"${accountId}","btcBalance":{"total":${total},"available":${total}}}]}`;
}

function payoutsOf(shown: Shown): TextOf {
  const paymentAt = paymentsOf(shown);
  return (index, night) => {
    const { id, payoutId, reference, amount, destination, at } = paymentAt(index);
    const { custodyAccount: accountId, callbackUrl } = shown;
    const funds = fundsText({ of: payoutId, amount, fee: decimal(FEE), at, night });
    const authorization = `{"id":"${payoutId.replace("-0001-", "-0003-")}","state":"AUTHORIZED","cosignerAuthorizations":[{"state":"AUTHORIZED","userGroupName":"Treasury","username":"cosigner-1","expire":"${later(at, 24)}"}]}`;
    return `{"payoutId":"${payoutId}","clientId":"00000000-0000-4000-8000-0000000000c1","accountId":"${accountId}","callbackUrl":"${callbackUrl}/${id}","reference":"${reference}","requestedAmount":{"currency":"BTC","amount":${amount}},"createdDate":"${at}","debitOrderAlphanumericId":"${orderId("DO", payoutId, index / shown.payments, index, night)}","destinationAddress":"${destination}","payoutState":"COMPLETED","sentFunds":${funds},"authorization":${authorization},"feePolicy":"NORMAL","subtractFee":false,"useCoinConsolidation":false,"generalLedgerName":"${LEDGER_NAME}","batchingAllowed":false}`;
  };
}

function depositsOf(shown: Shown): TextOf {
  const end = (shown.until ?? new Date()).getTime();
  return (index, night) => {
    const depositId = `${String(index).padStart(8, "0")}-0001-4000-8000-0000000000d1`;
    const at = new Date(end - (shown.deposits - index) * 60_000).toISOString();
    const amount = decimal(DEPOSIT_AMOUNT);
    const requested = `{"currency":"BTC","amount":${amount}}`;
    const funds = fundsText({ of: depositId, amount, at: later(at, 1), night });
    return `{"depositId":"${depositId}","accountId":"${shown.custodyAccount}","callbackUrl":"${shown.callbackUrl}/d${index}","reference":"INVOICE-${index}","customerId":"C-${index % 400}","requestedAmountInCryptoAtFixedRate":${requested},"receiverAddress":"${addressOf(OUR_ADDRESSES + index)}","verificationSignature":"${digest(depositId).slice(0, 44)}","depositState":"COMPLETED","createdDate":"${at}","expiryDate":"${later(at, 24)}","creditOrderAlphanumericId":"${orderId("CO", depositId, index / shown.deposits, index, night)}","receivedFunds":[${funds}]}`;
  };
}

interface Movement {
  readonly of: string;
  readonly amount: string;
  readonly fee?: string;
  readonly at: string;
  readonly night: Night;
}

function fundsText({ of, amount, fee, at, night }: Movement): string {
  const txHash = digest(of);
  const feeText = fee === undefined ? "" : `"fee":{"currency":"BTC","amount":${fee}},`;
  const [from, to] = [currency("BTC", "Bitcoin", 8), currency("EUR", "Euro", 2)];
  const rate = `{"rate":61234.56,"fromCurrency":${from},"toCurrency":${to},"measuredDate":"${later(at, 2)}"}`;
  return `{"txHash":"${txHash}","transactionId":"TX-${txHash.slice(0, 16)}","amount":{"currency":"BTC","amount":${amount}},${feeText}"createdDate":"${at}","confirmedDate":"${later(at, 2)}","state":"CONFIRMED","rate":${rate},"confirmations":${CONFIRMATIONS + night.confirmations}}`;
}

function currency(code: string, name: string, digits: number): string {
  return `{"currencyCode":"${code}","displayName":"${name}","defaultFractionDigits":${digits}}`;
}

function orderId(kind: string, id: string, place: number, index: number, night: Night): string {
  const { changedEvery, isLateChanged = false } = night;
  const isLate = isLateChanged && place >= 1 - LATE && index % LATE_CHANGED_EVERY === 0;
  const isChanged = changedEvery > 0 && index % changedEvery === 0;
  return `${kind}-${id.slice(0, 8).toUpperCase()}${isLate ? "-3" : isChanged ? "-2" : ""}`;
}

function balanceAfter(shown: Shown): string {
  const paymentAt = paymentsOf(shown);
  let total = BigInt(OPENING_BALANCE) * SATOSHIS + DEPOSIT_AMOUNT * BigInt(shown.deposits);
  for (let index = 0; index < shown.payments; index += 1) total -= satoshis(paymentAt(index).amount) + FEE;
  return decimal(total);
}

/** Of "0.xxxxxx". */
function satoshis(amount: string): bigint {
  return BigInt(amount.slice(2).padEnd(8, "0"));
}

function decimal(sats: bigint): string {
  return `${sats / SATOSHIS}.${String(sats % SATOSHIS).padStart(8, "0")}`;
}

function later(at: string, hours: number): string {
  return new Date(Date.parse(at) + hours * HOUR_MS).toISOString();
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
