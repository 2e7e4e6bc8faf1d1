/** The accounts of a user, in each form in which a service may answer: the interface leaves the form open. */
import { expect, test } from "vitest";
import { accountsText } from "../../src/cli/render/balance-text.ts";
import { parseJson } from "../../src/wire/index.ts";

const ID = "6f1cbb7e-0000-4000-8000-0000000000c1";
const text = (answer: unknown) => accountsText(answer, () => "treasury-btc");

test("are found beside an empty list of something else", () => {
  for (const answer of [
    [{ accountId: ID }],
    { accounts: [{ id: ID }] },
    { errors: [], accounts: [{ id: ID }] },
  ])
    expect(text(answer)).toContain("treasury-btc");
});

test("are told to be none only where no list has any", () => {
  expect(text({ errors: [], accounts: [] })).toContain("no approver group");
  expect(text({ total: 0 })).toContain("unknown form");
});

test("are shown with the digits and members that the service sent", () => {
  const answer = `[{"accountId":"${ID}","limit":1.50,"group":{"people":2},"roles":["a",1,null]}]`;
  expect(text(parseJson(answer))).toContain('limit 1.50; group {"people":2}; roles a, 1, null');
  expect(text(parseJson("[1,2]"))).toContain("unknown form");
});
