import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { approveStep, Fault, payStep, recallStep, statusOfBatches, submitFile } from "../../src/index.ts";
import { DAY_MS, shifted } from "../../src/model/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { ADDRESS, byClock } from "../site/service.ts";
import { openOther, openPlace, openSandboxFor, type Place } from "../site/workplace.ts";
import { tamper } from "../store/stored-batch.ts";

const LONG_AGO = "update approval set decided_at = '2020-01-01T00:00:00.000Z'";

/** One person may approve these, and two must approve a payment of LARGE. */
const SMALL = ["0.001", "0.11"];
const LARGE = ["0.6"];

/** Takes a file of these amounts in; returns its digest. */
async function submit({ folder, workplace }: Place, name: string, amounts: readonly string[], by = "alice") {
  const path = join(folder, `${name}.csv`);
  const rows = amounts.map((amount, index) => `${name}-${index},${amount},${ADDRESS}`);
  writeFileSync(path, ["reference,amount,destinationAddress", ...rows, ""].join("\n"));
  return (await submitFile(workplace, path, by)).digest ?? "";
}

async function submitted(environment: Parameters<typeof openPlace>[0] = {}, amounts = SMALL) {
  const place = openPlace({ ...SANDBOX_SECRETS, ...environment });
  return {
    ...place,
    digest: await submit(place, "a", amounts),
    approve: (text: string, person: string) => approveStep(place.workplace, text, person),
  };
}

/** The code of the fault that a step throws. */
async function faultOf(step: Promise<unknown>): Promise<string> {
  return step.then(
    () => "none",
    (error: unknown) => {
      if (error instanceof Fault) return error.problem.code;
      throw error;
    },
  );
}

describe("an approval counts only for what was shown", () => {
  test("another digest, a shortened one, or none releases nothing; sixteen digits or its number do", async () => {
    const place = await submitted();
    const { workplace, digest, approve } = place;
    const wrongDigit = `${digest.slice(0, 15)}${digest[15] === "0" ? "1" : "0"}`;
    expect(await faultOf(approve(wrongDigit, "bob"))).toBe("BATCH_UNKNOWN");
    expect(await faultOf(approve(digest.slice(0, 15), "bob"))).toBe("NAME_AMBIGUOUS");
    expect(await faultOf(approve("", "bob"))).toBe("NAME_AMBIGUOUS");
    expect(await faultOf(approve("B-000002", "bob"))).toBe("BATCH_UNKNOWN");
    expect(await faultOf(approve("%", "bob"))).toBe("BATCH_UNKNOWN");
    const [status] = await statusOfBatches(workplace);
    expect(status).toMatchObject({ approvedBy: [], standings: [{ standing: "received" }] });
    const released = { isReleased: true, released: 2 };
    expect(await approve(digest.slice(0, 16).toUpperCase(), "bob")).toMatchObject(released);
    await submit(place, "b", ["0.002", "0.12"]);
    expect(await approve("B-000002", "bob")).toMatchObject(released);
  });

  test("digits that two batches begin with name neither", async () => {
    const place = await submitted();
    const { workplace, digest, approve } = place;
    const other = await submit(place, "b", SMALL);
    const alike = `${digest.slice(0, 16)}${"0".repeat(48)}`;
    await tamper(workplace.store, `update batch set digest = '${alike}' where digest = '${other}'`);
    expect(await faultOf(approve(digest.slice(0, 16), "bob"))).toBe("NAME_AMBIGUOUS");
    expect(await approve(digest, "bob")).toMatchObject({ isReleased: true });
  });

  test("whoever changed a payment in the database is found out before anything is released", async () => {
    const { workplace, digest, approve } = await submitted();
    await tamper(
      workplace.store,
      "update instruction set fields = replace(fields, '0.001', '0.9') where row = 1",
    );
    expect(await faultOf(approve(digest, "bob"))).toBe("INVARIANT_BROKEN");
  });
});

describe("an approval is another person's", () => {
  test("not the submitter's, however written, and not nobody's", async () => {
    const { digest, approve } = await submitted();
    const codeFor = async (person: string) => [person, await faultOf(approve(digest, person))];
    for (const person of ["alice", "ALICE", " alice ", "\u200balice", "al\u00adice"])
      expect(await codeFor(person)).toEqual([person, "APPROVER_IS_SUBMITTER"]);
    for (const person of ["  ", "\u200b"]) expect(await codeFor(person)).toEqual([person, "USAGE"]);
  });

  test("one person spelled in two ways stands for no second one", async () => {
    const { digest, approve } = await submitted({ PAYDROP_APPROVAL_RULES: "[{ people: 3 }]" });
    await approve(digest, "bob");
    await approve(digest, "BOB ");
    expect(await approve(digest, "carol")).toMatchObject({
      isReleased: false,
      approvedBy: ["BOB ", "carol"],
    });
    expect(await approve(digest, "dave")).toMatchObject({ isReleased: true });
  });

  test("nor for the ones whose approvals have ended", async () => {
    const { sandbox, environment } = await openSandboxFor();
    const { workplace, digest, approve } = await submitted({
      ...environment,
      PAYDROP_APPROVAL_RULES: "[{ people: 2 }]",
    });
    for (const person of ["bob", "carol"]) await approve(digest, person);
    await tamper(workplace.store, LONG_AGO);
    for (const person of ["dave", "DAVE"]) await approve(digest, person);
    expect(await payStep(workplace)).toMatchObject({ accepted: 0, postponed: 2 });
    expect(sandbox.creations()).toEqual([]);
  });

  test("and where nobody is said to submit a file, it is not taken in: anybody could approve it", async () => {
    const place = openPlace();
    expect(await faultOf(submit(place, "a", SMALL, "\u200b"))).toBe("USAGE");
    expect(await statusOfBatches(place.workplace)).toEqual([]);
  });

  test("without a rule for its sums a batch is not payable, and that is said", async () => {
    const { digest, approve } = await submitted({
      PAYDROP_APPROVAL_RULES: '[{ upTo: { BTC: "0.1" }, people: 1 }]',
    });
    expect(await faultOf(approve(digest, "bob"))).toBe("APPROVAL_RULE_MISSING");
  });
});

