/**
 * Pages of the desk show only words for people: no raw instants, escapes, statuses, fields, keys, options or
 * commands.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixOf, minutesText, plain, said } from "../../src/desk/plain-words.ts";
import { type CatalogueCode, catalogue, type Problem } from "../../src/faults/index.ts";
import {
  approveStep,
  createDepositStep,
  createPayoutStep,
  giveStopOrder,
  intakeStep,
  payStep,
  submitFile,
  trackStep,
  voidDepositStep,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { ADDRESS, openSite, TREASURY } from "../site/service.ts";
import { deskOf, trialVisitor } from "./visitor.ts";
import { crawled, notForPeople, wordsOn } from "./words.ts";

const MADRID = {
  workplace: { config: { ledger: { timeZone: "Europe/Madrid" } } },
} as Parameters<typeof plain>[0];

/** Values that a case may put into a text, by the names of their places. */
const CASE: Readonly<Record<string, string>> = {
  status: "409",
  when: "2026-11-28T16:07:11.870Z",
  until: "2026-11-28T16:07:11.870Z",
  before: "2026-11-20T16:07:11.870Z",
  key: "limits.perRow.BTC",
  keys: "`limits.perRow.BTC`, `limits.perDay.BTC`",
  operation: "createPayoutV2",
  evidence: "answered 500: nonce was used before",
  field: "destinationAddress",
};

function caseOf(code: CatalogueCode): Problem {
  const { message, fix, next } = catalogue[code];
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => CASE[name] ?? "7");
  return { code, next, message: filled(message), fix: filled(fix) };
}

describe("the words of the desk", () => {
  test("say each fault of the catalogue to people", () => {
    for (const code of Object.keys(catalogue) as CatalogueCode[]) {
      const met = caseOf(code);
      for (const text of [said(MADRID, met.message), fixOf(MADRID, met)])
        expect([code, notForPeople(text.replaceAll("mBTC", ""))]).toEqual([code, []]);
      expect(fixOf(MADRID, met), code).not.toMatch(/\ba (?:setting|command of an operator)\b|^[a-z]/);
    }
  });

  test.each([
    [
      'not before 2026-12-01, as "2026-12-01" in pay-2026-12-01.csv says',
      'not before 1 Dec 2026, as "2026-12-01" in pay-2026-12-01.csv says',
    ],
    ["stopped by dave at 2026-11-28T16:07:11.870Z: audit", "stopped by dave at 28 Nov 2026, 17:07: audit"],
    ["seen at 2026-10-01 10:00 UTC", "seen at 1 Oct 2026, 12:00"],
    ["answered 202 with a payoutId", "the service took it, with a payout number"],
    ["answered 400: amount: too small", "the service refused it: amount: too small"],
    ["it is called Acme\\u000aGmbH", "it is called Acme GmbH"],
    ["it is called Acme\\u202eHbmG", "it is called Acme[hidden character]HbmG"],
    ["more than `limits.perDay.BTC` allows", "more than the limit of a day allows"],
    ["1436 min of the settle window are left", "23 h 56 min of the settle time are left"],
    ["destinationAddress is wrong", "address is wrong"],
    ["set `files.columns` or `files.sheet`", "set the names of the columns or the sheet to read"],
    ["abandoned by ben: not needed", "given up by ben: not needed"],
    // Words quoted from a file stay as they are.
    ["`id` was read as the reference", "“id” was read as the reference"],
    ['the column "destinationAddress" is there twice', 'the column "destinationAddress" is there twice'],
  ])("%s", (written, shown) => expect(plain(MADRID, written.replaceAll("\\\\", "\\"))).toContain(shown));

  test("begin with a capital letter, unless they begin with what a person must compare", () => {
    const address = "bc1qyuclyth3rq726pass82022pec6f8yk8atdnsdq is not valid";
    expect(said(MADRID, address)).toBe(`${address}.`);
    expect(said(MADRID, "the file is empty")).toBe("The file is empty.");
  });

  test("keep the desk's own hint what to fill in, and no option of a command", () => {
    const hint = (fix: string) => fixOf(MADRID, { ...caseOf("USAGE"), fix });
    expect(hint("Close 2031-04 first.")).toBe("Close 2031-04 first.");
    expect(hint("Name the person with `--by NAME`.")).toBe("Fill in what is missing, and send it again.");
  });

  test("count hours where minutes are many", () => {
    expect([45, 60, 1440, 1436].map(minutesText)).toEqual(["45 min", "1 h", "24 h", "23 h 56 min"]);
  });
});

