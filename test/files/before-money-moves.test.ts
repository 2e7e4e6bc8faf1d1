/** The findings that must be shown and decided before a payment can leave, from the file to the service. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pc from "picocolors";
import { describe, expect, test } from "vitest";
import { balanceEffectsText } from "../../src/cli/render/balance-effects-text.ts";
import { checkAndReport } from "../../src/files/validate-step.ts";
import {
  approveStep,
  type Environment,
  payStep,
  previewBalances,
  previewStep,
  statusOf,
  submitFile,
  trackStep,
  validateFile,
} from "../../src/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { writeDocument } from "../../src/wire/index.ts";
import { ADDRESS, openSite, type Site } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const OTHER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const HEADER = "reference,accountId,amount,destinationAddress,destinationAccountId,generalLedgerName";

/** One row: reference, amount, destination; paid from treasury-btc and booked to hosting by default. */
function row(reference: string, amount: string, destination = ADDRESS, ledgerName = "Hosting"): string {
  const [address, account] = destination === SAVINGS ? ["", destination] : [destination, ""];
  return `${reference},treasury-btc,${amount},${address},${account},${ledgerName}`;
}

async function openDesk(environment: Environment = {}) {
  const site = await openSite({}, environment);
  const file = (name: string, rows: readonly string[]) => {
    const path = join(site.folder, name);
    writeFileSync(path, `${[HEADER, ...rows].join("\n")}\n`);
    return path;
  };
  return { ...site, file, ...stepsOf(site, file) };
}

function stepsOf({ workplace }: Site, file: (name: string, rows: readonly string[]) => string) {
  const submit = (name: string, ...rows: string[]) => submitFile(workplace, file(name, rows), "ann");
  const approve = (digest: string | undefined, acceptRepeats?: number) =>
    approveStep(workplace, digest ?? "", "ben", { acceptRepeats });
  return {
    validate: async (...rows: string[]) => {
      const { report, found } = await checkAndReport(workplace, file("look.csv", rows));
      return { ...report, drafts: found?.rows.flatMap(({ draft }) => draft ?? []) ?? [] };
    },
    submit,
    approve,
    /** Submits, approves and pays a file without repeats. */
    payFile: async (name: string, ...rows: string[]) => {
      await approve((await submit(name, ...rows)).digest);
      return payStep(workplace);
    },
  };
}

const codes = (problems: readonly { readonly code: string }[]) => problems.map(({ code }) => code);

// They begin and end like ADDRESS, with valid checksums.
const LOOK_ALIKE = "bc1qw508d6qejxtdg4y5qqrwl0ary0c5xw7kz9f3t4";
const OTHER_LOOK_ALIKE = "bc1qw508d6qejxtdg4y5qqvc0f4ry0c5xw7k0kf3t4";

