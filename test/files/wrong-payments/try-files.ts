/**
 * `node test/files/wrong-payments/try-files.ts` prints what must happen to each case, and what today's reader
 * does.
 */
import { join } from "node:path";
import { verdictsOf } from "../golden-verdict.ts";
import { WRONG_PAYMENTS } from "./cases.ts";

const files = WRONG_PAYMENTS.map(({ file }) => ({
  name: file,
  path: join(import.meta.dirname, "files", file),
}));
const verdicts = await verdictsOf(files);
let wrong = 0;
for (const [index, { file, must, never }] of WRONG_PAYMENTS.entries()) {
  const { verdict = "", faults = [], paid = [] } = verdicts[index] ?? {};
  const wouldPay = never.filter(([reference, amount]) =>
    paid.some(([paidReference, , paidAmount]) => reference === paidReference && amount === paidAmount),
  );
  if (wouldPay.length > 0) wrong += 1;
  const payments = wouldPay.map((payment) => payment.join(" "));
  const found = wouldPay.length > 0 ? `would pay ${payments.join(", ")}` : faults.join("; ");
  process.stdout.write(`${file.padEnd(40)} must be ${must.join(" or ")}; today ${verdict}: ${found}\n`);
}
process.stdout.write(`${wrong} of ${files.length} would be taken as they stand, before any acceptance\n`);
