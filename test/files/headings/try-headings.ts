/**
 * `node test/files/headings/try-headings.ts` prints what today's reader makes of each heading row, and how many it
 * takes.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verdictsOf } from "../golden-verdict.ts";
import { HEADINGS } from "./headings.ts";
import { csvOf, meantBy, readAs } from "./rows.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-headings-"));
const files = HEADINGS.map((row, number) => {
  const name = `${row.language}-${number + 1}.csv`;
  const path = join(folder, name);
  writeFileSync(path, csvOf(row, number));
  return { name, path };
});
const verdicts = await verdictsOf(files);
let taken = 0;
for (const [number, row] of HEADINGS.entries()) {
  const { verdict, faults = [], paid = [] } = verdicts[number] ?? {};
  const meant = meantBy(row, number).map(({ reference, destination }) => `${reference} ${destination}`);
  const isTaken =
    verdict === "accepted" && meant.join() === paid.map(([reference, to]) => `${reference} ${to}`).join();
  if (isTaken) taken += 1;
  const { reference, destination, amount } = readAs(row);
  const headings = `${row.columns.map(([heading]) => heading).join(" | ")} (${reference}, ${destination}, ${amount})`;
  process.stdout.write(
    `${isTaken ? "taken   " : "not     "} ${row.language} ${headings}: ${faults.slice(0, 4).join("; ")}\n`,
  );
}
process.stdout.write(`${taken} of ${HEADINGS.length} taken\n`);