describe("an address that looks like another one", () => {
  test("that was paid before waits until the approver says that it is right; then it is paid, and no stranger any more", async () => {
    const { submit, payFile, approve, workplace, sandbox } = await openDesk();
    await payFile("a.csv", row("A-1", "0.05"));
    const rows = [row("B-1", "0.02", LOOK_ALIKE), row("B-2", "0.03"), row("B-3", "0.04", LOOK_ALIKE)];
    const { digest, warnings, lookAlikeRows, answers } = await submit("b.csv", ...rows);
    expect(lookAlikeRows).toEqual([1, 3]);
    expect(warnings).toMatchObject([
      { code: "DESTINATION_LOOKS_ALIKE", row: 1, excerpt: LOOK_ALIKE },
      { code: "DESTINATION_LOOKS_ALIKE", row: 3 },
    ]);
    expect(warnings[0]?.message).toContain("bc1qw508d6qejxtdg4y5[qqrwl0ary0c5xw7kz9]f3t4");
    expect(warnings[0]?.message).toContain("known from batch B-000001, row 1, paid as");
    expect(readFileSync(answers[0] ?? "", "utf8")).toContain("the address must be compared");
    for (const count of [undefined, 0, 1])
      await expect(
        approveStep(workplace, digest ?? "", "ben", { acceptLookAlikes: count }),
      ).rejects.toMatchObject({ problem: { code: "LOOK_ALIKES_NOT_ACCEPTED" } });
    await expect(approve(digest, 2)).rejects.toMatchObject({ problem: { code: "LOOK_ALIKES_NOT_ACCEPTED" } });
    expect((await previewStep(workplace, "B-000002")).lookAlikeRows).toEqual([1, 3]);
    await approveStep(workplace, digest ?? "", "ben", { acceptLookAlikes: 2 });
    expect(await payStep(workplace)).toMatchObject({ accepted: 3 });
    expect(sandbox.creations()).toHaveLength(4);
    const audit = await workplace.store.read(() => listAudit(["B-000002"]));
    expect(audit.at(-1)).toMatchObject({
      detail: { accepted: expect.stringContaining('"DESTINATION_LOOKS_ALIKE","rows":[1,3]') },
    });
    expect((await submit("c.csv", row("C-1", "0.05", LOOK_ALIKE))).lookAlikeRows).toEqual([]);
  });

  test("of the same file, or of the list of allowed destinations, is named with it", async () => {
    const { validate, folder } = await openDesk();
    const { warnings } = await validate(row("A-1", "0.01", LOOK_ALIKE), row("A-2", "0.02", OTHER_LOOK_ALIKE));
    expect(warnings).toMatchObject([{ row: 2, message: expect.stringContaining("in line 2 of this file") }]);
    writeFileSync(join(folder, "payees.csv"), `address,name\n${ADDRESS},Ann\n`);
    const listed = await openDesk({ PAYDROP_DESTINATIONS_ALLOW_LIST: join(folder, "payees.csv") });
    const report = await listed.validate(row("A-1", "0.01", LOOK_ALIKE), row("A-2", "0.02"));
    expect(report.warnings).toMatchObject([
      { row: 1, message: expect.stringContaining("on the list of allowed destinations") },
    ]);
    expect(report.lookAlikeRows).toEqual([1]);
  });

  test("that was submitted, but never paid, is no one to be taken for", async () => {
    const { submit, validate } = await openDesk();
    await submit("a.csv", row("A-1", "0.01"));
    expect((await validate(row("B-1", "0.02", LOOK_ALIKE))).lookAlikeRows).toEqual([]);
  });

  test("is found behind thousands of payments to the one that it looks like, and behind a sieve", async () => {
    const { payFile, workplace, validate } = await openDesk();
    await payFile("a.csv", row("A-1", "0.01"));
    await tamper(
      workplace.store,
      `insert into instruction (id, batch_id, row, line, reference, folded_reference, fields, currency, amount, destination, standing, changed_at)
      with recursive n(i) as (select 2 union all select i + 1 from n where i < 4000)
      select 'x' || i, batch_id, i, i, 'X-' || i, 'x-' || i, fields, currency, amount, destination, standing, changed_at
      from instruction, n where row = 1`,
    );
    await tamper(workplace.store, "update batch set row_count = 4000");
    const filler = Array.from({ length: 3100 }, (_, at) => row(`F-${at}`, `0.0001${at}`.slice(0, 10)));
    const { lookAlikeRows } = await validate(...filler, row("B-1", "0.02", LOOK_ALIKE));
    expect(lookAlikeRows).toEqual([3101]);
  });

  test("with `onLookAlike: warn` is told and holds nothing up", async () => {
    const { submit, approve } = await openDesk({ PAYDROP_DESTINATIONS_ON_LOOK_ALIKE: "warn" });
    const { digest, lookAlikeRows } = await submit(
      "a.csv",
      row("A-1", "0.01"),
      row("A-2", "0.02", LOOK_ALIKE),
    );
    expect(lookAlikeRows).toEqual([2]);
    expect(await approve(digest)).toMatchObject({ released: 2 });
  });
});

