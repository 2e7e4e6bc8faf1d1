/**
 * The CPU time and memory that whole files take, against what their formats alone take: a CSV of 100,000 rows and
 * 20 columns validated after a million accepted payments against csv-parse in array mode, a workbook of as many,
 * read by both readers, against exceljs's streaming reader in such a thread, half of each for the growth, and an
 * answer workbook with 1,000 problems against exceljs's stream writer. Each measurement is taken in a process of
 * its own, in turn with its yardstick; medians count.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateFile } from "../src/index.ts";
import { parseAlone, readAlone } from "./files-alone.ts";
import {
  openBenchWorkplace,
  writeConfiguration,
  writeCsv,
  writeFilesHistory,
  writeXlsx,
} from "./files-inputs.ts";
import { writeAlone, writeAnswer } from "./files-results.ts";
import { conclude, median, peakMb, print, rounded, secondsOf, startChild, tell } from "./measuring.ts";

const LIMITS = {
  csv: 5.5,
  csvPeakMb: 250,
  csvGrowth: 2.1,
  xlsx: 2.4,
  xlsxOfClock: 1.7,
  xlsxPeakMb: 430,
  xlsxGrowth: 2.1,
  results: 1.25,
};

const ROUNDS = 3;
const ROWS = 100_000;
const PAYMENTS_BEFORE = 1_000_000;

interface Measured {
  /** Of CPU, by all threads. */
  readonly seconds: number;
  readonly clockSeconds: number;
  readonly peakMb: number;
}

type Role = "prepare" | "csv-alone" | "xlsx-alone" | "validate" | "results-alone" | "results";

const [role, folder = "", file = "", rows = "0"] = process.argv.slice(2);
switch (role) {
  case "prepare":
    tell(await prepare(folder));
    break;
  case "csv-alone":
    tell(await measured(() => parseAlone(join(folder, file)), Number.parseInt(rows, 10)));
    break;
  case "xlsx-alone":
    tell(await measured(() => readAlone(join(folder, file)), Number.parseInt(rows, 10)));
    break;
  case "validate":
    tell(await measured(() => validate(folder, file), Number.parseInt(rows, 10)));
    break;
  case "results-alone":
    tell(await measured(() => writeAlone(join(folder, file), ROWS), ROWS));
    break;
  case "results":
    tell(await measured(() => writeAnswer(join(folder, file), ROWS), ROWS));
    break;
  default:
    process.exitCode = await compare();
}

async function compare(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-files-"));
  // As the program does: what compiling its modules takes would be measured with everything else.
  process.env["NODE_COMPILE_CACHE"] = join(folder, "compiled");
  try {
    await inChild("prepare", folder);
    const csv = await ratios(folder, "csv", "csv-alone", ROWS);
    const xlsx = await ratios(folder, "xlsx", "xlsx-alone", ROWS);
    const results = await resultsRatio(folder);
    const found: typeof LIMITS = {
      csv: csv.time,
      csvPeakMb: csv.peakMb,
      csvGrowth: csv.growth,
      xlsx: xlsx.time,
      xlsxOfClock: xlsx.ofClock,
      xlsxPeakMb: xlsx.peakMb,
      xlsxGrowth: xlsx.growth,
      results,
    };
    const holds = Object.entries(LIMITS).every(
      ([name, limit]) => found[name as keyof typeof LIMITS] <= limit,
    );
    return conclude("files", found, LIMITS, holds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function ratios(folder: string, format: "csv" | "xlsx", yardstick: Role, rows: number) {
  const alone: Measured[] = [];
  const whole: Measured[] = [];
  const half: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await inChild(yardstick, folder, `whole.${format}`, rows));
    whole.push(await inChild("validate", folder, `whole.${format}`, rows));
    half.push(await inChild("validate", folder, `half.${format}`, rows / 2));
  }
  const [aloneSeconds, wholeSeconds, halfSeconds] = [
    medianSeconds(alone),
    medianSeconds(whole),
    medianSeconds(half),
  ];
  const peakMb = Math.round(median(whole.map((one) => one.peakMb)));
  const ofClock = rounded(medianSeconds(whole, "clockSeconds") / medianSeconds(alone, "clockSeconds"));
  print(
    `${format}, ${rows} rows: ${yardstick} ${aloneSeconds.toFixed(1)} s, validated in ${wholeSeconds.toFixed(1)} s ` +
      `(half of it ${halfSeconds.toFixed(1)} s) and ${peakMb} MB`,
  );
  const growth = rounded(wholeSeconds / halfSeconds);
  return { time: rounded(wholeSeconds / aloneSeconds), ofClock, growth, peakMb };
}

async function resultsRatio(folder: string): Promise<number> {
  const alone: Measured[] = [];
  const answers: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await inChild("results-alone", folder, "alone.xlsx"));
    answers.push(await inChild("results", folder, "sent.rejected.xlsx"));
  }
  const [aloneSeconds, answerSeconds] = [medianSeconds(alone), medianSeconds(answers)];
  const peakMb = Math.round(median(answers.map((one) => one.peakMb)));
  print(
    `answer, ${ROWS} rows: exceljs alone ${aloneSeconds.toFixed(1)} s, written in ${answerSeconds.toFixed(1)} s and ${peakMb} MB`,
  );
  return rounded(answerSeconds / aloneSeconds);
}

async function prepare(folder: string): Promise<true> {
  writeConfiguration(folder);
  await writeFilesHistory(folder, PAYMENTS_BEFORE);
  await writeCsv(join(folder, "whole.csv"), ROWS);
  await writeCsv(join(folder, "half.csv"), ROWS / 2);
  await writeXlsx(join(folder, "whole.xlsx"), ROWS);
  await writeXlsx(join(folder, "half.xlsx"), ROWS / 2);
  return true;
}

async function validate(folder: string, file: string): Promise<number> {
  const workplace = openBenchWorkplace(folder);
  const { verdict, rowsAccepted, problems } = await validateFile(workplace, join(folder, file));
  await workplace.close();
  if (verdict !== "accepted") throw new Error(JSON.stringify(problems.slice(0, 3)));
  return rowsAccepted;
}

async function measured(work: () => Promise<number>, rows: number): Promise<Measured> {
  let found = 0;
  const before = process.cpuUsage();
  const clockSeconds = await secondsOf(async () => {
    found = await work();
  });
  const { user, system } = process.cpuUsage(before);
  if (found !== rows) throw new Error(`${found} rows were read, not ${rows}`);
  return { seconds: (user + system) / 1e6, clockSeconds, peakMb: peakMb() };
}

function inChild<Answer>(role: Role, folder = "", file = "", rows = 0): Promise<Answer> {
  return startChild<Answer>(import.meta.filename, role, folder, file, rows).answer;
}

function medianSeconds(taken: readonly Measured[], of: "seconds" | "clockSeconds" = "seconds"): number {
  return median(taken.map((one) => one[of]));
}
