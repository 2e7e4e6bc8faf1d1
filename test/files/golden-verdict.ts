/** What Paydrop makes of one file, as a line of `golden/old-verdicts.jsonl`: by the step that every interface uses. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAndReport } from "../../src/files/validate-step.ts";
import { type Environment, openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import type { InstructionFields } from "../../src/model/index.ts";
import { present } from "../../src/model/present.ts";
import { copySamples } from "../cli/program.ts";
import type { FileSettings, GoldenFile } from "./golden-files.ts";

export interface GoldenVerdict {
  readonly file: string;
  readonly verdict: "accepted" | "rejected" | "refused";
  /** "line 3, amount, B3: AMOUNT_UNREADABLE"; sorted. */
  readonly faults?: readonly string[];
  /** Of accepted files: reference, destination, amount, currency and custody account of each row, in file order. */
  readonly paid?: readonly (readonly string[])[];
  /** Of accepted files: how many questions a person must answer before any of it is paid; absent if none. */
  readonly questions?: number;
}

/** Of a file that is wrong in every line. */
const FAULTS_MAX = 20;

/** Days in the files are compared with this one. */
const TODAY = "2026-11-20T09:30:00.000Z";

/** Also accounts that hold litecoin and ether, and limits that no test file reaches. */
const WIDE: Environment = {
  PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify([
    { name: "treasury-btc", id: "6f1cbb7e-0000-4000-8000-000000000001", currency: "BTC" },
    { name: "savings-btc", id: "6f1cbb7e-0000-4000-8000-000000000002", currency: "BTC" },
    { name: "treasury-ltc", id: "6f1cbb7e-0000-4000-8000-000000000003", currency: "LTC" },
    { name: "treasury-eth", id: "6f1cbb7e-0000-4000-8000-000000000004", currency: "ETH" },
  ]),
  PAYDROP_LIMITS: JSON.stringify(
    Object.fromEntries(["perRow", "perFile", "perDay"].map((name) => [name, allOf("1000000000")])),
  ),
};

function allOf(limit: string): Readonly<Record<string, string>> {
  return { BTC: limit, LTC: limit, ETH: limit };
}

/** What the old reader made of every file. */
export function oldVerdicts(): readonly GoldenVerdict[] {
  return linesOf("old-verdicts.jsonl");
}

/** A verdict that is no longer that of the old reader; `paid` is left out where the old one had paid the same. */
export interface ChangedVerdict extends GoldenVerdict {
  /** A name of `golden/rules.ts`. */
  readonly rule: string;
}

export function listedChanges(): readonly ChangedVerdict[] {
  return linesOf("changed-verdicts.jsonl");
}

function linesOf<Line>(name: string): readonly Line[] {
  const lines = readFileSync(join(import.meta.dirname, "golden", name), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

/**
 * What today's reader makes of them under the configuration of `paydrop init --sandbox`, where nothing was paid
 * yet.
 */
export async function verdictsOf(files: readonly GoldenFile[]): Promise<readonly GoldenVerdict[]> {
  const plain = openPlace({});
  const wide = openPlace(WIDE);
  try {
    const verdicts: GoldenVerdict[] = [];
    // One after the other: the process keeps one idle thread for workbooks, and others would be started for each file.
    for (const file of files) {
      const workplace = file.settings?.isWide ? wide : plain;
      verdicts.push(await verdictOf(configuredFor(workplace, file.settings), file));
    }
    return verdicts;
  } finally {
    await plain.close();
    await wide.close();
  }
}

/** The files of which today's reader makes something else, with what it makes of them. */
export function changesFrom(
  old: readonly GoldenVerdict[],
  today: readonly GoldenVerdict[],
): readonly GoldenVerdict[] {
  const oldByFile = new Map(old.map((verdict) => [verdict.file, verdict]));
  return today.flatMap((now) => {
    const was = oldByFile.get(now.file);
    if (was === undefined || JSON.stringify(was) === JSON.stringify(now)) return [];
    const { paid, ...others } = now;
    return [JSON.stringify(was.paid) === JSON.stringify(paid) ? others : now];
  });
}

function openPlace(environment: Environment): Workplace {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-golden-"));
  copySamples(folder);
  const workplace = openWorkplace(join(folder, "paydrop.yaml"), environment, stderrLog("silent"));
  const clock = { ...workplace.context.clock, now: () => TODAY };
  return { ...workplace, context: { ...workplace.context, clock } };
}

function configuredFor(workplace: Workplace, { isWide, ...files }: FileSettings = {}): Workplace {
  const { config } = workplace;
  return { ...workplace, config: { ...config, files: { ...config.files, ...files } } };
}

async function verdictOf(workplace: Workplace, { name, path }: GoldenFile): Promise<GoldenVerdict> {
  const { report, found } = await checkAndReport(workplace, path, name);
  const { verdict, problems, reading } = report;
  const isAccepted = verdict === "accepted";
  const paid = isAccepted
    ? found?.rows.flatMap(({ draft }) => (draft === undefined ? [] : [paidFields(workplace, draft.fields)]))
    : undefined;
  const questions = isAccepted ? (reading?.questions.length ?? 0) : 0;
  const faults = problems
    .map(({ code, line, column, cell }) => {
      const place = [line === undefined ? "" : `line ${line}`, column ?? "", cell ?? ""];
      const named = place.filter((part) => part !== "").join(", ");
      return named === "" ? code : `${named}: ${code}`;
    })
    .toSorted();
  if (faults.length > FAULTS_MAX)
    faults.splice(FAULTS_MAX, Infinity, `and ${faults.length - FAULTS_MAX} more`);
  return {
    file: name,
    verdict,
    ...(faults.length > 0 ? { faults } : {}),
    ...present({ paid }),
    ...(questions > 0 ? { questions } : {}),
  };
}

function paidFields({ config }: Workplace, fields: InstructionFields): string[] {
  const { reference, destinationAddress, destinationAccountId, amount, custodyAccountId } = fields;
  const account = config.custodyAccounts.find(({ id }) => id === custodyAccountId);
  const destination = destinationAddress ?? destinationAccountId ?? "";
  return [
    reference,
    destination,
    amount.value.toString(),
    amount.currency,
    account?.name ?? custodyAccountId,
  ];
}
