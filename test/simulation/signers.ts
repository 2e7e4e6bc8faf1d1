/**
 * The people of the simulation and their keys, which are the same in each run; every decision is signed and
 * verified.
 */
import { createPrivateKey, hash, type KeyObject } from "node:crypto";
import { ROLES } from "../../src/model/index.ts";
import { fingerprintOf, signByKey } from "../../src/people/index.ts";
import { addPersonStep } from "../../src/proof/people-step.ts";
import type { Sign } from "../../src/workplace/sign.ts";
import { credentialOf } from "../../src/workplace/trial-keys.ts";
import type { Workplace } from "../../src/workplace/workplace.ts";

/** The root's admin. */
const ADMIN = "dave";

/** ann submits, the others approve, and tess decides. */
const OTHERS = ["ann", "bob", "cleo", "dora", "tess"] as const;

/** What PKCS #8 puts before the seed of an ed25519 key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function keyOf(name: string): KeyObject {
  const key = Buffer.concat([PKCS8_PREFIX, hash("sha256", name, "buffer")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

const keys = new Map([ADMIN, ...OTHERS].map((name) => [name, keyOf(name)]));

export const ROOT = fingerprintOf(credentialOf(keyOf(ADMIN)));

export const signInSimulation: Sign = async ({ person, text }) => {
  const key = keys.get(person);
  if (key === undefined) throw new Error(`nobody is called ${person}`);
  return { text, signature: signByKey(text, key) };
};

export async function fillRoster(workplace: Workplace): Promise<void> {
  for (const [name, key] of keys)
    await addPersonStep(workplace, {
      ...{ name, person: ADMIN, credential: credentialOf(key) },
      roles: name === ADMIN ? ["admin"] : ROLES,
    });
}
