/** Time passes: everything due on the agenda happens in order, each at the instant it was due. */
import type { Service } from "../service.ts";
import type { AgendaKind } from "../state/agenda.ts";
import { depositCreated, depositExpires, partArrives, partConfirms } from "./deposit-life.ts";
import { arriveForeignPayout } from "./foreign-payout.ts";
import { stepPayout } from "./payout-life.ts";

export function tick(service: Service, nowMs: number): void {
  for (let due = service.agenda.take(nowMs); due !== undefined; due = service.agenda.take(nowMs)) {
    HAPPENINGS[due.kind](service, due.subject, due.dueAt);
  }
}

type Happening = (service: Service, subject: string, dueAt: number) => void;

const HAPPENINGS: Readonly<Record<AgendaKind, Happening>> = {
  "payout-step": stepPayout,
  "deposit-created": depositCreated,
  "deposit-expires": depositExpires,
  "part-arrives": partArrives,
  "part-confirms": partConfirms,
  "foreign-payout": arriveForeignPayout,
};
