/** Sends a test message on each configured channel, and returns each server's answer. Stores nothing. */
import { fault } from "../faults/index.ts";
import type { NoticeChannel } from "../model/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { sendByMail, sendToChat } from "./channels.ts";
import { directoryOf } from "./directory.ts";
import { addressOf } from "./rules/recipients.ts";
import { writingOf } from "./run.ts";

export interface TestedChannel {
  readonly channel: NoticeChannel;
  /** "ann", or "notices.mail.from"; empty for the chat. */
  readonly recipient: string;
  readonly isTaken: boolean;
  readonly answer: string;
}

/** `to`: a person or sender with a mail address; by default the mail goes to `notices.mail.from`. Throws USAGE. */
export async function testNoticesStep(workplace: Workplace, to?: string): Promise<readonly TestedChannel[]> {
  const { config, context } = workplace;
  const { mail } = config.notices;
  const directory = await directoryOf(workplace);
  const { now, installation } = writingOf(workplace);
  const subject = `Paydrop${installation === undefined ? "" : ` ${installation}`}: a test`;
  const body = "If you read this, notices reach you.";
  const tested: TestedChannel[] = [];
  if (mail !== undefined) {
    const address =
      to === undefined ? mail.from : (addressOf(to, directory) ?? addressOf(`sender ${to}`, directory));
    if (address === undefined) throw unreachable(to ?? "");
    const key = `test-${context.random.uuid()}`;
    const { isTaken, answer } = await sendByMail(workplace, address, {
      key,
      subject,
      body: `${body}\n${now}`,
    });
    tested.push({ channel: "mail", recipient: to ?? "notices.mail.from", isTaken, answer });
  }
  if (directory.hasChat) {
    const { isTaken, answer } = await sendToChat(workplace, `${subject}\n${body}`);
    tested.push({ channel: "chat", recipient: "", isTaken, answer });
  }
  if (tested.length > 0) return tested;
  const how = "Set `notices.mail`, or the secret PAYDROP_NOTICES_URL for a chat.";
  throw fault("USAGE", { what: "no notice can be sent: there is neither mail nor a chat", how });
}

function unreachable(name: string) {
  const how = "`paydrop people mail NAME ADDRESS` gives a person one, `files.senders[].mail` a sender.";
  return fault("USAGE", { what: `there is no mail address of ${name}`, how });
}
