/** People: the roster, each person's roles and keys, adding and revoking; each change is signed by an admin. */
import { fault, isProblem, orProblem } from "../../faults/index.ts";
import { isRole, ROLES, type Role } from "../../model/index.ts";
import type { RosterChange } from "../../people/index.ts";
import type { ListedPerson, RosterReport } from "../../proof/people-step.ts";
import { addPersonStep, listPeopleStep, revokeStep } from "../../proof/people-step.ts";
import { isTrial } from "../../workplace/root.ts";
import { decide, type Question } from "../decide.ts";
import { unguessable } from "../held.ts";
import { type Html, html, type Part } from "../html.ts";
import {
  type Answer,
  field,
  fieldsOf,
  isVisitor,
  type Page,
  type PageAnswer,
  reasonIn,
  type Visit,
} from "../page.ts";
import {
  ask,
  badge,
  counted,
  day,
  empty,
  facts,
  head,
  hidden,
  opener,
  panel,
  table,
  time,
  words,
} from "../parts.ts";
import { fixOf, said } from "../plain-words.ts";

const nav = { group: "Run", label: "People" } as const;
export const peoplePages: readonly Page[] = [
  { method: "GET", path: "/people", roles: ["admin"], nav, handle: peoplePage },
  { method: "POST", path: "/people/add", roles: ["admin"], handle: add },
  { method: "POST", path: "/people/revoke", roles: ["admin"], handle: revoke },
];

const MAY: Readonly<Record<Role, string>> = {
  viewer: "sees",
  submitter: "sends files in",
  approver: "approves payments of others",
  operator: "runs, stops, resolves doubts",
  controller: "breaks, books, closing",
  admin: "this page",
};

function add(visit: Visit): Promise<Answer> {
  const { person, form, token } = visit;
  const name = field(form, "name").trim();
  const roles = fieldsOf(form, "role").filter(isRole);
  // Sending the form again gives the same code. Nobody else can derive the code, because only this browser knows
  // the token.
  const unguessable = `${token} ${field(form, "draft")} ${name}`;
  const mail = field(form, "mail").trim();
  if (roles.length === 0)
    throw fault("USAGE", { what: "no role is ticked", how: "Tick what they may do, at least one role." });
  const added = { name, roles, person, unguessable, ...(mail !== "" && { mail }) };
  return decide(
    visit,
    (workplace) => addPersonStep(workplace, added),
    ({ invitation }) => (invitation ? invitedPage(visit, name, invitation) : { goTo: "/people" }),
    { question: () => addQuestion(name, roles, mail) },
  );
}

function addQuestion(name: string, roles: readonly Role[], mail: string): Question {
  const may = roles.map((role) => html`<p>${role}: ${MAY[role]}</p>`);
  const content = facts([
    ["Person", name],
    ["May", may],
    ["Gets mail at", mail],
    [
      "What follows",
      `If ${name} is on the roster already, these roles replace the earlier ones. Whoever has the one-time code, ` +
        `which works for 8 hours, can enrol a key with it, and then decides as ${name}.`,
    ],
  ]);
  return { title: `Put ${name} on the roster?`, content, button: "Make the one-time code", back: "/people" };
}

/** The code is shown only here. */
function invitedPage(visit: Visit, name: string, invitation: { code: string; until: string }): PageAnswer {
  const { code, until } = invitation;
  const lede = "With this one-time code they enrol one key. It is shown only now.";
  const content = html`${head(`${name} is on the roster`, lede)}
${panel(
  "code",
  "One-time code",
  html`<div class="body"><p class="sum mono">${code}</p>
<p>Hand it over yourself, in person or by voice. Until ${time(visit, until)} it works once, at
  ${visit.desk.origin}/enrol</p><p><a class="btn" href="/people">Done</a></p></div>`,
)}`;
  return { title: "One-time code", content };
}

function revoke(visit: Visit): Promise<Answer> {
  const { person, form } = visit;
  const key = field(form, "key");
  const what = { name: field(form, "name"), reason: reasonIn(form), person, ...(key !== "" && { key }) };
  return decide(visit, (workplace) => revokeStep(workplace, what), "/people");
}

async function peoplePage(visit: Visit): Promise<PageAnswer> {
  const roster = await orProblem(() => listPeopleStep(visit.workplace));
  const lede =
    "Who may do what, and with which key they prove it. Every change here is signed by an admin and kept " +
    "in the record.";
  if (isProblem(roster)) {
    const text = html`<h2>No roster</h2><p>${said(visit, roster.message)} ${fixOf(visit, roster)}</p>`;
    const none = html`<section class="panel"><div class="empty">${text}</div></section>`;
    return { title: "People", content: html`${head("People", lede)}${none}` };
  }
  const content = html`${head("People", lede)}<div class="cols">
  <div>${panel("roster", "Roster", await rosterTable(visit, roster), {
    note: counted(roster.people.length, "person", "people"),
  })}
${panel("changes", "Changes", changesList(visit, roster), { note: "each signed, verified from the root" })}</div>
<div>${panel("add", "Add a person", addForm(visit))}${panel("root", "Root", rootList(visit, roster))}</div>
</div>${roster.people.map((each, index) => revokeQuestion(each, index))}`;
  return { title: "People", content };
}

