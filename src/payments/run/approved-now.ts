/**
 * The value that an approval approves, made from a batch and the configuration. The sender does not compute it: it
 * compares each call with the approved one (`whyOtherwise`), and the rows with their digest (stored-batch.ts).
 */
import type { Config } from "../../config/index.ts";
import { keyVariable } from "../../config/secrets.ts";
import { fault, isProblem, orProblem, type Problem } from "../../faults/index.ts";
import {
  type Approval,
  type ApprovedCall,
  approvedRows,
  type Batch,
  PAYEES_COMPARED,
  readApproved,
  whyOtherwise,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { listCustodyAccounts } from "../../store/batches.ts";
import { keyIdNamed } from "../../workplace/agreement.ts";
import { keyNames } from "../../workplace/custody-accounts.ts";
import { policyFingerprint } from "../../workplace/settings.ts";
import type { Workplace } from "../../workplace/workplace.ts";

/** The configured part of a call. */
export function callOf(
  { id, createOperation: operation, authorize }: Config["custodyAccounts"][number],
  { routes }: Pick<Config, "routes">,
) {
  const route = operation === "createPayoutWithFirstAuthorization" ? routes[operation] : undefined;
  return {
    custodyAccountId: id,
    operation,
    authorize,
    ...present({ route: route && `${route.method} ${route.path}` }),
  };
}

/** The address and the calls with which the configuration would send the payments of a batch. */
export async function sendingNow({ config, store }: Workplace, { id }: Batch) {
  const used = new Set(await store.read(() => listCustodyAccounts(id)));
  const accounts = config.custodyAccounts.filter((account) => used.has(account.id));
  const calls = accounts.map((account) => ({ ...callOf(account, config), key: account.key }));
  return { baseUrl: config.service.baseUrl, calls };
}

/** Why no approval of the batch can name its client key yet; undefined if it can. */
export async function whyKeyUnknown(workplace: Workplace, batch: Batch): Promise<Problem | undefined> {
  // The keys that a batch uses are found only by reading all its rows, so not while every key is known.
  if (await isEveryKeyKnown(workplace)) return undefined;
  const approved = await orProblem(
    () => approvedNow(workplace, batch),
    ({ code }) => code === "CLIENT_KEY_UNKNOWN",
  );
  return isProblem(approved) ? approved : undefined;
}

async function isEveryKeyKnown(workplace: Workplace): Promise<boolean> {
  for (const name of keyNames(workplace.config))
    if ((await keyIdNamed(workplace, name)) === undefined) return false;
  return true;
}

/** The first difference of an approval from the calls, and the address, by which its batch would be sent. */
export function whyUnfit(
  { approved }: Approval,
  { baseUrl, calls }: { readonly baseUrl: string; readonly calls: readonly ApprovedCall[] },
): string | undefined {
  const value = readApproved(approved);
  return calls.map((call) => whyOtherwise(value, { ...call, baseUrl })).find((why) => why !== undefined);
}

/**
 * `whyUnfit` by today's configuration, for views of many batches: reads no rows, because an approval names all
 * accounts of its batch. A key that is not known here is not compared.
 */
export async function whyUnfitToday(
  workplace: Workplace,
): Promise<(approval: Approval) => string | undefined> {
  const { config } = workplace;
  const configured: ApprovedCall[] = [];
  for (const account of config.custodyAccounts) {
    const keyId = await keyIdNamed(workplace, account.key);
    if (keyId !== undefined) configured.push({ ...callOf(account, config), keyId });
  }
  return (approval) => {
    const used = new Set(readApproved(approval.approved).calls.map((call) => call.custodyAccountId));
    const calls = configured.filter(({ custodyAccountId }) => used.has(custodyAccountId));
    return whyUnfit(approval, { baseUrl: config.service.baseUrl, calls });
  };
}

/** Throws CLIENT_KEY_UNKNOWN if neither the environment nor the database knows the client key. */
export async function approvedNow(workplace: Workplace, batch: Batch) {
  const { baseUrl, calls } = await sendingNow(workplace, batch);
  const withKeys: ApprovedCall[] = [];
  for (const { key, ...call } of calls) {
    const keyId = await keyIdNamed(workplace, key);
    const name = keyVariable(key);
    if (keyId === undefined) throw fault("CLIENT_KEY_UNKNOWN", { name }, { key: name });
    withKeys.push({ ...call, keyId });
  }
  const policy = await policyFingerprint(workplace.config);
  return { baseUrl, calls: withKeys, payees: PAYEES_COMPARED, policy, ...approvedRows(batch) };
}
