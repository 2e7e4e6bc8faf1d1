/** Shows that the judge of this folder's tests notices violations. */
import { describe, expect, test } from "vitest";
import { payoutId } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { judge, type Payment } from "./judge.ts";
import { ROWS } from "./payroll.ts";
import type { Created } from "./service.ts";

function createdAll(): Created[] {
  return ROWS.map(({ reference, amount, destinationAddress }, index) => ({
    reference,
    payoutId: `payout-${index}`,
    nonce: String(index),
    body: `"requestedAmount":{"currency":"BTC","amount":${amount}},"destinationAddress":"${destinationAddress}"`,
  }));
}

function acceptedAll(): Payment[] {
  return ROWS.map(({ reference, amount }, index) => ({
    fields: { reference, amount: { currency: "BTC", value: Decimal.of(amount) } },
    standing: "accepted",
    payoutId: payoutId(`payout-${index}`),
  }));
}

function changed<Member extends object>(members: Member[], change: Partial<Member>): Member[] {
  return members.map((member, index) => (index === 0 ? { ...member, ...change } : member));
}

const { payoutId: _, ...unpaid } = acceptedAll()[0] as Payment;

describe("the judge of a run", () => {
  test("passes what is whole, and a doubt of what the service lacks", () => {
    judge(createdAll(), acceptedAll());
    judge(createdAll().slice(1), [{ ...unpaid, standing: "in doubt" }, ...acceptedAll().slice(1)]);
  });

  test.each<[string, Created[], readonly Payment[]]>([
    ["a payout created twice", [...createdAll(), ...createdAll().slice(0, 1)], acceptedAll()],
    ["a nonce used twice", changed(createdAll(), { nonce: "1" }), acceptedAll()],
    ["a row that is gone", createdAll().slice(1), acceptedAll().slice(1)],
    ["a row that stands twice", createdAll(), [...acceptedAll(), ...acceptedAll().slice(0, 1)]],
    ["an acceptance that the service lacks", createdAll().slice(1), acceptedAll()],
    ["another payout's acceptance", createdAll(), changed(acceptedAll(), { payoutId: payoutId("payout-1") })],
    [
      "a payout that we call unsent",
      createdAll(),
      [{ ...unpaid, standing: "approved" }, ...acceptedAll().slice(1)],
    ],
    [
      "a payout that we doubt",
      createdAll(),
      [{ ...unpaid, standing: "in doubt" }, ...acceptedAll().slice(1)],
    ],
    [
      "a row that nobody sends",
      createdAll().slice(1),
      [{ ...unpaid, standing: "approved" }, ...acceptedAll().slice(1)],
    ],
    ["another amount", changed(createdAll(), { body: createdAll()[1]?.body ?? "" }), acceptedAll()],
  ])("does not pass %s", (_what, created, payments) => {
    expect(() => judge(created, payments)).toThrow();
  });

  test("lets nonces fall only where any order is allowed", () => {
    const falling = createdAll().toReversed();
    judge(falling, acceptedAll(), "unique");
    expect(() => judge(falling, acceptedAll(), "unknown")).toThrow();
  });
});
