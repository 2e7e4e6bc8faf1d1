/**
 * The table of the service's operations (interface document, section Endpoints): path, success status, effect of a
 * call, and schema of its answer. Operations for which the document shows no path get method and path from `routes`
 * (routes.ts), and any 2xx is a success for them.
 */
import { z } from "zod";
import {
  type AccountsOfUserRequest,
  type AuthorizingPayoutCreation,
  type BalanceRequest,
  balanceResponse,
  type DepositCreation,
  type DepositSearchRequest,
  type DepositVoid,
  deposit,
  depositCreated,
  type PayoutCreation,
  type PayoutSearchRequest,
  type PayoutVoid,
  payoutCreated,
  searchEnvelope,
} from "../wire/index.ts";

/**
 * The possible effect of a call at the service; failure.ts derives from it which answers prove that it had none.
 */
export type Effect =
  | "look-up"
  | "payout creation"
  | "payout creation and authorization"
  | "deposit creation"
  | "change";

interface Operation {
  /** Relative to the base URL; absent if the interface shows none. */
  readonly path?: string;
  /** Absent: any 2xx. */
  readonly successStatus?: 200 | 201 | 202;
  readonly effect: Effect;
  /** Absent for an answer without a body. */
  readonly answer?: z.ZodType | undefined;
}

/** The interface does not show these answers: a page, or balances, may come in an envelope or bare. */
const pathlessSearch = z
  .unknown()
  .transform((body) => (hasResults(body) ? body : { results: body }))
  .pipe(searchEnvelope);

const pathlessBalances = z
  .unknown()
  .transform((body) => (Array.isArray(body) ? { balances: body } : body))
  .pipe(balanceResponse);

function hasResults(body: unknown): boolean {
  return typeof body === "object" && body !== null && "results" in body;
}

/** An operation whose path and single success status the document shows. */
function at<Does extends Effect, Schema extends z.ZodType | undefined = undefined>(
  path: string,
  successStatus: 200 | 201 | 202,
  effect: Does,
  answer?: Schema,
) {
  return { path, successStatus, effect, answer: answer as Schema };
}

const AUTHORIZING = "payout creation and authorization";

export const operations = {
  getAccountsBalance: at("/accounts/balance", 200, "look-up", balanceResponse),
  createDeposit: at("/deposits/create", 202, "deposit creation", depositCreated),
  createDepositSynchronously: at("/deposits/create/sync", 201, "deposit creation", deposit),
  findDepositFilteredV2: at("/deposits/v2/find", 200, "look-up", searchEnvelope),
  voidDeposit: at("/deposits/void", 202, "change"),
  authorize: at("/payouts/authorization", 202, "change"),
  createAndFirstAuthorizationPayout: at("/payouts/create-and-authorize", 202, AUTHORIZING, payoutCreated),
  createAndFirstAuthorizationPayoutV2: at(
    "/payouts/v2/create-and-authorize",
    202,
    AUTHORIZING,
    payoutCreated,
  ),
  createPayout: at("/payouts/create", 202, "payout creation", payoutCreated),
  createPayoutV2: at("/payouts/v2/create", 202, "payout creation", payoutCreated),
  findPayoutFilteredV2: at("/payouts/v2/find", 200, "look-up", searchEnvelope),
  voidPayout: at("/payouts/void", 202, "change"),
  searchPayouts: { effect: "look-up", answer: pathlessSearch },
  searchDeposits: { effect: "look-up", answer: pathlessSearch },
  createPayoutWithFirstAuthorization: { effect: AUTHORIZING, answer: payoutCreated },
  createDepositPathless: { effect: "deposit creation", answer: depositCreated },
  voidPayoutPathless: { effect: "change" },
  voidDepositPathless: { effect: "change" },
  accountBalances: { effect: "look-up", answer: pathlessBalances },
  /** The interface does not show the answer: any JSON. */
  accountsOfUser: { effect: "look-up", answer: z.unknown() },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

export type OperationWith<Some extends Effect> = {
  [Name in OperationName]: (typeof operations)[Name]["effect"] extends Some ? Name : never;
}[OperationName];

export type LookUpName = OperationWith<"look-up">;
export type PayoutCreationName = OperationWith<"payout creation" | "payout creation and authorization">;

/** Parameters of the pathless searches: UUIDs are joined by commas, a sort criterion is `property,(asc|desc)`. */
interface PathlessSearch {
  readonly references?: readonly string[] | undefined;
  readonly states?: readonly string[] | undefined;
  readonly page?: number;
  readonly size?: number;
  readonly sort?: readonly string[];
}

/** The bodies that callers provide; the gateway adds queryDate to look-ups when it sends them. */
export interface OperationBodies {
  readonly getAccountsBalance: Omit<BalanceRequest, "queryDate">;
  readonly createDeposit: DepositCreation;
  readonly createDepositSynchronously: DepositCreation;
  readonly findDepositFilteredV2: Omit<DepositSearchRequest, "queryDate">;
  readonly voidDeposit: DepositVoid;
  /** The interface does not show the members; they come from `authorization.body` in the configuration. */
  readonly authorize: Readonly<Record<string, unknown>>;
  readonly createAndFirstAuthorizationPayout: PayoutCreation;
  readonly createAndFirstAuthorizationPayoutV2: PayoutCreation;
  readonly createPayout: PayoutCreation;
  readonly createPayoutV2: PayoutCreation;
  readonly findPayoutFilteredV2: Omit<PayoutSearchRequest, "queryDate">;
  readonly voidPayout: PayoutVoid;
  readonly searchPayouts: PathlessSearch & { readonly payoutIds?: string | undefined };
  readonly searchDeposits: PathlessSearch & { readonly depositIds?: string | undefined };
  readonly createPayoutWithFirstAuthorization: AuthorizingPayoutCreation;
  readonly createDepositPathless: DepositCreation;
  readonly voidPayoutPathless: PayoutVoid;
  readonly voidDepositPathless: DepositVoid;
  readonly accountBalances: { readonly accountIds: string };
  readonly accountsOfUser: Omit<AccountsOfUserRequest, "queryDate">;
}

/** Distributes over a union of names, so that it yields the union of their answers. */
export type OperationAnswer<Name extends OperationName> = Name extends OperationName
  ? AnswerOf<(typeof operations)[Name]>
  : never;

type AnswerOf<Row> = Row extends { readonly answer: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;

const SEARCHES: ReadonlySet<OperationName> = new Set([
  "findPayoutFilteredV2",
  "findDepositFilteredV2",
  "searchPayouts",
  "searchDeposits",
]);

/** Whether the operation is answered with a page of elements. */
export function isSearch(name: OperationName): boolean {
  return SEARCHES.has(name);
}

/** The table entry of an operation, typed with its optional members. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}