describe("the same payment twice", () => {
  test("in one file waits until the approver says how many are meant; then both are paid", async () => {
    const { submit, approve, workplace, sandbox } = await openDesk();
    const { digest, verdict, warnings, repeatedRows } = await submit(
      "a.csv",
      row("A-1", "0.01"),
      row("A-2", "0.02"),
      row("A-3", "0.010", ADDRESS.toUpperCase()),
    );
    expect({ verdict, repeatedRows }).toEqual({ verdict: "accepted", repeatedRows: [3] });
    expect(warnings).toMatchObject([
      {
        code: "PAYMENT_IN_FILE_TWICE",
        line: 4,
        message: expect.stringContaining("is in line 2 of this file"),
      },
    ]);
    for (const count of [undefined, 0, 2])
      await expect(approve(digest, count)).rejects.toMatchObject({
        problem: { code: "REPEATS_NOT_ACCEPTED" },
      });
    expect(await payStep(workplace)).toMatchObject({ due: 0 });
    expect(await approve(digest, 1)).toMatchObject({ isReleased: true, released: 3, repeatedRows: [3] });
    expect(await payStep(workplace)).toMatchObject({ accepted: 3 });
    expect(sandbox.creations()).toHaveLength(3);
    const audit = await workplace.store.read(() => listAudit(["B-000001"]));
    expect(audit.at(-1)).toMatchObject({
      person: "ben",
      detail: { accepted: expect.stringContaining('"PAYMENT_IN_FILE_TWICE","rows":[3]') },
    });
  });

  test("in history is named with its batch, row and payout; another amount is another payment", async () => {
    const { payFile, submit, approve, sandbox } = await openDesk();
    await payFile("a.csv", row("A-1", "0.02", OTHER), row("A-2", "0.01"));
    const again = await submit("b.csv", row("B-1", "0.01"), row("B-2", "0.011"));
    const { payoutId = "?" } = sandbox.creations()[1] ?? {};
    expect(again.warnings).toMatchObject([
      { code: "PAYMENT_MADE_BEFORE", row: 1, message: expect.stringContaining("batch B-000001, row 2") },
    ]);
    expect(again.warnings[0]?.message).toContain(`paid as ${payoutId}`);
    await expect(approve(again.digest)).rejects.toMatchObject({ problem: { code: "REPEATS_NOT_ACCEPTED" } });
    expect(await approve(again.digest, 1)).toMatchObject({ released: 2 });
  });

  test("whose payout has failed is not called paid, and hides none that was paid", async () => {
    const { payFile, submit, validate, approve, workplace } = await openDesk();
    const FAILS = "PAY-2026-0017"; // the sandbox's seed lets this one fail
    await payFile("a.csv", row(FAILS, "0.01"));
    const states = async () => {
      await trackStep(workplace);
      return (await statusOf(workplace, FAILS)).map(({ payoutState }) => payoutState);
    };
    await expect.poll(states).toEqual(["SEND_FAILED"]);
    const alike = await validate(row("L-1", "0.02", LOOK_ALIKE));
    expect(alike.warnings[0]?.message).toMatch(
      /known from batch B-000001, row 1, sent as payout [0-9a-f-]{36}, which failed \(SEND_FAILED\);/,
    );
    const anew = await submit("b.csv", row("B-1", "0.01"));
    expect(anew.warnings[0]?.message).toMatch(
      /row 1, sent as payout [0-9a-f-]{36}, which failed \(SEND_FAILED\)$/,
    );
    await approve(anew.digest, 1);
    await payStep(workplace);
    await tamper(
      workplace.store,
      "update batch set submitted_at = '2999-01-01T00:00:00.000Z' where id = 'B-000001'",
    );
    const third = await submit("c.csv", row("C-1", "0.01"));
    expect(third.warnings[0]?.message).toMatch(/batch B-000002, row 1, paid as [0-9a-f-]{36}$/);
    const used = await submit("d.csv", row(FAILS, "0.5"));
    expect(used.problems[0]?.message).toMatch(/: sent on .* \(failed\) as B-000001, row 1$/);
  });

  test("is said of the later of two batches that wait, and of the earlier one once the later is approved", async () => {
    const { submit, approve, workplace } = await openDesk();
    const first = await submit("a.csv", row("A-1", "0.01"));
    const second = await submit("b.csv", row("B-1", "0.01"));
    expect((await previewStep(workplace, "B-000001")).repeatedRows).toEqual([]);
    await approve(second.digest, 1);
    expect((await previewStep(workplace, "B-000001")).repeatedRows).toEqual([1]);
    await expect(approve(first.digest)).rejects.toMatchObject({ problem: { code: "REPEATS_NOT_ACCEPTED" } });
  });

  test("counts no further back than configured, and what was refused was no payment", async () => {
    const { submit, validate, workplace } = await openDesk();
    await submit("a.csv", row("A-1", "0.01"), row("A-2", "0.02"));
    await tamper(workplace.store, "update instruction set standing = 'refused' where reference = 'A-2'");
    expect((await validate(row("B-1", "0.01"), row("B-2", "0.02"))).repeatedRows).toEqual([1]);
    const fifteenDaysAgo = new Date(Date.now() - 15 * 86_400_000).toISOString();
    await tamper(workplace.store, `update batch set submitted_at = '${fifteenDaysAgo}'`);
    expect((await validate(row("B-1", "0.01"), row("B-2", "0.02"))).repeatedRows).toEqual([]);
  });

  test("with `onRepeat: warn` is told and holds nothing up", async () => {
    const { submit, approve } = await openDesk({ PAYDROP_REPEATS_ON_REPEAT: "warn" });
    const { digest, warnings } = await submit("a.csv", row("A-1", "0.01"), row("A-2", "0.01"));
    expect(codes(warnings)).toEqual(["PAYMENT_IN_FILE_TWICE"]);
    expect(await approve(digest)).toMatchObject({ released: 2 });
  });
});

