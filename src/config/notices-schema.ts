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
      .describe("`starttls` sends nothing without encryption, `tls` begins with it."),
    user: z
      .string()
      .min(1)
      .optional()
      .describe("Its login; the password is the secret PAYDROP_NOTICES_PASSWORD."),
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
  "file-missing": "A sender's file is missing (`files.senders.due`).",
  waiting: "A batch waits; of the approvers, those who may approve it.",
  doubt: "A payment or change is held, or in doubt for 15 minutes.",
  unpaid: "A payment was refused or has failed.",
  "sending-stopped": "A stop order, a restored database, or machines that differ.",
  break: "Breaks opened with more at stake than `breakLimit`.",
  night: "The comparison is incomplete for 15 minutes.",
  suspense: "Values are on suspense.",
  export: "An ERP has not answered in time.",
  job: "A job did not end well, for 15 minutes.",
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
  mail: mail.optional().describe("Mail; chat has only a secret, PAYDROP_NOTICES_URL."),
  who: who.prefault({}).describe("By event: roles, names of people, `sender` and `chat`; [] for nobody."),
  breakLimit: perCurrency
    .default({})
    .describe("By currency, breaks with less at stake, and notes, are not told of."),
  retryHours: z
    .int()
    .min(1)
    .max(720)
    .default(24)
    .describe("How long a message is tried again; then `status` names it."),
});
