/**
 * A payout that may still turn out to be ours is not booked as a stranger's, since that entry would stay in the
 * books.
 */
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { booksStep, ledgerStep, writeExceptions } from "../../src/books/index.ts";
import { createPayoutStep, resolveDoubtStep } from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { findPayoutSighting, recordSightings } from "../../src/store/observed.ts";
import type { Store } from "../../src/store/store.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { CREATE, FIND, startOddService } from "../gateway/odd-service.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { bookedBy } from "../site/booked-by.ts";
import { ADDRESS, openSite, TREASURY } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const NOTHING = JSON.stringify({ results: { content: [], totalPages: 0, totalElements: 0, number: 0 } });

/**
 * A payment whose answer was lost. Looks by its reference do not find it; sweeps have shown its completed payout,
 * altered by `shown`.
 */
async function completedInDoubt(
  shown: (body: string) => string,
  destination: Readonly<Record<string, string>> = { destinationAddress: ADDRESS },
) {
  let payoutId = "";
  const odd = await startOddService(
    ({ path, body, honest, answer, response }) => {
      if (path === CREATE) {
        payoutId = JSON.parse(honest().body).payoutId;
        return void response.destroy();
      }
      if (path !== FIND) return false;
      return void answer(200, body.includes('"references":["') ? NOTHING : shown(honest().body));
    },
    { stepMs: 1 },
  );
  const { workplace } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: odd.url });
  const cells = { reference: "PAY-1", amount: "0.001", ...destination };
  const { instruction } = await createPayoutStep(workplace, {
    cells,
    submittedBy: "alice",
    approvedBy: ["bob"],
  });
  expect(instruction?.standing).toBe("in doubt");
  await expect
    .poll(async () => {
      await reconcileStep(workplace);
      return (await workplace.store.read(() => findPayoutSighting(payoutId)))?.state;
    })
    .toBe("COMPLETED");
  const decision = { reference: "PAY-1", person: "tess", reason: "asked the operator" };
  const accept = () => resolveDoubtStep(workplace, decision, { by: "accept", payoutId });
  return { workplace, payoutId, accept };
}

test("one that the service shows under a changed reference waits until a person has decided about it", async () => {
  const { workplace, payoutId, accept } = await completedInDoubt((body) =>
    body.replaceAll('"reference":"PAY-1"', '"reference":"pay-1"'),
  );
  const before = await ledgerStep(workplace);
  expect(before.posted).toBe(0);
  expect(before).toMatchObject({ notBooked: [], problems: [{ code: "LEDGER_UNDECIDED", payoutId }] });
  // Nobody closes the month over money that left and is in no entry.
  const { held } = await booksStep(workplace, 10);
  expect(held).toMatchObject([{ id: payoutId, next: "needs-person", confirmedAt: expect.any(String) }]);
  const path = await writeExceptions(workplace, before);
  const told = () => parse(readFileSync(path), { columns: true, bom: true });
  expect(told()).toMatchObject([{ kind: "needs attention", sourceId: payoutId, code: "LEDGER_UNDECIDED" }]);
  await accept();
  const after = await bookedBy(workplace);
  const { entries, problems } = after;
  await writeExceptions(workplace, after);
  expect(told()).toEqual(
    problems.map(({ message, fix, code }) => expect.objectContaining({ what: message, fix, code })),
  );
  expect(entries).toMatchObject([{ sourceId: payoutId }]);
  expect(problems.map(({ code }) => code)).not.toContain("LEDGER_UNEXPECTED_PAYOUT");
});

test("what one to our own account brought there is booked with it, and not as a deposit before", async () => {
  const savings = "6f1cbb7e-0000-4000-8000-000000000002";
  const { workplace, payoutId, accept } = await completedInDoubt((body) => body, {
    destinationAccountId: savings,
  });
  const { raw } = (await workplace.store.read(() => findPayoutSighting(payoutId))) ?? {};
  const [id, state] = ["6f1cbb7e-0000-4000-8000-0000000000d1", "COMPLETED"];
  const received = { depositId: id, accountId: savings, depositState: state };
  const deposit = JSON.stringify({ ...received, receivedFunds: [JSON.parse(raw ?? "").sentFunds] });
  await workplace.store.write(() =>
    recordSightings("deposit", [{ id, state, raw: deposit }], new Date().toISOString()),
  );
  expect(await ledgerStep(workplace)).toMatchObject({
    posted: 0,
    problems: [{ code: "LEDGER_UNDECIDED" }],
    notBooked: [{ reason: expect.stringMatching(/^it is the receiving side of own transfer/) }],
  });
  await accept();
  expect((await bookedBy(workplace)).entries).toMatchObject([{ kind: "transfer" }]);
});

test("one that was booked before its reference was ours stays booked, and is not said to be missing from the books", async () => {
  const foreign = { accountId: TREASURY, reference: "PAY-1", amount: "0.015", destinationAddress: ADDRESS };
  const { workplace } = await openSite({ stepMs: 1, seed: { ...NOBODY_ELSE, foreignPayouts: [foreign] } });
  await expect
    .poll(async () => {
      await reconcileStep(workplace);
      return (await bookedBy(workplace)).problems.map(({ code }) => code);
    })
    .toContain("LEDGER_UNEXPECTED_PAYOUT");
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  const request = { cells, submittedBy: "alice", approvedBy: ["bob"] };
  expect(await createPayoutStep(workplace, request)).toMatchObject({ instruction: { standing: "held" } });
  expect(await ledgerStep(workplace)).toMatchObject({ posted: 0, problems: [], notBooked: [] });
});

test.each([1, 2, 3])("one that is accepted behind look %i of the posting is nobody else's", async (nth) => {
  const { workplace, accept } = await completedInDoubt((body) => body);
  const { store } = workplace;
  let looks = 0;
  const interrupted: Store = {
    isShared: store.isShared,
    read: async (transaction) => {
      const before = await store.read(transaction);
      looks += 1;
      if (looks === nth) await accept();
      return before;
    },
    write: (transaction) => store.write(transaction),
    takeLane: (keyId, sendingMs) => store.takeLane(keyId, sendingMs),
    close: () => store.close(),
  };
  const { problems } = await ledgerStep({ ...workplace, store: interrupted });
  expect(problems.map(({ code }) => code)).not.toContain("LEDGER_UNEXPECTED_PAYOUT");
});
