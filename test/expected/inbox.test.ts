/** `inbox/expected` tests files as the inbox of payments does. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jobs } from "../../jobs/index.ts";
import { expectedStep } from "../../src/expected/index.ts";
import { intakeStep } from "../../src/index.ts";
import { openOther, openPlace } from "../site/workplace.ts";
import { tamper } from "../store/stored-batch.ts";
import { answered, answerText, csv, drop, expectations, row } from "./place.ts";

const GOOD = csv(row("INV-1", "Ada", "0.5"), row("INV-2", "Bert", "0.25"));

describe("inbox/expected", () => {
  test("is taken in by its own job only", async () => {
    const place = openPlace();
    drop(place, GOOD);
    const taken = await intakeStep(place.workplace);
    expect({ files: taken.files, problems: taken.problems }).toEqual({ files: [], problems: [] });
    const job = jobs.find(({ name }) => name === "expected");
    const said = await job?.run(place.workplace, new AbortController().signal);
    expect(said).toMatchObject({ count: 1, message: expect.stringContaining("receivables.csv accepted") });
    expect(await expectations(place)).toHaveLength(2);
    expect(readdirSync(join(place.folder, "inbox", "expected"))).toEqual([]);
    expect(answered(place)).toContain("receivables.expected.csv");
  });

  test("leaves a file that is still being written or copied", async () => {
    const place = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "1" });
    const path = drop(place, GOOD.slice(0, 80));
    drop(place, GOOD, "receivables.csv.part");
    const writing = setInterval(() => writeFileSync(path, GOOD.slice(0, 80), { flag: "a" }), 200);
    const first = await expectedStep(place.workplace).finally(() => clearInterval(writing));
    expect(first.files).toEqual([]);
    expect(first.waiting.map(({ file }) => file).sort()).toEqual(["receivables.csv", "receivables.csv.part"]);
    expect(await expectations(place)).toEqual([]);
    writeFileSync(path, GOOD);
    // The file is another one now, and must first be seen unchanged.
    await expectedStep(place.workplace);
    await expectedStep(place.workplace);
    expect(answered(place)).toContain("receivables.expected.csv");
    expect(await expectations(place)).toHaveLength(2);
  });

  test("recognises a file that is copied there again, and expects its rows once", async () => {
    const place = openPlace();
    for (const name of ["receivables.csv", "receivables.csv", "copy.csv"]) {
      drop(place, GOOD, name);
      await expectedStep(place.workplace);
    }
    expect(await expectations(place)).toHaveLength(2);
    expect(answered(place)).toEqual(["receivables.expected.csv", "receivables.expected.csv.txt"]);
  });

  test("takes in a corrected answer and removes its rejection", async () => {
    const place = openPlace();
    drop(place, csv(row("INV-1", "Ada", "a half"), row("INV-2", "Bert", "0.25")));
    expect((await expectedStep(place.workplace)).files).toMatchObject([{ verdict: "rejected" }]);
    const answer = answerText(place, "receivables.rejected.csv");
    drop(place, answer.replace("a half", "0.5"), "receivables.rejected.csv");
    expect((await expectedStep(place.workplace)).files).toMatchObject([
      { verdict: "accepted", corrects: "receivables.csv" },
    ]);
    expect(await expectations(place)).toHaveLength(2);
    expect(answered(place)).toEqual(["receivables.expected.csv", "receivables.expected.csv.txt"]);
  });

  test("takes in a file that a dead run had claimed", async () => {
    const place = openPlace();
    const path = drop(place, GOOD);
    const work = join(place.folder, "work", ".expected");
    mkdirSync(work, { recursive: true });
    renameSync(path, join(work, "0d5d6e8a-0000-4000-8000-000000000001-receivables.csv"));
    expect((await expectedStep(place.workplace)).files).toMatchObject([
      { file: "receivables.csv", verdict: "accepted" },
    ]);
    expect(readdirSync(work)).toEqual([]);
  });

  test("writes a lost answer again, whole", async () => {
    const place = openPlace();
    drop(place, GOOD);
    await expectedStep(place.workplace);
    const before = answerText(place, "receivables.expected.csv");
    execFileSync("rm", ["-r", join(place.folder, "outbox", "expected")]);
    expect(await expectedStep(place.workplace)).toMatchObject({ answered: 1 });
    expect(answerText(place, "receivables.expected.csv")).toBe(before);
    expect(await expectedStep(place.workplace)).toMatchObject({ answered: 0 });
  });

  test("does not write an answer beside the rows of another file", async () => {
    const place = openPlace();
    drop(place, GOOD);
    await expectedStep(place.workplace);
    const [archived = ""] = readdirSync(join(place.folder, "archive")).filter((name) =>
      name.endsWith(".csv"),
    );
    writeFileSync(join(place.folder, "archive", archived), csv(row("INV-9", "Eve", "1")));
    await tamper(place.workplace.store, "update expected_file set answered = null");
    expect(await expectedStep(place.workplace)).toMatchObject({
      problems: [{ code: "ARCHIVED_FILE_MISSING" }],
    });
  });

  test("refuses a payment file; the payment inbox names a file of expected receipts as one", async () => {
    const place = openPlace();
    drop(place, readFileSync(join(place.folder, "payouts.csv")), "payouts.csv");
    expect(await expectedStep(place.workplace)).toMatchObject({
      files: [{ verdict: "refused", problems: [{ code: "EXPECTED_HAS_ADDRESSES" }] }],
    });
    expect(answerText(place, "payouts.csv.refused.txt")).toContain("nothing in it is expected or paid");
    writeFileSync(join(place.folder, "inbox", "receivables.csv"), GOOD);
    expect(await intakeStep(place.workplace)).toMatchObject({
      files: [{ verdict: "refused", problems: [{ code: "EXPECTED_IN_INBOX" }] }],
    });
    expect(readFileSync(join(place.folder, "outbox", "receivables.rejected.csv.txt"), "utf8")).toContain(
      "expected receipts",
    );
  });

  test("allows no sender's folder inside it, and follows no link out of it", async () => {
    const place = openPlace();
    mkdirSync(join(place.folder, "inbox", "expected"), { recursive: true });
    const other = openOther(place.folder, place.environment, {
      PAYDROP_FILES_SENDERS: "[{ name: acme, folder: inbox/expected }]",
    });
    const { problems } = await intakeStep(other);
    await other.close();
    expect(problems).toMatchObject([{ message: expect.stringContaining("expected receipts lie there") }]);
    writeFileSync(join(place.folder, "secret.csv"), GOOD);
    symlinkSync(join(place.folder, "secret.csv"), join(place.folder, "inbox", "expected", "link.csv"));
    expect(await expectedStep(place.workplace)).toMatchObject({
      files: [],
      problems: [{ file: "link.csv" }],
    });
    expect(existsSync(join(place.folder, "secret.csv"))).toBe(true);
  });

  test("takes each file in once although several processes run", async () => {
    const place = openPlace();
    for (let at = 0; at < 6; at += 1) drop(place, csv(row(`INV-${at}`, "Ada", "0.5")), `file-${at}.csv`);
    const others = [1, 2, 3].map(() => openOther(place.folder, place.environment));
    await Promise.all([place.workplace, ...others].map((workplace) => expectedStep(workplace)));
    await expectedStep(place.workplace);
    for (const other of others) await other.close();
    expect((await expectations(place)).map(({ reference }) => reference).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((at) => `INV-${at}`),
    );
  });
});