test("what was taken back cannot be approved, and is not called released", async () => {
  const { environment } = await openSandboxFor();
  const { workplace, approve, digest } = await submitted(environment);
  await recallStep(workplace, { reference: "B-000001", person: "ann", reason: "the wrong month" });
  await expect(approve(digest, "bob")).rejects.toThrow("batch B-000001 is rejected and cannot be approved");
});

describe("an approval ends", () => {
  test("a payment whose approval has ended is not sent, and the reason is given", async () => {
    const { sandbox, environment } = await openSandboxFor();
    const { workplace, digest, approve } = await submitted(environment);
    await approve(digest, "bob");
    const report = await payStep(
      byClock(workplace, () => shifted(workplace.context.clock.now(), 31 * DAY_MS)),
    );
    expect(report).toMatchObject({ due: 2, accepted: 0, postponed: 2 });
    expect(new Set(report.problems.map(({ code }) => code))).toEqual(new Set(["APPROVAL_EXPIRED"]));
    expect(sandbox.creations()).toEqual([]);
  });

  test("and can be given anew, by as many people as before", async () => {
    const { sandbox, environment } = await openSandboxFor();
    const { workplace, digest, approve } = await submitted(environment, LARGE);
    await approve(digest, "bob");
    await approve(digest, "carol");
    expect(await faultOf(approve(digest, "dave"))).toBe("APPROVAL_NOT_OPEN");
    await tamper(workplace.store, LONG_AGO);

    expect(await approve(digest, "bob")).toMatchObject({ isReleased: false, approvedBy: ["bob"] });
    await payStep(workplace);
    expect(sandbox.creations()).toEqual([]);
    expect(await approve(digest, "dave")).toMatchObject({ isReleased: true });
    await payStep(workplace);
    expect(sandbox.creations()).toHaveLength(1);
  });

  test("and where the rules are others by now, by as many people as they say", async () => {
    const { folder, environment, digest, approve } = await submitted();
    await approve(digest, "bob");
    expect(await faultOf(approve(digest, "carol"))).toBe("APPROVAL_NOT_OPEN");
    const stricter = openOther(folder, environment, { PAYDROP_APPROVAL_RULES: "[{ people: 2 }]" });
    onTestFinished(() => stricter.close());
    const again = (person: string) => approveStep(stricter, digest, person);
    expect(await again("carol")).toMatchObject({ approvedBy: ["carol"], isReleased: false });
    expect(await again("bob")).toMatchObject({ approvedBy: ["carol", "bob"], isReleased: true });
    expect(await faultOf(again("dora"))).toBe("APPROVAL_NOT_OPEN");
  });

  test("one that is given while a run is under way is no approval that has ended", async () => {
    const { sandbox, environment } = await openSandboxFor();
    const place = await submitted({ ...environment, PAYDROP_NONCE_RULE: "unknown" });
    const { workplace, digest, approve } = place;
    await approve(digest, "bob");
    const later = await submit(place, "b", LARGE);
    const approveLater = (person: string) => approveStep(workplace, later, person, { acceptReading: 1 });
    await approveLater("bob");
    let approving: Promise<unknown> | undefined;
    const report = await payStep(workplace, {
      onSubmitted: () => {
        approving ??= approveLater("carol");
      },
    });
    await approving;
    expect(report).toMatchObject({ postponed: 0, problems: [] });
    await payStep(workplace);
    expect(sandbox.creations()).toHaveLength(3);
  });

  test("nobody is called an approver whose approval counts no longer", async () => {
    const { workplace, digest, approve } = await submitted({}, LARGE);
    await approve(digest, "bob");
    await tamper(workplace.store, LONG_AGO);
    expect(await statusOfBatches(workplace)).toMatchObject([{ approvedBy: [], peopleNeeded: 2 }]);

    await approve(digest, "carol");
    expect(await statusOfBatches(workplace)).toMatchObject([{ approvedBy: ["carol"] }]);
    await approve(digest, "bob");
    expect(await statusOfBatches(workplace)).toMatchObject([{ approvedBy: ["carol", "bob"], runOut: [] }]);
    await tamper(workplace.store, LONG_AGO);
    expect(await statusOfBatches(workplace)).toMatchObject([{ approvedBy: [], runOut: [{ count: 1 }] }]);
  });
});
