/**
 * The schema of paydrop.yaml. Every key can also be set by an environment variable: `PAYDROP_` and its path
 * (`service.baseUrl` by PAYDROP_SERVICE_BASE_URL), except `approval` and `people`, which decide who may decide.
 * Secrets are in secrets.ts. Amounts are quoted texts, never YAML numbers.
 */

import { z } from "zod";
import { isRole, personKey } from "../model/index.ts";
import { wholeForm } from "../model/ledger-table.ts";
import { currencyScales, type Decimal } from "../money/index.ts";
import { calendar } from "./calendar-schema.ts";
import { desk } from "./desk-schema.ts";
import { files, refuseUnfittingDefaults } from "./files-schema.ts";
import { exportSettings, ledger } from "./ledger-schema.ts";
import { destinations, limits, perCurrency, repeats } from "./limits-schema.ts";
import { notices } from "./notices-schema.ts";
import { addressWithPort, cronExpression, isExpression, refuse, unique } from "./refinements.ts";
import { backup, retention } from "./retention-schema.ts";
import {
  authorization,
  clientKey,
  custodyAccount,
  doubt,
  http,
  nonce,
  otp,
  paging,
  routes,
  service,
  signing,
} from "./service-schema.ts";

const folder = z.string().min(1);

const folders = z.strictObject({
  inbox: folder.default("inbox").describe("Where payout files are dropped."),
  work: folder.default("work").describe("Where a file is while it is read; on the inbox's disk."),
  outbox: folder.default("outbox").describe("Where answers and results are written."),
  archive: folder.default("archive").describe("Where files are kept as they came."),
  ledger: folder.default("ledger").describe("Export batches and reports of the books."),
  nights: folder.default("nights").describe("Each night's report: a page, a workbook, a JSON document."),
});

const reference = z.strictObject({
  maxLength: z
    .int()
    .min(1)
    // PostgreSQL has no index of texts that are longer than 2,704 bytes.
    .max(500)
    .default(64)
    .describe("The longest reference, in characters."),
  pattern: z
    .string()
    .refine((pattern) => isExpression(pattern), "expected a regular expression")
    .optional()
    .describe("A regular expression for whole references."),
});

const approvalRule = z
  .strictObject({
    upTo: perCurrency.optional().describe("By currency, the largest sum that it covers; none: any."),
    people: z.int().min(1).describe("How many people must approve."),
    approvers: z
      .array(z.string().refine(isName, "expected a person's name"))
      .optional()
      .describe("By name or role; otherwise every approver but the submitter."),
  })
  .superRefine(refuseTooFewApprovers);

const approval = z.strictObject({
  rules: z
    .array(approvalRule)
    .superRefine(refuseIdleRule)
    .default([])
    .describe("The first rule whose `upTo` covers the sums applies; without one nothing is payable."),
  validDays: z
    .int()
    .min(1)
    // A century at most, so that an approval's end is a date.
    .max(36_500)
    .default(30)
    .describe("How long an approval holds, from the decision or the due day."),
  windowHours: z
    .int()
    .min(0)
    .max(8760)
    .default(24)
    .describe("Sums released within so many hours count together for the rule; 0: each by itself."),
  coolingMinutes: z
    .int()
    .min(0)
    .max(10_080)
    .default(0)
    .describe("Nothing is sent for so long after the last approval."),
});

const installation = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "expected a short name, such as acme-treasury");

const fingerprint = z
  .string()
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "expected a fingerprint as `ssh-keygen -lf` shows it");

/** The keys of `people` that a root needs. */
export const rootSchema = z.strictObject({ installation, root: z.array(fingerprint).min(1) });

/** Who the people are: the roster in the database, whose root is given here. */
const people = z
  .strictObject({
    installation: installation
      .optional()
      .describe("A unique name; what is signed for one installation does not hold in another."),
    root: z
      .array(fingerprint)
      .default([])
      .describe("Fingerprints of the keys that may make the first admins."),
    head: z
      .string()
      .regex(/^\d{1,9}:[0-9a-f]{64}$/, "expected NUMBER:HASH as `paydrop people list` shows it")
      .optional()
      .describe("`12:HASH`: a roster without this change was cut, and sends nothing."),
    trialKeys: folder
      .optional()
      .describe("In place of a root: a folder with everybody's keys, for a sandbox only."),
  })
  .superRefine(refuseRootOfTrial)
  .refine(({ installation, root }) => root.length === 0 || installation !== undefined, {
    path: ["installation"],
    error: "it is missing: what people sign names it",
  });

