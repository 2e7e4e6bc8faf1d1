/** Pages that say what was not done, and why. */
import type { Problem } from "../faults/index.ts";
import type { Role } from "../model/index.ts";
import { type Html, html } from "./html.ts";
import type { PageAnswer, Visit } from "./page.ts";
import { banner, empty, head } from "./parts.ts";
import { fixOf, said } from "./plain-words.ts";

export function messagePage(status: number, title: string, text: string): PageAnswer {
  return { title, status, content: refusalContent(title, html`<p>${text}</p>`) };
}

export function brokenPage(number: string): PageAnswer {
  const title = "This page could not be made";
  const text = html`<p>What you sent may not have been done: look before you try again. If it stays, give
    your operator this number.</p><p class="mono">${number}</p>`;
  return { title, status: 500, content: refusalContent(title, text) };
}

const STATUS: Readonly<Record<string, number>> = { ROLE_LACKING: 403, BATCH_UNKNOWN: 404, NAME_UNKNOWN: 404 };

/** A step refused: nothing was changed. USAGE, a form that lacks something, concerns no operator. */
export function faultPage(place: Pick<Visit, "workplace">, problem: Problem): PageAnswer {
  const title = "Not done";
  const { code, message } = problem;
  const text = html`<p><b>Nothing was done.</b> ${said(place, message)}</p><p>${fixOf(place, problem)}</p>
  ${code !== "USAGE" && html`<p class="small mute">For an operator: <span class="mono">${code}</span></p>`}`;
  return { title, status: STATUS[code] ?? 409, content: refusalContent(title, text) };
}

/** For a page that shows its form again: why what was sent was refused. */
export function notDoneBanner(place: Pick<Visit, "workplace">, problem: Problem): Html {
  const text = html`<b>Nothing was done.</b> ${said(place, problem.message)} ${fixOf(place, problem)}`;
  return banner("bad", "Not done", text);
}

export function lacksRolePage({ person, roles }: Visit, wanted: readonly Role[]): PageAnswer {
  const title = "Not for you";
  const who = `You are ${roles.join(", ") || "without a role"}`;
  const text = `An admin can give ${person} the role ${wanted.join(" or ")}. Nothing was done.`;
  const content = html`${head(title, `This page is for ${wanted.join(" or ")}.`)}
  <section class="panel">${empty(who, text)}</section>`;
  return { title, status: 403, content };
}

function refusalContent(title: string, content: Html): PageAnswer["content"] {
  return (back) =>
    html`<section class="panel"><div class="empty"><h1>${title}</h1>${content}<p>${back}</p></div></section>`;
}
