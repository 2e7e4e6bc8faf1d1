/** Passes one message to its channel: the mail server, or the chat's webhook. */

import { sendMail } from "../context/mailer.ts";
import type { Transport } from "../context/transport.ts";
import type { NoticeMessage } from "../model/index.ts";
import { printableLine } from "../model/printable-text.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Attempt } from "./rules/delivery.ts";
import { addressOf, type Directory } from "./rules/recipients.ts";

const ANSWER_WITHIN_MS = 10_000;
const ANSWER_LENGTH_MAX = 200;

/** Sends the message once. A failing server never makes it reject. */
export async function send(
  workplace: Workplace,
  message: NoticeMessage,
  directory: Directory,
): Promise<Attempt> {
  if (message.channel === "chat") return sendToChat(workplace, `${message.subject}\n${message.body}`);
  const to = addressOf(message.recipient, directory);
  if (to === undefined)
    return { isTaken: false, isUnreachable: true, answer: "they have no mail address any more" };
  return sendByMail(workplace, to, message);
}

/** `key`: the message's key, from which its Message-ID is made. */
export async function sendByMail(
  { config, noticesSecrets }: Workplace,
  to: string,
  { key, subject, body }: Pick<NoticeMessage, "key" | "subject" | "body">,
): Promise<Attempt> {
  const { mail } = config.notices;
  if (mail === undefined) return { isTaken: false, isDown: true, answer: "`notices.mail` is not set" };
  const { mailPassword } = noticesSecrets();
  const { host, port, tls, user, from } = mail;
  const login =
    user === undefined || mailPassword === undefined ? undefined : { user, password: mailPassword };
  const messageId = `${key.slice(0, 40)}@${from.slice(from.indexOf("@") + 1)}`;
  const sent = await sendMail({ host, port, tls, login }, { from, to, subject, text: body, messageId });
  return { ...sent, answer: shortAnswer(sent.answer) };
}

/** The URL is a secret and never logged. */
export async function sendToChat({ context, noticesSecrets }: Workplace, text: string): Promise<Attempt> {
  const { chatUrl } = noticesSecrets();
  if (chatUrl === undefined)
    return { isTaken: false, isDown: true, answer: "PAYDROP_NOTICES_URL is not set" };
  const headers = { "content-type": "application/json", accept: "*/*" };
  const { isTaken, answer } = await post(context.transport, chatUrl, headers, JSON.stringify({ text }));
  return { isTaken, isDown: !isTaken, answer: shortAnswer(answer) };
}

/** `answer`: the HTTP status, or why there is none. */
export async function post(
  transport: Transport,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Pick<Attempt, "isTaken" | "answer">> {
  const request = { url, headers, body: Buffer.from(body), timeoutMs: ANSWER_WITHIN_MS };
  const exchange = await transport.send({ method: "POST", ...request });
  if (exchange.kind !== "answered") return { isTaken: false, answer: exchange.reason };
  const { status } = exchange;
  return { isTaken: status >= 200 && status < 300, answer: `answered ${status}` };
}

function shortAnswer(answer: string): string {
  return printableLine(answer).slice(0, ANSWER_LENGTH_MAX);
}