describe("first-time destinations", () => {
  test("are listed until a payment to them was accepted; own custody accounts never are", async () => {
    const { payFile, validate, folder } = await openDesk();
    const before = await validate(row("A-1", "0.01"), row("A-2", "0.02", OTHER), row("A-3", "0.03"));
    expect(before.newDestinations).toMatchObject({
      destinations: [
        { destination: ADDRESS, row: 1, totals: [{ count: 2 }] },
        { destination: OTHER, row: 2, totals: [{ count: 1 }] },
      ],
      totals: [{ currency: "BTC", count: 3 }],
      count: 2,
    });
    await payFile("a.csv", row("A-1", "0.01"));
    const answer = readFileSync(join(folder, "outbox", "a.accepted.csv.txt"), "utf8");
    expect(answer).toContain(`First-time destinations: 1\n  ${ADDRESS}: 0.01 BTC, A-1\n`);
    const after = await validate(row("B-1", "0.02"), row("B-2", "0.02", OTHER), row("B-3", "0.03", SAVINGS));
    expect(after.newDestinations?.destinations).toMatchObject([{ destination: OTHER }]);
  });
});

describe("the list of allowed destinations", () => {
  const listed = (environment: Environment = {}) =>
    openDesk({
      PAYDROP_DESTINATIONS_ALLOW: "listed",
      PAYDROP_DESTINATIONS_ALLOW_LIST: "payees.csv",
      ...environment,
    });
  const writeList = (folder: string, ...lines: string[]) =>
    writeFileSync(join(folder, "payees.csv"), `name;address\n${lines.join("\n")}\n`);

  test("refuses every other row by its line, and knows its payees by name", async () => {
    const { folder, validate } = await listed();
    writeList(folder, `Hill Hosting;${ADDRESS.toUpperCase()}`);
    const report = await validate(row("A-1", "0.01"), row("A-2", "0.02", OTHER), row("A-3", "0.03", SAVINGS));
    expect(report).toMatchObject({ verdict: "rejected", rowsAccepted: 2 });
    expect(report.problems).toMatchObject([
      { code: "DESTINATION_NOT_LISTED", line: 3, column: "destinationAddress" },
    ]);
    const good = await validate(row("A-1", "0.01"));
    expect(good.newDestinations?.destinations).toMatchObject([{ name: "Hill Hosting" }]);
  });

  test("counts at the approval too: who was taken off it is not paid", async () => {
    const { folder, submit, approve, workplace, sandbox } = await listed();
    writeList(folder, `Hill Hosting;${ADDRESS}`);
    const { digest } = await submit("a.csv", row("A-1", "0.01"));
    writeList(folder, `Hill Hosting;${OTHER}`);
    await expect(approve(digest)).rejects.toMatchObject({
      problem: { code: "DESTINATION_NOT_LISTED", row: 1, reference: "A-1" },
    });
    await payStep(workplace);
    expect(sandbox.creations()).toEqual([]);
  });

  test("is the way in for new payees where only known ones are paid", async () => {
    const { folder, payFile, validate } = await listed({ PAYDROP_DESTINATIONS_ALLOW: "known" });
    writeList(folder, `Hill Hosting;${ADDRESS}`);
    await payFile("a.csv", row("A-1", "0.01"));
    writeList(folder, "");
    expect(codes((await validate(row("B-1", "0.02"), row("B-2", "0.02", OTHER))).problems)).toEqual([
      "DESTINATION_NEVER_PAID",
    ]);
  });

  test.each([
    ["a mistyped address", `Hill;${ADDRESS.slice(0, -1)}x`, /line 2|checksum/],
    ["an empty address", "Hill;", /the cell is empty/],
    [
      "a private key, which is not repeated",
      "Hill;5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
      /private key/,
    ],
    ["a line that breaks the format", 'Hill;"x', /quot/],
  ])("with %s is no list: nothing is checked, nothing taken in", async (_what, line, reason) => {
    const { folder, validate } = await listed();
    writeList(folder, line, `Other;${OTHER}`);
    const refused = await validate(row("A-1", "0.01")).catch((error: unknown) => error);
    expect(refused).toMatchObject({ problem: { code: "ALLOW_LIST_INVALID", next: "correct-usage" } });
    expect(JSON.stringify(refused)).toMatch(reason);
    expect(JSON.stringify(refused)).not.toContain("5HueCGU8");
  });

  test("that is not there refuses everything", async () => {
    const { validate } = await listed();
    await expect(validate(row("A-1", "0.01"))).rejects.toMatchObject({
      problem: { code: "ALLOW_LIST_INVALID" },
    });
  });
});

