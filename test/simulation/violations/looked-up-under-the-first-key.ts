/** Whatever key a payment belongs to, it is looked for under the first one. */
import { operationOf } from "../../../src/gateway/operations.ts";
import * as original from "../../../src/workplace/workplace.ts";

export * from "../../../src/workplace/workplace.ts";

export const workplaceIn: typeof original.workplaceIn = (...given) => {
  const workplace = original.workplaceIn(...given);
  const underKeys = workplace.underKeys.map((view) => ({
    ...view,
    service: () => {
      const own = view.service();
      const first = workplace.service().tools.gateway;
      const call: typeof first.call = (name, ...others) => {
        const isLookUp = operationOf(name).effect === "look-up";
        return (isLookUp ? first : own.tools.gateway).call(name, ...others);
      };
      return { ...own, tools: { ...own.tools, gateway: { ...own.tools.gateway, call } } };
    },
  }));
  return underKeys.length === 1 ? workplace : { ...workplace, underKeys };
};
