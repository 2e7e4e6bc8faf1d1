import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { intakeJob } from "../../jobs/intake.ts";
import { intakeStep, statusOfBatches, submitFile, type Workplace } from "../../src/index.ts";
import type { Instant } from "../../src/model/instant.ts";
import { SAMPLES } from "../cli/program.ts";
import { openPlace } from "../site/workplace.ts";

/** Drops a sample, or a text, into an inbox. */
function drop({ config }: Workplace, name: string, content?: string): string {
  const path = join(config.folders.inbox, name);
  mkdirSync(config.folders.inbox, { recursive: true });
  if (content === undefined) cpSync(join(SAMPLES, name), path);
  else writeFileSync(path, content);
  return path;
}

const HEADER = "reference,accountId,currency,amount,destinationAddress\n";

function payment(reference: string): string {
  return `${HEADER}${reference},treasury-btc,BTC,0.01,bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n`;
}

/** The place with a clock of its own, on which waiting takes no time; `meanwhile` runs in each wait. */
function watched(workplace: Workplace, meanwhile: (waits: number) => void = () => undefined) {
  let passedMs = 0;
  let waits = 0;
  const sleep = async (durationMs: number) => {
    passedMs += durationMs;
    waits += 1;
    meanwhile(waits);
  };
  const clock = { ...workplace.context.clock, monotonicMs: () => passedMs, sleep };
  const place: Workplace = { ...workplace, context: { ...workplace.context, clock } };
  return { place, waitedMs: () => passedMs };
}

