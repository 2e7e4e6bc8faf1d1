/**
 * The recipients that can be reached, with their addresses: people of the roster, senders of the configuration, and
 * the chat.
 */
import { isProblem, orProblem } from "../faults/index.ts";
import { rosterShownOf } from "../proof/identity.ts";
import { rootIfAny } from "../workplace/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Directory } from "./rules/recipients.ts";

/** Without people if the roster is not valid, because then nothing in the database about people is trusted. */
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