/** A place with trouble of every kind. */
async function siteOfTroubles() {
  const site = await openSite();
  const { workplace, folder, sandbox } = site;
  const sent = async (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return submitFile(workplace, join(folder, name), "ann");
  };
  const create = (reference: string, amount: string) =>
    createPayoutStep(workplace, {
      cells: { reference, amount, destinationAddress: ADDRESS, customerId: "Zoë" },
      submittedBy: "alice",
      approvedBy: ["bob"],
    });
  // One failed, one was refused, one was lost, and one waits with findings.
  await create("PAY-2026-0017", "0.011");
  const refusing = {
    kind: "answer",
    statusCode: 400,
    body: '[{"error":"no","code":"WRONG"}]',
    committed: false,
  } as const;
  await sandbox.setFaults([{ operation: "createPayoutV2", effect: refusing }]);
  await create("REFUSED-1", "0.012");
  await sandbox.setFaults([{ operation: "createPayoutV2", effect: { kind: "cut-before-read" } }]);
  await create("LOST-1", "0.013");
  const made = {
    custodyAccountId: TREASURY,
    reference: "DEP-1",
    by: "path",
    person: "dave",
  } as Parameters<typeof createDepositStep>[1];
  await sandbox.setFaults([]);
  const { depositId = "" } = await createDepositStep(workplace, made);
  await sandbox.setFaults([{ operation: "voidDeposit", effect: { kind: "cut-before-read" } }]);
  await voidDepositStep(workplace, { depositId, accountId: TREASURY }, "dave", "path");
  await sandbox.setFaults([]);
  await sent(
    "waits.csv",
    `reference,amount,destinationAddress,customerId,note\nA-1,0.011,${ADDRESS},"Acme\nGmbH\u202e",x\n`,
  );
  await sent(
    "wrong.csv",
    `reference,amount,destinationAddress\n,0.o5,bc1qwrong\nA-2,99,${ADDRESS}\nA-1,0.1,\n`,
  );
  await sent("unclear.csv", `id,value,where\nB-1,0.1,${ADDRESS}\n`);
  const { digest = "" } = await sent("more.csv", `reference,amount,destinationAddress\nC-1,0.2,${ADDRESS}\n`);
  await approveStep(workplace, digest, "ben");
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  await reconcileStep(workplace);
  await giveStopOrder(workplace, "dave", "an audit");
  const { accepted } = await payStep(workplace);
  expect(accepted).toBe(0);
  mkdirSync(workplace.config.folders.inbox, { recursive: true });
  await intakeStep(workplace);
  return site;
}

test("every page that links lead to, over troubles of every kind, and every refusal speaks to people", async () => {
  const { workplace } = await siteOfTroubles();
  const app = await deskOf(workplace);
  const dave = await trialVisitor(app, "dave");
  const stories = ["PAY-2026-0017", "REFUSED-1", "LOST-1"].map((name) => `/payments/story?reference=${name}`);
  const from = [
    "/",
    "/files",
    "/payments",
    "/doubts",
    "/nights",
    "/books",
    "/jobs",
    "/people",
    "/enrol",
    ...stories,
  ];
  const pages = await crawled((path) => dave.get(path), from);
  const found = [...pages].flatMap(([path, page]) =>
    notForPeople(wordsOn(page)).map((each) => `${path}: ${each}`),
  );
  expect(found).toEqual([]);
  expect([...pages.values()].join()).toContain("Stopped by dave at ");
  expect(pages.size).toBeGreaterThan(25);
  // What is refused is refused in words for people, too.
  const answers = await Promise.all([
    dave.post("/jobs/go", { reason: "" }),
    dave.post("/batches/B-000004/approve", {}),
    dave.post("/batches/B-000099/approve", {}),
    dave.post("/nights/settle", { break: "none", reason: "known" }),
    dave.post("/people/add", { name: " ", role: "viewer", draft: "x", sure: "yes" }),
    dave.post("/files/send-in", { upload: "no-such-upload", name: "a.csv" }),
    dave.post("/payments/accept", { reference: "LOST-1", payout: "x", reason: "y" }),
    dave.get("/files/ffff"),
    dave.get("/payments/story?reference=NONE"),
  ]);
  for (const { status, text } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(notForPeople(wordsOn(text))).toEqual([]);
  }
});
