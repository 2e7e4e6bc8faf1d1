/** Sums that the database makes are exact, tie with their file, and are read from indexes alone. */
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { controlTotals, formatControlTotals } from "../../src/model/index.ts";
import { amountOf, Decimal } from "../../src/money/index.ts";
import { beginSending } from "../../src/store/begin-sending.ts";
import { listStandingSums } from "../../src/store/standing-counts.ts";
import { testWithFile } from "../postgres.ts";
import { runsOf } from "../slice.ts";
import { drafts, openStore, storeApproved, tamper, temporaryFolder } from "./stored-batch.ts";

/** An amount with as many digits on both sides of the point as a currency may have. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^\d{0,18}$/))
  .map(([whole, decimals]) => (decimals === "" ? `${whole}` : `${whole}.${decimals}`));

test("whatever their amounts are, the sums by standing, currency and day are those of the payments", async () => {
  const store = openStore();
  let batches = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 20 }), async (amounts) => {
      batches += 1;
      const payments = await storeApproved(
        store,
        drafts(amounts.length, (row) => ({
          reference: `${batches}-${row}`,
          amount: amountOf(amounts[row - 1] ?? "", row % 3 === 0 ? "ETH" : "BTC"),
          ...(row % 2 === 0 && { payOn: "2026-12-24" }),
        })),
      );
      const [first] = payments;
      const held = `update instruction set reason = 'held back' where id = '${first?.id}'`;
      await tamper(store, held);
      const batch = {
        id: first?.batchId ?? ("" as never),
        controlTotals: controlTotals(payments.map(({ fields }) => fields.amount)),
      };
      const sums = await store.read(() => listStandingSums(batch));
      const said = sums.map(({ total, payOn = "", isHeldBack }) => {
        return `${formatControlTotals([total])} ${payOn}${isHeldBack ? " held back" : ""}`;
      });
      const groups = Map.groupBy(payments, ({ id, fields: { amount, payOn = "" } }) => {
        return `${amount.currency} ${payOn}${id === first?.id ? " held back" : ""}`;
      });
      const expected = [...groups].map(([name, some]) => {
        return `${formatControlTotals(controlTotals(some.map(({ fields }) => fields.amount)))} ${name.slice(4)}`;
      });
      expect(said.toSorted()).toEqual(expected.toSorted());
    }),
    runsOf(10, 30),
  );
});

testWithFile("SQLite reads no payment for its sums but those that a run held back", async () => {
  const path = `${temporaryFolder()}/paydrop.sqlite`;
  const store = openStore(path);
  const [payment] = await storeApproved(store, drafts(3));
  const database = new Database(path, { readonly: true });
  const one = { currency: "BTC", count: 3, amount: Decimal.of("1") };
  const statement = listStandingSums({ id: payment?.batchId ?? ("" as never), controlTotals: [one] });
  const plans: string[] = [];
  for (let next = statement.next(); next.done !== true; ) {
    const { text, values } = next.value;
    const lines = database
      .prepare<unknown[], { detail: string }>(`explain query plan ${text}`)
      .all(...values);
    plans.push(lines.map(({ detail }) => detail).join("\n"));
    const rows = database.prepare<unknown[], Record<string, string>>(text).all(...values);
    next = statement.next(rows);
  }
  database.close();
  expect(plans).toEqual([
    expect.stringContaining("USING INDEX instruction_held_back"),
    expect.stringContaining("COVERING INDEX instruction_by_standing"),
    expect.stringContaining("COVERING INDEX instruction_by_standing"),
  ]);
});

/** Fields that change on a payment's way from approved to accepted. */
const MOVING = /\b(standing|reason|payout_id|changed_at)\b/;

testWithFile(
  "a payment on its way is written to one index of standings, and to that of its payout once",
  async () => {
    const path = `${temporaryFolder()}/paydrop.sqlite`;
    const store = openStore(path);
    const [payment] = await storeApproved(store, drafts(1));
    const database = new Database(path, { readonly: true });
    const indexes = database
      .prepare<[], { name: string; sql: string | null }>(
        "select name, sql from sqlite_schema where type = 'index' and tbl_name = 'instruction'",
      )
      .all();
    // Partial indexes are left out, since they hold few payments.
    const whole = indexes.filter(({ sql }) => sql !== null && !/ where /.test(sql) && MOVING.test(sql));
    expect(whole.map(({ name }) => name)).toEqual(["instruction_by_standing"]);
    const begin = payment && beginSending(payment, "2026-11-28T10:00:00.000Z").next().value;
    expect(begin).toMatchObject({
      text: expect.stringContaining("set standing = 'sending', changed_at = ?\n"),
    });
    database.close();
  },
);
