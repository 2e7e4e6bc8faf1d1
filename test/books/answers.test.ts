/**
 * An ERP's answers to an export batch: an entry goes into a later batch only if the ERP refused it before giving
 * any other answer; an answer that does not fit changes nothing and is a break.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import exceljs from "exceljs";
import { describe, expect, onTestFinished, test } from "vitest";
import { intakeJob } from "../../jobs/intake.ts";
import { answerInWords } from "../../src/books/index.ts";
import {
  type AnswerReport,
  answerStep,
  breaksStep,
  explainNamedStep,
  exportStep,
  ledgerExportStep,
  openWorkplace,
  reconcileStep,
  showBreakStep,
  stderrLog,
  type Workplace,
} from "../../src/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { all, run, sql } from "../../src/store/sql.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book } from "./movements.ts";

const entries = book({ payouts, deposits }).entries.slice(0, 3);
const ids = entries.map(({ entryId }) => entryId);
const AT = "2026-11-21T02:30:00.000Z";
const FORM =
  'answers: { entry: "External ID", status: Result, reason: Message, erpDocument: Journal, posted: [Posted, ok], refused: [Error] }';

interface Books {
  readonly folder: string;
  readonly workplace: Workplace;
  answer(text: string, target?: string): Promise<AnswerReport>;
}

async function issuedBooks(
  of: readonly JournalEntry[] = entries,
  exports = `[{ preset: netsuite, ${FORM} }]`,
): Promise<Books> {
  const place = openPlace();
  const environment = {
    ...place.environment,
    PAYDROP_LEDGER_EXPORTS: exports,
    PAYDROP_FILES_QUIET_SECONDS: "0",
  };
  const workplace = openWorkplace(join(place.folder, "paydrop.yaml"), environment, stderrLog("silent"));
  onTestFinished(() => workplace.close());
  await workplace.store.write(() => insertEntries(of, AT));
  await exportStep(workplace);
  const answer = (text: string, target?: string) => {
    const path = join(place.folder, "answer.csv");
    writeFileSync(path, text);
    return answerStep(workplace, path, target);
  };
  return { folder: place.folder, workplace, answer };
}

const HEAD = "External ID,Result,Message,Journal\n";
const said = (...rows: readonly string[]) => HEAD + rows.map((row) => `${row}\n`).join("");

describe("an answer", () => {
  test("that refuses an entry gives it, and nothing else, to the next batch of this target", async () => {
    const { workplace, answer } = await issuedBooks();
    const report = await answer(
      said(`${ids[0]},Posted,,JE-1`, `${ids[1]},Error,the period is closed,`, `${ids[2]},OK,,JE-2`),
    );
    expect(report).toMatchObject({ target: "netsuite", posted: 2, refused: 1, problems: [], mistakes: [] });
    expect(await exportStep(workplace)).toMatchObject([{ target: "netsuite", number: 2, entries: 1 }]);
    const [file = ""] = readdirSync(workplace.config.folders.ledger).filter(
      (name) => name === "000002-netsuite.csv",
    );
    expect(readFileSync(join(workplace.config.folders.ledger, file), "utf8")).toContain(`${ids[1]},`);
    expect(await exportStep(workplace)).toEqual([]);
    expect(await answer(said(`${ids[1]},Posted,,JE-3`))).toMatchObject({ posted: 1, problems: [] });
  });

  test("that refuses is among the exceptions with its reason, until the entry is posted", async () => {
    const { folder, workplace, answer } = await issuedBooks();
    await answer(said(`${ids[1]},Error,no such class,`));
    const exceptions = () => readFileSync(join(folder, "ledger", "exceptions.csv"), "utf8");
    const told = async () => {
      await ledgerExportStep(workplace);
      return exceptions().includes("LEDGER_ENTRY_REFUSED");
    };
    expect(await told()).toBe(true);
    expect(exceptions()).toContain(`netsuite refused ${ids[1]} of export batch 1: no such class`);
    await answer(said(`${ids[1]},Posted,,JE-9`));
    expect(await told()).toBe(false);
  });

  test("said twice changes nothing, and is no break", async () => {
    const { workplace, answer } = await issuedBooks();
    const text = said(`${ids[0]},Posted,,JE-1`, `${ids[1]},Error,why,`);
    await answer(text);
    expect(await answer(text)).toMatchObject({ posted: 0, refused: 0, repeated: 2, problems: [] });
    expect(await exportStep(workplace)).toMatchObject([{ number: 2, entries: 1 }]);
  });

  test("that was cut off leaves the others without an answer, and says how many", async () => {
    const { answer } = await issuedBooks();
    const report = await answer(said(`${ids[0]},Posted,,JE-1`));
    expect(answerInWords(report)).toBe("1 posted, 0 refused, 0 said before; 2 entries have no answer yet");
  });

  test("read again after the next export does not refuse its entries, unless it names the batch", async () => {
    const { workplace, answer } = await issuedBooks();
    const rows = [`${ids[0]},Error,closed,`, `${ids[1]},Error,closed,`];
    await answer(said(...rows));
    await exportStep(workplace);
    // A copy is the same answer, whatever the order of its lines.
    const again = await answer(`\ufeff${said(...rows.toReversed())}`);
    expect(again).toMatchObject({ refused: 0, problems: [{ line: 2 }, { line: 3 }] });
    expect(again.problems[0]?.message).toContain("the same answer was read before");
    expect(await exportStep(workplace)).toEqual([]);
    const numbered = "documentNumber,Result,Message\n000002-0001,Error,closed\n000002-0002,Error,closed\n";
    expect(await answer(numbered)).toMatchObject({ refused: 2, problems: [] });
  });

  test("by document number is about that batch; one about a batch that was superseded changes nothing", async () => {
    const exports = '[{ preset: business-central, answers: { document: "Document No." } }]';
    const { workplace, answer } = await issuedBooks(entries, exports);
    const head = "Document No.,status,reason\n";
    expect(await answer(`${head}000001-0002,refused,dimension missing\n000001-0001,posted,\n`)).toMatchObject(
      {
        posted: 1,
        refused: 1,
      },
    );
    expect(await exportStep(workplace)).toMatchObject([{ number: 2, entries: 1 }]);
    const late = await answer(`${head}000001-0002,posted,\n`);
    expect(late).toMatchObject({ posted: 0, problems: [{ code: "ANSWER_CHANGED_NOTHING", line: 2 }] });
    expect(late.problems[0]?.message).toContain("a later batch has it");
    // Several lines of a document are one answer.
    const line = "000002-0001,posted,\n";
    expect(await answer(head + line + line + line)).toMatchObject({ posted: 1, repeated: 0, problems: [] });
  });

  test("with Odoo's external ids is about those entries", async () => {
    const keyed = entries.map((entry) => ({
      ...entry,
      entryId: `${entry.entryId}:a_b`,
      lines: entry.lines.map((line) => ({ ...line, project: undefined, distribution: undefined })),
    }));
    const exports = "[{ preset: odoo, settings: { journal: Crypto }, answers: { entry: id } }]";
    const { workplace, answer } = await issuedBooks(keyed, exports);
    const file = readFileSync(join(workplace.config.folders.ledger, "000001-odoo.csv"), "utf8");
    const externalIds = [...file.matchAll(/paydrop_[^,]+/g)].map(([id]) => id);
    expect(externalIds).toHaveLength(3);
    const text = `id,status\n${externalIds.map((id) => `${id},posted\n`).join("")}`;
    expect(await answer(text)).toMatchObject({ posted: 3, problems: [] });
  });

  test("of a workbook is read unless struck out or in two sheets; one of an old batch too", async () => {
    const exports = '[{ preset: business-central, answers: { document: "Document No." } }]';
    const { folder, workplace } = await issuedBooks(entries, exports);
    await workplace.store.write(() => run(sql`update exported_entry set position = null`));
    const workbook = new exceljs.Workbook();
    workbook.addWorksheet("Answer").addRows([
      ["Document No.", "status"],
      ["000001-0002", "posted"],
    ]);
    const path = join(folder, "answer.xlsx");
    const status = workbook.worksheets[0]?.getCell("B2");
    if (status !== undefined) status.font = { strike: true };
    await workbook.xlsx.writeFile(path);
    expect(await answerStep(workplace, path)).toMatchObject({
      mistakes: [{ line: 2, column: "status", cell: "B2", message: expect.stringContaining("struck out") }],
    });
    if (status !== undefined) status.font = {};
    const errors = workbook.addWorksheet("Errors");
    errors.addRow(["Document No.", "status"]);
    await workbook.xlsx.writeFile(path);
    expect(await answerStep(workplace, path)).toMatchObject({
      mistakes: [{ sheet: "Errors", message: expect.stringContaining("both Answer and Errors have cells") }],
    });
    workbook.removeWorksheet(errors.id);
    await workbook.xlsx.writeFile(path);
    expect(await answerStep(workplace, path)).toMatchObject({ posted: 1, problems: [], mistakes: [] });
  });
});

describe("an answer that does not fit changes nothing and is a break of the comparison", () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["a refusal after posted", "Posted,,JE-1", "Error,oh no,", "refused-after-posted"],
    ["posted after a refusal", "Error,oh no,", "Posted,,JE-1", "posted-after-refused"],
    ["another document", "Posted,,JE-1", "Posted,,JE-2", "posted-otherwise"],
  ];

  test("a refusal after posted, posted after a refusal, or another document", async () => {
    const { workplace, answer } = await issuedBooks();
    for (const [index, [what, first, second, trouble]] of cases.entries()) {
      await answer(said(`${ids[index]},${first}`));
      const report = await answer(said(`${ids[index]},${second}`));
      const nothing = { posted: 0, refused: 0, problems: [{ code: "ANSWER_CHANGED_NOTHING" }] };
      expect([what, report]).toMatchObject([what, nothing]);
      const stored = await workplace.store.read(() =>
        all(sql`select trouble from erp_answer where trouble is not null order by seq`),
      );
      expect(stored.at(-1)).toEqual({ trouble });
    }
    // Only the one that was refused first is handed out again.
    expect(await exportStep(workplace)).toMatchObject([{ target: "netsuite", entries: 1 }]);
  });

  test("an id that this target was never handed, also one of another target", async () => {
    const { answer } = await issuedBooks();
    const report = await answer(said("payout:nobody:settle:1,Error,,", `${ids[0]},Posted,,`));
    expect(report).toMatchObject({
      posted: 1,
      refused: 0,
      problems: [{ code: "ANSWER_CHANGED_NOTHING", line: 2 }],
    });
    expect(await answer("documentNumber,status\n000009-0001,refused\n", "journal")).toMatchObject({
      refused: 0,
    });
  });

  test("each is an alarm once, and stays open until somebody settles it; an unanswered batch is one until it is answered", async () => {
    const site = await openSite({ stepMs: 1 });
    const environment = { ...site.environment, PAYDROP_LEDGER_EXPORTS: `[{ preset: netsuite, ${FORM} }]` };
    const workplace = openWorkplace(join(site.folder, "paydrop.yaml"), environment, stderrLog("silent"));
    onTestFinished(() => workplace.close());
    await workplace.store.write(() => insertEntries(entries, AT));
    await exportStep(workplace);
    const answer = (text: string) => {
      writeFileSync(join(site.folder, "answer.csv"), text);
      return answerStep(workplace, join(site.folder, "answer.csv"));
    };
    const erpBreaks = async () => {
      await reconcileStep(workplace);
      return (await breaksStep(workplace, { kind: "books" })).open.map(
        ({ id, severity }) => `${severity} ${id}`,
      );
    };
    expect(await erpBreaks()).toEqual([]);
    const long = "2026-01-01T00:00:00.000Z";
    await workplace.store.write(() => run(sql`update export_batch set issued_at = ${long}`));
    expect(await erpBreaks()).toEqual(["alarm erp-unanswered:netsuite:1"]);
    await answer(said(`${ids[0]},Posted,,1`, `${ids[1]},Posted,,2`, `${ids[2]},Posted,,3`));
    await answer(said(`${ids[0]},Error,,`, "nobody,Posted,,"));
    await answer(said(`${ids[0]},Error,,`));
    const open = [
      `alarm erp-answer:netsuite:refused-after-posted:refused:${ids[0]}`,
      "warning erp-answer:netsuite:unknown:posted:nobody",
    ];
    expect((await erpBreaks()).sort()).toEqual(open);
    expect((await erpBreaks()).sort()).toEqual(open);
    const [first = ""] = open;
    const [story] = await showBreakStep(workplace, first.replace("alarm ", ""));
    expect(story?.latest.sentence).toContain("it had said before that it was posted, which is final");
  });
});

const MISTAKEN = [
  ["no status column", "External ID,Message\nx,y\n", "ANSWER_COLUMN_MISSING", 1, undefined],
  [
    "an unknown status",
    `${HEAD}${ids[0]},Posted,,\n${ids[1]},Perhaps,,\n`,
    "ANSWER_CELL_UNREADABLE",
    3,
    "Result",
  ],
  ["no status", `${HEAD}${ids[0]},,why,\n`, "ANSWER_CELL_UNREADABLE", 2, "Result"],
  ["no id", `${HEAD}${ids[0]},Posted,,\n,Posted,,\n`, "ANSWER_CELL_UNREADABLE", 3, "External ID"],
  [
    "two answers to one entry",
    `${HEAD}${ids[0]},Posted,,\n${ids[0]},Error,,\n`,
    "ANSWER_CELL_UNREADABLE",
    3,
    "Result",
  ],
  [
    "two columns of the status",
    `External ID,Result,result\n${ids[0]},Posted,Error\n`,
    "ANSWER_CELL_UNREADABLE",
    1,
    "Result",
  ],
  ["no row below the heading", HEAD, "ANSWER_CELL_UNREADABLE", 1, "Result"],
  [
    "a sheet that was sorted with its heading",
    `${ids[0]},Error,,\n${HEAD}${ids[1]},Posted,,\n`,
    "ANSWER_CELL_UNREADABLE",
    1,
    "Result",
  ],
  [
    "two answers to one entry, named in two ways",
    `External ID,documentNumber,Result\n,000001-0001,Error\n${ids[0]},,Posted\n`,
    "ANSWER_CELL_UNREADABLE",
    3,
    "documentNumber",
  ],
  [
    "a number that is none",
    `External ID,documentNumber,Result\n${ids[0]},42-7,Posted\n`,
    "ANSWER_CELL_UNREADABLE",
    2,
    "documentNumber",
  ],
] as const;

test("an answer with mistakes names line, column and fix of each, and changes nothing", async () => {
  const { workplace, answer } = await issuedBooks();
  for (const [what, text, code, line, column] of MISTAKEN) {
    const report = await answer(text);
    const found = { posted: 0, refused: 0, mistakes: [{ code, line, file: "answer.csv" }] };
    expect([what, report]).toMatchObject([what, found]);
    expect([what, report.mistakes[0]?.column]).toEqual([what, column]);
    expect(report.mistakes[0]?.fix).not.toBe("");
  }
  const { mistakes } = await answer(said(`${ids[0]},Perhaps,,`, ",Posted,,", `${ids[1]},,,`));
  expect(mistakes.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(await workplace.store.read(() => all(sql`select seq from erp_answer`))).toEqual([]);
  expect(await exportStep(workplace)).toEqual([]);
});

test("`explain` tells the story of an entry by its id and its document number, and that of an export batch", async () => {
  const { workplace, answer } = await issuedBooks();
  await answer(said(`${ids[1]},Error,no such class,`));
  await exportStep(workplace);
  await answer(said(`${ids[1]},Posted,,JE-7`));
  const [byId] = await explainNamedStep(workplace, ids[1] ?? "");
  expect(byId).toMatchObject({ kind: "entry", id: ids[1], state: "posted as JE-7 in export batch 2" });
  expect(byId?.lines.map(({ who, what }) => `${who}: ${what}`)).toEqual([
    "paydrop: handed to journal as 000001-0002",
    "paydrop: handed to netsuite as 000001-0002",
    "netsuite: refused in export batch 1: no such class",
    "paydrop: handed to netsuite as 000002-0001",
    "netsuite: posted as JE-7 in export batch 2",
  ]);
  expect((await explainNamedStep(workplace, "000001-0002"))[0]).toEqual(byId);
  const batches = await explainNamedStep(workplace, "000001");
  expect(batches).toMatchObject([
    { kind: "export batch", id: "journal 000001", entryIds: ids },
    { kind: "export batch", id: "netsuite 000001" },
  ]);
  await expect(explainNamedStep(workplace, "000009-0001")).rejects.toMatchObject({
    problem: { code: "BATCH_UNKNOWN" },
  });
});

describe("whose answer it is", () => {
  test("is said where several targets may have answered", async () => {
    const { answer } = await issuedBooks(
      entries,
      `[{ preset: netsuite, ${FORM} }, { preset: xero, settings: { taxRate: T }, answers: {} }]`,
    );
    await expect(answer(said(`${ids[0]},Posted,,`))).rejects.toMatchObject({
      problem: { code: "ANSWER_TARGET_UNKNOWN", message: expect.stringContaining("netsuite and xero") },
    });
    expect(await answer(said(`${ids[0]},Posted,,`), "netsuite")).toMatchObject({ posted: 1 });
    await expect(answer(said(`${ids[0]},Posted,,`), "sap")).rejects.toMatchObject({
      problem: { code: "NAME_UNKNOWN" },
    });
  });
});

describe("inbox/erp-answers", () => {
  const dropped = (folder: string, name: string, text: string) => {
    const path = join(folder, "inbox", "erp-answers", name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const taken = (workplace: Workplace) => intakeJob.run(workplace, new AbortController().signal);
  const words = (folder: string) =>
    readdirSync(join(folder, "outbox", "erp-answers")).map((name) =>
      readFileSync(join(folder, "outbox", "erp-answers", name), "utf8"),
    );

  test("takes an answer once, keeps it in the archive, and says in the outbox what was found", async () => {
    const { folder, workplace } = await issuedBooks();
    const path = dropped(
      folder,
      "import-result.csv",
      said(`${ids[0]},Posted,,JE-1`, `${ids[1]},Error,closed,`),
    );
    expect(await taken(workplace)).toMatchObject({
      message: expect.stringContaining("answer import-result.csv of netsuite: 1 posted, 1 refused"),
    });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(folder, "archive", "erp-answers"))).toHaveLength(1);
    expect(words(folder)).toEqual([
      "import-result.csv of netsuite: 1 posted, 1 refused, 0 said before; 1 entry has no answer yet\n",
    ]);
    expect(await exportStep(workplace)).toMatchObject([{ number: 2, entries: 1 }]);
    expect((await taken(workplace)).message).not.toContain("answer");
  });

  test("has a folder for each target that answers", async () => {
    const { folder, workplace } = await issuedBooks(
      entries,
      `[{ preset: netsuite, ${FORM} }, { preset: xero, settings: { taxRate: T }, answers: {} }]`,
    );
    dropped(folder, "netsuite/a.csv", said(`${ids[0]},Posted,,JE-1`));
    dropped(folder, "xero/a.csv", "documentNumber,status\n000001-0001,refused\n");
    dropped(folder, "Netsuite!/a.csv", said(`${ids[1]},Posted,,JE-2`));
    const { message } = await taken(workplace);
    expect(message).toMatch(/netsuite: 1 posted.*xero: 0 posted, 1 refused/);
    expect(message).toContain("answer Netsuite! not read: there is no export target Netsuite!");
  });

  test("refuses a payment file, which is never paid from there, and says where it belongs", async () => {
    const { folder, workplace } = await issuedBooks();
    dropped(folder, "payroll.csv", `reference,amount,destinationAddress\nP-1,0.01,${ADDRESS}\n`);
    expect((await taken(workplace)).message).toContain("answer payroll.csv of netsuite refused");
    expect(words(folder).join()).toContain("Move a payment file to the inbox itself");
    const batches = await workplace.store.read(() => all(sql`select id from batch`));
    expect(batches).toEqual([]);
  });

  test("says of a file with mistakes which line, column and fix", async () => {
    const { folder, workplace } = await issuedBooks();
    dropped(folder, "bad.csv", said(`${ids[0]},Maybe,,`));
    await taken(workplace);
    expect(words(folder).join()).toMatch(
      /line 2, column Result: the answer cannot be read: the status "Maybe" is not one .*There are Posted, ok, Error/,
    );
  });

  test("is no folder for a sender's payments", async () => {
    const { folder, workplace } = await issuedBooks();
    mkdirSync(join(folder, "inbox", "erp-answers"), { recursive: true });
    const other = openWorkplace(
      join(folder, "paydrop.yaml"),
      {
        ...process.env,
        PAYDROP_FILES_SENDERS: "[{ name: erp, folder: inbox/erp-answers }]",
        PAYDROP_FILES_QUIET_SECONDS: "0",
      },
      stderrLog("silent"),
    );
    onTestFinished(() => other.close());
    dropped(folder, "payroll.csv", `reference,amount,destinationAddress\nP-1,0.01,${ADDRESS}\n`);
    expect((await taken(other)).message).toContain("the answers of ERPs lie there");
    expect(workplace.config.folders.inbox).toBe(join(folder, "inbox"));
  });
});
