/**
 * The client keys of a seed: each with its secrets, the custody accounts that it pays from, and a separate side of the
 * service.
 */
import type { SeedPlan } from "./seed-plan.ts";

export interface ClientKey {
  /** As in the configuration; empty for the first one, which needs no name. */
  readonly name: string;
  /** Planted where they are used and nowhere else, so no byte that is written may contain one of them. */
  readonly secrets: { readonly key: string; readonly signingSecret: string; readonly otpSecret: string };
  readonly accounts: readonly string[];
}

const [ONE, TWO] = ["6f1cbb7e-0000-4000-8000-000000000001", "6f1cbb7e-0000-4000-8000-000000000002"] as const;

export const ACCOUNTS = [ONE, TWO] as const;

const FIRST_SECRETS = {
  key: "canary-key-3f9a1c",
  signingSecret: "canary-signing-secret-8d27e0",
  otpSecret: "MNQW4YLSPEWXGZLFMQWWIMRXMUYA",
};

const SECOND_SECRETS = {
  key: "canary-second-key-71be05",
  signingSecret: "canary-second-signing-secret-c4",
  otpSecret: "KNCUGT2OIQWXGZLFMQWWIMRXMUYA",
};

export const ONLY_KEY: ClientKey = { name: "", secrets: FIRST_SECRETS, accounts: ACCOUNTS };

const TWO_KEYS: readonly ClientKey[] = [
  { name: "", secrets: FIRST_SECRETS, accounts: [ONE] },
  { name: "second", secrets: SECOND_SECRETS, accounts: [TWO] },
];

export function clientKeysOf({ clientKeys }: Pick<SeedPlan, "clientKeys">): readonly ClientKey[] {
  return clientKeys === 1 ? [ONLY_KEY] : TWO_KEYS;
}

/** The configuration and the environment of a seed's keys. */
export function keyVariables(plan: Pick<SeedPlan, "clientKeys">): Readonly<Record<string, string>> {
  const keys = clientKeysOf(plan);
  const variables = keys.flatMap(({ name, secrets }) => {
    const ending = name === "" ? "" : `_${name.toUpperCase()}`;
    return [
      [`PAYDROP_KEY${ending}`, secrets.key],
      [`PAYDROP_SIGNING_SECRET${ending}`, secrets.signingSecret],
      [`PAYDROP_OTP_SECRET${ending}`, secrets.otpSecret],
    ];
  });
  const named = keys.filter(({ name }) => name !== "");
  const custodyAccounts = keys.flatMap(({ name, accounts }) =>
    accounts.map((id) => ({
      name: id === ONE ? "one" : "two",
      id,
      currency: "BTC",
      ...(name === "" ? {} : { key: name }),
    })),
  );
  return {
    ...Object.fromEntries(variables),
    PAYDROP_KEYS: JSON.stringify(named.map(({ name }) => ({ name }))),
    PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify(custodyAccounts),
  };
}
