/** A workplace in which people prove who they are, with keys of OpenSSH: dave is the root's admin, ann submits, ben and carol approve. */

import { join } from "node:path";
import type { Environment } from "../../src/index.ts";
import { openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import type { Role } from "../../src/model/index.ts";
import { addPersonStep } from "../../src/pipeline/people/people-step.ts";
import type { AskedToSign, Sign } from "../../src/pipeline/people/sign.ts";
import { type Key, makeKey, signBy } from "../people/keys.ts";
import { openPlace, type Place } from "./workplace.ts";

export const KEYS = { ann: makeKey(), ben: makeKey(), carol: makeKey(), dave: makeKey() };

export const INSTALLATION = "acme-main";

export type Name = keyof typeof KEYS;

const ROLES: Readonly<Record<Name, readonly Role[]>> = {
  ann: ["submitter"],
  ben: ["approver", "operator"],
  carol: ["approver", "controller"],
  dave: ["admin", "approver"],
};

export function provenEnvironment(root: Key = KEYS.dave, installation = INSTALLATION): Environment {
  return {
    PAYDROP_APPROVAL_IDENTITY: "proven",
    PAYDROP_PEOPLE_INSTALLATION: installation,
    PAYDROP_PEOPLE_ROOT: JSON.stringify([root.fingerprint]),
  };
}

/** As if each person sat at the terminal with their own key. */
export const signWithOwnKey: Sign = async ({ person, text }) => {
  const key = KEYS[person as Name];
  return { text, signature: signBy(key, text) };
};

/** Signs everything with this key, whoever is asked. */
export function signWith(key: Key): Sign {
  return async ({ text }: AskedToSign) => ({ text, signature: signBy(key, text) });
}

export function signing(workplace: Workplace, sign: Sign = signWithOwnKey): Workplace {
  return { ...workplace, sign };
}

/** A workplace with the roster filled; `environment` may change the configuration. */
export async function openProvenPlace(environment: Environment = {}): Promise<Place> {
  const place = openPlace({ ...provenEnvironment(), ...environment });
  const workplace = signing(place.workplace);
  for (const name of ["dave", "ann", "ben", "carol"] as const)
    await addPersonStep(workplace, {
      name,
      roles: ROLES[name],
      credential: KEYS[name].credential,
      person: "dave",
    });
  return { ...place, workplace };
}

/** The same folder and database, opened with another configuration. */
export function openAgain({ folder, environment }: Place, other: Environment): Workplace {
  return openWorkplace(join(folder, "paydrop.yaml"), { ...environment, ...other }, stderrLog("silent"));
}
