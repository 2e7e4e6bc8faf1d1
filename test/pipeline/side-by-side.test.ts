/** Two people, or two processes, that do something at the same time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveStep } from "../../src/pipeline/approve-step.ts";
import { createPayoutStep } from "../../src/pipeline/create-payout-step.ts";
import { reopenStep } from "../../src/pipeline/doubt-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import { submitFile } from "../../src/pipeline/submit-step.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { meanwhile } from "./meanwhile.ts";
import { ADDRESS, openSite } from "./service.ts";

const REFUSED = { kind: "answer", statusCode: 400, body: errorBody("WRONG"), committed: false } as const;

describe("a refused payment and the same one in another file", () => {
  test("are not both paid when one person re-opens it while another approves the file", async () => {
    const { workplace, folder, sandbox, openAgain } = await openSite({
      faults: [{ operation: "createPayoutV2", nth: 1, effect: REFUSED }],
    });
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    writeFileSync(join(folder, "again.csv"), `reference,amount,destinationAddress\nPAY-2,0.001,${ADDRESS}\n`);
    const { digest = "" } = await submitFile(workplace, join(folder, "again.csv"), "alice");
    const decision = { reference: "PAY-1", reason: "the account is open again", person: "carol" };
    const reopening = () =>
      expect(reopenStep(workplace, decision)).rejects.toThrow("since as PAY-2, which is received");
    await approveStep(meanwhile(openAgain(), reopening), digest, "bob");
    await payStep(workplace);
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-2"]);
  });
});