async function rosterTable(visit: Visit, { people }: RosterReport): Promise<Html> {
  const lastHere = await visit.desk.sessions.lastHere();
  const keysOf = ({ keys, invitedUntil }: ListedPerson) =>
    html`${keys.map(
      ({ kind, fingerprint, since }) => html`${kind}<span class="sub">
      <span class="hash">${fingerprint.slice(0, FINGERPRINT_SHOWN)}</span> since ${day(visit, since)}</span>`,
    )}
      ${
        invitedUntil !== undefined &&
        html`${badge("wait", "invited")}<span class="sub">until ${time(visit, invitedUntil)}</span>`
      }`;
  const seen = (at: string | undefined) => at && time(visit, at);
  const rows = people.map((each, index) => [
    each.name,
    html`${each.roles.join(", ")}${each.mail !== undefined && html`<span class="sub">${each.mail}</span>`}`,
    keysOf(each),
    seen(lastHere.get(each.name)),
    isVisitor(visit, each.name)
      ? html`<span class="mute small">you</span>`
      : opener(`revoke-${index}`, `Revoke ${each.name}`, "Revoke…"),
  ]);
  const last = { label: "Last here", kind: "nowrap" } as const;
  return table("Roster", ["Name", "May", "Proves it with", last, { label: "", spoken: "Change" }], rows);
}

/** "SHA256:pX4kQ2vZ": enough to tell the keys of one person apart. */
const FINGERPRINT_SHOWN = 15;

function revokeQuestion({ name, keys }: ListedPerson, index: number): Html {
  const id = `revoke-${index}`;
  const choice = (key: string, label: Part) => {
    const own = `${id}-${key === "" ? "all" : key.slice(7, 19)}`;
    return html`<div class="opt"><input type="radio" id="${own}" name="key"
      value="${key}"${key === "" && html` checked`}><label for="${own}">${label}</label></div>`;
  };
  const which = html`${
    keys.length > 1 &&
    html`<fieldset class="field">
  <legend class="label">What</legend>${choice("", "The person")}
  ${keys.map(({ fingerprint, kind }) =>
    choice(
      fingerprint,
      html`Only this ${kind} <span class="hash">${fingerprint.slice(0, FINGERPRINT_SHOWN)}</span>`,
    ),
  )}</fieldset>`
  }`;
  const text = html`${hidden("name", name)}
  <p>They are signed out at once. Approvals of theirs that were not sent yet no longer count.</p>${which}
  ${words(`${id}-why`, "Reason")}`;
  return ask(id, `Revoke ${name}?`, "/people/revoke", text, html`<button class="btn stop">Revoke</button>`);
}

const CHANGES_SHOWN = 20;

function changesList(visit: Visit, { changes }: RosterReport): Html {
  const what = ({ change, person, name, roles = [], key, reason, mail }: RosterChange) => {
    switch (change) {
      case "add":
        return html`${person} added ${name} as ${roles.join(", ")}`;
      case "enroll":
        return html`${name} enrolled a key`;
      case "mail":
        return html`${person} had mail for ${name} sent to ${mail || "nowhere"}`;
      case "revoke":
        return html`${person} revoked ${key === undefined ? name : `a key of ${name}`}: “${reason}”`;
    }
  };
  if (changes.length === 0) return empty("No change yet", "The root makes the first admin.");
  const shown = changes.toReversed().slice(0, CHANGES_SHOWN);
  return html`<ol class="list log">
    ${shown.map((change) => html`<li>${time(visit, change.at)}<p>${what(change)}</p></li>`)}</ol>`;
}

function addForm({ workplace }: Visit): Html {
  const boxes = html`${ROLES.map(
    (role) => html`<div class="opt">
    <input type="checkbox" id="r-${role}" name="role" value="${role}"><label for="r-${role}">
    ${role} <span class="mute small">${MAY[role]}</span></label></div>`,
  )}`;
  return html`<form class="body" method="post"
    action="/people/add">${hidden("draft", unguessable(workplace.context.random))}
<div class="field"><label for="name">Name</label>
  <input id="name" name="name" required maxlength="40" autocomplete="off" autocapitalize="none"
  aria-describedby="name-h"><span class="hint" id="name-h">Small letters a to z, digits and spaces, so that
  no two names look alike. For a name that is there
  already, these roles replace the earlier ones, and the code is for another key.</span></div>
<div class="field"><label for="mail">Mail address</label>
  <input id="mail" name="mail" type="email" maxlength="254" autocomplete="off" aria-describedby="mail-h">
  <span class="hint" id="mail-h">Where they hear of what waits for them. May stay empty.</span></div>
<fieldset class="field"><legend class="label">May</legend>${boxes}</fieldset>
<div class="acts"><button class="btn main">Make a one-time code…</button></div>
<p class="hint">It works once, for 8 hours.</p></form>`;
}

function rootList({ workplace }: Visit, { root, head: newest }: RosterReport): Html {
  const where = isTrial(workplace.config)
    ? "Its key is in the folder of the trial."
    : "It is in the configuration and cannot be changed here.";
  const keys = html`${root.map(
    (fingerprint) => html`<li><p class="line"><span class="hash">${fingerprint}</span></p></li>`,
  )}`;
  return html`<ul class="list">${keys}</ul>
  <div class="foot">${where}${
    newest !== undefined && html` Newest change, to note down elsewhere: <span class="hash">${newest}</span>`
  }</div>`;
}