describe("limits per day and destination", () => {
  const LIMITED = {
    PAYDROP_LIMITS_PER_DESTINATION: '{ BTC: "0.03" }',
    PAYDROP_LIMITS_PER_DAY: '{ BTC: "0.05" }',
  };

  test("a file that exceeds one says so at the row, and pays no more of it today", async () => {
    const { submit, workplace, sandbox } = await openDesk(LIMITED);
    const { digest, warnings } = await submit(
      "a.csv",
      row("A-1", "0.02"),
      row("A-2", "0.011"),
      row("A-3", "0.02", OTHER),
      row("A-4", "0.01"),
    );
    expect(warnings).toMatchObject([
      { code: "DESTINATION_OVER_LIMIT", row: 2, message: expect.stringContaining("0.031 BTC") },
      { code: "FILE_OVER_DAY_LIMIT", row: 3, message: expect.stringContaining("0.051 BTC") },
    ]);
    await approveStep(workplace, digest ?? "", "ben", { acceptReading: 1 });
    const paid = await payStep(workplace);
    expect(paid).toMatchObject({
      accepted: 3,
      postponed: 1,
      problems: [{ code: "DAY_LIMIT_REACHED" }],
    });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["A-1", "A-3", "A-4"]);
    expect(await payStep(workplace)).toMatchObject({ accepted: 0, postponed: 1 });
  });

  test("a row that no day could take is refused at once", async () => {
    const { validate } = await openDesk(LIMITED);
    const { problems } = await validate(row("A-1", "0.04"), row("A-2", "0.06"), row("A-3", "0.03"));
    expect(problems).toMatchObject([
      { row: 1, message: expect.stringContaining("per destination and day") },
      { row: 2, message: expect.stringContaining("0.05 BTC per day") },
      { row: 2, message: expect.stringContaining("per destination and day") },
    ]);
  });

  test("days to come are counted for themselves", async () => {
    const { folder, workplace } = await openDesk(LIMITED);
    const path = join(folder, "later.csv");
    const due = ["", "2099-01-01", "2099-01-01", "2099-01-02"];
    const rows = due.map((day, index) => `A-${index},treasury-btc,0.015,${ADDRESS},${day}`);
    writeFileSync(path, `reference,accountId,amount,destinationAddress,payOn\n${rows.join("\n")}\n`);
    const { warnings } = await validateFile(workplace, path);
    expect(codes(warnings)).not.toContain("DESTINATION_OVER_LIMIT");
  });
});

