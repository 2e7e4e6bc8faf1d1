/** `paydrop audit verify` */
import { verifyAudit } from "../../store/audit.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lookingIntoWorkplace, type Session } from "../session.ts";

/** Throws AUDIT_CHAIN_BROKEN if the record was changed. */
export function auditVerifyCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ store }) => {
    const head = await verifyAudit(store);
    session.output.answer({ intact: true, head }, () => `The record is intact. Its head is ${head}`);
    return EXIT.done;
  });
}
