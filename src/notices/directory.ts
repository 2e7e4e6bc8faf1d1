/** Who can be reached, and where: people of the roster, senders of the configuration, and the chat. */
import { isProblem, orProblem } from "../faults/index.ts";
import { rosterShownOf } from "../proof/identity.ts";
import { rootIfAny } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Directory } from "./rules/recipients.ts";

/** Nobody where the roster does not hold: what the database says of people is not believed then. */
export async function directoryOf(workplace: Workplace): Promise<Directory> {
  const { config, store } = workplace;
  const root = rootIfAny(config);
  const read = root && (await orProblem(() => store.read(rosterShownOf(config, root))));
  const roster = read === undefined || isProblem(read) ? undefined : read;
  return {
    people: [...(roster?.people.values() ?? [])].flatMap(({ name, roles, mail }) =>
      mail === undefined ? [] : [{ name, roles, mail }],
    ),
    senders: config.files.senders.flatMap(({ name, mail }) => (mail === undefined ? [] : [{ name, mail }])),
    hasMail: config.notices.mail !== undefined,
    hasChat: workplace.noticesSecrets().chatUrl !== undefined,
  };
}