describe("general-ledger fields", () => {
  test("that the chart does not map are told, and refused where the configuration says so", async () => {
    const rows = [row("A-1", "0.01", ADDRESS, "stob"), row("A-2", "0.02", SAVINGS, "")];
    const told = await (await openDesk()).validate(...rows);
    expect(told).toMatchObject({
      verdict: "accepted",
      warnings: [{ code: "LEDGER_FIELDS_UNMAPPED", row: 1 }],
    });
    const { validate } = await openDesk({ PAYDROP_LEDGER_ON_UNMAPPED: "refuse" });
    expect((await validate(...rows)).problems).toMatchObject([
      {
        code: "LEDGER_FIELDS_UNMAPPED",
        line: 2,
        column: "generalLedgerName",
        message: expect.stringContaining('"stob"'),
      },
    ]);
  });

  test("in another case or with other spaces than the chart's are taken for those, and told once a value", async () => {
    const rows = ["hosting", "HOSTING ", "Hosting", "hosting", "contractors\u00a0"].map((name, index) =>
      row(`A-${index + 1}`, `0.0${index + 1}`, ADDRESS, name),
    );
    const settings = { PAYDROP_LEDGER_ON_UNMAPPED: "refuse" };
    const { verdict, warnings } = await (await openDesk(settings)).validate(...rows);
    expect(verdict).toBe("accepted");
    expect(
      warnings.filter(({ code }) => code.startsWith("LEDGER")).map(({ row, message }) => [row, message]),
    ).toEqual([
      [1, 'a value was read as the chart of accounts writes it: "hosting" as "Hosting"'],
      [2, 'a value was read as the chart of accounts writes it: "HOSTING" as "Hosting"'],
      [5, 'a value was read as the chart of accounts writes it: "contractors" as "Contractors"'],
    ]);
  });

  describe("that a file for an ERP could not hold once it is paid are told at their row, or refused", () => {
    const ROWS = [
      [`A-1,0.01,${ADDRESS},Contractors,PRJ-ALPHA,`],
      [`A-2,0.02,${ADDRESS},Contractors,a project with a long name,`],
      [`A-3,0.03,${ADDRESS},Contractors,PRJ-ALPHA,${"D".repeat(200)}`],
    ].join("\n");

    async function validated(exports: string, rows: string, environment: Environment = {}) {
      const { folder, environment: own, openAgain } = await openSite({}, environment);
      const config = join(folder, "paydrop.yaml");
      writeFileSync(
        config,
        readFileSync(config, "utf8").replace(/^ledger:$/m, `ledger:\n  exports: [${exports}]`),
      );
      const file = join(folder, "a.csv");
      writeFileSync(
        file,
        `reference,amount,destinationAddress,generalLedgerName,generalLedgerProject,generalLedgerDistribution\n${rows}\n`,
      );
      return validateFile(openAgain({ ...own, ...environment }), file);
    }

    test("a column that is too narrow, each row with the field that does not fit", async () => {
      expect(await validated("{ preset: sage-50-us }", ROWS)).toMatchObject({
        verdict: "accepted",
        warnings: [
          { code: "LEDGER_CELL_TOO_LONG", row: 2, column: "generalLedgerProject" },
          { code: "LEDGER_CELL_TOO_LONG", row: 3, column: "generalLedgerDistribution" },
        ],
      });
      const refused = await validated("{ preset: sage-50-us }", ROWS, {
        PAYDROP_LEDGER_ON_UNMAPPED: "refuse",
      });
      expect(refused.problems).toMatchObject([
        { code: "LEDGER_CELL_TOO_LONG", line: 3 },
        { code: "LEDGER_CELL_TOO_LONG", line: 4 },
      ]);
    });

    test("a letter that the encoding lacks, and an account that is too long", async () => {
      const row = `A-1,0.01,${ADDRESS},Contractors,東京,`;
      expect((await validated("{ preset: quickbooks-desktop }", row)).warnings).toMatchObject([
        { code: "LEDGER_CELL_UNWRITABLE", row: 1, column: "generalLedgerProject" },
      ]);
      const narrow =
        '{ name: own, columns: [{ header: A, value: "{accountName}", lengthMax: 4 }, { header: B, value: "{amount}" }] }';
      expect((await validated(narrow, `A-1,0.01,${ADDRESS},Contractors,,`)).warnings).toMatchObject([
        { code: "LEDGER_CELL_TOO_LONG", row: 1, column: "generalLedgerName" },
      ]);
    });

    test("and nothing of what every configured file can hold", async () => {
      const { warnings } = await validated(
        "{ preset: sage-50-us }, { preset: netsuite }",
        ROWS.split("\n")[0] ?? "",
      );
      expect(warnings).toEqual([]);
    });
  });

  test("are compared again at the approval", async () => {
    const { folder, submit, approve } = await openDesk({ PAYDROP_LEDGER_ON_UNMAPPED: "refuse" });
    const { digest } = await submit("a.csv", row("A-1", "0.01"));
    const chart = join(folder, "chart-of-accounts.csv");
    writeFileSync(chart, readFileSync(chart, "utf8").replaceAll("Hosting", "Housing"));
    await expect(approve(digest)).rejects.toMatchObject({
      problem: { code: "LEDGER_FIELDS_UNMAPPED", reference: "A-1" },
    });
  });

  test("cannot be compared with a broken chart: that is told, or nothing is taken in", async () => {
    const chart = { PAYDROP_LEDGER_CHART: "none.csv" };
    const told = await (await openDesk(chart)).validate(row("A-1", "0.01"));
    expect(told).toMatchObject({ verdict: "accepted", warnings: [{ code: "LEDGER_FIELDS_UNCHECKED" }] });
    const { validate } = await openDesk({ ...chart, PAYDROP_LEDGER_ON_UNMAPPED: "refuse" });
    await expect(validate(row("A-1", "0.01"))).rejects.toMatchObject({
      problem: { code: "CHART_UNUSABLE" },
    });
  });
});