describe("the inbox", () => {
  test("is made where it is missing, and an empty one is nothing to do", async () => {
    const { workplace } = openPlace();
    expect(await intakeStep(workplace)).toEqual({ files: [], waiting: [], problems: [] });
    expect(existsSync(workplace.config.folders.inbox)).toBe(true);
  });

  test("a file that is taken leaves an answer, an unchanged original, and an empty inbox", async () => {
    const { folder, workplace } = openPlace();
    drop(workplace, "payouts.csv");
    const { files } = await intakeStep(workplace);
    expect(files).toMatchObject([{ file: "payouts.csv", verdict: "accepted", rowsAccepted: 40 }]);
    const answers = ["payouts.accepted.csv", "payouts.accepted.csv.txt"];
    expect(files[0]?.answers).toEqual(answers.map((name) => join(folder, "outbox", name)));
    expect(readdirSync(join(folder, "outbox")).toSorted()).toEqual(answers);
    const [original = ""] = readdirSync(join(folder, "archive"));
    expect(original).toMatch(/^[0-9a-f]{16}-payouts\.csv$/);
    expect(readFileSync(join(folder, "archive", original))).toEqual(
      readFileSync(join(SAMPLES, "payouts.csv")),
    );
    expect(readdirSync(join(folder, "inbox"))).toEqual([]);
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });

  test("of more files than are moved at a time each is taken with its own totals file, once", async () => {
    const { workplace } = openPlace();
    for (let number = 100; number < 204; number += 1) {
      drop(workplace, `f${number}.csv`, payment(`PAY-${number}`));
      if (number % 50 === 0) drop(workplace, `F${number}.totals.csv`, `Rows: ${number === 200 ? 2 : 1}\n`);
    }
    const { files, problems, waiting } = await intakeStep(workplace);
    const rejected = files.filter(({ verdict }) => verdict !== "accepted").map(({ file }) => file);
    expect([files.length, rejected, problems, waiting]).toEqual([104, ["f200.csv"], [], []]);
    expect(readdirSync(workplace.config.folders.work)).toEqual([]);
    const archived = readdirSync(workplace.config.folders.archive);
    expect(archived.filter((name) => name.includes(".totals."))).toHaveLength(3);
  });

  test("a run that is asked to stop begins no further file, and the next one takes in the rest", async () => {
    const { workplace } = openPlace();
    for (let number = 0; number < 3; number += 1) drop(workplace, `${number}.csv`, payment(`PAY-${number}`));
    const stop = new AbortController();
    const { now } = workplace.context.clock;
    const clock = {
      ...workplace.context.clock,
      now: () => {
        // The first file is archived before it is stored.
        if (existsSync(workplace.config.folders.archive)) stop.abort();
        return now();
      },
    };
    const context = { ...workplace.context, clock };
    const first = await intakeStep({ ...workplace, context }, stop.signal);
    expect(first.files.map(({ file }) => file)).toEqual(["0.csv"]);
    const next = await intakeStep(workplace);
    expect(next.files.map(({ file, verdict }) => [file, verdict])).toEqual([
      ["1.csv", "accepted"],
      ["2.csv", "accepted"],
    ]);
  });

  test("a file that its sender takes back keeps no other one waiting", async () => {
    const { workplace } = openPlace();
    const [kept, gone] = ["a.csv", "b.csv"].map((name) => drop(workplace, name, payment(name)));
    const { random } = workplace.context;
    const uuid = () => {
      rmSync(gone ?? "", { force: true });
      return random.uuid();
    };
    const context = { ...workplace.context, random: { uuid } };
    const { files, problems } = await intakeStep({ ...workplace, context });
    expect(files).toMatchObject([{ file: "a.csv", verdict: "accepted" }]);
    expect([problems, existsSync(kept ?? "")]).toEqual([[], false]);
  });

  test("a file that grows is taken whole, and not by halves, also where its own times say that it changed long ago", async () => {
    const { workplace } = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "5" });
    const grow = (path: string, first: number, last: number) => {
      const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      const rows = numbers.map((number) => payment(`PAY-${number}`).slice(HEADER.length)).join("");
      writeFileSync(path, first === 1 ? HEADER + rows : rows, { flag: "a" });
      // The clock of a file server that is wrong.
      utimesSync(path, 1_700_000_000, 1_700_000_000);
    };
    const path = drop(workplace, "payouts.csv", "");
    grow(path, 1, 95);
    const { place, waitedMs } = watched(workplace, (waits) => {
      if (waits === 1) grow(path, 96, 150);
    });
    expect(await intakeStep(place)).toMatchObject({
      files: [],
      waiting: [{ file: "payouts.csv", why: "it was not seen unchanged for 5 s yet" }],
    });
    expect(await intakeStep(place)).toMatchObject({
      files: [{ verdict: "accepted", rowsAccepted: 150 }],
      waiting: [],
    });
    expect(waitedMs()).toBeGreaterThanOrEqual(10_000);
  });

  test("a file is looked at twice by one run, and by the next ones only once if it has stayed the same since", async () => {
    const { workplace, folder } = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "5" });
    const { place, waitedMs } = watched(workplace);
    drop(workplace, "a.csv", payment("PAY-1"));
    mkdirSync(join(folder, "inbox", "b.totals.csv"));
    drop(workplace, "b.csv", payment("PAY-2"));
    const first = await intakeStep(place);
    expect(first).toMatchObject({
      files: [{ file: "a.csv", rowsAccepted: 1 }],
      waiting: [{ file: "b.csv" }, { file: "b.totals.csv" }],
    });
    const waited = waitedMs();
    expect(waited).toBeGreaterThanOrEqual(5_000);
    rmSync(join(folder, "inbox", "b.totals.csv"), { recursive: true });
    expect(await intakeStep(place)).toMatchObject({
      files: [{ file: "b.csv", rowsAccepted: 1 }],
      waiting: [],
    });
    expect(waitedMs()).toBe(waited);
  });

  test("a file that is changed between its last look and its turn is left for the next run", async () => {
    const { workplace } = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "5" });
    drop(workplace, "a.csv", payment("PAY-1"));
    const late = drop(workplace, "b.csv", payment("PAY-2"));
    const { place } = watched(workplace);
    const { random } = place.context;
    const uuid = () => {
      if (existsSync(late)) writeFileSync(late, payment("PAY-3").slice(HEADER.length), { flag: "a" });
      return random.uuid();
    };
    const told = await intakeStep({ ...place, context: { ...place.context, random: { uuid } } });
    expect(told).toMatchObject({ files: [{ file: "a.csv" }], waiting: [{ file: "b.csv" }] });
    expect(await intakeStep(place)).toMatchObject({ files: [], waiting: [{ file: "b.csv" }] });
    expect(await intakeStep(place)).toMatchObject({ files: [{ file: "b.csv", rowsAccepted: 2 }] });
  });

  test("a run that is stopped while it watches a file leaves it, and says so", async () => {
    const { workplace } = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "60" });
    drop(workplace, "payouts.csv");
    const stop = new AbortController();
    const stopping = intakeStep(workplace, stop.signal);
    stop.abort();
    expect(await stopping).toMatchObject({
      files: [],
      waiting: [{ file: "payouts.csv", why: "it was not seen unchanged for 60 s yet" }],
    });
  });

  test.each([
    ["next year by its own time", "2030-01-01T00:00:00.000Z", "2029-01-01T00:00:00.000Z"],
    ["years after it by our clock", "2026-11-20T09:30:00.000Z", "2020-01-01T00:00:00.000Z"],
  ])("a file that changed %s is taken as soon as any other", async (_, changedAt, nowAt) => {
    const { workplace } = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "5" });
    utimesSync(drop(workplace, "payouts.csv"), new Date(changedAt), new Date(changedAt));
    const { place } = watched(workplace);
    const clock = { ...place.context.clock, now: () => nowAt as Instant };
    const { files, waiting } = await intakeStep({ ...place, context: { ...place.context, clock } });
    expect([files, waiting]).toMatchObject([[{ verdict: "accepted" }], []]);
  });

  test("hidden files, lock files and what file servers keep are passed over and left alone", async () => {
    const { folder, workplace } = openPlace();
    const others = [".hidden.csv", "~$payouts.xlsx", ".paydrop-1.part"];
    for (const name of others) drop(workplace, name, payment("PAY-1"));
    const folders = ["@eaDir", "lost+found"];
    for (const name of folders) {
      mkdirSync(join(folder, "inbox", name));
      writeFileSync(join(folder, "inbox", name, "a.csv"), payment("PAY-2"));
    }
    expect(await intakeStep(workplace)).toEqual({ files: [], waiting: [], problems: [] });
    expect(readdirSync(join(folder, "inbox")).sort()).toEqual([...others, ...folders].sort());
  });

  test("files on their way by their names wait, however long ago they changed, and are told", async () => {
    const { workplace } = openPlace();
    const names = ["a.crdownload", "b.TMP", "payouts.csv.filepart", "payouts.csv.part"];
    for (const name of names) drop(workplace, name, payment("PAY-1"));
    const { files, waiting } = await intakeStep(workplace);
    expect(files).toEqual([]);
    expect(waiting.map(({ file }) => file).sort()).toEqual(names);
  });

  test("of a folder of files that stay, each run of the job tells some and counts the others", async () => {
    const { workplace } = openPlace();
    for (let file = 100; file < 200; file += 1) drop(workplace, `${file}.part`, "");
    const { message = "" } = await intakeJob.run(workplace, new AbortController().signal);
    expect(message).toMatch(/^100\.part waits: by its name it is still being copied, 101\.part /);
    expect(message).toMatch(/, and 80 others$/);
  });

  test("folders, links and pipes stay, are told, and keep no file waiting", async () => {
    const { folder, workplace } = openPlace();
    const inbox = join(folder, "inbox");
    drop(workplace, "payouts.csv");
    mkdirSync(join(inbox, "November"));
    writeFileSync(join(inbox, "November", "payroll.csv"), payment("PAY-1"));
    writeFileSync(join(folder, "elsewhere.csv"), payment("PAY-2"));
    symlinkSync(join(folder, "elsewhere.csv"), join(inbox, "link.csv"));
    execFileSync("mkfifo", [join(inbox, "pipe.csv")]);
    const { files, waiting, problems } = await intakeStep(workplace);
    expect(files).toMatchObject([{ file: "payouts.csv", verdict: "accepted" }]);
    expect(waiting).toEqual([{ file: "November", why: "it is a folder, and only files are taken" }]);
    const told = problems.map(({ code, file, message }) => [code, file, /it is (.*),/.exec(message)?.[1]]);
    expect(told.sort()).toEqual([
      ["INBOX_ENTRY_NOT_A_FILE", "link.csv", "a link"],
      ["INBOX_ENTRY_NOT_A_FILE", "pipe.csv", "a pipe or a device"],
    ]);
  });

  test("a file that cannot be moved stays, is named, and keeps no other one waiting", async () => {
    const { folder, workplace } = openPlace();
    const path = drop(workplace, "a.csv", payment("PAY-1"));
    drop(workplace, "b.csv", payment("PAY-2"));
    const taken = "0b0f7e0c-2f0d-4a57-9a39-a63cf2a1d7a4";
    mkdirSync(join(folder, "work", `${taken}-a.csv`), { recursive: true });
    const { random } = workplace.context;
    let isFirst = true;
    const uuid = () => {
      const id = isFirst ? taken : random.uuid();
      isFirst = false;
      return id;
    };
    const context = { ...workplace.context, random: { ...random, uuid } };
    const { files, problems } = await intakeStep({ ...workplace, context });
    expect(files).toMatchObject([{ file: "b.csv", verdict: "accepted" }]);
    expect(problems).toMatchObject([{ code: "FILE_NOT_MOVABLE", file: "a.csv", next: "will-retry" }]);
    expect(readFileSync(path, "utf8")).toBe(payment("PAY-1"));
  });

  test("a file whose name leaves no room for those of its answers stays, is named, and keeps no other one waiting", async () => {
    const { workplace } = openPlace();
    const [long, longest] = [`${"é".repeat(98)}.csv`, `${"é".repeat(99)}.csv`];
    const path = drop(workplace, longest, payment("LONGEST"));
    for (const name of [long, "short.csv"]) drop(workplace, name, payment(`REF-${name.length}`));
    drop(workplace, `${"é".repeat(98)}.totals.csv`, "Rows: 1\n");
    const { files, problems } = await intakeStep(workplace);
    expect(files.map(({ file, verdict }) => [file, verdict])).toEqual([
      ["short.csv", "accepted"],
      [long, "accepted"],
    ]);
    expect(problems).toMatchObject([{ code: "FILE_NAME_UNUSABLE", file: longest }]);
    expect(readdirSync(workplace.config.folders.inbox)).toEqual([longest]);
    await expect(submitFile(workplace, path, "ann")).rejects.toThrow(/202 bytes/);
  });

  test("a rejected file with a long name gets its answer, also for the second batch of that name", async () => {
    const { workplace } = openPlace();
    const name = `${"x".repeat(196)}.csv`;
    for (const reference of ["FIRST", "SECOND"]) {
      drop(workplace, name, payment(reference));
      expect((await intakeStep(workplace)).files).toMatchObject([{ verdict: "accepted" }]);
    }
    drop(workplace, name, payment("THIRD").replace("0.01", "x"));
    drop(workplace, `${"x".repeat(196)}.totals.csv`, "Rows: 1\n");
    const { files, problems } = await intakeStep(workplace);
    expect([files.map(({ answers }) => answers.length), problems]).toEqual([[3], []]);
  });

  test.skipIf(process.platform === "darwin")(
    "a file whose name is not written in UTF-8 is named",
    async () => {
      const { workplace } = openPlace();
      drop(workplace, "good.csv", payment("GOOD"));
      const name = Buffer.from("caf\u00e9.csv", "latin1");
      const path = Buffer.concat([Buffer.from(`${workplace.config.folders.inbox}/`), name]);
      writeFileSync(path, payment("CAFE"));
      const { files, problems } = await intakeStep(workplace);
      expect(files).toMatchObject([{ file: "good.csv", verdict: "accepted" }]);
      expect(problems).toMatchObject([{ code: "FILE_NAME_UNUSABLE", file: "caf\ufffd.csv" }]);
      expect(existsSync(path)).toBe(true);
    },
  );

  test.skipIf(process.platform === "win32")(
    "a file with a line break in its name keeps that name",
    async () => {
      const { workplace } = openPlace();
      drop(workplace, "two\nlines.csv", payment("LINES"));
      expect((await intakeStep(workplace)).files).toMatchObject([
        { file: "two\nlines.csv", verdict: "accepted" },
      ]);
    },
  );

  test("a process killed between the batch and its answer owes the answer, and pays it", async () => {
    const { folder, workplace } = openPlace();
    await submitFile(workplace, join(SAMPLES, "payouts.csv"), "inbox");
    const answer = join(folder, "outbox", "payouts.accepted.csv");
    const written = readFileSync(answer);
    // The state in which the process died: the batch is stored, the answer is missing, the claimed file is still
    // there.
    rmSync(answer);
    mkdirSync(join(folder, "work"));
    cpSync(
      join(SAMPLES, "payouts.csv"),
      join(folder, "work", "0b0f7e0c-2f0d-4a57-9a39-a63cf2a1d7a4-payouts.csv"),
    );
    const { files } = await intakeStep(workplace);
    expect(files).toMatchObject([
      {
        problems: [{ code: "FILE_ALREADY_KNOWN" }],
        answers: [answer, `${answer}.txt`, join(folder, "outbox", "payouts.known.txt")],
      },
    ]);
    expect(readFileSync(answer)).toEqual(written);
    expect(await statusOfBatches(workplace)).toHaveLength(1);
  });

  test("two files of the same name are two batches with an answer each", async () => {
    const { folder, workplace } = openPlace();
    drop(workplace, "payroll.csv", payment("PAY-NOVEMBER"));
    await intakeStep(workplace);
    drop(workplace, "payroll.csv", payment("PAY-DECEMBER"));
    await intakeStep(workplace);
    expect((await statusOfBatches(workplace)).map(({ batch }) => batch.fileName)).toEqual([
      "payroll.csv",
      "payroll.csv",
    ]);
    const answers = readdirSync(join(folder, "outbox")).filter((name) => name.endsWith(".csv"));
    expect(answers.sort()).toEqual(["payroll (2).accepted.csv", "payroll.accepted.csv"]);
  });

  test("the same payment in two files of one drop is taken once", async () => {
    const { workplace } = openPlace();
    drop(workplace, "a.csv", payment("PAY-1"));
    drop(workplace, "b.csv", `${payment("PAY-1")}\n`);
    const { files } = await intakeStep(workplace);
    expect(files).toMatchObject([
      { file: "a.csv", verdict: "accepted" },
      { file: "b.csv", verdict: "rejected", problems: [{ code: "ROW_SENT_BEFORE" }] },
    ]);
  });

  test("a file that cannot be answered is reported and kept, and the next run takes it in", async () => {
    const { folder, workplace } = openPlace();
    drop(workplace, "payouts.csv");
    writeFileSync(join(folder, "outbox"), "a file where the folder should be");
    const { files, problems } = await intakeStep(workplace);
    expect(files).toEqual([]);
    expect(problems).toMatchObject([{ code: "OUTPUT_UNWRITABLE", file: "payouts.csv" }]);
    expect(await statusOfBatches(workplace)).toEqual([]);
    expect(readdirSync(join(folder, "work"))).toHaveLength(1);

    rmSync(join(folder, "outbox"));
    expect((await intakeStep(workplace)).files).toMatchObject([{ file: "payouts.csv", verdict: "accepted" }]);
  });

  test("a rejected file is answered beside its rows, and names the file as its sender does", async () => {
    const { folder, workplace } = openPlace();
    drop(workplace, "broken.csv");
    const { files } = await intakeStep(workplace);
    expect(files).toMatchObject([
      {
        verdict: "rejected",
        answers: expect.arrayContaining([join(folder, "outbox", "broken.rejected.csv")]),
      },
    ]);
    const answer = readFileSync(join(folder, "outbox", "broken.rejected.csv"), "utf8");
    expect(answer).toContain(",paydrop: problems (broken.csv)\r\n");
    expect(await statusOfBatches(workplace)).toEqual([]);
  });
});