const reconciliation = z.strictObject({
  stuckAfterMinutes: z
    .int()
    .min(1)
    .default(120)
    .describe("How long one state, or unconfirmed money, is no break."),
  feeLimit: perCurrency.default({}).describe("By currency, the highest fee of a payout that is no break."),
  allowedDays: z
    .strictObject({
      alarm: z.int().min(0).max(3660).default(1).describe("An alarm."),
      warning: z.int().min(0).max(3660).default(10).describe("A warning."),
      note: z.int().min(0).max(3660).default(30).describe("A note."),
    })
    .prefault({})
    .describe("Days until an open break of this severity is over its time."),
  settleAlone: perCurrency
    .default({})
    .describe("By currency, up to how much at stake one controller settles a break; more takes two."),
  watchDays: z
    .int()
    .min(1)
    .max(3660)
    .default(30)
    .describe("Days after its last change in which a short night asks for an element."),
  fullSweepDays: z.int().min(1).max(31).default(7).describe("Days between full nights; 1: every night."),
});

const listen = addressWithPort.optional();

const expected = z.strictObject({
  create: z.boolean().default(false).describe("Whether a row that says nothing gets a deposit."),
  createBy: z.enum(["path", "synchronously", "route"]).default("path").describe("How it is made."),
  approval: z
    .boolean()
    .default(false)
    .describe("Whether somebody else must approve a file before it counts."),
  rateMinutes: z
    .int()
    .min(1)
    .max(10_080)
    .optional()
    .describe("For how long a rate is fixed where the file's has expired."),
  tolerance: perCurrency.default({}).describe("By currency, by how much a full receipt may differ."),
});

const schedule = z.strictObject({
  intake: cronExpression
    .default("* * * * *")
    .describe("When files are taken in; cron, in `ledger.timeZone`."),
  expected: cronExpression
    .default("*/5 * * * *")
    .describe("When expected receipts are taken in, and deposits made."),
  pay: cronExpression.default("*/5 * * * *").describe("When payments are sent."),
  track: cronExpression.default("*/10 * * * *").describe("When states are asked for, and results written."),
  reconcile: cronExpression.default("0 4 * * *").describe("When both sides are compared."),
  ledger: cronExpression.default("30 4 * * *").describe("When movements are posted and exported."),
  digest: cronExpression.default("0 7 * * *").describe("When the morning digest is written."),
  retention: cronExpression.default("30 5 * * *").describe("When old files are removed, with `retention`."),
  backup: cronExpression.default("0 6 * * 0").describe("When the newest backup is tried, with `backup`."),
});