describe("the preview", () => {
  test("counts what is approved and not sent, and not the batch itself", async () => {
    const { submit, approve, workplace, arrived } = await openDesk();
    const first = await submit("a.csv", row("A-1", "0.5"));
    await approve(first.digest);
    await submit("b.csv", row("B-1", "0.25", OTHER), row("B-2", "0.125", SAVINGS));
    expect(arrived("getAccountsBalance")).toBe(0);
    const { balances } = await previewStep(workplace, "B-000002");
    expect(arrived("getAccountsBalance")).toBe(1);
    expect(JSON.parse(writeDocument(balances.effects))).toMatchObject([
      {
        custodyAccount: "treasury-btc",
        available: "12.5",
        approvedBefore: "0.5",
        paid: "0.375",
        left: "11.625",
      },
      { custodyAccount: "savings-btc", available: "3", paid: "0", arriving: "0.125", left: "3" },
    ]);
    expect(balances.problems).toEqual([]);
    const own = await previewStep(workplace, first.digest ?? "");
    expect(JSON.parse(writeDocument(own.balances.effects))).toMatchObject([
      { approvedBefore: "0", paid: "0.5", left: "12" },
    ]);
  });

  test("counts the configured fee of every payout, but of those that pay it themselves", async () => {
    const { validate, workplace, folder } = await openDesk();
    const withFee = await openDesk({
      PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify(
        workplace.config.custodyAccounts.map(({ name, id, currency }) => ({
          ...{ name, id, currency },
          ...(name === "treasury-btc" ? { feeEstimate: "0.00002" } : {}),
        })),
      ),
    });
    const approved = join(folder, "fees.csv");
    const header = "reference,accountId,amount,destinationAddress,subtractFee";
    writeFileSync(
      approved,
      `${header}\nA-1,treasury-btc,0.5,${ADDRESS},yes\nA-2,treasury-btc,0.25,${OTHER},no\n`,
    );
    const { digest = "" } = await submitFile(withFee.workplace, approved, "ann");
    for (const person of ["ben", "cleo"]) await approveStep(withFee.workplace, digest, person);
    const { drafts } = await validate(row("B-1", "0.125"), row("B-2", "1", OTHER));
    const { effects } = await previewBalances(withFee.workplace, drafts);
    expect(JSON.parse(writeDocument(effects))).toMatchObject([
      {
        approvedBefore: "0.75",
        paid: "1.125",
        fees: { perPayout: "0.00002", approvedBefore: "0.00002", paid: "0.00004" },
        left: "10.62494",
      },
    ]);
    expect(balanceEffectsText({ effects, problems: [] }, pc.createColors(false))).toContain("0.00006 BTC");
    const plain = await previewBalances(workplace, drafts);
    expect(balanceEffectsText(plain, pc.createColors(false))).toContain("without fees");
  });

  test("says what is missing before anything is approved", async () => {
    const limits = {
      PAYDROP_LIMITS_PER_ROW: '{ BTC: "50" }',
      PAYDROP_LIMITS_PER_FILE: '{ BTC: "50" }',
      PAYDROP_LIMITS_PER_DAY: '{ BTC: "50" }',
    };
    const { validate, workplace } = await openDesk(limits);
    const { drafts } = await validate(row("A-1", "13"));
    expect((await previewBalances(workplace, drafts)).problems).toMatchObject([
      { code: "BALANCE_SHORT", message: expect.stringContaining("lacks 0.5 BTC") },
    ]);
  });

  test("shows everything else where the service does not answer", async () => {
    const { submit, workplace, sandbox } = await openDesk();
    await submit("a.csv", row("A-1", "0.01"), row("A-2", "0.01"));
    await sandbox.close();
    const preview = await previewStep(workplace, "B-000001");
    expect(preview).toMatchObject({ repeatedRows: [2], newDestinations: { destinations: [{ row: 1 }] } });
    expect(codes(preview.balances.problems)).toEqual(["SERVICE_UNREACHABLE"]);
  });
});

