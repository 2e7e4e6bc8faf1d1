/** A person accepts the configuration of this machine as the one that every machine must have. */
import { hash } from "node:crypto";
import { appendAudit } from "../store/audit.ts";
import {
  deleteConfigurationsElsewhere,
  listConfigurationsElsewhere,
  recordConfiguration,
} from "../store/configurations.ts";
import type { Transaction } from "../store/sql.ts";
import { bindingDifference, type Disagreement, usedBy } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { proveDecision } from "./prove.ts";

/** The result of accepting this machine's configuration as the right one. */
export interface Acceptance {
  /** The other machines, with the settings in which they differed and which they must now follow. */
  readonly others: readonly Disagreement[];
}

/** Makes this machine's settings the ones that all must have from now on. Throws SECRET_MISSING. */
export async function acceptConfiguration(
  workplace: Workplace,
  person: string,
  reason: string,
): Promise<Acceptance> {
  const { whole } = workplace;
  const used = await usedBy(whole, (view) => view.service().keyId);
  const { machine, usedAt: at } = used;
  await proveDecision(workplace, {
    decision: "accept configuration",
    person,
    subject: machine,
    reason,
    detail: { settings: hash("sha256", JSON.stringify(used.settings)) },
  });
  return whole.store.write(function* (): Transaction<Acceptance> {
    const elsewhere = yield* listConfigurationsElsewhere(machine);
    const others = elsewhere.flatMap((other) => bindingDifference(used, other) ?? []);
    yield* deleteConfigurationsElsewhere(machine);
    yield* recordConfiguration(used);
    const what = others.map((other) => `${other.machine}: ${other.what}`).join("\n");
    const detail = { reason, machine, what };
    yield* appendAudit({ at, person, action: "accept", subject: "configuration", detail });
    return { others };
  });
}
