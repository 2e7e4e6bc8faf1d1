/** The result of initiation together with the drafts that it passed on; none if the file is rejected. */
import { type InitiationPolicy, initiate as initiateInWindows } from "../../src/initiation/index.ts";
import type { DraftInstruction, Table } from "../../src/model/index.ts";

export async function initiate(table: Table, policy: InitiationPolicy) {
  const drafts: DraftInstruction[] = [];
  const result = await initiateInWindows(table, policy, (window) => {
    drafts.push(...window.drafts);
  });
  return { ...result, drafts: result.verdict === "accepted" ? drafts : [] };
}
