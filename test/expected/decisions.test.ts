/** Decisions about expectations: signed, by people who may decide, and taken back without a trace. */
import { describe, expect, test } from "vitest";
import {
  approveExpectedStep,
  endExpectationStep,
  expectedNow,
  expectedStep,
  explainExpected,
  matchReceiptStep,
  sumsByCustomer,
  unmatchReceiptStep,
} from "../../src/expected/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { listAudit, verifyAudit } from "../../src/store/audit.ts";
import { openSite, type Site, TREASURY } from "../site/service.ts";
import { answerRows, csv, expectations, expectText, row } from "./place.ts";

let deposits = 0;

/** A deposit that nobody here asked for receives this amount. */
async function receive(site: Site, amount: string, customerId?: string, parts = 1): Promise<string> {
  deposits += 1;
  const depositId = `0d5d6e8a-0000-4000-8000-${String(deposits).padStart(12, "0")}`;
  site.sandbox.operator.openDeposit({
    ...{ depositId, accountId: TREASURY, reference: `elsewhere ${deposits}`, listsOriginal: false },
    ...{ callbackUrl: "https://elsewhere.example/hook", ...(customerId && { customerId }) },
    parts: Array.from({ length: parts }, () => ({ amount, afterMs: 0, confirmAfterMs: 1, confirmations: 6 })),
  });
  site.sandbox.operator.passTime(60_000);
  await reconcileStep(site.workplace);
  return depositId;
}

async function openTexts({ workplace }: Site): Promise<string[]> {
  const { open } = await expectedNow(workplace);
  return open.map(({ candidates, owedAlikeBy }) =>
    owedAlikeBy.length > 0
      ? `owed alike by ${owedAlikeBy.join(", ")}`
      : candidates
          .map(({ parts, evidence }) => `${parts.map((each) => each.expectation.reference)}: ${evidence}`)
          .join("; "),
  );
}

async function stateOf({ workplace }: Site, reference: string): Promise<string | undefined> {
  const { standings } = await expectedNow(workplace);
  return standings.find(({ expectation }) => expectation.reference === reference)?.state;
}

