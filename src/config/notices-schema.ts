/** The part of paydrop.yaml about notices: the mail server, and who gets which notices. */
import { z } from "zod";
import { isMailAddress, isPersonName, isRole, NOTICE_EVENTS, type NoticeEvent } from "../model/index.ts";
import { perCurrency } from "./limits-schema.ts";
import { refuse } from "./refinements.ts";

export const mailAddress = z
  .string()
  .refine(isMailAddress, "expected a mail address, such as treasury@example.com");

const mail = z
  .strictObject({
    host: z.string().min(1).describe("The mail server that takes messages for delivery."),
    port: z.int().min(1).max(65_535).default(587).describe("Its port: 587 with starttls, 465 with tls."),
    tls: z
      .enum(["starttls", "tls", "none"])
      .default("starttls")
      .describe(
        "`starttls`: encryption is asked for, and nothing is sent without it; `tls`: from the first byte; `none`.",
      ),
    user: z
      .string()
      .min(1)
      .optional()
      .describe("The name for its login; the password is the secret PAYDROP_NOTICES_PASSWORD."),
    from: mailAddress.describe("The sender of every message."),
  })
  .superRefine(({ user, tls, host }, context) => {
    if (user === undefined || tls !== "none" || LOOPBACK.test(host)) return;
    refuse(context, ["tls"], "a login needs encryption: anybody on the network could read the password");
  });

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/;

/**
 * The default recipients. `sender` is the person who submitted the file; `chat` the chat webhook; the others are
 * roles.
 */
const HEARS: Readonly<Record<NoticeEvent, readonly string[]>> = {
  "file-accepted": ["sender"],
  "file-rejected": ["sender", "chat"],
  "file-missing": ["sender", "operator", "chat"],
  waiting: ["approver", "chat"],
  doubt: ["operator", "chat"],
  unpaid: ["operator", "chat"],
  "sending-stopped": ["operator", "chat"],
  break: ["controller", "chat"],
  night: ["operator", "controller", "chat"],
  suspense: ["controller", "chat"],
  export: ["controller", "chat"],
  job: ["operator", "chat"],
  digest: ["approver", "operator", "controller", "chat"],
};

/** The meaning of each event, for the reference. */
const MEANINGS: Readonly<Record<NoticeEvent, string>> = {
  "file-accepted": "A file was taken in.",
  "file-rejected": "A file came back.",
  "file-missing": "A sender's file did not come by its day (`files.senders.due`).",
  waiting: "A batch waits for approvals; of the approvers, those who may give one.",
  doubt: "A payment or another change has been in doubt for 15 minutes, or is held.",
  unpaid: "A payment was refused, or failed after it was accepted.",
  "sending-stopped": "A stop order, a restored database, or machines that differ.",
  break: "Breaks opened with more at stake than `breakLimit`; notes never.",
  night: "No comparison has been complete for 15 minutes.",
  suspense: "Values are on suspense, because the chart has no line for them.",
  export: "An ERP has not answered within `export.answerWithinHours`.",
  job: "The last run of a job did not end well, for 15 minutes.",
  digest: "The morning digest: sums, breaks, and what waits.",
};

const recipients = z.array(
  z.string().refine(isRecipient, "expected a role, a person's name, `sender` or `chat`"),
);

function isRecipient(text: string): boolean {
  return isRole(text) || text === "sender" || text === "chat" || isPersonName(text);
}

const who = z.strictObject(
  Object.fromEntries(
    NOTICE_EVENTS.map((event) => [event, recipients.default([...HEARS[event]]).describe(MEANINGS[event])]),
  ) as unknown as Record<NoticeEvent, z.ZodDefault<typeof recipients>>,
);

export const notices = z.strictObject({
  mail: mail.optional().describe("Without it, no mail is sent. Chat has only a secret, PAYDROP_NOTICES_URL."),
  who: who.prefault({}).describe("By event: roles, names of people, `sender` and `chat`; [] for nobody."),
  breakLimit: perCurrency
    .default({})
    .describe("By currency, breaks with less at stake are not told of. Others are, but for notes."),
  retryHours: z
    .int()
    .min(1)
    .max(720)
    .default(24)
    .describe("For how long a message that is not taken is tried again; then `status` says so."),
});
