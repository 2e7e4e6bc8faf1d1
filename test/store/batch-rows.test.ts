/** A page of a batch: found by a part of a text, and in each order, on both engines. */
import { expect, test } from "vitest";
import { listRows } from "../../src/store/batch-rows.ts";
import { drafts, openStore, storeApproved } from "./stored-batch.ts";

test("a page of a batch's payments, found and in order", async () => {
  const store = openStore();
  const [first] = await storeApproved(
    store,
    drafts(9, (row) => ({ customerId: `Payee ${row % 3}` })),
  );
  const id = first?.batchId ?? ("" as never);
  const rows = async (wanted: object) =>
    (await store.read(() => listRows(id, { find: "", order: "file", skip: 0, count: 3, ...wanted }))).map(
      ({ row }) => row,
    );
  expect(await rows({})).toEqual([1, 2, 3]);
  expect(await rows({ order: "largest", skip: 1 })).toEqual([8, 7, 6]);
  expect(await rows({ order: "largest", find: "payee 1" })).toEqual([7, 4, 1]);
  expect(await rows({ order: "payee", skip: 2 })).toEqual([9, 1, 4]);
  expect(await rows({ order: "largest", among: [2, 5, 9] })).toEqual([9, 5, 2]);
  expect(await rows({ find: "PAY-4" })).toEqual([4]);
});