const configFile = z.strictObject({
  service,
  signing: signing.prefault({}),
  nonce: nonce.prefault({}),
  doubt: doubt.prefault({}),
  otp: otp.prefault({}),
  http: http.prefault({}),
  paging: paging.prefault({}),
  routes: routes
    .prefault({})
    .describe(
      "Method and path of the operations for which the interface shows none; each is off until set. " +
        "Creations take POST, PUT or PATCH.",
    ),
  authorization: authorization.prefault({}),
  database: z
    .string()
    .regex(/^(?:sqlite:.+|postgresql)$/, "expected sqlite:FILE, or postgresql with its URL in DATABASE_URL")
    .default("sqlite:paydrop.sqlite")
    .describe("A file, or `postgresql` with the secret DATABASE_URL."),
  anchor: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Where it is, otherwise beside the database; on another disk it reveals an exchange of the folder.",
    ),
  folders: folders.prefault({}),
  keys: z
    .array(clientKey)
    .superRefine(unique(["name"], "names two keys"))
    .default([])
    .describe("Further client keys, beside the first, unnamed one."),
  custodyAccounts: z
    .array(custodyAccount)
    .min(1)
    .superRefine(unique(["name", "id"], "names two custody accounts"))
    .describe("The accounts at the service that pay, and receive."),
  files: files.prefault({}),
  reference: reference.prefault({}),
  limits: limits.prefault({}),
  destinations: destinations.prefault({}),
  repeats: repeats.prefault({}),
  approval: approval.prefault({}),
  people: people.prefault({}),
  calendar: calendar
    .prefault({})
    .describe("When payments are sent, in the time zone of `ledger.timeZone`; without it: always."),
  ledger,
  export: exportSettings.prefault({}),
  reconciliation: reconciliation.prefault({}),
  expected: expected.prefault({}).describe("Receipts that are expected: docs/expected.md."),
  schedule: schedule.prefault({}),
  retention: retention
    .optional()
    .describe("How long files are kept: docs/operating.md. Without it, nothing is removed."),
  backup: backup.optional().describe("The newest backup is tried every week."),
  monitoring: z
    .strictObject({ listen: listen.describe("Where `serve` answers /health and /metrics.") })
    .prefault({}),
  notices: notices.prefault({}).describe("Who hears of what: docs/operating.md."),
  callbacks: z.strictObject({ listen: listen.describe("Where `serve` receives callbacks.") }).prefault({}),
  desk: desk.optional().describe("The pages where people work in a browser."),
  currencies: z
    .record(z.string(), z.int().min(0).max(30))
    .default({})
    .describe("Decimals of a currency besides BTC, LTC, ETH and those of ISO 4217."),
});

/** Everything paydrop.yaml says, with defaults filled in. Paths are still as written. */
export type ConfigFile = z.output<typeof configFile>;

export const configSchema = configFile
  .superRefine(refuseUnfittingDefaults)
  .superRefine(refuseUnplacedCreation)
  .superRefine(refuseKeysWithoutUse)
  .superRefine(refuseUnknownCurrency)
  .superRefine(refuseAmountlessTarget);

/** A column for amounts with other decimals than the books': every movement would be held. */
function refuseAmountlessTarget(
  { ledger: { exports, functionalCurrency }, currencies }: Pick<ConfigFile, "ledger" | "currencies">,
  context: z.RefinementCtx,
): void {
  const decimals = currencyScales(currencies).scaleOf(functionalCurrency);
  if (decimals === undefined) return;
  for (const [index, { name, columns, decimalMark }] of exports.entries()) {
    const amount = decimals === 0 ? "1" : `1${decimalMark}${"0".repeat(decimals)}`;
    const column = columns.find(
      ({ value, form }) =>
        form !== undefined &&
        /^\{(debit|credit|amount|unsigned)\}$/.test(value) &&
        ![amount, `-${amount}`].some((text) => wholeForm(form).test(text)),
    );
    if (column === undefined) continue;
    const message = `${name} takes no amounts in ${functionalCurrency}: its column ${column.header} refuses ${amount}`;
    refuse(context, ["ledger", "exports", index], message);
  }
}

function isName(text: string): boolean {
  return personKey(text) !== "";
}

function refuseTooFewApprovers(
  { people, approvers }: { readonly people: number; readonly approvers?: readonly string[] | undefined },
  context: z.RefinementCtx,
): void {
  const count = new Set(approvers?.map(personKey)).size;
  if (approvers === undefined || approvers.some(isRole) || count >= people) return;
  refuse(context, ["approvers"], `these are ${count} people, and ${people} of them must approve`);
}

/** The root of a trial must be the key in its folder, and no other. */
function refuseRootOfTrial(
  {
    trialKeys,
    installation,
    root,
  }: {
    readonly trialKeys?: string | undefined;
    readonly installation?: string | undefined;
    readonly root: readonly string[];
  },
  context: z.RefinementCtx,
): void {
  if (trialKeys === undefined) return;
  const message = "a trial has the root in its folder `people.trialKeys`: write one or the other";
  if (installation !== undefined) refuse(context, ["installation"], message);
  if (root.length > 0) refuse(context, ["root"], message);
}

