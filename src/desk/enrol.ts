/**
 * Enrolling a passkey by the one-time code of an admin: the code, the new passkey, and the first statement that it
 * signs.
 */
import { z } from "zod";
import { isProblem, orProblem } from "../faults/index.ts";
import { parsedJson } from "../model/parsed-json.ts";
import type { Credential } from "../people/index.ts";
import { enrolledPasskey, passkeyRegistration } from "../people/passkey.ts";
import { enrolStep, requireInvitation } from "../proof/people-step.ts";
import { credentialOf, trialKeyOf } from "../workplace/trial-keys.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { decide } from "./decide.ts";
import { unguessable } from "./held.ts";
import { exact, type Html, html } from "./html.ts";
import { KEY } from "./icons.ts";
import { type Answer, field, type Page, type PageAnswer, type Visit } from "./page.ts";
import { hidden } from "./parts.ts";
import { notDoneBanner } from "./refusals.ts";

export const enrolPages: readonly Page[] = [
  { method: "GET", path: "/enrol", roles: "anybody", handle: async () => codePage() },
  { method: "POST", path: "/enrol", roles: "anybody", handle: enrol },
];

async function enrol(visit: Visit): Promise<Answer> {
  const { desk, request } = visit;
  const checked = () => desk.checkCode(request.raw, () => enrolled(visit));
  const answer = await orProblem(checked, ({ code }) => code === "ENROLMENT_REFUSED");
  return isProblem(answer) ? codePage(notDoneBanner(visit, answer), 409) : answer;
}

/** Values kept between the three requests. */
const text = z.string();
const heldSchema = z.object({ name: text, challenge: text, credential: z.custom<Credential>().optional() });

function codePage(said?: Html, status = 200): PageAnswer {
  const content = html`${said}<section class="panel"><form class="body pad" method="post" action="/enrol">
<h1>Enrol a passkey</h1><p class="mute">An admin has given you a one-time code. With it you enrol one passkey, on this
  device or on a security key.</p>
<div class="field"><label for="name">Name</label>
  <input id="name" name="name" required maxlength="40" autocomplete="off" autocapitalize="none"></div>
<div class="field"><label for="code">One-time code</label>
  <input id="code" class="mono" name="code" required maxlength="40" autocomplete="off" autocapitalize="none"
  spellcheck="false"></div>
<button class="btn main big">Go on</button></form></section>
<p class="small mute">You have one already? <a href="/sign-in">Sign in</a></p>`;
  return { title: "Enrol", isBare: true, content, status };
}

async function enrolled(visit: Visit): Promise<Answer> {
  const { desk, form, workplace } = visit;
  const [name, code] = [field(form, "name").trim(), field(form, "code").trim()];
  const held = heldSchema.safeParse(desk.held.take(field(form, "held")));
  if (!held.success) {
    await requireInvitation(workplace, { name, code });
    const { trialKeys } = workplace.config.people;
    return trialKeys === undefined ? makePage(visit, name, code) : inTrial(visit, trialKeys, { name, code });
  }
  const { name: person, challenge } = held.data;
  const asked = Buffer.from(challenge, "base64url");
  const made = () => enrolledPasskey(parsedJson(field(form, "passkey")), asked, desk.origin, desk.site);
  const credential = held.data.credential ?? (await made());
  const again = desk.held.put({ name: person, challenge, credential });
  const done = () => {
    desk.held.take(again);
    return donePage("Your passkey is enrolled", `${person} signs with it from now on.`);
  };
  const step = (asking: Workplace) => enrolStep(asking, { name: person, code, credential });
  return decide({ ...visit, form: { ...form, held: again } }, step, done, { isBare: true });
}

/** In a trial the desk signs for everybody, with keys of its own, so that no passkey could sign in. */
async function inTrial({ workplace }: Visit, trialKeys: string, who: { name: string; code: string }) {
  await enrolStep(workplace, { ...who, credential: credentialOf(trialKeyOf(trialKeys, who.name)) });
  return donePage("You are enrolled", `In this trial the desk signs for ${who.name} from now on.`);
}

async function makePage({ desk }: Visit, name: string, code: string): Promise<PageAnswer> {
  const { context, config } = desk.workplace;
  const challenge = unguessable(context.random);
  const owner = { installation: config.people.installation ?? "", person: name };
  const options = await passkeyRegistration(owner, Buffer.from(challenge, "base64url"), desk.site);
  const held = desk.held.put({ name, challenge });
  const content = html`<section class="panel">
  <form class="body pad" method="post" action="/enrol" data-registration="${exact(JSON.stringify(options))}">
<h1>Make your passkey</h1>${hidden("name", name)}${hidden("code", code)}${hidden("held", held)}
  <input type="hidden" name="passkey" value="">
<p class="mute">The code is right. Your device now makes a passkey for <b>${name}</b> at ${desk.site}, and
  signs once with it.</p>
<p class="acts" data-script hidden><button class="btn main big">${KEY}Make a passkey</button></p>
<p class="err" role="alert" data-said></p>
<noscript><p>Making a passkey takes a script of this page, which your browser does not run. Ask an admin how to
  enrol an SSH key in a terminal instead.</p></noscript>
</form></section>`;
  return { title: "Make your passkey", content, isBare: true };
}

function donePage(title: string, words: string): PageAnswer {
  const content = html`<section class="panel"><div class="empty"><h1>${title}</h1>
  <p>${words}</p><a class="btn main" href="/sign-in">Sign in</a></div></section>`;
  return { title: "Enrolled", content, isBare: true };
}
