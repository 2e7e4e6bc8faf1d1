/** The payouts of the sandbox: what was requested, their progress, and what was sent over the chain. */
import { Decimal } from "../../money/index.ts";
import { type PayoutCreation, parseJson, payoutCreation, writeJson } from "../../wire/index.ts";
import { refusal } from "../refusal.ts";
import type { RowKind } from "./rows.ts";
import { pagesOf, type SearchedProperties, type SearchRequest } from "./search.ts";
import type { Store } from "./store.ts";
import { indexBy } from "./value-index.ts";

/** The request as far as the service shows it again; the body as sent is kept beside it. */
export type StoredCreation = Omit<
  PayoutCreation,
  "username" | "otpCode" | "nonce" | "customerId" | "verifyBalance"
>;

export interface StoredPayout {
  readonly payoutId: string;
  readonly creation: StoredCreation;
  readonly clientId: string;
  readonly payoutState: string;
  readonly createdAt: number;
  /** Searches do not find it before. */
  readonly visibleAt: number;
  /** The payee's amount. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly txHash: string | undefined;
  readonly sentAt: number | undefined;
  readonly confirmedAt: number | undefined;
  readonly authorization: StoredAuthorization;
  /** Absent for a payout of the seed. */
  readonly arrival: { readonly nonce: bigint; readonly sentBody: string } | undefined;
}

/** The interface lists PENDING only. */
export type AuthorizationState = "PENDING" | "AUTHORIZED" | "REJECTED";

export interface StoredAuthorization {
  readonly id: string;
  readonly state: AuthorizationState;
  readonly cosigners: readonly {
    readonly userGroupName: string;
    readonly username: string;
    readonly state: AuthorizationState;
    readonly expiresAt: number;
  }[];
}

/** A creation that arrived and was carried out. */
export interface Creation {
  readonly reference: string;
  readonly nonce: bigint;
  readonly payoutId: string;
  readonly body: string;
}

export const PAYOUT_SEARCH: SearchedProperties<StoredPayout> = {
  referenceOf: ({ creation }) => creation.reference,
  stateOf: ({ payoutState }) => payoutState,
  visibleFrom: ({ visibleAt }) => visibleAt,
  sortable: {
    createdDate: ({ createdAt }) => createdAt,
    reference: ({ creation }) => creation.reference,
    payoutState: ({ payoutState }) => payoutState,
    payoutId: ({ payoutId }) => payoutId,
    accountId: ({ creation }) => creation.accountId,
  },
};

/** `answerOf` renders a payout for the interface; the result is cached until the payout or the rates change. */
export function payoutsIn(store: Store, answerOf: (payout: StoredPayout) => string) {
  const byReference = indexBy<StoredPayout>(({ creation }) => creation.reference);
  const rows = store.rows(PAYOUT, [byReference]);
  const search = pagesOf({ rows, byReference, properties: PAYOUT_SEARCH });
  let answers = new WeakMap<StoredPayout, string>();
  const answerTo = (payout: StoredPayout) => {
    const answer = answers.get(payout) ?? answerOf(payout);
    answers.set(payout, answer);
    return answer;
  };
  const find = (payoutId: string): StoredPayout | undefined => rows.get(payoutId);
  return {
    find,
    /** Throws 404 if there is none. */
    existing: (payoutId: string) => {
      const found = find(payoutId);
      if (found === undefined) throw refusal(404, "PAYOUT_NOT_FOUND", `there is no payout ${payoutId}`);
      return found;
    },
    insert: (payout: StoredPayout) => rows.insert(payout),
    /** Stores the parts that can change after creation. */
    update: (payout: StoredPayout) => rows.change(payout.payoutId, () => payout),
    setVisibleAt: (payoutId: string, visibleAt: number) =>
      rows.change(payoutId, (payout) => ({ ...payout, visibleAt })),
    /** Finds payouts as the service shows them, each as JSON text. */
    search: (request: SearchRequest) => {
      const { rows: found, totalElements } = search(request);
      return { rows: found.map(answerTo), totalElements };
    },
    renderAgain: () => {
      answers = new WeakMap();
    },
    creations: () => Array.from(rows.entries(), ({ row }) => row).flatMap(creationOf),
  };
}

function creationOf({ arrival, creation, payoutId }: StoredPayout): Creation[] {
  if (arrival === undefined) return [];
  return [{ reference: creation.reference, nonce: arrival.nonce, payoutId, body: arrival.sentBody }];
}

const PAYOUT: RowKind<StoredPayout, WrittenPayout> = {
  table: "payout",
  keyOf: ({ payoutId }) => payoutId,
  write: ({ creation, arrival, amount, fee, ...rest }) => ({
    ...rest,
    asked: arrival?.sentBody ?? writeJson(creation),
    reference: creation.reference,
    nonce: arrival?.nonce.toString(),
    amount: amount.toString(),
    fee: fee.toString(),
  }),
  read: ({ asked, reference, nonce, amount, fee, ...rest }) => ({
    ...rest,
    creation: { ...storedCreation.parse(parseJson(asked)), reference },
    arrival: nonce === undefined ? undefined : { nonce: BigInt(nonce), sentBody: asked },
    amount: Decimal.of(amount),
    fee: Decimal.of(fee),
  }),
};

interface WrittenPayout extends Omit<StoredPayout, "creation" | "arrival" | "amount" | "fee"> {
  /** The creation's body as sent; for a payout of the seed, as it would have been sent. */
  readonly asked: string;
  /** As stored. */
  readonly reference: string;
  /** Absent for a payout of the seed. */
  readonly nonce: string | undefined;
  readonly amount: string;
  readonly fee: string;
}

const storedCreation = payoutCreation.omit({
  username: true,
  otpCode: true,
  nonce: true,
  customerId: true,
  verifyBalance: true,
});
