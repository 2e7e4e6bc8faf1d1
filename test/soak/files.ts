/**
 * The files of a soak and what their senders do with each: written in halves, renamed in, copied again, corrected;
 * and what only looks like a file.
 */
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Chance } from "../simulation/chance.ts";

/** `known`: its bytes came before. */
export type AnswerKind = "results" | "rejected" | "known";

export interface SentFile {
  readonly how: Way;
  /** The answers that there are in the end, by names without extension; none for what never becomes a file. */
  readonly answers: Readonly<Record<string, AnswerKind>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly afterMs: number;
  does(inbox: string): Promise<unknown>;
}

const WAYS = [
  ...(["whole", "whole", "in halves", "in halves", "renamed in", "renamed in", "copied twice"] as const),
  ...(["sent again by another name", "corrected", "corrected", "corrected elsewhere", "wrong"] as const),
  ...(["empty", "unreadable"] as const),
  ...(["not permitted at first", "a folder", "a lock file", "never finished"] as const),
] as const;
type Way = (typeof WAYS)[number];

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Longer than any pause of a sender who is still writing. */
export const QUIET_SECONDS = 30;

const HEADER = "reference,accountId,currency,amount,destinationAddress,customerId";
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** Every way occurs once before any occurs again. */
export function filesOf(count: number, chance: Chance): readonly SentFile[] {
  let rows = 0;
  return Array.from({ length: count }, (_, index) => {
    const how = WAYS[index % WAYS.length] ?? "whole";
    const stem = `file-${index + 1}`;
    // A sum of more than three times the largest before would be asked about.
    const lines = Array.from({ length: chance.between(2, 4) }, () => {
      rows += 1;
      const amount = `0.0001${String(rows).padStart(4, "0")}`;
      return [`SOAK-${rows}`, "treasury-btc", "BTC", amount, ADDRESS, "Payee"];
    });
    return { how, ...wayOf(how, stem, lines, chance) };
  });
}

function wayOf(
  how: Way,
  stem: string,
  lines: readonly (readonly string[])[],
  chance: Chance,
): Pick<SentFile, "answers" | "steps"> {
  const name = `${stem}.csv`;
  const [paid, refused] = [{ [stem]: "results" }, { [stem]: "rejected" }] as const;
  const good = textOf(lines);
  const wrong = good.replace(ADDRESS, "nowhere");
  const half = chance.between(1, good.length - 1);
  const pauseMs = chance.between(10, QUIET_SECONDS - 5) * SECOND_MS;
  const laterMs = chance.between(3, 9) * HOUR_MS;
  const write = (text: string | Buffer, afterMs = 0, called = name) => ({
    afterMs,
    does: (inbox: string) => writeFile(join(inbox, called), text),
  });
  switch (how) {
    case "whole":
      return { answers: paid, steps: [write(good)] };
    case "in halves":
      return {
        answers: paid,
        steps: [
          write(good.slice(0, half)),
          { afterMs: pauseMs, does: (inbox) => appendFile(join(inbox, name), good.slice(half)) },
        ],
      };
    case "renamed in":
      return {
        answers: paid,
        steps: [
          write(good.slice(0, half), 0, `${name}.part`),
          write(good, pauseMs * 10, `${name}.part`),
          {
            afterMs: pauseMs * 20,
            does: (inbox) => rename(join(inbox, `${name}.part`), join(inbox, name)),
          },
        ],
      };
    case "copied twice":
      return { answers: paid, steps: [write(good), write(good, pauseMs)] };
    case "sent again by another name":
      return {
        answers: { ...paid, [`again-${stem}`]: "known" },
        steps: [write(good), write(good, laterMs, `again-${name}`)],
      };
    case "corrected":
      return {
        answers: paid,
        steps: [write(wrong), { afterMs: laterMs, does: (inbox) => correctAnswer(inbox, stem) }],
      };
    case "corrected elsewhere":
      return {
        answers: { ...refused, [`${stem} (2)`]: "results" },
        steps: [write(wrong), write(good, laterMs)],
      };
    case "wrong":
      return { answers: refused, steps: [write(wrong)] };
    case "empty":
      return { answers: refused, steps: [write("")] };
    case "unreadable":
      return {
        answers: refused,
        steps: [write(Buffer.from([0x50, 0x4b, 3, 4, half, 9]), 0, `${stem}.xlsx`)],
      };
    case "not permitted at first":
      return {
        answers: paid,
        steps: [
          { afterMs: 0, does: (inbox) => writeFile(join(inbox, name), good, { mode: 0 }) },
          { afterMs: laterMs, does: (inbox) => permit(join(inbox, name)) },
        ],
      };
    case "a folder":
      return { answers: {}, steps: [{ afterMs: 0, does: (inbox) => mkdir(join(inbox, name)) }] };
    case "a lock file":
      return { answers: {}, steps: [write("somebody", 0, `~$${stem}.xlsx`)] };
    case "never finished":
      return { answers: {}, steps: [write(good.slice(0, half), 0, `${name}.part`)] };
  }
}

function textOf(lines: readonly (readonly string[])[]): string {
  return [HEADER, ...lines.map((line) => line.join(",")), ""].join("\n");
}

/** Root may read everything, and its daemon has taken the file by then. */
async function permit(path: string): Promise<void> {
  if (existsSync(path)) await chmod(path, 0o644);
}

/** Sends the answer in again with the cell corrected, by its own name. */
async function correctAnswer(inbox: string, stem: string): Promise<void> {
  const name = `${stem}.rejected.csv`;
  const answer = await readFile(join(inbox, "..", "outbox", name), "utf8");
  await writeFile(join(inbox, name), answer.replace("nowhere", ADDRESS));
}
