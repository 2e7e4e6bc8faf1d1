/** The Books page: periods, held movements, exports and the ERP's answers, sums, reports, and closing a month. */
import { EventEmitter, once } from "node:events";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exportStep } from "../../src/books/index.ts";
import type { Hints } from "../../src/daemon/index.ts";
import { deskServer } from "../../src/desk/index.ts";
import { openWorkplace, stderrLog, type Workplace } from "../../src/index.ts";
import { BOOKS_REPORT_FORMATS, BOOKS_REPORTS } from "../../src/model/index.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { deposits, payouts } from "../books/golden-books.ts";
import { book, CHART_TEXT } from "../books/movements.ts";
import { depositOf, OPENING, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { byClock } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";
import { MULTIPART } from "./real-server.ts";
import { deskOf, ORIGIN, trialVisitor } from "./visitor.ts";

const DEPOSIT = "6f1cbb7e-0000-4000-8000-0000000000a1";
const plainText = (page: string) => page.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

/** The second of May 2031. In April a deposit was received and booked, and issued unless `isIssued` is false. */
async function may({ isIssued = true, changes = {} }: { isIssued?: boolean; changes?: object } = {}) {
  const { shown, night, workplace } = await scriptedNights();
  const instants = { createdDate: "2031-04-20T11:00:00.000Z", confirmedDate: "2031-04-20T12:00:00.000Z" };
  shown.deposits = [depositOf(DEPOSIT, [receiptOf("aa", 0.5, { ...instants, ...changes })])];
  shown.balance = OPENING + 0.5;
  await night("2031-05-01T10:00:00.000Z");
  const now = byClock(workplace, () => "2031-05-02T10:00:00.000Z");
  if (isIssued) await exportStep(now);
  return { now, tess: await trialVisitor(await deskOf(now), "tess") };
}

test("the page has what is booked, what is held, and every report to take away", async () => {
  const { tess } = await may();
  const { text } = await tess.get("/books");
  const words = plainText(text);
  expect(words).toContain("Nothing is held. April 2031 is open.");
  expect(words).toContain("over, to be closed");
  expect(words).toMatch(/000001 .* journal none expected .*000001-journal\.csv/);
  expect(words).toMatch(/Trial balance .*40000 \.00 EUR 0\.5 0000000 BTC/);
  for (const name of BOOKS_REPORTS)
    for (const format of BOOKS_REPORT_FORMATS) {
      const got = await tess.get(`/books/reports/${name}/${format}`);
      expect([name, format, got.status]).toEqual([name, format, 200]);
      expect(got.headers["content-disposition"]).toContain(`report-${name}`);
      expect(got.text.length).toBeGreaterThan(20);
    }
  expect((await tess.get("/books/reports/secrets/csv")).status).toBe(404);
});

test("what the chart does not know is booked again from the page, once the chart knows it", async () => {
  const { shown, night, workplace } = await scriptedNights({
    settings: { PAYDROP_LEDGER_CHART: "chart.csv" },
  });
  const line = "treasury,treasury-btc,,,,1510,assets:crypto:btc\n";
  const { chart } = workplace.config.ledger;
  writeFileSync(chart, CHART_TEXT.replace(line, ""));
  await night();
  shown.deposits = [depositOf(DEPOSIT, [receiptOf("aa", 0.5)])];
  shown.balance += 0.5;
  await night();
  const tess = await trialVisitor(await deskOf(workplace), "tess");
  expect(plainText((await tess.get("/books")).text)).toMatch(
    /does not know .*treasury of treasury-btc 1 entry 40000 \.00 EUR Book again…/,
  );
  expect(plainText((await tess.get("/books/remap")).text)).toContain("has no line for any of it yet");
  appendFileSync(chart, line);
  const { text } = await tess.get("/books/remap");
  expect(plainText(text)).toMatch(/treasury of treasury-btc 1510 assets:crypto:btc 1 entry/);
  expect(text).toContain('action="/books/remap"');
  expect((await tess.post("/books/remap", {})).location).toBe("/books");
  expect(plainText((await tess.get("/books")).text)).not.toContain("Book again");
});

test("what is held says why and what to do, and leads to its movement", async () => {
  const { tess } = await may({ changes: { rate: null } });
  const words = (await tess.get("/books")).text;
  expect(plainText(words)).toContain("Nothing is booked yet. 1 movement is held.");
  expect(words).toMatch(new RegExp(`href="[^"]*${DEPOSIT}`));
});

test("a month is closed with its checklist by whoever signs, and opened again with a reason", async () => {
  const open = await may({ isIssued: false });
  const list = plainText((await open.tess.get("/books/close?month=2031-04")).text);
  expect(list).toMatch(/1 point of 7 is open\. .* open .* The next run that writes the books issues them/);
  expect((await open.tess.get("/books/close?month=2031-04")).text).not.toContain('action="/books/close"');
  await exportStep(open.now);
  const page = (await open.tess.get("/books/close?month=2031-04")).text;
  expect(page).toContain("Close April 2031");
  expect((await open.tess.post("/books/close", { month: "2031-04" })).location).toBe("/books");
  expect(plainText((await open.tess.get("/books")).text)).toMatch(
    /May 2031 open .*April 2031 closed closed by tess/,
  );
  expect((await open.tess.get("/books")).text).toContain("Open again…");
  const { config } = open.now;
  const kept = {
    ...open.now,
    config: { ...config, ledger: { ...config.ledger, closedThrough: "2031-04-30" } },
  };
  const ofKept = (await (await trialVisitor(await deskOf(kept), "tess")).get("/books")).text;
  expect(ofKept).not.toContain("Open again…");
  expect(ofKept).toContain("kept closed by the configuration");
  expect(
    (await open.tess.post("/books/reopen", { month: "2031-04", reason: " " })).status,
  ).toBeGreaterThanOrEqual(400);
  const reason = "a late invoice";
  expect((await open.tess.post("/books/reopen", { month: "2031-04", reason })).location).toBe("/books");
  expect(plainText((await open.tess.get("/books")).text)).toContain(`opened again by tess`);
  // A month before the first entry, one that is not over, one that is not closed, and no month.
  for (const [page, status] of [
    ["close?month=1999-05", 409],
    ["close?month=2031-05", 409],
    ["reopen?month=2031-05", 404],
    ["close?month=april", 409],
  ] as const)
    expect([page, (await open.tess.get(`/books/${page}`)).status]).toEqual([page, status]);
});

test("an answer of the ERP is read from an upload, and counts beside its export", async () => {
  const { workplace, ids } = await booksOfNetsuite();
  const app = await deskOf(workplace);
  const tess = await trialVisitor(app, "tess");
  expect((await tess.get("/books")).text).toContain("no answer yet");
  const send = async (content: string, name = "answer.csv") => {
    const field = (name: string, rest: string) =>
      `--mark\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n`;
    const form = [
      `${field("target", "")}\r\nnetsuite\r\n`,
      `${field("answer", `; filename="${name}"`)}content-type: text/csv\r\n\r\n${content}\r\n--mark--\r\n`,
    ].join("");
    const cookie = [...tess.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...MULTIPART, cookie, origin: ORIGIN };
    return app.inject({ method: "POST", url: "/books/answers", headers, payload: form });
  };
  const answer = `External ID,Result,Message\n${ids[0]},Posted,\n${ids[1]},Error,account is inactive\n`;
  expect(plainText((await send(answer)).body)).toContain("answer.csv: 1 posted, 1 refused, 0 said before");
  expect(plainText((await tess.get("/books")).text)).toContain("1 posted, 1 refused");
  const mistaken = await send("External ID,Result,Message\nnone,Perhaps,\n");
  expect(plainText(mistaken.body)).toMatch(/has \d mistakes?, so none of its rows counts/);
  const long = await send(answer, `${"x".repeat(300)}.csv`);
  expect([long.statusCode, long.body]).toEqual([409, expect.stringContaining("FILE_NAME_UNUSABLE")]);
});

test("what is held is settled, and an export excused, with a reason each", async () => {
  const { tess } = await may({ changes: { rate: null } });
  expect((await tess.get("/books")).text).toContain(`/books/settle?id=${DEPOSIT}`);
  const question = plainText((await tess.get(`/books/settle?id=${DEPOSIT}`)).text);
  expect(question).toMatch(/Settle ORDER-a1\?.*no rate from BTC into EUR/s);
  expect((await tess.post("/books/settle", { id: DEPOSIT, reason: " " })).status).toBeGreaterThanOrEqual(400);
  const reason = "treasury books it by hand";
  expect((await tess.post("/books/settle", { id: DEPOSIT, reason })).location).toBe("/books");
  const words = plainText((await tess.get("/books")).text);
  expect(words).toMatch(/1 settled Nothing is held Every other confirmed movement/);
  // A double click gets the answer of the first click; from a second tab it is refused.
  expect((await tess.post("/books/settle", { id: DEPOSIT, reason })).location).toBe("/books");
  expect((await tess.post("/books/settle", { id: DEPOSIT, reason: "again" })).status).toBe(404);

  const { workplace } = await booksOfNetsuite();
  const other = await trialVisitor(await deskOf(workplace), "tess");
  const excuse = { target: "netsuite", number: "1", reason: "imported by hand" };
  expect((await other.get("/books")).text).toContain("/books/excuse?target=netsuite&amp;number=1");
  expect(plainText((await other.get("/books/excuse?target=netsuite&number=1")).text)).toContain(
    "Excuse export 000001 of netsuite?",
  );
  expect((await other.post("/books/excuse", excuse)).location).toBe("/books");
  expect(plainText((await other.get("/books")).text)).toContain("excused by tess: “imported by hand”");
  for (const number of ["1", "9"])
    expect((await other.get(`/books/excuse?target=netsuite&number=${number}`)).status).toBe(404);
  expect((await other.get("/books/excuse?target=netsuite&number=x")).status).toBe(409);
});

test("`Write the books` makes the scheduled job run", async () => {
  const { now } = await may();
  const hints: Hints = new EventEmitter();
  const app = await deskServer(now, ORIGIN, { hints });
  onTestFinished(() => app.close());
  const tess = await trialVisitor(app, "tess");
  const hinted = once(hints, "hint");
  expect((await tess.post("/books/write")).location).toBe("/books?asked=yes");
  expect(await hinted).toEqual(["ledger"]);
});

async function booksOfNetsuite(): Promise<{
  readonly workplace: Workplace;
  readonly ids: readonly string[];
}> {
  const place = openPlace();
  const answers =
    'answers: { entry: "External ID", status: Result, reason: Message, posted: [Posted], refused: [Error] }';
  const environment = { ...place.environment, PAYDROP_LEDGER_EXPORTS: `[{ preset: netsuite, ${answers} }]` };
  const workplace = openWorkplace(join(place.folder, "paydrop.yaml"), environment, stderrLog("silent"));
  onTestFinished(() => workplace.close());
  const entries = book({ payouts, deposits }).entries.slice(0, 2);
  await workplace.store.write(() => insertEntries(entries, "2026-11-21T02:30:00.000Z"));
  await exportStep(workplace);
  return { workplace, ids: entries.map(({ entryId }) => entryId) };
}
