/** A complete look proves absence, whatever else it does not show. */
import * as original from "../../../src/payments/sending/doubts/witnessed-look.ts";

export * from "../../../src/payments/sending/doubts/witnessed-look.ts";

export const lookWithWitness: typeof original.lookWithWitness = async (...given) => {
  const look = await original.lookWithWitness(...given);
  return look.complete ? { ...look, absence: { worth: "witnessed", words: "not found" } } : look;
};
