/**
 * Payees and their addresses from the first payment on: files that finance teams send month by month, each taken
 * in, approved by another person, and followed by the next one. Only wrong files raise questions, and every wrong
 * file does.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  approveStep,
  payStep,
  previewStep,
  recallStep,
  type SubmitReport,
  submitFile,
  validateFile,
} from "../../src/index.ts";
import { openSite, type Site } from "../site/service.ts";
import { addressOf } from "./bitcoin-addresses.ts";

type Row = readonly string[];

/** Ana, Ben and Cleo at addresses of their own; `Name` may be any heading. */
const PEOPLE = ["Ana Sample", "Ben Muster", "Cleo Müller GmbH"];
const AMOUNTS = ["0.011", "0.0125", "0.02"];
const HOME = [addressOf(1), addressOf(2), addressOf(3)] as const;
const ELSEWHERE = addressOf(9);

interface Month {
  readonly month: number;
  readonly heading?: string;
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly amounts?: readonly string[];
  readonly more?: readonly Row[];
}

/** Reference, name, address and amount of each payment of a month. */
function csvOf({ month, heading = "Payee", names = PEOPLE, more = [], ...given }: Month): string {
  const { addresses = HOME, amounts = AMOUNTS } = given;
  const rows = names.map((name, at) => [
    `INV-${month}${at}`,
    name,
    addresses[at] ?? "",
    // A little more each month, so that no payment repeats another.
    `${amounts[at % amounts.length]}${month}`,
  ]);
  return [["Invoice", heading, "Wallet address", "Amount (BTC)"], ...rows, ...more]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
}

async function openDesk(environment: Parameters<typeof openSite>[1] = {}) {
  const site = await openSite({}, environment);
  const send = (month: Month, person = "ann") => sendText(site, csvOf(month), month.month, person);
  return { ...site, send, ...stepsOf(site) };
}

function sendText(site: Site, text: string, month: number, person = "ann"): Promise<SubmitReport> {
  const path = join(site.folder, `payouts-${month}.csv`);
  writeFileSync(path, text);
  return submitFile(site.workplace, path, person);
}

function stepsOf({ workplace }: Site) {
  return {
    /** Accepts exactly the questions about addresses, and nothing else. */
    approve: ({ batchId, lookAlikeRows }: SubmitReport, person = "ben") =>
      approveStep(workplace, batchId ?? "", person, { acceptLookAlikes: lookAlikeRows?.length }),
  };
}

const ofAddresses = ({ warnings }: SubmitReport) =>
  warnings.filter(({ code }) => code.startsWith("DESTINATION_"));

const asked = (report: SubmitReport) => ofAddresses(report).map(({ code, row }) => `${code} ${row}`);

/** The file raises no question. */
function expectUnasked(report: SubmitReport): void {
  expect({ ...report, questions: report.reading?.questions }).toMatchObject({
    verdict: "accepted",
    lookAlikeRows: [],
    repeatedRows: [],
    questions: [],
  });
}

const HEADINGS = [
  "Payee",
  "Name",
  "Contractor",
  "Employee",
  "Freelancer",
  "Company",
  "Mitarbeiter",
  "Bénéficiaire",
];

test("a payee who was approved once waits at another address, whatever the column is called", async () => {
  const { send, approve, workplace } = await openDesk();
  const first = await send({ month: 1 });
  expectUnasked(first);
  await approve(first);
  // Honest, the same as last month.
  expectUnasked(await send({ month: 2 }));
  for (const [index, heading] of HEADINGS.entries()) {
    const moved = await send({ month: 31 + index, heading, addresses: [HOME[0], ELSEWHERE, HOME[2]] });
    expect([heading, asked(moved)]).toEqual([heading, ["DESTINATION_NOT_USUAL 2"]]);
    await expect(approveStep(workplace, moved.batchId ?? "", "ben")).rejects.toMatchObject({
      problem: { code: "LOOK_ALIKES_NOT_ACCEPTED" },
    });
  }
});

test("a payee whose first payment only waits, in a file of somebody else, is asked about at another address", async () => {
  const { send } = await openDesk();
  await send({ month: 1 }, "carol");
  const report = await send({ month: 2, heading: "Name", addresses: [ELSEWHERE, HOME[1], HOME[2]] });
  expect(asked(report)).toEqual(["DESTINATION_NOT_USUAL 1"]);
  const [said] = ofAddresses(report);
  expect(said?.message).toContain("batch B-000001, row 1, waits for approval");
  expect(said?.message).toContain("this is an address that nobody has approved");
});

