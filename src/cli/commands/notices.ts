/** `paydrop notices test`, `list` and `replay` */

import { counted } from "../../model/counted.ts";
import { minuteText, type NoticeMessage } from "../../model/index.ts";
import { replayEventsStep, type TestedChannel, testNoticesStep } from "../../notices/index.ts";
import { type EventCursor, lastEventNumber, readCursor } from "../../store/events.ts";
import { listMessages } from "../../store/notices.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { shown } from "../render/problem-text.ts";
import { lines } from "../render/text-parts.ts";
import { textTable } from "../render/text-table.ts";
import { inWorkplace, lookingIntoWorkplace, type Session } from "../session.ts";

/** Exits with 5 if a channel did not accept the message. */
export function testNoticesCommand(session: Session, { to }: { readonly to?: string }): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const channels = await testNoticesStep(workplace, to);
    session.output.answer({ channels }, () => lines(...channels.map(testedText)));
    return channels.every(({ isTaken }) => isTaken) ? EXIT.done : EXIT.service;
  });
}

function testedText({ channel, recipient, isTaken, answer }: TestedChannel): string {
  const whom = recipient === "" ? channel : `${channel} to ${shown(recipient)}`;
  return `${whom} ${isTaken ? "was taken" : "was not taken"}: ${shown(answer)}`;
}

const LISTED = 50;

export function listNoticesCommand(session: Session): Promise<ExitCode> {
  return lookingIntoWorkplace(session, async ({ store }) => {
    const messages = await store.read(() => listMessages(LISTED));
    const { cursor, last } = await store.read(function* () {
      return { cursor: yield* readCursor(), last: yield* lastEventNumber() };
    });
    const events = { last, ...cursor };
    session.output.answer({ messages: messages.map(withoutBody), events }, () =>
      lines(
        messages.length === 0
          ? "No notice has been written yet."
          : textTable(["written", "about", "to", "subject", "standing"], messages.map(row)),
        cursor && eventsText(cursor, last),
      ),
    );
    return EXIT.done;
  });
}

function eventsText({ delivered, failingSince, answer = "" }: EventCursor, last: number): string {
  const failing =
    failingSince === undefined ? "" : `; none accepted since ${minuteText(failingSince)}: ${shown(answer)}`;
  return `events for systems: ${delivered} of ${last} delivered${failing}`;
}

export function replayCommand(session: Session, { from }: { readonly from: number }): Promise<ExitCode> {
  return inWorkplace(session, async (workplace) => {
    const replayed = await replayEventsStep(workplace, from);
    session.output.answer(replayed, ({ count }) => `\`serve\` sends ${counted(count, "event")} again`);
    return EXIT.done;
  });
}

function withoutBody({ body: _, ...message }: NoticeMessage) {
  return message;
}

function row({ writtenAt, event, about, channel, recipient, subject, ...standing }: NoticeMessage): string[] {
  const whom = recipient === "" ? channel : recipient;
  return [
    minuteText(writtenAt),
    `${event} ${shown(about)}`,
    shown(whom),
    shown(subject),
    standingText(standing),
  ];
}

function standingText({
  outcome,
  endedAt = "",
  nextAt = "",
  attempts,
  answer = "",
}: Partial<NoticeMessage>): string {
  if (outcome === "delivered") return `delivered ${minuteText(endedAt)}`;
  if (outcome === "given up") return `given up ${minuteText(endedAt)}: ${shown(answer)}`;
  if (attempts === 0) return "waits";
  return `tried ${attempts} times, next ${minuteText(nextAt)}: ${shown(answer)}`;
}
