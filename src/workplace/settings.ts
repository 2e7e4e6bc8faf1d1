/**
 * The settings that machines on one database must share, as named values that can be stored, compared and shown.
 * Leaves out what belongs to one machine: folders, schedules, paths, request rate and page sizes, the source of
 * one-time codes.
 */

import { hash } from "node:crypto";
import type { Config } from "../config/index.ts";
import { readFailure } from "../faults/index.ts";
import { compareText } from "../model/compare-text.ts";
import { sha256Of } from "../readers/index.ts";
import type { NamedValues, Settings } from "../store/configurations.ts";

export async function settingsOf(config: Config): Promise<Omit<Settings, "keys">> {
  const { destinations, doubt, expected, files, ledger, otp, signing } = config;
  const { allowList, ...destinationRules } = destinations;
  const { timeZone, chart, ...booking } = ledger;
  const { limits: _, quietSeconds: __, senders, ...reading } = files;
  const { approval, ...expecting } = expected;
  return {
    binding: named({
      service: config.service,
      custodyAccounts: byName(config.custodyAccounts.map(({ feeEstimate: _, ...account }) => account)),
      nonce: config.nonce,
      doubt: { settleMinutes: doubt.settleMinutes },
      otp: { singleUse: otp.singleUse },
      routes: config.routes,
      authorization: config.authorization,
      limits: config.limits,
      destinations: { ...destinationRules, allowList: await contentOf(allowList) },
      repeats: config.repeats,
      approval: config.approval,
      people: { installation: config.people.installation, root: config.people.root },
      ledger: { timeZone },
      calendar: calendarOf(config),
      currencies: config.currencies,
      // Machines of an earlier version do not know this setting.
      expected: { approval: approval || undefined },
    }),
    advisory: named({
      signing: { scheme: signing.scheme },
      files: { ...reading, senders: byName(senders.map(({ folder: _, mail: __, ...sender }) => sender)) },
      reference: config.reference,
      ledger: { ...booking, chart: await contentOf(chart) },
      reconciliation: config.reconciliation,
      expected: expecting,
      retention: config.retention,
    }),
  };
}

/** Undefined if nothing is configured, because machines of an earlier version do not know this setting. */
function calendarOf({ calendar: { daysOff, ...hours } }: Config) {
  const isEmpty = daysOff.length === 0 && Object.values(hours).every((value) => value === undefined);
  return isEmpty ? undefined : { ...hours, daysOff: daysOff.toSorted() };
}

/** Fingerprint of the limits, lists and rules that decide whether a payment may be approved and sent. */
export async function policyFingerprint(config: Config): Promise<string> {
  const { destinations, limits, repeats, approval, ledger } = config;
  const allowList = await contentOf(destinations.allowList);
  // `identity` was a setting of earlier versions. Without it, batches approved under them would need new approvals.
  const rules = { ...approval, identity: "proven" };
  const policy = { destinations: { ...destinations, allowList }, limits, repeats, approval: rules };
  const chart = ledger.onUnmapped === "refuse" ? await contentOf(ledger.chart) : undefined;
  const values = Object.entries(named({ ...policy, ledger: { onUnmapped: ledger.onUnmapped, chart } }));
  return hash("sha256", JSON.stringify(values.sort(([a], [b]) => compareText(a, b))));
}

/** Flattens an object or list into values by path: "approval.rules.0.people". */
function named(value: unknown, path = ""): NamedValues {
  if (value === undefined) return {};
  if (!isBranch(value)) return { [path]: String(value) };
  const below = Object.entries(value).map(([name, member]) =>
    named(member, path === "" ? name : `${path}.${name}`),
  );
  return Object.assign({}, ...below) as NamedValues;
}

/** Whether a value has members to descend into; an amount does not. */
function isBranch(value: unknown): value is object {
  return Array.isArray(value) || Object.getPrototypeOf(value ?? "") === Object.prototype;
}

/** By name, so that their order does not matter. */
function byName<Named extends { readonly name: string }>(list: readonly Named[]): Record<string, Named> {
  return Object.fromEntries(list.map((element) => [element.name, element]));
}

/** A file is compared by its bytes, not by its path. */
async function contentOf(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return sha256Of(path).then(
    (hash) => `a file with SHA-256 ${hash.slice(0, 12)}`,
    (error: unknown) => `a file that cannot be read (${readFailure(error)})`,
  );
}