/** A rule after one that covers as much never applies: fewer people would approve than it says. */
function refuseIdleRule(
  rules: readonly { readonly upTo?: Readonly<Record<string, Decimal>> | undefined }[],
  context: z.RefinementCtx,
): void {
  for (const [index, { upTo }] of rules.entries()) {
    const earlier = rules.slice(0, index).find((rule) => coversAll(rule.upTo, upTo));
    if (earlier === undefined) continue;
    const message =
      `it never applies, because approval.rules.${rules.indexOf(earlier)} covers all that it covers: ` +
      `put the smaller limits first`;
    refuse(context, [index], message);
  }
}

/** Whether a rule with the limits `wide` applies wherever one with `narrow` would. */
function coversAll(
  wide: Readonly<Record<string, Decimal>> | undefined,
  narrow: Readonly<Record<string, Decimal>> | undefined,
): boolean {
  if (wide === undefined || narrow === undefined) return wide === undefined;
  return Object.entries(narrow).every(
    ([currency, limit]) => wide[currency] && limit.compare(wide[currency]) <= 0,
  );
}

function refuseUnplacedCreation(
  { custodyAccounts, routes }: Pick<ConfigFile, "custodyAccounts" | "routes">,
  context: z.RefinementCtx,
): void {
  for (const [index, { createOperation: operation, authorize }] of custodyAccounts.entries()) {
    const isPathless = operation === "createPayoutWithFirstAuthorization";
    const path = ["custodyAccounts", index];
    if (isPathless && routes.createPayoutWithFirstAuthorization === undefined) {
      const message = `${operation} has no path in the interface: set routes.${operation}`;
      refuse(context, [...path, "createOperation"], message);
    }
    if (authorize && !isPathless) {
      refuse(context, [...path, "authorize"], "only createPayoutWithFirstAuthorization has this flag");
    }
  }
}

function refuseKeysWithoutUse(
  { keys, custodyAccounts }: Pick<ConfigFile, "keys" | "custodyAccounts">,
  context: z.RefinementCtx,
): void {
  const names = keys.map(({ name }) => name);
  for (const [index, { key }] of custodyAccounts.entries()) {
    if (key === undefined || names.includes(key)) continue;
    const message = `${key} is not one of the keys: ${names.join(", ") || "there are none"}`;
    refuse(context, ["custodyAccounts", index, "key"], message);
  }
  for (const [index, name] of names.entries()) {
    if (custodyAccounts.some(({ key }) => key === name)) continue;
    refuse(context, ["keys", index, "name"], `no custody account uses the key ${name}`);
  }
}

/** A misspelt currency in a limit would leave the right one without a limit. */
function refuseUnknownCurrency(
  {
    custodyAccounts,
    currencies,
    limits,
    approval,
    reconciliation,
    expected,
    notices,
  }: Pick<
    ConfigFile,
    "custodyAccounts" | "currencies" | "limits" | "approval" | "reconciliation" | "expected" | "notices"
  >,
  context: z.RefinementCtx,
): void {
  const { scaleOf } = currencyScales(currencies);
  const limited = [
    ...Object.entries(limits).map(([name, amounts]) => ({ path: ["limits", name], amounts })),
    ...approval.rules.map(({ upTo = {} }, index) => ({
      path: ["approval", "rules", index, "upTo"],
      amounts: upTo,
    })),
    { path: ["reconciliation", "feeLimit"], amounts: reconciliation.feeLimit },
    { path: ["reconciliation", "settleAlone"], amounts: reconciliation.settleAlone },
    { path: ["expected", "tolerance"], amounts: expected.tolerance },
    { path: ["notices", "breakLimit"], amounts: notices.breakLimit },
  ];
  const used = [
    ...custodyAccounts.map(({ currency }, index) => ({
      currency,
      path: ["custodyAccounts", index, "currency"],
    })),
    ...limited.flatMap(({ path, amounts }) =>
      Object.keys(amounts).map((currency) => ({ currency, path: [...path, currency] })),
    ),
  ];
  for (const { currency, path } of used) {
    if (scaleOf(currency) !== undefined) continue;
    const message = `the number of decimals of ${currency} is not known: set currencies.${currency}, or correct it`;
    refuse(context, path, message);
  }
}
