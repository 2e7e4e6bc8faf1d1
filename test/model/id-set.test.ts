/** A compact set of ids gives the same answers as a Set of texts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { IdSet } from "../../src/model/id-set.ts";

const id = fc.oneof(
  fc.uuid(),
  fc.nat(50).map((number) => `0d5d6e8a-0000-4000-8000-${String(number).padStart(12, "0")}`),
  fc.constantFrom("", "x", "0D5D6E8A-0000-4000-8000-000000000001", "0d5d6e8a_0000-4000-8000-000000000001"),
);

test("it has what was added to it, each once, whatever its form", () => {
  const property = fc.property(
    fc.array(id, { maxLength: 100 }),
    fc.array(id),
    fc.array(id),
    (some, others, asked) => {
      const [set, more] = [new IdSet(), new IdSet()];
      const expected = new Set<string>();
      for (const each of some) {
        expect(set.add(each)).toBe(!expected.has(each));
        expected.add(each);
      }
      for (const each of others) more.add(each);
      set.takeAll(more);
      expect(more.size).toBe(0);
      const all = new Set([...expected, ...others]);
      expect(set.size).toBe(all.size);
      for (const each of [...asked, ...all]) expect(set.has(each)).toBe(all.has(each));
    },
  );
  fc.assert(property);
});

test("it holds many thousands", () => {
  const set = new IdSet();
  const nth = (number: number) => `${(number * 2_654_435_761) % 4_294_967_296}`.padStart(8, "0").slice(-8);
  const ids = Array.from(
    { length: 20_000 },
    (_, number) => `${nth(number)}-0000-4000-8000-${String(number).padStart(12, "0")}`,
  );
  for (const each of ids) set.add(each);
  expect(set.size).toBe(ids.length);
  expect(ids.every((each) => set.has(each))).toBe(true);
  expect(set.has("00000000-0000-4000-8000-00000000000a")).toBe(false);
  set.clear();
  expect(ids.some((each) => set.has(each))).toBe(false);
  expect(ids.every((each) => set.add(each))).toBe(true);
});