describe("a receipt outside the deposits of expectations", () => {
  test("is a candidate with evidence, and counts from a controller's signature until it is taken back", async () => {
    const site = await openSite();
    const { workplace } = site;
    await expectText(
      site,
      csv(row("INV-1", "Ada", "0.5", "2099-01-01"), row("INV-2", "Bert", "0.25", "2099-01-01")),
    );
    const depositId = await receive(site, "0.5");
    expect(await openTexts(site)).toEqual([
      expect.stringMatching(/^INV-1: amount exact,\d+ days early,customer not known$/),
    ]);
    const before = sumsByCustomer((await expectedNow(workplace)).standings);
    expect(await stateOf(site, "INV-1")).toBe("due");

    const { evidence } = await matchReceiptStep(workplace, {
      depositId,
      references: ["INV-1"],
      person: "carla",
    });
    expect(evidence).toContain("amount exact");
    expect(await stateOf(site, "INV-1")).toBe("received");
    expect(await openTexts(site)).toEqual([]);
    await expectedStep(workplace);
    expect(answerRows(site, "receivables.expected.csv").get("INV-1")).toMatchObject({
      standing: "received",
      received: "0.5 BTC",
    });

    expect(
      await unmatchReceiptStep(workplace, { depositId, person: "carla", reason: "it was Bert's" }),
    ).toEqual(["INV-1"]);
    expect(sumsByCustomer((await expectedNow(workplace)).standings)).toEqual(before);
    expect(await openTexts(site)).toHaveLength(1);
    await expectedStep(workplace);
    expect(answerRows(site, "receivables.expected.csv").get("INV-1")).toMatchObject({
      standing: "due",
      received: "",
    });

    const record = await workplace.store.read(() => listAudit([depositId]));
    expect(record.map(({ person, action }) => `${person}: ${action}`)).toEqual([
      ...["carla: sign", "carla: match receipt", "carla: sign", "carla: unmatch receipt"],
    ]);
    await verifyAudit(workplace.store);
    const story = await explainExpected(workplace, "INV-1");
    expect(story).toMatchObject({ kind: "expectation", id: "INV-1", state: "due" });
    expect(story?.lines.map(({ what }) => what).join("\n")).toMatch(
      /amount exact[\s\S]*taken back: it was Bert's/,
    );
  });

  test("needs the controller's reason if two customers owe its amount", async () => {
    const site = await openSite();
    await expectText(site, csv(row("INV-1", "Ada", "0.5"), row("INV-2", "Bert", "0.5")));
    const depositId = await receive(site, "0.5");
    expect(await openTexts(site)).toEqual(["owed alike by Ada, Bert"]);
    const matching = { depositId, references: ["INV-1"], person: "carla" };
    await expect(matchReceiptStep(site.workplace, matching)).rejects.toThrow("no reason is given");
    await matchReceiptStep(site.workplace, { ...matching, reason: "Ada sent the transaction's hash" });
    expect(await stateOf(site, "INV-1")).toBe("received");
    expect(await stateOf(site, "INV-2")).not.toBe("received");
  });

  test("may be matched to several expectations of one customer, never of two", async () => {
    const site = await openSite();
    await expectText(
      site,
      csv(row("INV-1", "Ada", "0.5"), row("INV-2", "Ada", "0.25"), row("INV-3", "Bert", "0.1")),
    );
    const depositId = await receive(site, "0.75", "Ada");
    const matching = { depositId, person: "carla", reason: "her letter says so" };
    await expect(
      matchReceiptStep(site.workplace, { ...matching, references: ["INV-1", "INV-3"] }),
    ).rejects.toThrow("of one customer only");
    const { parts } = await matchReceiptStep(site.workplace, {
      depositId,
      person: "carla",
      references: ["INV-1", "INV-2"],
    });
    expect(parts.map(({ quantity }) => `${quantity}`)).toEqual(
      ["0.50000000", "0.25000000"].map((text) => text.replace(/0+$/, "")),
    );
    expect(await Promise.all(["INV-1", "INV-2", "INV-3"].map((each) => stateOf(site, each)))).toEqual([
      ...["received", "received"],
      expect.stringMatching(/due/),
    ]);
  });

  test("may pay one part of an expectation, and another receipt the rest", async () => {
    const site = await openSite();
    await expectText(site, csv(row("INV-1", "Ada", "0.5")));
    const depositId = await receive(site, "0.25", "Ada", 2);
    const matching = { depositId, references: ["INV-1"], person: "carla" };
    await expect(matchReceiptStep(site.workplace, matching)).rejects.toThrow("so name one");
    for (const { receipt } of (await expectedNow(site.workplace)).open)
      await matchReceiptStep(site.workplace, { ...matching, receipt: receipt.key });
    expect(await stateOf(site, "INV-1")).toBe("received");
  });

  test("is not matched without the controller role, or to an ended or unknown expectation", async () => {
    const site = await openSite();
    await expectText(site, csv(row("INV-1", "Ada", "0.5")));
    const depositId = await receive(site, "0.5");
    const matching = { depositId, references: ["INV-1"], person: "carla" };
    await expect(matchReceiptStep(site.workplace, { ...matching, references: ["INV-9"] })).rejects.toThrow(
      "EXPECTED_UNKNOWN",
    );
    await expect(matchReceiptStep(site.workplace, { ...matching, depositId: TREASURY })).rejects.toThrow(
      "no unmatched receipt",
    );
    await endExpectationStep(site.workplace, {
      reference: "INV-1",
      end: "withdrawn",
      person: "carla",
      reason: "cancelled",
    });
    await expect(matchReceiptStep(site.workplace, matching)).rejects.toThrow("nothing of INV-1 is open");
  });
});

