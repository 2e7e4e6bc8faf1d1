/** Payouts at a site's service that no file asked for: of 0.015 BTC as EXT-1 and of 0.002 BTC as EXT-2. */
import { expect } from "vitest";
import { createPayoutStep, type Workplace } from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { ADDRESS } from "./service.ts";
import { openPlace } from "./workplace.ts";

/** Creates them; returns a comparison's open breaks about them, of which there are two now. */
export async function strangersAt({
  sandbox,
  workplace,
}: {
  readonly sandbox: { readonly url: string };
  readonly workplace: Workplace;
}) {
  const elsewhere = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: sandbox.url });
  for (const [reference, amount] of [
    ["EXT-1", "0.015"],
    ["EXT-2", "0.002"],
  ] as const) {
    const cells = { reference, amount, destinationAddress: ADDRESS };
    await createPayoutStep(elsewhere.workplace, { cells, submittedBy: "ann", approvedBy: ["bob"] });
  }
  const unexpected = async () =>
    (await reconcileStep(workplace)).openBreaks.filter(({ kind }) => kind === "unexpected");
  await expect.poll(unexpected).toHaveLength(2);
  return unexpected;
}