test("all payees moved to an old column of wallets are asked about one by one", async () => {
  const { send, approve, folder, workplace } = await openDesk();
  await approve(await send({ month: 1 }));
  const old = [addressOf(21), addressOf(22), addressOf(23)];
  const text = csvOf({ month: 2, addresses: old }).replace("Wallet address", "Previous wallet");
  writeFileSync(join(folder, "previous.csv"), text);
  const report = await submitFile(workplace, join(folder, "previous.csv"), "ann");
  expect(asked(report)).toEqual([1, 2, 3].map((row) => `DESTINATION_NOT_USUAL ${row}`));
});

test("two payees who swapped addresses are asked about both ways", async () => {
  const { send, approve } = await openDesk();
  await approve(await send({ month: 1 }));
  const swapped = await send({ month: 2, addresses: [HOME[1], HOME[0], HOME[2]] });
  expect(asked(swapped).toSorted()).toEqual([
    "DESTINATION_NOT_USUAL 1",
    "DESTINATION_NOT_USUAL 2",
    "DESTINATION_OF_ANOTHER 1",
    "DESTINATION_OF_ANOTHER 2",
  ]);
});

test("a known address under another name is asked about, and one that only waits as well", async () => {
  const { send, approve } = await openDesk();
  await approve(await send({ month: 1 }));
  const stranger = { month: 2, names: ["Dora Fremd"], addresses: [HOME[0]] };
  expect(asked(await send(stranger))).toEqual(["DESTINATION_OF_ANOTHER 1"]);
  await send({ month: 3, names: ["Emil Neu"], addresses: [ELSEWHERE] });
  expect(asked(await send({ month: 4, names: ["Fay Other"], addresses: [ELSEWHERE] }))).toEqual([
    "DESTINATION_OF_ANOTHER 1",
  ]);
});

test("another spelling of the name hides no payee, and asks nothing at the known address", async () => {
  const { send, approve } = await openDesk();
  await approve(await send({ month: 1 }));
  const names = ["ANA SAMPLE", "Ben  Muster", "cleo muller gmbh & co. kg"];
  expectUnasked(await send({ month: 2, names }));
  const moved = await send({ month: 3, names, addresses: [ELSEWHERE, HOME[1], addressOf(8)] });
  expect(asked(moved)).toEqual(["DESTINATION_NOT_USUAL 1", "DESTINATION_NOT_USUAL 3"]);
});

test("an address that was approved is not asked about again: a company uses two of them in turn", async () => {
  const { send, approve, workplace } = await openDesk();
  await approve(await send({ month: 1 }));
  const other = [ELSEWHERE, HOME[1], HOME[2]];
  const moved = await send({ month: 2, addresses: other });
  expect(asked(moved)).toEqual(["DESTINATION_NOT_USUAL 1"]);
  await approve(moved);
  expect(await payStep(workplace)).toMatchObject({ accepted: 6, problems: [] });
  for (const month of [3, 4, 5, 6]) {
    const report = await send({ month, addresses: month % 2 === 0 ? other : HOME });
    expectUnasked(report);
    await approve(report);
  }
  expect(await payStep(workplace)).toMatchObject({ accepted: 12, problems: [] });
});

test("each further address is counted, and the known one is shown to approvers only", async () => {
  const { send, approve, workplace, folder } = await openDesk();
  await approve(await send({ month: 1 }));
  await approve(await send({ month: 2, addresses: [addressOf(31), HOME[1], HOME[2]] }));
  const third = await send({ month: 3, addresses: [addressOf(32), HOME[1], HOME[2]] });
  const [said] = ofAddresses(third);
  expect(said?.message).toContain("this is its 3rd address in 1 month");
  expect(said?.message).toContain("batch B-000002, row 1");
  const known = addressOf(31);
  const written = await validateFile(workplace, join(folder, "payouts-3.csv"));
  expect(inspect([third, written], { depth: null })).not.toContain(known);
  for (const answer of third.answers) expect(readFileSync(answer, "utf8")).not.toContain(known);
  const preview = await previewStep(workplace, third.batchId ?? "");
  expect(preview.movedPayees).toMatchObject([
    { row: 1, knownAddress: known, where: expect.stringContaining("its 3rd address in 1 month") },
  ]);
});

test("however many other addresses a file or rejected files name for a payee, its known one is found", async () => {
  const { send, approve, workplace } = await openDesk();
  await approve(await send({ month: 1 }));
  const strangers = Array.from({ length: 24 }, (_, at) => addressOf(100 + at));
  const names = strangers.map(() => "Ana Sample");
  const amounts = strangers.map((_, at) => `0.001${10 + at}`);
  const rejected = await send({ month: 2, names, addresses: strangers, amounts });
  await recallStep(workplace, { reference: rejected.batchId ?? "", person: "ben", reason: "not hers" });
  const more = strangers.map((_, at) => addressOf(200 + at));
  const report = await send({ month: 3, names, addresses: more, amounts });
  expect(report.lookAlikeRows).toHaveLength(24);
  // Once the file is stored, its own payments count among those of the payee.
  const { lookAlikeRows, movedPayees } = await previewStep(workplace, report.batchId ?? "");
  expect(lookAlikeRows).toHaveLength(24);
  expect(new Set(movedPayees.map(({ knownAddress }) => knownAddress))).toEqual(new Set([HOME[0]]));
});

