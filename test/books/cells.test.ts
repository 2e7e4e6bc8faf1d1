/** What is written by hand for speed is what the slower, plainer way gives. */
import { hash } from "node:crypto";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contentHash } from "../../src/books/rules/content-hash.ts";
import { inJournalOrder } from "../../src/books/rules/journal-entries.ts";
import { JournalOrder } from "../../src/books/rules/journal-order.ts";
import { readExact, writeExact } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { csvOf, textCell } from "../../src/writing/cell-text.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."a9 \\\"',;=+-@＝\t\r\n\u200b", "é", "😀") }),
);

test("a CSV is what csv-stringify writes, but each kind of line break is quoted", () => {
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1 })), (rows) => {
      expect(csvOf(rows)).toBe(stringify(rows, { record_delimiter: "windows", quoted_match: /[\r\n]/ }));
    }),
  );
});

test("a cell is one line and begins no formula, wherever a program may split it", () => {
  fc.assert(
    fc.property(text, (given) => {
      const line = given.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
      const guarded = line
        .replace(/\\(?="|$)/g, "/")
        .replace(/(?<=^|[;,\t\r\n])(?!-[\d.,]*-*(?:[;\t\r\n]|$))(["']*)(?=[=+\-@＝＋－＠])/g, "$1'");
      expect(textCell(given)).toBe(guarded);
    }),
  );
});

const name = fc.constantFrom("quantity", "net", "rate", "memo", "parts");
const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(8));
const leaf = fc.oneof(
  ...[text, fc.boolean(), fc.integer(), fc.constant(undefined)],
  decimal.map(([units, scale]) => Decimal.of(`${units}e-${scale}`)),
);
const content = fc.letrec((tie) => ({
  any: fc.oneof(leaf, fc.array(tie("any"), { maxLength: 3 }), tie("members")),
  members: fc.dictionary(name, tie("any"), { maxKeys: 4, noNullPrototype: true }),
})).members as fc.Arbitrary<Record<string, unknown>>;

test("a stored entry and a fact's hash have the bytes of JSON.stringify", () => {
  const sorted = (_name: string, value: unknown) => {
    if (value instanceof Decimal) return value.normalized().toString();
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  };
  fc.assert(
    fc.property(content, (value) => {
      const exact = JSON.stringify(value, (_name, member: unknown) =>
        member instanceof Decimal ? { $decimal: member.toString() } : member,
      );
      expect(writeExact(value)).toBe(exact);
      expect(writeExact(readExact(exact))).toBe(exact);
      expect(contentHash(value)).toBe(hash("sha256", JSON.stringify(value, sorted)));
    }),
  );
});

test("numbers put a journal in the order of its texts, but for runs of entries that they leave equal", () => {
  const day = fc.constantFrom("2025-12-31", "2026-01-01", "2026-11-30");
  const instant = fc.constantFrom(
    "2025-12-31T23:59:59.999Z",
    "2026-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.001Z",
  );
  const kind = fc.constantFrom("payout-settle", "transfer", "deposit-receipt", "deposit-apply");
  const place = fc.record({ bookDay: day, valueInstant: instant, kind, factId: fc.constantFrom("a", "b") });
  fc.assert(
    fc.property(fc.array(place), (given) => {
      const entries = given.map((each, seq) => ({
        ...each,
        seq,
        revision: 1,
        entryId: String(seq).padStart(3, "0"),
      }));
      const order = new JournalOrder();
      for (const entry of entries) order.add(entry.seq, entry);
      expect(order.size).toBe(entries.length);
      const found = [...order.days()].flatMap(({ seqs, runs }) => {
        for (const { from, to } of runs) {
          const run = inJournalOrder(seqs.slice(from, to).flatMap((seq) => entries[seq] ?? []));
          seqs.splice(from, to - from, ...run.map(({ seq }) => seq));
        }
        expect(new Set(runs.flatMap(({ from, to }) => [from, to - 1])).size).toBe(2 * runs.length);
        return seqs;
      });
      expect(found).toEqual(inJournalOrder(entries).map(({ seq }) => seq));
    }),
  );
});
