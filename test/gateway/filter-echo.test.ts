/** The echo of a search's filters shows whether the service searched for something else. */
import { expect, test } from "vitest";
import { unlikeEchoes } from "../../src/gateway/find.ts";

const ID = "0d5d6e8a-0000-4000-8000-00000000000a";

test.each([
  ["as it was asked for", { references: ["A", "B"] }, { references: ["A", "B"] }, []],
  ["in another order, and twice", { references: ["A", "B"] }, { references: ["B", "A", "B"] }, []],
  ["ids in capitals", { payoutIds: [ID] }, { payoutIds: [ID.toUpperCase()] }, []],
  ["nothing, where nothing was asked for", { references: undefined }, { references: [] }, []],
  ["nothing at all", { references: ["A"] }, undefined, []],
  ["not these", { references: ["A"] }, { page: 0 }, []],
  ["null", { references: ["A"] }, { references: null }, []],
  ["as one text", { references: ["A", "B"] }, { references: "A,B" }, []],
  ["fewer", { references: ["A", "B"] }, { references: ["A"] }, ["references"]],
  ["more", { references: ["A"] }, { references: ["A", "B"] }, ["references"]],
  ["none", { references: ["A"] }, { references: [] }, ["references"]],
  ["in capitals", { references: ["a"] }, { references: ["A"] }, ["references"]],
  ["a number for a text", { references: ["1"] }, { references: [1] }, ["references"]],
  [
    "two otherwise",
    { states: undefined, depositIds: [ID] },
    { states: ["PAID"], depositIds: [] },
    ["states", "depositIds"],
  ],
])("it echoes %s", (_what, asked, echoed, unlike) => {
  expect(unlikeEchoes(asked, echoed)).toEqual(unlike);
});
