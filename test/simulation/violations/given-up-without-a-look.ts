/** A person abandons a doubt without any look at the service. */
import * as original from "../../../src/payments/sending/doubts/decide.ts";
import { getByReference, moveInstruction } from "../../../src/store/instructions.ts";

export * from "../../../src/payments/sending/doubts/decide.ts";

export const abandonByPerson: typeof original.abandonByPerson = async (tools, decision) => {
  const { store, context } = tools;
  const { id, standing } = await store.read(() => getByReference(decision.reference));
  if (standing !== "in doubt") return original.abandonByPerson(tools, decision);
  const at = context.clock.now();
  await store.write(() => moveInstruction(id, { to: "abandoned", at }));
};
