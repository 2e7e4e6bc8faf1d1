/** The look before sending is skipped. */
import * as original from "../../../src/observation/look.ts";
import { findByReferences } from "../../../src/store/instructions.ts";

export * from "../../../src/observation/look.ts";

export const lookByReferences: typeof original.lookByReferences = async (tools, references) => {
  const instructions = await tools.store.read(() => findByReferences(references));
  const isBeforeSending = instructions.every(({ standing }) => standing === "approved");
  if (isBeforeSending) return { ...(await original.lookByReferences(tools, [])), complete: true };
  return original.lookByReferences(tools, references);
};
