/** How much a look proves that does not show a payment: no more than the answer that leaves it out. */
import { expect, test } from "vitest";
import { lookWithWitness } from "../../src/payments/sending/doubts/witnessed-look.ts";
import { FIND, startOddService } from "../gateway/odd-service.ts";
import { openLane } from "./lane.ts";

const UNPAID = Array.from({ length: 100 }, (_, index) => `UNPAID-${index}`);

/** PAY-1 was paid at a service that answers searches only where `serves` says so, and echoes the filters `echoed`. */
async function paidOnce(
  serves: (references: readonly string[]) => boolean,
  echoed: (references: readonly string[]) => readonly string[] = (references) => references,
) {
  const asked: string[][] = [];
  const service = await startOddService(({ path, body, answer, honest }) => {
    if (path !== FIND) return false;
    const { references = [] }: { references?: string[] } = JSON.parse(body);
    asked.push(references);
    const { filters, results } = JSON.parse(String(honest().body));
    const empty = { ...results, totalElements: 0, totalPages: 0, numberOfElements: 0, content: [] };
    const told = { ...filters, references: echoed(references) };
    answer(200, JSON.stringify({ filters: told, results: serves(references) ? results : empty }));
    return true;
  });
  const lane = openLane(service.url);
  await lane.approve(1);
  expect(await lane.pay()).toMatchObject({ accepted: 1 });
  asked.length = 0;
  return { asked, look: () => lookWithWitness(lane.tools, "key-1", UNPAID) };
}

test("asks for the witness in every request", async () => {
  const { asked, look } = await paidOnce(() => true);
  expect(await look()).toMatchObject({ complete: true, absence: { worth: "witnessed" } });
  expect(asked.length).toBeGreaterThan(2);
  for (const references of asked) expect(references).toContain("PAY-1");
  expect(new Set(asked.flat())).toEqual(new Set([...UNPAID, "PAY-1"]));
  expect((await look()).byReference.get("PAY-1")).toHaveLength(1);
});

test("proves no absence if one of several requests does not show the witness", async () => {
  const { look } = await paidOnce((references) => !references.includes("UNPAID-99"));
  expect(await look()).toMatchObject({ absence: { worth: "unproven" } });
});

test("proves no absence if the answer's echo has the witness only", async () => {
  const isWitness = (reference: string) => reference === "PAY-1";
  const { look } = await paidOnce(
    () => true,
    (references) => references.filter(isWitness),
  );
  expect(await look()).toMatchObject({
    complete: false,
    absence: { worth: "unproven", words: expect.stringContaining("echoes other references") },
  });
});
