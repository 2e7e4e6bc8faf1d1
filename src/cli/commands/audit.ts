/** `paydrop audit verify` */
import { anchorOf, checkNotBehind } from "../../store/anchor.ts";
import { verifyAudit } from "../../store/audit.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Throws AUDIT_CHAIN_BROKEN if the record was changed, and DATABASE_BEHIND_ANCHOR if its end is missing. */
export function auditVerifyCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ store, config }) => {
    const head = await verifyAudit(store);
    const anchor = anchorOf(config);
    await store.read(checkNotBehind(anchor));
    const end = anchor.isThere ? "" : "; there is no anchor to tell whether its end is missing";
    session.output.answer({ intact: true, head }, () => `The record is intact. Its head is ${head}${end}`);
    return EXIT.done;
  });
}
