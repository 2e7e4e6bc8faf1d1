/**
 * The operations for which the interface shows neither method nor path (section Operations without a path): their
 * names and parameters. Whether these go into a body or a query is not shown; here they are members of one object.
 * "Create a deposit" and both voids list the parameters of `depositCreation`, `payoutVoid` and `depositVoid`, and
 * have no schema here.
 */
import { z } from "zod";
import { payoutCreation } from "./creation.ts";
import { dateTime, integer, maybe, text, uuid } from "./primitives.ts";

/** The document does not name them; these names are ours, and are the keys of `routes` in a configuration. */
export const PATHLESS_OPERATIONS = [
  "searchPayouts",
  "searchDeposits",
  "createPayoutWithFirstAuthorization",
  "createDepositPathless",
  "voidPayoutPathless",
  "voidDepositPathless",
  "accountBalances",
  "accountsOfUser",
] as const;

export type PathlessOperation = (typeof PATHLESS_OPERATIONS)[number];

/** "string, list of UUIDs": one text, its UUIDs separated by commas. */
export const uuidList = text.transform((list) => list.split(",").map((id) => id.trim())).pipe(z.array(uuid));

/** `property,(asc|desc)`, ascending when the direction is left out. */
export const sortCriterion = text.transform((criterion, context) => {
  const match = /^\s*([A-Za-z][\w.]*)\s*(?:,\s*(asc|desc)\s*)?$/i.exec(criterion);
  const property = match?.[1];
  if (property === undefined) {
    context.addIssue({ code: "custom", message: `${criterion.slice(0, 40)} is not property,(asc|desc)` });
    return z.NEVER;
  }
  return { property, direction: match?.[2]?.toUpperCase() === "DESC" ? "DESC" : "ASC" } as const;
});

const INT32_MAX = 2 ** 31 - 1;

/** Zero-based, 0 when left out; and at least 1, 20 when left out. */
const page = maybe(integer.pipe(z.int().min(0).max(INT32_MAX)));
const size = maybe(integer.pipe(z.int().min(1).max(INT32_MAX)));

const pagedSearch = {
  queryDate: dateTime,
  references: maybe(z.array(text)),
  states: maybe(z.array(text)),
  page: page.transform((value) => value ?? 0),
  size: size.transform((value) => value ?? 20),
  sort: maybe(z.array(sortCriterion)),
};

/** Search payouts in pages. */
export const pagedPayoutSearch = z.object({ ...pagedSearch, payoutIds: maybe(uuidList) });

/** Search deposits in pages. */
export const pagedDepositSearch = z.object({ ...pagedSearch, depositIds: maybe(uuidList) });

/** Create a payout with first authorization: as the other creations, the code needed only with `authorize`. */
export const authorizingPayoutCreation = payoutCreation
  .extend({
    authorize: maybe(z.boolean()).transform((value) => value ?? false),
    otpCode: maybe(text),
  })
  .refine(({ authorize, otpCode }) => !authorize || otpCode !== undefined, {
    path: ["otpCode"],
    error: "required when authorize is true",
  });

/** Account balances: accounts that do not exist are skipped. */
export const accountBalancesRequest = z.object({ accountIds: uuidList, queryDate: dateTime });

/** Accounts of a user: the active ones in which the user belongs to an approver user group. */
export const accountsOfUserRequest = z.object({ username: text, queryDate: dateTime });

export type PagedPayoutSearch = z.output<typeof pagedPayoutSearch>;
export type PagedDepositSearch = z.output<typeof pagedDepositSearch>;
export type AuthorizingPayoutCreation = z.output<typeof authorizingPayoutCreation>;
export type AccountBalancesRequest = z.output<typeof accountBalancesRequest>;
export type AccountsOfUserRequest = z.output<typeof accountsOfUserRequest>;