describe("one bad row", () => {
  const ROWS = [row("A-1", "0.01"), row("A-2", "none"), row("A-3", "0.03")];

  test("rejects the file, unless good rows may go: then they are paid, and the bad one comes back", async () => {
    const whole = await openDesk();
    expect(await whole.submit("a.csv", ...ROWS)).toMatchObject({ verdict: "rejected", rowsRejected: 1 });
    expect(await payStep(whole.workplace)).toMatchObject({ due: 0 });

    const { folder, submit, approve, workplace, sandbox } = await openDesk({
      PAYDROP_FILES_ON_BAD_ROW: "reject-row",
    });
    const { digest, verdict } = await submit("a.csv", ...ROWS);
    expect(verdict).toBe("accepted");
    expect(readFileSync(join(folder, "outbox", "a.accepted.csv"), "utf8")).toMatch(/A-2,.*,rejected/);
    const returned = readFileSync(join(folder, "outbox", "a.rejected.csv"), "utf8").split("\n");
    expect(returned.find((line) => line.startsWith("A-2"))).toContain("is not in plain digits");
    await approve(digest);
    expect(await payStep(workplace)).toMatchObject({ accepted: 2 });

    const corrected = await submit("b.csv", ...ROWS.map((line) => line.replace("none", "0.02")));
    expect(corrected.problems.map(({ code, row: at }) => `${at} ${code}`)).toEqual([
      "1 ROW_SENT_BEFORE",
      "3 ROW_SENT_BEFORE",
    ]);
    await approve(corrected.digest);
    await payStep(workplace);
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["A-1", "A-3", "A-2"]);
  });
});

test.each([
  ["in the record", ["audit"], "BATCH_ALTERED"],
  ["in the record and beside the batch", ["audit", "approval"], "AUDIT_CHAIN_BROKEN"],
])("nothing is sent if somebody has changed who approved it %s", async (_where, tables, code) => {
  const { submit, approve, workplace, sandbox } = await openDesk();
  await approve((await submit("a.csv", row("A-1", "0.01"))).digest);
  for (const table of tables)
    await tamper(workplace.store, `update ${table} set person = 'mallory' where person = 'ben'`);
  await expect(payStep(workplace)).rejects.toMatchObject({ problem: { code } });
  expect(sandbox.creations()).toEqual([]);
});
