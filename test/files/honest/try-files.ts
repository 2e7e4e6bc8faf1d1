/**
 * `node test/files/honest/try-files.ts` prints which honest files today's reader takes as they are meant and, of
 * those, whether a mistake put in is answered with that line and nothing else.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verdictsOf } from "../golden-verdict.ts";
import { HONEST_FOLDER, honestFiles } from "./manifest.ts";
import { MISTAKES, withOneMistake } from "./one-mistake.ts";

const files = honestFiles();
const verdicts = await verdictsOf(files.map(({ file }) => ({ name: file, path: join(HONEST_FOLDER, file) })));
const folder = mkdtempSync(join(tmpdir(), "paydrop-honest-"));
let taken = 0;
let named = 0;
let tried = 0;
for (const [index, file] of files.entries()) {
  const { verdict = "", faults = [], paid = [] } = verdicts[index] ?? {};
  const meant = file.payments.map(([, ...fields]) => fields.join(" "));
  const isTaken =
    verdict === "accepted" && meant.join() === paid.map((fields) => fields.slice(0, 4).join(" ")).join();
  process.stdout.write(
    `${file.file.padEnd(42)} ${isTaken ? "taken" : `${verdict}: ${faults.slice(0, 3).join("; ")}`}\n`,
  );
  if (!isTaken) continue;
  taken += 1;
  for (const [number, mistake] of MISTAKES.entries()) {
    const { bytes, line } = await withOneMistake(file, mistake);
    const path = join(folder, `${number}-${file.file}`);
    writeFileSync(path, bytes);
    const [answer] = await verdictsOf([{ name: file.file, path }]);
    const found = answer?.faults ?? [];
    tried += 1;
    if (found.length === 1 && found[0]?.startsWith(`line ${line},`)) named += 1;
    else
      process.stdout.write(
        `  ${mistake} in line ${line}: ${answer?.verdict} ${found.slice(0, 3).join("; ")}\n`,
      );
  }
}
process.stdout.write(`${taken} of ${files.length} taken; ${named} of ${tried} mistakes named alone\n`);
