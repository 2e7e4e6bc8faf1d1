/** Signing in by a passkey, by an SSH key in a terminal, or in trials as any person; and signing out. */
import { enrolmentCode } from "../people/index.ts";
import { isTrial } from "../workplace/root.ts";
import { TRIAL_PEOPLE } from "../workplace/trial-keys.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { decide } from "./decide.ts";
import { unguessable } from "./held.ts";
import { type Html, html } from "./html.ts";
import { KEY } from "./icons.ts";
import { type Answer, field, type Page, type PageAnswer, type Visit } from "./page.ts";
import { banner, hidden } from "./parts.ts";

export const signInPages: readonly Page[] = [
  { method: "GET", path: "/sign-in", roles: "anybody", handle: async (visit) => signInPage(visit) },
  { method: "POST", path: "/sign-in", roles: "anybody", handle: signIn },
  { method: "POST", path: "/sign-in/signed", roles: "anybody", handle: signedElsewhere },
  { method: "POST", path: "/sign-out", roles: "anybody", handle: signOut },
];

function signInPage(visit: Visit, said?: string): PageAnswer {
  const { desk } = visit;
  const knock = visit.knock === "" ? unguessable(desk.workplace.context.random) : visit.knock;
  const to = hiddenTarget(visit);
  const forms = isTrial(desk.workplace.config) ? trialForms(to) : provenForms(visit, knock, to);
  const content = html`${field(visit.query, "ended") !== "" && ENDED}
    ${
      said !== undefined &&
      html`<section class="banner bad" role="alert" aria-label="Not signed in"><p>${said}</p></section>`
    }${forms}`;
  return { title: "Sign in", content, isBare: true, knock, status: said === undefined ? 200 : 401 };
}

const ENDED = banner(
  "warn",
  "Signed out",
  html`<b>You were signed out before this was sent.</b> Nothing was done. Sign in, and continue where you were.`,
);

function trialForms(to: Html): Html {
  return html`<section class="panel"><form class="body pad" method="post" action="/sign-in">${to}<h1>Who are you?</h1>
<p class="mute">In a trial you may act as any person, with every role: the desk signs for you.</p>
<p class="acts">${TRIAL_PEOPLE.map((name) => html`<button class="btn" name="name" value="${name}">${name}</button>`)}
  </p></form></section>
<details class="panel other"><summary>Somebody else</summary><form class="body" method="post" action="/sign-in">${to}
<div class="field"><label for="name">Name</label>
  <input id="name" name="name" required maxlength="100" autocomplete="off"></div><p class="acts">
  <button class="btn">Go on</button></p></form></details>`;
}

function provenForms({ desk }: Visit, knock: string, to: Html): Html {
  const { people } = desk.workplace.config;
  return html`<section class="panel"><form class="body pad" method="post" action="/sign-in">${to}<h1>Sign in</h1>
<p class="mute">Your passkey proves who you are. There is no password here, so none can be stolen.</p>
<div class="field"><label for="name">Name</label>
  <input id="name" name="name" required maxlength="40" autocomplete="username" autocapitalize="none"></div>
<button class="btn main big">${KEY}Sign in with passkey</button>
<p class="small mute">Payments of <b>${people.installation}</b> at ${desk.origin}. If your browser shows another
  address, stop.</p>
</form></section>
<details class="panel other"><summary>Sign in with an SSH key</summary>
<form class="body" method="post" action="/sign-in/signed">${to}
<p class="small">Run this where your key is, within ten minutes, and then come back. Never run it for a code
  that somebody sends you.</p>
<pre tabindex="0">paydrop desk sign-in ${codeOf(knock)} --by NAME</pre>
<p class="acts"><button class="btn">I have signed</button></p></form></details>
<p class="small mute">No passkey yet, or a new phone? Ask an admin for a one-time code, and
  <a href="/enrol">enrol</a>.</p>`;
}

/** The text that a person signs to sign in. It names this browser, which alone has its token. */
function codeOf(knock: string): string {
  // "k3fd-9m2x-7abc": 60 bits.
  return enrolmentCode(knock).slice(0, 14);
}

const TOO_OLD = "The page was too old, or your browser keeps no cookies. Try again.";
const NO_PASSKEY =
  "No passkey of this name was enrolled here. If you have an SSH key, sign in with it, below.";

async function signIn(visit: Visit): Promise<Answer> {
  const { desk, form, knock, workplace } = visit;
  const name = field(form, "name").trim();
  if (!isTrial(workplace.config)) {
    if (knock === "") return signInPage(visit, TOO_OLD);
    const keys = await desk.sessions.keysOf(name);
    if (!keys.some(({ passkey }) => passkey?.rp === desk.site)) return signInPage(visit, NO_PASSKEY);
  }
  const step = (asking: Workplace) => desk.sessions.signIn(asking, name, codeOf(knock));
  return decide(visit, step, (token) => signedIn(visit, token), { isBare: true });
}

async function signedElsewhere(visit: Visit): Promise<Answer> {
  const { desk, knock } = visit;
  const token = knock === "" ? undefined : await desk.sessions.signedInWith(codeOf(knock));
  if (token !== undefined) return signedIn(visit, token);
  return signInPage(visit, "Nobody has signed this code yet, or it is too old.");
}

/** Issues new tokens, so that a token planted in the browser beforehand is useless. */
function signedIn({ form, query }: Visit, token: string): Answer {
  const to = field(form, "to") || field(query, "to");
  return { goTo: isOwnPath(to) ? to : "/", token, knock: "" };
}

async function signOut({ desk, token }: Visit): Promise<Answer> {
  if (token !== "") {
    await desk.sessions.end(token);
    await desk.uploads.drop(token);
  }
  return { goTo: "/sign-in", token: "" };
}

function hiddenTarget({ query, form }: Visit): Html {
  const to = field(query, "to") || field(form, "to");
  return html`${isOwnPath(to) && hidden("to", to)}`;
}

/** Whether the path leads to this host. */
function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[\w\-./?=&%+~*]*$/.test(path);
}
