/** The secrets with their names for people; removed from answers and refused in the configuration. */
import type { Config, Secrets } from "../../config/index.ts";
import { fault } from "../../faults/index.ts";
import type { Secret } from "../../gateway/index.ts";

export function namedSecrets({ key, signingSecret = "", otpSecret = "" }: Secrets): Secret[] {
  return [
    { name: "client key", text: key },
    { name: "signing secret", text: signingSecret },
    { name: "one-time code seed", text: otpSecret },
  ];
}

/** Shorter secrets occur inside other words by chance. */
const SECRET_CHARACTERS_MIN = 8;

/**
 * Refuses a callbackUrl that contains a secret, because every payout carries it in the open. Throws CONFIG_KEY_INVALID.
 */
export function refuseShownSecrets({ service: { callbackUrl } }: Config, secrets: Secrets): void {
  // A Base32 seed is equally usable in lower case.
  const shown = callbackUrl.toLowerCase();
  const held = namedSecrets(secrets).find(
    ({ text }) => text.length >= SECRET_CHARACTERS_MIN && shown.includes(text.toLowerCase()),
  );
  if (held === undefined) return;
  const key = "service.callbackUrl";
  const reason = `the key \`${key}\` is wrong: it holds the ${held.name}, and each payout carries it`;
  throw fault("CONFIG_KEY_INVALID", { path: key, reason, hint: "" }, { key });
}
