/** `paydrop ledger verify` */
import { type LedgerVerified, ledgerVerifyStep } from "../../books/index.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { counted, lines } from "../render/text-parts.ts";
import { inWorkplace, type Session } from "../session.ts";

/** Exits with 4 if the journal differs from the one that all sightings and requests give. */
export function ledgerVerifyCommand(session: Session): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const verified = await ledgerVerifyStep(workplace);
    session.output.answer(verified, () => verifiedText(verified));
    return verified.differences.length > 0 ? EXIT.personNeeded : EXIT.done;
  });
}

function verifiedText({ entries, payouts, deposits, waiting, differences }: LedgerVerified): string {
  const derived = `${counted(payouts, "payout")} and ${counted(deposits, "deposit")}`;
  const verdict = differences.length === 0 ? "agree with" : "differ from";
  return lines(
    `${counted(entries, "entry", "entries")} ${verdict} what ${derived} give, derived from zero`,
    ...(waiting > 0 ? [`${waiting} of them are held or not posted yet, and were left out`] : []),
    ...differences,
  );
}
