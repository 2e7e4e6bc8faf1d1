/**
 * The demo's seed: its accounts, user, deposits and surprises match samples/. Nothing moves in the first
 * seconds, so that a baseline can be taken first.
 */
import type { SandboxSeedInput } from "./seed.ts";

const TREASURY = "6f1cbb7e-0000-4000-8000-000000000001";
const SAVINGS = "6f1cbb7e-0000-4000-8000-000000000002";
const KNOWN_PAYEE = "6f1cbb7e-0000-4000-8000-0000000000aa";

export const demoSeed: SandboxSeedInput = {
  clients: [
    {
      key: "demo-key",
      secret: "demo-signing-secret-0001",
      users: [{ username: "treasury-bot", otpSecret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" }],
    },
  ],
  accounts: [
    { accountId: TREASURY, openingBalance: "12.5" },
    { accountId: SAVINGS, openingBalance: "3" },
    { accountId: KNOWN_PAYEE, ownedByClient: false },
  ],
  rates: [{ fromCurrency: "BTC", toCurrency: "EUR", rate: "81234.56" }],
  deposits: [
    {
      // 1000.00 EUR at 80000 is 0.0125 BTC: paid exactly, in two parts
      depositId: "6f1cbb7e-0000-4000-8000-0000000000d1",
      accountId: TREASURY,
      reference: "DEP-2026-0001",
      customerId: "C-1001",
      requestedAmount: { currency: "EUR", amount: "1000.00" },
      fixedRate: "80000",
      expiryAfterMs: 3_600_000,
      parts: [
        { amount: "0.005", afterMs: 3_000, confirmAfterMs: 600 },
        { amount: "0.0075", afterMs: 4_000, confirmAfterMs: 600 },
      ],
    },
    {
      // 500.00 EUR at 80000 is 0.00625 BTC: overpaid by 0.00075
      depositId: "6f1cbb7e-0000-4000-8000-0000000000d2",
      accountId: TREASURY,
      reference: "DEP-2026-0002",
      customerId: "C-1002",
      requestedAmount: { currency: "EUR", amount: "500.00" },
      fixedRate: "80000",
      expiryAfterMs: 3_600_000,
      parts: [{ amount: "0.007", afterMs: 3_500, confirmAfterMs: 600 }],
    },
    {
      // 800.00 EUR at 80000 is 0.01 BTC: under-paid by 0.004 when it expires
      depositId: "6f1cbb7e-0000-4000-8000-0000000000d3",
      accountId: TREASURY,
      reference: "DEP-2026-0003",
      customerId: "C-1003",
      requestedAmount: { currency: "EUR", amount: "800.00" },
      fixedRate: "80000",
      expiryAfterMs: 4_500,
      parts: [{ amount: "0.006", afterMs: 3_700, confirmAfterMs: 600 }],
    },
  ],
  foreignPayouts: [
    {
      accountId: TREASURY,
      reference: "EXT-7731",
      amount: "0.015",
      destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", // BIP 173's own example
      afterMs: 2_500,
    },
  ],
  payoutOutcomes: [{ reference: "PAY-2026-0017", state: "SEND_FAILED" }],
};
