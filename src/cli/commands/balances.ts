/** `paydrop balances` and `paydrop accounts --user NAME` */
import { showAccountsOfUser, showBalances } from "../../views/balances-step.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { accountsText, balancesText } from "../render/balance-text.ts";
import { routeOrPath } from "../search-options.ts";
import { inWorkplace, type Session } from "../session.ts";

export function balancesCommand(
  session: Session,
  accounts: readonly string[],
  options: { readonly route?: boolean },
): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const balances = await showBalances(workplace, accounts, routeOrPath(options));
    session.output.answer({ balances }, () => balancesText(balances));
    return EXIT.done;
  });
}

export function accountsCommand(session: Session, { user }: { readonly user: string }): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const answer = await showAccountsOfUser(workplace, user);
    session.output.answer({ accounts: answer }, () => accountsText(answer, custodyNames(workplace.config)));
    return EXIT.done;
  });
}
