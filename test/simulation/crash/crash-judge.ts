/**
 * What must hold once a batch whose processes were stopped has come to its end: files, answers, ledger, and both sides.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { ReconciliationReport } from "../../../src/nights/index.ts";
import type { Creation } from "../../../src/sandbox/index.ts";
import { ONLY_KEY } from "../client-keys.ts";
import { disk } from "../disk.ts";
import { FILE_NAME, payrollOf } from "../payroll.ts";
import type { SeedPlan } from "../seed-plan.ts";
import type { CrashSite } from "./site.ts";

type Cells = Readonly<Record<string, string>>;

/** Every rule that was broken, as a sentence. */
export function* brokenAtTheEnd(
  site: CrashSite,
  plan: SeedPlan,
  creations: readonly Creation[],
  { openBreaks }: ReconciliationReport,
): Generator<string> {
  yield* rowsUnpaid(site, plan, creations);
  yield* filesAstray(site);
  yield* answersWrong(site, plan, creations);
  yield* bookedWrongly(site, creations);
  for (const found of openBreaks) yield `reconciliation has ${found.id}: ${found.sentence}`;
  yield* secretsIn(site);
}

/** One creation and one acceptance for each row. */
function* rowsUnpaid(
  { place }: CrashSite,
  plan: SeedPlan,
  creations: readonly Creation[],
): Generator<string> {
  const stored = disk.rows(
    place.config.databasePath,
    "select reference, standing, payout_id from instruction",
  );
  const byReference = Map.groupBy(creations, ({ reference }) => reference);
  for (const { reference } of payrollOf(plan.payroll, plan.rows).rows) {
    const [creation, ...more] = byReference.get(reference) ?? [];
    const found = stored.filter((one) => one["reference"] === reference);
    if (creation === undefined || more.length > 0)
      yield `${reference} was created ${1 + more.length} times, or never`;
    if (found.length !== 1) yield `${reference} stands ${found.length} times`;
    const [{ standing, payout_id } = { standing: "nowhere", payout_id: "" }] = found;
    if (standing !== "accepted" || payout_id !== creation?.payoutId)
      yield `${reference} is ${standing} at the end`;
  }
  const batches = disk.rows(place.config.databasePath, "select id from batch").length;
  if (batches !== 1) yield `there are ${batches} batches of one file`;
}

/** The file is among the finished files, once and unchanged, and nowhere else. */
function* filesAstray({ place, csv }: CrashSite): Generator<string> {
  const { inbox, work, archive } = place.config.folders;
  for (const folder of [inbox, work])
    for (const name of visibleIn(folder)) yield `${name} was left in ${folder}`;
  const [archived, ...others] = visibleIn(archive);
  if (archived === undefined || others.length > 0)
    yield `the archive holds ${1 + others.length} files, or none`;
  else if (readFileSync(join(archive, archived), "utf8") !== csv) yield "the archive holds other bytes";
}

/** An acceptance is whole, with its summary, whenever a process may have stopped; at the end the results replace it. */
export function* acceptanceHalf({ place }: CrashSite, plan: SeedPlan): Generator<string> {
  const path = join(place.config.folders.outbox, FILE_NAME.replace(".csv", ".accepted.csv"));
  if (!existsSync(path)) return;
  const { rows } = payrollOf(plan.payroll, plan.rows);
  const references = cellsOf(path).map(({ reference }) => reference);
  if (references.join() !== rows.map(({ reference }) => reference).join())
    yield "the acceptance names other rows";
  const summary = existsSync(`${path}.txt`) ? readFileSync(`${path}.txt`, "utf8") : "";
  if (!summary.includes("B-000001")) yield `the summary of the acceptance is: ${summary}`;
}

/** Every row has complete and true answers. */
function* answersWrong(
  { place }: CrashSite,
  plan: SeedPlan,
  creations: readonly Creation[],
): Generator<string> {
  const { outbox } = place.config.folders;
  const stem = FILE_NAME.replace(".csv", "");
  const expected = [`${stem}.results.csv`, `${stem}.results.csv.txt`];
  // A file that was claimed before a crash is answered once more: as one that came before.
  const found = visibleIn(outbox).filter((name) => name !== `${stem}.known.txt`);
  if (found.join() !== expected.join()) {
    yield `the outbox holds ${found.join(", ")}`;
    return;
  }
  const { rows } = payrollOf(plan.payroll, plan.rows);
  const results = cellsOf(join(outbox, `${stem}.results.csv`));
  if (results.map(({ reference }) => reference).join() !== rows.map(({ reference }) => reference).join())
    yield "the results name other rows";
  const payoutIds = new Map(creations.map(({ reference, payoutId }) => [reference, payoutId]));
  for (const { reference } of rows) {
    const result = results.find((one) => one["reference"] === reference);
    const isTold = Object.values(result ?? {}).includes(payoutIds.get(reference) ?? "");
    if (!isTold || !Object.values(result ?? {}).includes("COMPLETED"))
      yield `the results say of ${reference}: ${JSON.stringify(result)}`;
  }
}

/** Every payout is booked once and every entry exported once, in export batches without a gap. */
function* bookedWrongly({ place }: CrashSite, creations: readonly Creation[]): Generator<string> {
  const { databasePath, folders } = place.config;
  const booked = disk.rows(
    databasePath,
    "select id, body, (select count(*) from exported_entry where entry = seq and target = 'journal') as issued from entry",
  );
  for (const { payoutId, reference } of creations) {
    const entries = booked.filter(({ body }) => String(body).includes(payoutId)).length;
    if (entries !== 1) yield `${reference} is booked ${entries} times`;
  }
  const handedOut: string[] = [];
  const journals = visibleIn(folders.ledger).filter((name) => name.endsWith("-journal.csv"));
  for (const [index, name] of journals.entries()) {
    const number = String(index + 1).padStart(6, "0");
    if (!name.startsWith(number)) yield `the export batch after ${index} is ${name}`;
    for (const other of [`${number}-journal.hledger`, `${number}-trial-balance.csv`])
      if (!existsSync(join(folders.ledger, other))) yield `${other} is missing`;
    handedOut.push(...new Set(cellsOf(join(folders.ledger, name)).map(({ entryId = "" }) => entryId)));
  }
  if (
    handedOut.toSorted().join() !==
    booked
      .map(({ id }) => String(id))
      .toSorted()
      .join()
  )
    yield `${booked.length} entries were booked, and these handed out: ${handedOut.join(", ")}`;
  const notIssued = booked.filter(({ issued }) => issued !== 1).length;
  if (notIssued > 0) yield `${notIssued} entries were never handed out`;
}

function* secretsIn({ place }: CrashSite): Generator<string> {
  for (const entry of readdirSync(place.folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name), "latin1");
    for (const [name, secret] of Object.entries(ONLY_KEY.secrets))
      if (bytes.includes(secret)) yield `${name} stands in ${entry.name}`;
  }
}

/** What a person sees; unfinished files are hidden. */
export function visibleIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !name.startsWith("."))
        .toSorted()
    : [];
}

function cellsOf(path: string): Cells[] {
  return parse(readFileSync(path), { columns: true, bom: true }) as Cells[];
}
