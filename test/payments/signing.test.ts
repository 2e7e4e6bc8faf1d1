/** A signing module that hangs between an intent and its send: a real file, loaded from the configuration. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { createDepositStep, createPayoutStep, payStep } from "../../src/index.ts";
import { custodyAccountId } from "../../src/model/index.ts";
import { ADDRESS, openSite, TREASURY } from "../site/service.ts";

/** Signs as the sandbox requires; creations only while no file of this name exists. */
const signerUnless = (hangs: string) => `
  import { createHmac } from "node:crypto";
  import { existsSync } from "node:fs";
  const hangs = new URL(${JSON.stringify(pathToFileURL(hangs).href)});
  export default async ({ method, path, body, key, secret }) => {
    if (/create$/.test(path) && existsSync(hangs)) await new Promise(() => {});
    const signature = createHmac("sha256", secret).update(method + "\\n" + path + "\\n").update(body).digest("hex");
    return { key, signature };
  };`;

async function openSigned() {
  const site = await openSite();
  const hangs = join(site.folder, "hangs");
  writeFileSync(join(site.folder, "signer.mjs"), signerUnless(hangs));
  writeFileSync(hangs, "");
  const workplace = site.openAgain({
    PAYDROP_SIGNING_SCHEME: "module",
    PAYDROP_SIGNING_MODULE: "signer.mjs",
    PAYDROP_SIGNING_TIMEOUT_MS: "150",
  });
  return { ...site, workplace, mend: () => rmSync(hangs) };
}

describe("while signing a creation never comes to an end", () => {
  test("nothing is sent, the payment stays due, and the next run pays it once", async () => {
    const { workplace, sandbox, arrived, mend } = await openSigned();
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    const created = await createPayoutStep(workplace, { cells, submittedBy: "ann", approvedBy: ["ben"] });
    expect(created).toMatchObject({
      instruction: { standing: "approved" },
      execution: { notSent: 1, inDoubt: 0, stopped: { code: "SIGNER_TIMEOUT", next: "will-retry" } },
    });
    expect(arrived("createPayoutV2")).toBe(0);

    mend();
    expect(await payStep(workplace)).toMatchObject({ due: 1, accepted: 1 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1"]);
  });

  test("a deposit is not asked for, and may be asked for again", async () => {
    const { workplace, arrived, mend } = await openSigned();
    const deposit = {
      custodyAccountId: custodyAccountId(TREASURY),
      reference: "DEP-1",
      by: "path",
      person: "ann",
    } as const;
    await expect(createDepositStep(workplace, deposit)).rejects.toMatchObject({
      problem: { code: "SIGNER_TIMEOUT", operation: "createDeposit" },
    });
    mend();
    expect(await createDepositStep(workplace, deposit)).toMatchObject({ isInDoubt: false });
    expect(arrived("createDeposit")).toBe(1);
  });
});
