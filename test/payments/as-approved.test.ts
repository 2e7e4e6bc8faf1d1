/** Payments are sent as approved: rows, day, call, key and address, under the sender's own policies. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  approveStep,
  explainStep,
  payStep,
  previewStep,
  recallStep,
  statusOf,
  submitFile,
  type Workplace,
} from "../../src/index.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { policyFingerprint } from "../../src/workplace/settings.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { stopAtEach } from "../site/altered.ts";
import { alter, KEYS, openProvenDesk, type ProvenDesk, plantApproval } from "../site/proven-desk.ts";
import { ADDRESS, byClock, openSite, TREASURY } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const OTHER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const ALTERED = { problem: { code: "BATCH_ALTERED" } };

async function openDesk(changes: NodeJS.ProcessEnv = {}) {
  const site = await openSite({}, changes);
  return {
    ...site,
    /** Takes a file in; returns its digest. */
    submit: async (name: string, rows: readonly string[], place: Workplace = site.workplace) => {
      const path = join(site.folder, `${name}.csv`);
      writeFileSync(path, ["reference,amount,destinationAddress,payOn", ...rows, ""].join("\n"));
      const { digest, problems } = await submitFile(place, path, "ann");
      expect(problems).toEqual([]);
      return digest ?? "";
    },
    sent: () => site.sandbox.creations().map(({ reference }) => reference),
  };
}

const row = (reference: string, amount: string, destination = ADDRESS, payOn = "") =>
  `${reference},${amount},${destination},${payOn}`;

/** The report of a run about payments that it holds back. */
const heldBack = (...words: readonly string[]) => ({
  accepted: 0,
  postponed: words.length,
  problems: words.map((word) => ({ code: "APPROVAL_UNFIT", message: expect.stringContaining(word) })),
});

describe("a column that somebody changed in the database after the approval keeps everything from being sent:", () => {
  const COLUMNS: readonly (readonly [what: string, change: string])[] = [
    ["the day of a payment that is due in years", "pay_on = null"],
    ["the day of one that is due", "pay_on = '2099-01-01' where row = 2"],
    ["an amount", "amount = '0.00000001'"],
    ["a currency", "currency = 'XYZ'"],
    ["a destination", `destination = '${OTHER}'`],
    ["a reference", "reference = 'A-9' where row = 1"],
  ];
  test("whatever it is", async () => {
    const { workplace, submit, sent } = await openDesk();
    const digest = await submit("a", [row("A-1", "0.01", ADDRESS, "2099-01-01"), row("A-2", "0.02")]);
    await approveStep(workplace, digest, "ben");
    const alterations = COLUMNS.map(
      ([what, change]) => ({ what, table: "instruction", text: `update instruction set ${change}` }) as const,
    );
    await stopAtEach(workplace, alterations);
    expect(sent()).toEqual([]);
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
  });

  test("also while a run is under way", async () => {
    const { workplace, submit, sent } = await openDesk({ PAYDROP_NONCE_RULE: "unknown" });
    const rows = Array.from({ length: 30 }, (_, index) => row(`A-${index}`, `0.001${index + 10}`));
    await approveStep(workplace, await submit("a", rows), "ben");
    let changing: Promise<unknown> | undefined;
    const paying = payStep(workplace, {
      onSubmitted: () => {
        changing ??= tamper(
          workplace.store,
          `update instruction set fields = replace(fields, '${ADDRESS}', '${OTHER}'), destination = '${OTHER}'
           where standing = 'approved'`,
        );
      },
    });
    await expect(paying).rejects.toMatchObject(ALTERED);
    await changing;
    expect(sent().length).toBeLessThan(30);
    const paid = (await statusOf(workplace, "B-000001")).filter(({ standing }) => standing === "accepted");
    expect(new Set(paid.map(({ fields }) => fields.destinationAddress))).toEqual(new Set([ADDRESS]));
  });
});

