/** A complete look proves absence, whatever else it does not show. */
import * as original from "../../../src/execution/witness.ts";

export * from "../../../src/execution/witness.ts";

export const lookWithWitness: typeof original.lookWithWitness = async (tools, references) => {
  const look = await original.lookWithWitness(tools, references);
  return { ...look, provesAbsence: look.complete };
};