test("one new payee asks nothing, and neither do rejected payments, nor a file without payees", async () => {
  const { send, approve, workplace, site } = await openWithSite();
  const first = await send({ month: 1 });
  await recallStep(workplace, { reference: first.batchId ?? "", person: "ben", reason: "wrong addresses" });
  const corrected = await send({ month: 2, addresses: [ELSEWHERE, HOME[1], HOME[2]] });
  expectUnasked(corrected);
  await approve(corrected);
  const more = [["INV-39", "Gus New", addressOf(7), "0.0103"]];
  expectUnasked(await send({ month: 3, addresses: [ELSEWHERE, HOME[1], HOME[2]], more }));
  const bare = `Invoice,Wallet address,Amount (BTC)\nINV-41,${addressOf(41)},0.011\nINV-42,${addressOf(42)},0.012\n`;
  expectUnasked(await sendText(site, bare, 4));
});

async function openWithSite() {
  const desk = await openDesk();
  return { ...desk, site: desk };
}

test("an employer's name in every row beside the employees' is no payee", async () => {
  const { site } = await openWithSite();
  const of = (month: number, last: string) =>
    [
      "Invoice,Company,Employee,Wallet address,Amount (BTC)",
      `PAY-${month}1,Example AG,Ana Sample,${HOME[0]},0.011${month}`,
      `PAY-${month}2,Example AG,Ben Muster,${last},0.012${month}`,
      "",
    ].join("\n");
  const first = await sendText(site, of(1, HOME[1]), 1);
  expect(asked(first)).toEqual([]);
  await approveStep(site.workplace, first.batchId ?? "", "ben", {
    acceptReading: first.reading?.questions.length,
  });
  expect(asked(await sendText(site, of(2, HOME[1]), 2))).toEqual([]);
  const moved = await sendText(site, of(3, ELSEWHERE), 3);
  expect(asked(moved)).toEqual(["DESTINATION_NOT_USUAL 2"]);
});

test("of two new addresses of one payee in one file the second waits, and those of a client with many do not", async () => {
  const { site, approve, workplace } = await openWithSite();
  const twice = [["INV-14", "ANA SAMPLE", ELSEWHERE, "0.0103"]];
  const report = await sendText(site, csvOf({ month: 1, more: twice }), 1);
  expect(asked(report)).toEqual(["DESTINATION_NOT_USUAL 4"]);
  expect(ofAddresses(report)[0]?.message).toContain("line 2 of this file; this is one more in the same file");
  await expect(approveStep(workplace, report.batchId ?? "", "ben")).rejects.toMatchObject({
    problem: { code: "LOOK_ALIKES_NOT_ACCEPTED" },
  });
  expect((await previewStep(workplace, report.batchId ?? "")).movedPayees).toMatchObject([
    { row: 4, knownAddress: HOME[0] },
  ]);
  await approve(report);
  expect(await payStep(workplace)).toMatchObject({ accepted: 4, problems: [] });
  expectUnasked(
    await sendText(site, csvOf({ month: 2, more: [["INV-24", "Ana Sample", ELSEWHERE, "0.0104"]] }), 2),
  );
  const clients = Array.from({ length: 12 }, (_, at) => [
    `JOB-${at}`,
    ["Example AG", "Muster KG"][at % 2] ?? "",
    addressOf(50 + at),
    `0.02${10 + at}`,
  ]);
  const ofClients = ["Invoice,Customer,Wallet address,Amount (BTC)", ...clients.map((row) => row.join(","))];
  expect(asked(await sendText(site, `${ofClients.join("\n")}\n`, 3))).toEqual([]);
});

test("with `onLookAlike: warn` another address is only told, and paid", async () => {
  const { send, approve, workplace, sandbox } = await openDesk({
    PAYDROP_DESTINATIONS_ON_LOOK_ALIKE: "warn",
  });
  await approve(await send({ month: 1 }));
  const moved = await send({ month: 2, addresses: [ELSEWHERE, HOME[1], HOME[2]] });
  expect(moved.lookAlikeRows).toEqual([1]);
  await approveStep(workplace, moved.batchId ?? "", "ben");
  expect(await payStep(workplace)).toMatchObject({ accepted: 6 });
  expect(sandbox.creations()).toHaveLength(6);
});