test("if two controllers match one receipt at the same time, only one succeeds", async () => {
  const site = await openSite();
  await expectText(site, csv(row("INV-1", "Ada", "0.5"), row("INV-2", "Ada", "0.5")));
  const depositId = await receive(site, "0.5", "Ada");
  const matching = (reference: string, person: string) =>
    matchReceiptStep(site.workplace, { depositId, references: [reference], person, reason: "her letter" });
  const both = await Promise.allSettled([matching("INV-1", "carla"), matching("INV-2", "tess")]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const states = await Promise.all(["INV-1", "INV-2"].map((each) => stateOf(site, each)));
  expect(states.filter((state) => state === "received")).toHaveLength(1);
});

describe("refuses a signature if another controller has decided meanwhile:", () => {
  /** Does `meanwhile` while the person signs. */
  const signing = ({ workplace }: Site, meanwhile: () => Promise<unknown>) => ({
    ...workplace,
    sign: async (...asked: Parameters<typeof workplace.sign>) => {
      const signed = await workplace.sign(...asked);
      await meanwhile();
      return signed;
    },
  });
  const INV1 = { reference: "INV-1", person: "carla", reason: "agreed" } as const;

  test("ending, after a receipt was matched", async () => {
    const site = await openSite();
    await expectText(site, csv(row("INV-1", "Ada", "0.5")));
    const first = await receive(site, "0.3", "Ada");
    const second = await receive(site, "0.1", "Ada");
    const match = (depositId: string) =>
      matchReceiptStep(site.workplace, { depositId, references: ["INV-1"], person: "tess" });
    await match(first);
    const place = signing(site, () => match(second));
    await expect(endExpectationStep(place, { ...INV1, end: "settled short" })).rejects.toThrow(
      "STATEMENT_CHANGED",
    );
    expect(await stateOf(site, "INV-1")).toBe("partly received");
  });

  test("taking back a match, after its expectation was settled short", async () => {
    const site = await openSite();
    await expectText(site, csv(row("INV-1", "Ada", "0.5")));
    const depositId = await receive(site, "0.3", "Ada");
    await matchReceiptStep(site.workplace, { depositId, references: ["INV-1"], person: "tess" });
    const place = signing(site, () => endExpectationStep(site.workplace, { ...INV1, end: "settled short" }));
    await expect(
      unmatchReceiptStep(place, { depositId, person: "tess", reason: "not hers" }),
    ).rejects.toThrow("it has ended meanwhile");
    expect(await stateOf(site, "INV-1")).toBe("settled short");
    const { decisions } = await expectedNow(site.workplace);
    expect(decisions).toHaveLength(1);
  });
});

describe("a file that must be approved", () => {
  const APPROVED = { PAYDROP_EXPECTED_APPROVAL: "true" };
  const rows = csv("INV-1,Ada,treasury-btc,0.5,BTC,2099-01-01,,yes");

  test("does not count and has no deposits before another person has signed", async () => {
    const site = await openSite({}, APPROVED);
    const { workplace } = site;
    expect(await expectText(site, rows)).toMatchObject({ verdict: "accepted", waits: true });
    await expectedStep(workplace);
    expect(site.arrived("createDeposit")).toBe(0);
    expect(answerRows(site, "receivables.expected.csv").get("INV-1")).toMatchObject({
      standing: "waiting for approval",
    });
    await receive(site, "0.5");
    expect(await openTexts(site)).toEqual([""]);
    await expect(approveExpectedStep(workplace, 1, "alice")).rejects.toThrow("EXPECTED_OWN_FILE");
    await expect(approveExpectedStep(workplace, 2, "bob")).rejects.toThrow("EXPECTED_FILE_NOT_WAITING");
    await approveExpectedStep(workplace, 1, "bob");
    await expect(approveExpectedStep(workplace, 1, "bob")).rejects.toThrow("EXPECTED_FILE_NOT_WAITING");
    await expectedStep(workplace);
    expect(site.arrived("createDeposit")).toBe(1);
    expect(await openTexts(site)).toHaveLength(1);
  });
});

describe("an expectation ends", () => {
  const VOIDS = {
    PAYDROP_CUSTODY_ACCOUNTS: `[{ name: treasury-btc, id: "${TREASURY}", currency: BTC, voids: true }]`,
  };
  const made = csv("INV-1,Ada,treasury-btc,0.5,BTC,2099-01-01,,yes");

  test("by withdrawal, which voids its deposit once and hides its address", async () => {
    const site = await openSite({}, VOIDS);
    const { workplace } = site;
    await expectText(site, made);
    await expectedStep(workplace);
    site.sandbox.operator.passTime(1_000);
    await expectedStep(workplace);
    const [before] = await expectations(site);
    expect(before?.address).toBeDefined();
    const ending = { reference: "INV-1", end: "withdrawn", person: "carla", reason: "cancelled" } as const;
    await endExpectationStep(workplace, ending);
    expect(site.arrived("voidDeposit")).toBe(1);
    await expect(endExpectationStep(workplace, ending)).rejects.toThrow("it was withdrawn by carla");
    await expectedStep(workplace);
    expect(answerRows(site, "receivables.expected.csv").get("INV-1")).toMatchObject({
      ...{ standing: "withdrawn", address: "", note: "cancelled" },
    });
  });

  test.each([
    ["the configuration says that its custody kind does not allow it", "voids: false", "does not allow it"],
    ["the configuration does not say", "", "does not say"],
  ])("not by a void where %s, and that is said before anything is sent", async (_what, voids, why) => {
    const account = `name: treasury-btc, id: "${TREASURY}", currency: BTC${voids === "" ? "" : `, ${voids}`}`;
    const site = await openSite({}, { PAYDROP_CUSTODY_ACCOUNTS: `[{ ${account} }]` });
    await expectText(site, made);
    await expectedStep(site.workplace);
    const ending = { reference: "INV-1", end: "withdrawn", person: "carla", reason: "cancelled" } as const;
    await expect(endExpectationStep(site.workplace, ending)).rejects.toThrow(why);
    expect(site.arrived("voidDeposit")).toBe(0);
    expect(await stateOf(site, "INV-1")).toBe("due");
    await endExpectationStep(site.workplace, { ...ending, keepDeposit: true });
    expect(await stateOf(site, "INV-1")).toBe("withdrawn");
    expect(site.arrived("voidDeposit")).toBe(0);
  });

  test("by withdrawal without voiding; later receipts wait for a decision", async () => {
    const site = await openSite();
    await expectText(
      site,
      csv("INV-1,Ada,treasury-btc,0.5,BTC,2099-01-01,,yes", row("INV-2", "Bert", "0.5", "2099-01-01")),
    );
    await expectedStep(site.workplace);
    const ending = { reference: "INV-1", end: "withdrawn", person: "carla", reason: "cancelled" } as const;
    await endExpectationStep(site.workplace, { ...ending, keepDeposit: true });
    const [{ depositId = "" } = {}] = await expectations(site);
    const part = { amount: "0.5", afterMs: 0, confirmAfterMs: 1, confirmations: 6 };
    site.sandbox.operator.receiveFunds(depositId, [part]);
    site.sandbox.operator.passTime(60_000);
    await reconcileStep(site.workplace);
    expect(await stateOf(site, "INV-1")).toBe("withdrawn");
    const { open } = await expectedNow(site.workplace);
    expect(open.map(({ free }) => `${free.normalized()}`)).toEqual(["0.5"]);
    const matching = { depositId, references: ["INV-2"], person: "carla", reason: "Bert pays for Ada now" };
    await matchReceiptStep(site.workplace, matching);
    expect(await stateOf(site, "INV-2")).toBe("received");
  });

  test("by settling short with a reason, but only after a part was received", async () => {
    const site = await openSite();
    const { workplace } = site;
    await expectText(site, csv(row("INV-1", "Ada", "0.5")));
    const ending = { reference: "INV-1", end: "settled short", person: "carla", reason: "agreed" } as const;
    await expect(endExpectationStep(workplace, ending)).rejects.toThrow("withdraw it instead");
    const depositId = await receive(site, "0.4", "Ada");
    await matchReceiptStep(workplace, { depositId, references: ["INV-1"], person: "carla" });
    await expect(endExpectationStep(workplace, { ...ending, end: "withdrawn" })).rejects.toThrow(
      "settle it short",
    );
    await endExpectationStep(workplace, ending);
    expect(await stateOf(site, "INV-1")).toBe("settled short");
    const [sums] = sumsByCustomer((await expectedNow(workplace)).standings);
    expect(`${sums?.open} ${sums?.received.normalized()}`).toBe("0 0.4");
    await expect(
      unmatchReceiptStep(workplace, { depositId, person: "carla", reason: "wrong" }),
    ).rejects.toThrow("INV-1 was settled short with it");
  });

  test("by withdrawal before its deposit was requested; then none is", async () => {
    const site = await openSite();
    await expectText(site, made);
    await endExpectationStep(site.workplace, {
      reference: "INV-1",
      end: "withdrawn",
      person: "carla",
      reason: "no",
    });
    await expectedStep(site.workplace);
    expect(site.arrived("createDeposit")).toBe(0);
  });
});