describe("what was approved for one call is not sent by another, and is once that is approved:", () => {
  test.each([
    [
      "another creation operation",
      {
        PAYDROP_CUSTODY_ACCOUNTS: `[ { name: treasury-btc, id: "${TREASURY}", currency: BTC, createOperation: createAndFirstAuthorizationPayoutV2 } ]`,
      },
      "createPayoutV2",
      "createAndFirstAuthorizationPayoutV2",
    ],
    [
      "another client key",
      { PAYDROP_KEY: "second-key", PAYDROP_SIGNING_SECRET: "second-secret" },
      "key",
      "key",
    ],
  ])("%s", async (_, changes, approved, configured) => {
    const { workplace, submit, sandbox, openAgain, sent } = await openDesk();
    await approveStep(workplace, await submit("a", [row("A-1", "0.01")]), "ben");
    await workplace.close();
    const changed = openAgain(changes);
    const report = await payStep(changed);
    expect(report).toMatchObject(heldBack(approved));
    expect(report.problems[0]?.message).toContain(configured);
    // In a trial Paydrop asks once whether the service is the sandbox.
    expect(sandbox.arrivals().filter(({ operation }) => operation !== "getAccountsBalance")).toEqual([]);
    await changed.close();
    const back = openAgain();
    expect(await payStep(back)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1"]);
  });

  test("which another approval releases, by as many people as before", async () => {
    const { workplace, submit, sandbox, openAgain } = await openDesk();
    const digest = await submit("a", [row("A-1", "0.6")]);
    for (const person of ["ben", "cleo"]) await approveStep(workplace, digest, person);
    await workplace.close();
    const changed = openAgain({
      PAYDROP_CUSTODY_ACCOUNTS: `[ { name: treasury-btc, id: "${TREASURY}", currency: BTC, createOperation: createAndFirstAuthorizationPayoutV2 } ]`,
    });
    expect(await payStep(changed)).toMatchObject({ postponed: 1 });
    const [status] = await statusOf(changed, "A-1");
    expect(status).toMatchObject({ standing: "approved", mustBeApprovedAnew: true });
    expect(await approveStep(changed, digest, "ben")).toMatchObject({
      isReleased: false,
      approvedBy: ["ben"],
    });
    expect(await payStep(changed)).toMatchObject({ postponed: 1 });
    expect(await approveStep(changed, digest, "dan")).toMatchObject({ isReleased: true, renewed: 1 });
    expect(await payStep(changed)).toMatchObject({ accepted: 1 });
    expect(sandbox.arrivals().map(({ operation }) => operation)).toContain(
      "createAndFirstAuthorizationPayoutV2",
    );
  });

  test("an address that was put in before the first payout receives nothing, neither key nor signature", async () => {
    const { workplace, submit, openAgain, sandbox } = await openDesk();
    const other = await startSandbox({ seed: NOBODY_ELSE, stepMs: 5 });
    onTestFinished(() => other.close());
    await approveStep(workplace, await submit("a", [row("A-1", "0.01")]), "ben");
    await workplace.close();
    const changed = openAgain({ PAYDROP_SERVICE_BASE_URL: other.url });
    await expect(payStep(changed)).rejects.toMatchObject({
      problem: {
        code: "APPROVAL_UNFIT",
        next: "needs-person",
        message: expect.stringContaining(sandbox.url),
      },
    });
    await expect(payStep(changed)).rejects.toThrow(other.url);
    expect(other.arrivals()).toEqual([]);
  });

  test("the approver is shown where and how it will be sent", async () => {
    const { workplace, submit, sandbox } = await openDesk();
    const digest = await submit("a", [row("A-1", "0.01")]);
    const call = { operation: "createPayoutV2", custodyAccountId: TREASURY };
    expect(await previewStep(workplace, digest)).toMatchObject({
      sending: { baseUrl: sandbox.url, calls: [call] },
    });
    expect(await approveStep(workplace, digest, "ben")).toMatchObject({
      approved: { baseUrl: sandbox.url, calls: [call], rows: digest },
    });
  });
});

describe("an approver without the secrets of the service", () => {
  const WITHOUT = Object.fromEntries(Object.keys(SANDBOX_SECRETS).map((name) => [name, undefined]));

  test("cannot approve for a key that nobody has used yet", async () => {
    const { workplace, submit, openAgain } = await openDesk();
    const digest = await submit("a", [row("A-1", "0.01")]);
    const bare = openAgain(WITHOUT);
    await expect(approveStep(bare, digest, "ben")).rejects.toMatchObject({
      problem: { code: "CLIENT_KEY_UNKNOWN" },
    });
    await payStep(workplace);
    expect(await approveStep(bare, digest, "ben")).toMatchObject({ isReleased: true });
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
  });
});

/**
 * Pretends that an approver's program declared the sender's settings as its own; with `payees` undefined, as a
 * version did that compared payees differently.
 */
async function pretendSamePolicy(
  desk: ProvenDesk,
  batch = "B-000001",
  changes: { readonly payees?: undefined } = {},
): Promise<void> {
  const policy = await policyFingerprint(desk.workplace.config);
  await alter(desk, () =>
    plantApproval(batch, KEYS.ben, (statement) => {
      const approved = statement.detail["approved"] as Readonly<Record<string, string>>;
      const { payees = "", ...others } = { ...approved, policy, ...changes };
      const given = payees === "" ? others : { ...others, payees };
      return { ...statement, detail: { ...statement.detail, approved: given } };
    }),
  );
}

async function submitRows(desk: ProvenDesk, rows: readonly string[], place: Workplace): Promise<string> {
  const path = join(desk.folder, "a.csv");
  writeFileSync(path, ["reference,amount,destinationAddress,payOn", ...rows, ""].join("\n"));
  return (await submitFile(place, path, "ann")).digest ?? "";
}

const ONE_PERSON = { PAYDROP_APPROVAL_RULES: "[{ people: 1 }]" };

describe("an approver's own settings lift nothing that the sender's forbid", () => {
  test.each([
    [
      "the list of destinations",
      { PAYDROP_DESTINATIONS_ALLOW: "any" },
      [row("A-1", "0.01")],
      "nothing was ever paid",
    ],
    [
      "the limit of a file",
      { PAYDROP_LIMITS_PER_FILE: '{ BTC: "9" }' },
      [row("A-1", "0.9", OTHER), row("A-2", "0.8", OTHER)],
      "per file",
    ],
    ["the limit of a row", { PAYDROP_LIMITS_PER_ROW: '{ BTC: "9" }' }, [row("A-1", "1.2", OTHER)], "per row"],
    [
      "repeats",
      { PAYDROP_REPEATS_ON_REPEAT: "warn" },
      [row("A-1", "0.01", OTHER), row("A-2", "0.01", OTHER)],
      "the same payment",
    ],
  ])("%s", async (_, lifted, rows, words) => {
    const desk = await openProvenDesk({
      ...ONE_PERSON,
      PAYDROP_LIMITS_PER_FILE: '{ BTC: "1.5" }',
      PAYDROP_DESTINATIONS_ALLOW: "known",
      PAYDROP_DESTINATIONS_ALLOW_LIST: "payees.csv",
    });
    writeFileSync(join(desk.folder, "payees.csv"), `address\n${OTHER}\n`);
    const lax = desk.openAgain(lifted);
    await approveStep(lax, await submitRows(desk, rows, lax), "ben");
    expect(await payStep(desk.workplace)).toMatchObject({ accepted: 0, postponed: rows.length });
    await pretendSamePolicy(desk);
    const report = await payStep(desk.workplace);
    const held = report.problems.map(({ code, message }) => `${code} ${message}`);
    expect(held.length).toBeGreaterThan(0);
    for (const text of held) {
      expect(text).toContain("APPROVAL_UNFIT");
      expect(text).toContain(words);
    }
    expect(desk.sent()).toHaveLength(rows.length - held.length);
  });
});

describe("another address of a known payee", () => {
  const HEADER = "reference,amount,destinationAddress,Name";
  async function paidOnce() {
    const desk = await openProvenDesk(ONE_PERSON);
    const lax = desk.openAgain({ PAYDROP_DESTINATIONS_ON_LOOK_ALIKE: "warn" });
    const submit = async (name: string, line: string) => {
      writeFileSync(join(desk.folder, name), `${HEADER}\n${line}\n`);
      return (await submitFile(lax, join(desk.folder, name), "ann")).digest ?? "";
    };
    await approveStep(desk.workplace, await submit("a.csv", `A-1,0.01,${ADDRESS},Ana Sample`), "ben");
    expect(await payStep(desk.workplace)).toMatchObject({ accepted: 1 });
    await approveStep(lax, await submit("b.csv", `B-1,0.02,${OTHER},Ana Sample`), "ben");
    return desk;
  }

  test("is held back by the sender where no approval accepted it", async () => {
    const desk = await paidOnce();
    await pretendSamePolicy(desk, "B-000002");
    const { problems } = await payStep(desk.workplace);
    expect(problems).toMatchObject([
      { code: "APPROVAL_UNFIT", message: expect.stringContaining("is known at another address") },
    ]);
    expect(desk.sent()).toHaveLength(1);
  });

  test("is paid as an approval of an earlier version had it, which was not asked about it", async () => {
    const desk = await paidOnce();
    await pretendSamePolicy(desk, "B-000002", { payees: undefined });
    expect(await payStep(desk.workplace)).toMatchObject({ accepted: 1, problems: [] });
    expect(desk.sent()).toHaveLength(2);
  });
});

describe("a finding that no approval accepted", () => {
  test("holds back its payment and no other; the reason stands until an approval accepts it", async () => {
    const desk = await openProvenDesk(ONE_PERSON);
    const { workplace, sent } = desk;
    const lax = desk.openAgain({ PAYDROP_REPEATS_ON_REPEAT: "warn" });
    const rows = [row("A-1", "0.01"), row("A-2", "0.02"), row("A-3", "0.01")];
    const digest = await submitRows(desk, rows, lax);
    await approveStep(lax, digest, "ben");
    await pretendSamePolicy(desk);
    for (let run = 0; run < 2; run += 1)
      expect(await payStep(workplace)).toMatchObject({
        ...heldBack("is in row 1 of this batch"),
        accepted: run === 0 ? 2 : 0,
      });
    expect(sent()).toEqual(["A-1", "A-2"]);
    const reason = expect.stringContaining("is in row 1 of this batch");
    expect(await statusOf(workplace, "A-3")).toMatchObject([
      { standing: "approved", reason, mustBeApprovedAnew: true },
    ]);
    expect((await explainStep(workplace, "A-3")).instruction).toMatchObject({ reason });
    await expect(approveStep(workplace, digest, "carol")).rejects.toMatchObject({
      problem: { code: "REPEATS_NOT_ACCEPTED" },
    });
    expect(await approveStep(workplace, digest, "carol", { acceptRepeats: 1 })).toMatchObject({
      isReleased: true,
      renewed: 1,
      released: 0,
    });
    expect(await payStep(workplace)).toMatchObject({ accepted: 1, problems: [] });
    expect(sent()).toEqual(["A-1", "A-2", "A-3"]);
    const approved = (await workplace.store.read(() => listAudit(["B-000001"]))).at(-1);
    expect(approved?.detail["accepted"]).toBe(
      '[{"about":"row 1 of this batch","code":"PAYMENT_IN_FILE_TWICE","rows":[3]}]',
    );
  });

  test("is none where a later batch, whose approver accepted it, repeats this one", async () => {
    const { workplace, submit, sent } = await openDesk();
    const first = await submit("a", [row("A-1", "0.01")]);
    await approveStep(workplace, first, "ben");
    const second = await submit("b", [row("B-1", "0.01")]);
    await approveStep(workplace, second, "ben", { acceptRepeats: 1 });
    expect(await payStep(workplace)).toMatchObject({ accepted: 2, problems: [] });
    expect(sent()).toEqual(["A-1", "B-1"]);
  });

  test("an accepted look-alike, and a repeat of what was paid meanwhile, go out", async () => {
    const lookAlike = "bc1qw508d6qejxtdg4y5qqrwl0ary0c5xw7kz9f3t4";
    const { workplace, submit, sent } = await openDesk();
    const first = await submit("a", [row("A-1", "0.01")]);
    await approveStep(workplace, first, "ben");
    const second = await submit("b", [row("B-1", "0.01"), row("B-2", "0.02", lookAlike)]);
    await payStep(workplace);
    await approveStep(workplace, second, "ben", { acceptRepeats: 1, acceptLookAlikes: 1 });
    expect(await payStep(workplace)).toMatchObject({ accepted: 2, problems: [] });
    expect(sent()).toEqual(["A-1", "B-1", "B-2"]);
  });

  test("a limit that was lowered since holds back what was approved under another one", async () => {
    const { workplace, submit, sent, openAgain } = await openDesk();
    await approveStep(workplace, await submit("a", [row("A-1", "0.01"), row("A-2", "0.3")]), "ben");
    await workplace.close();
    const strict = openAgain({ PAYDROP_LIMITS_PER_ROW: '{ BTC: "0.1" }' });
    expect(await payStep(strict)).toMatchObject(heldBack("limits, lists or rules", "limits, lists or rules"));
    expect(sent()).toEqual([]);
  });
});

describe("what the record says of a payment holds, whatever its row says:", () => {
  test.each([
    ["recalled", "update instruction set standing = 'approved', reason = null where row = 1"],
    [
      "paid, without its submission",
      "update instruction set standing = 'approved', reason = null, payout_id = null where row = 2",
    ],
    [
      "paid, as if its process had died while it was sent",
      "update instruction set standing = 'sending', reason = null, payout_id = null where row = 2",
    ],
  ])("one that was %s and is put back stops everything", async (_, change) => {
    const { workplace, submit, sent } = await openDesk();
    const digest = await submit("a", [row("A-1", "0.01"), row("A-2", "0.02")]);
    await approveStep(workplace, digest, "ben");
    await recallStep(workplace, { reference: "A-1", person: "tess", reason: "wrong month" });
    await payStep(workplace);
    await tamper(workplace.store, "delete from submission");
    for (const table of ["observation", "payout_name", "observed"])
      await tamper(workplace.store, `delete from ${table}`);
    await tamper(workplace.store, change);
    await expect(payStep(workplace)).rejects.toMatchObject(ALTERED);
    expect(sent()).toEqual(["A-2"]);
  });

  test("a reference that a recalled payment gave up is paid with its new batch", async () => {
    const { workplace, submit, sent } = await openDesk();
    await approveStep(workplace, await submit("a", [row("A-1", "0.01")]), "ben");
    await recallStep(workplace, { reference: "A-1", person: "tess", reason: "wrong amount" });
    await approveStep(workplace, await submit("b", [row("A-1", "0.02")]), "ben");
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1"]);
  });

  test.each([
    ["emptied", "delete from spent"],
    ["lowered", "update spent set amount = '0.0001'"],
  ])("day sums that somebody %s stop everything", async (_, change) => {
    const { workplace, submit, sent } = await openDesk({ PAYDROP_LIMITS_PER_DAY: '{ BTC: "0.03" }' });
    await approveStep(workplace, await submit("a", [row("A-1", "0.02")]), "ben");
    await payStep(workplace);
    await approveStep(workplace, await submit("b", [row("B-1", "0.025")]), "ben");
    await tamper(workplace.store, change);
    await expect(payStep(workplace)).rejects.toMatchObject({
      problem: { code: "BATCH_ALTERED", message: expect.stringContaining("spent on") },
    });
    expect(sent()).toEqual(["A-1"]);
  });

  test("emptied sums of a destination let no more go to it", async () => {
    const { workplace, submit, sent } = await openDesk({ PAYDROP_LIMITS_PER_DESTINATION: '{ BTC: "0.03" }' });
    await approveStep(workplace, await submit("a", [row("A-1", "0.02")]), "ben");
    await payStep(workplace);
    await approveStep(workplace, await submit("b", [row("B-1", "0.025")]), "ben");
    await tamper(workplace.store, "delete from spent_at_destination");
    expect(await payStep(workplace)).toMatchObject({
      accepted: 0,
      problems: [{ code: "DAY_LIMIT_REACHED" }],
    });
    expect(sent()).toEqual(["A-1"]);
  });
});

describe("sums that are split into several files", () => {
  test("need the people that their sum needs, and it is said why", async () => {
    const { workplace, submit, sent } = await openDesk();
    const first = await submit("a", [row("A-1", "0.45")]);
    const second = await submit("b", [row("B-1", "0.44", OTHER)]);
    expect(await approveStep(workplace, first, "ben")).toMatchObject({ isReleased: true, peopleNeeded: 1 });
    const [together] = [{ currency: "BTC", count: 2, amount: expect.anything() }];
    expect(await previewStep(workplace, second)).toMatchObject({ peopleNeeded: 2, together: [together] });
    expect(await approveStep(workplace, second, "ben")).toMatchObject({
      isReleased: false,
      peopleNeeded: 2,
      together: [together],
    });
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(await approveStep(workplace, second, "cleo")).toMatchObject({ isReleased: true });
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(sent()).toEqual(["A-1", "B-1"]);
  });

  test("also where the approver's settings know no window: the sender asks the rule again", async () => {
    const { workplace, submit, sent, openAgain } = await openDesk();
    const lax = openAgain({ PAYDROP_APPROVAL_RULES: "[{ people: 1 }]" });
    await approveStep(lax, await submit("a", [row("A-1", "0.45")]), "ben");
    await approveStep(lax, await submit("b", [row("B-1", "0.44", OTHER)]), "ben");
    expect(await payStep(workplace)).toMatchObject(
      heldBack("limits, lists or rules", "limits, lists or rules"),
    );
    expect(sent()).toEqual([]);
  });

  test("not what was withdrawn, nor what was released before the window", async () => {
    const { workplace, submit } = await openDesk();
    await approveStep(workplace, await submit("a", [row("A-1", "0.45")]), "ben");
    const second = await submit("b", [row("B-1", "0.44", OTHER)]);
    await recallStep(workplace, { reference: "A-1", person: "tess", reason: "paid by card" });
    expect(await previewStep(workplace, second)).toMatchObject({ peopleNeeded: 1 });
    await approveStep(workplace, second, "ben");
    const third = await submit("c", [row("C-1", "0.3", OTHER)]);
    expect(await previewStep(workplace, third)).toMatchObject({ peopleNeeded: 2 });
    const now = workplace.context.clock.now();
    const later = byClock(workplace, () => new Date(Date.parse(now) + 25 * 3_600_000).toISOString());
    expect(await previewStep(later, third)).toMatchObject({ peopleNeeded: 1 });
  });

  test("is never refused: where no rule covers the sum, the one with most people applies", async () => {
    const { workplace, submit } = await openDesk({
      PAYDROP_APPROVAL_RULES: '[{ upTo: { BTC: "0.2" }, people: 1 }, { upTo: { BTC: "0.5" }, people: 2 }]',
    });
    for (const [name, amount] of [
      ["a", "0.4"],
      ["b", "0.15"],
    ] as const) {
      const digest = await submit(name, [row(`${name}-1`, amount, OTHER)]);
      expect(await approveStep(workplace, digest, "ben")).toMatchObject({ peopleNeeded: 2 });
      expect(await approveStep(workplace, digest, "cleo")).toMatchObject({ isReleased: true });
    }
  });
});
