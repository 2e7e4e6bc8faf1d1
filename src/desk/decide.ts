/**
 * Decisions: runs a step of the pipeline with a `sign` that shows the statement, and again with the signature that
 * came back with the same form. A question comes first wherever a button has "...", also in a trial, where the desk
 * signs for any person.
 */
import { Fault, fault } from "../faults/index.ts";
import { parsedJson } from "../model/parsed-json.ts";
import { inShell } from "../model/shell-word.ts";
import { fingerprintOf, SIGNATURE_NAMESPACE, statementWords } from "../people/index.ts";
import { passkeyRequest, passkeySignature } from "../people/passkey.ts";
import { isTrial } from "../workplace/root.ts";
import type { AskedToSign, Sign } from "../workplace/sign.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { FROM } from "./come-back.ts";
import { exact, type Html, html } from "./html.ts";
import { KEY } from "./icons.ts";
import { type Answer, field, type PageAnswer, type Visit } from "./page.ts";
import { head, hidden, hiddenFields, panel } from "./parts.ts";

/** Form fields that belong to the signature, not to the decision. */
const SIGNED = ["statement", "signature", "ssh"];

/** Set by the question page: its button was pressed. */
const SURE = "sure";

/** The subject of a decision and its consequences: sum, payee, address, effect. */
export interface Question {
  /** "Give up PAY-1?" */
  readonly title: string;
  readonly content: Html;
  /** The button's text: "Give it up". */
  readonly button: string;
  /** The page where the decision began; the person returns there if nothing is done. */
  readonly back: string;
}

interface Asking {
  /** Without navigation: before signing in. */
  readonly isBare?: boolean;
  /** Asked before anything is done: on the page to sign, or in a trial on a page of its own. */
  readonly question?: () => Question | Promise<Question>;
  /** The form that led here has already asked; only a page to sign repeats the question. */
  readonly isAsked?: boolean;
}

/**
 * Runs a step that needs a signature. The first answer is a page that shows the statement and sends the visit's
 * form again with the signature. So the form must contain everything that the step is given, and `url` must be a
 * POST page. `done` may be just the next path.
 */
export async function decide<Result>(
  visit: Visit,
  step: (workplace: Workplace) => Promise<Result>,
  done: string | ((result: Result) => Answer | Promise<Answer>),
  { isBare = false, question, isAsked = false }: Asking = {},
): Promise<Answer> {
  const isSure = isAsked || field(visit.form, SURE) !== "";
  // In a trial no page to sign follows, which would repeat the question.
  if (question !== undefined && isTrial(visit.workplace.config) && !isSure)
    return questionPage(visit, await question());
  const sign: Sign = async (asked) => {
    const signed = await signatureIn(visit, asked);
    if (signed === undefined) throw new NotYetSigned(asked);
    return signed;
  };
  try {
    const result = await step(
      isTrial(visit.workplace.config) ? visit.workplace : { ...visit.workplace, sign },
    );
    return typeof done === "string" ? { goTo: done } : await done(result);
  } catch (error) {
    if (error instanceof NotYetSigned) return signPage(visit, error.asked, isBare, await question?.());
    throw error;
  }
}

class NotYetSigned extends Error {
  readonly asked: AskedToSign;

  constructor(asked: AskedToSign) {
    super("the form has no signature yet");
    this.asked = asked;
  }
}

/** The signed statement of the form; undefined if the form is not signed yet. */
async function signatureIn({ form, desk }: Visit, { person, credentials }: AskedToSign) {
  const [text, ssh, answer] = [field(form, "statement"), field(form, "ssh").trim(), field(form, "signature")];
  if (text === "") return undefined;
  // Browsers send CR LF; OpenSSH's form has LF, also at its end.
  if (ssh !== "") return { text, signature: `${ssh.replaceAll("\r\n", "\n")}\n` };
  if (answer === "") return undefined;
  const asked = { person, text, credentials };
  return { text, signature: await passkeySignature(asked, parsedJson(answer), desk.origin) };
}

/** Whether only the signature was wrong. */
export function maySignAgain(error: unknown): boolean {
  return error instanceof Fault && ["SIGNATURE_INVALID", "STATEMENT_CHANGED"].includes(error.problem.code);
}

function questionPage({ url, form, from }: Visit, { title, content, button, back }: Question): PageAnswer {
  const shown = html`${head(title, "Nothing has been done yet.")}
<form class="stack" method="post" action="${url}">${hiddenFields(form, [SURE, FROM])}${hidden(SURE, "yes")}
  ${hidden(FROM, from)}
${panel(
  "question",
  "What this does",
  html`<div class="body">${content}
<p class="acts"><button class="btn main big">${button}</button><a class="btn" href="${back}">Cancel</a></p></div>`,
)}
</form>`;
  return { title, content: shown };
}

async function signPage(
  visit: Visit,
  asked: AskedToSign,
  isBare: boolean,
  question?: Question,
): Promise<PageAnswer> {
  const { desk, form, url, from } = visit;
  const { person, text, credentials } = asked;
  const ofSite = credentials.filter(({ passkey }) => passkey?.rp === desk.site);
  const bySsh = credentials.filter(({ passkey }) => passkey === undefined).map(fingerprintOf);
  const request = ofSite.length > 0 ? await passkeyRequest(text, ofSite, desk.site) : undefined;
  if (request === undefined && bySsh.length === 0 && (asked.orKeys ?? []).length === 0)
    throw fault("PROOF_MISSING", { person, reason: "site", site: desk.site });
  const keys = [...bySsh, ...(asked.orKeys ?? [])];
  const attribute = request !== undefined && html` data-request="${exact(JSON.stringify(request))}"`;
  const content = html`${
    isBare
      ? html`<h1 class="vh">Sign</h1>`
      : head(
          question?.title ?? "Sign",
          html`Nothing has been done yet. This is what you sign, as <b>${person}</b>, in full.`,
        )
  }
<form class="stack" method="post" action="${url}"${attribute}>${hiddenFields(form, [...SIGNED, FROM])}
  ${hidden(FROM, from)}  ${hidden("statement", text)}<input type="hidden" name="signature" value="">
${question !== undefined && panel("question", "What this does", html`<div class="body">${question.content}</div>`)}
${panel(
  "what",
  "What you sign",
  html`<div class="body">${statementShown(text)}${request !== undefined && withPasskey()}</div>`,
)}
${keys.length > 0 && bySshKey(text, keys, request === undefined)}
</form>`;
  return { title: "Sign", content, isBare };
}

/** Members shown first; the whole statement is shown below them. */
const FIRST = ["person", "decision", "change", "subject", "name", "roles", "key", "reason", "detail"];

function statementShown(text: string): Html {
  const members = new Map(Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>));
  const rows = FIRST.filter((name) => members.has(name)).map((name) => {
    const said = statementWords(JSON.stringify(members.get(name))).replaceAll(/^ {2}/gm, "");
    const shown = said.includes("\n") ? html`<pre>${said}</pre>` : said;
    return said !== "" && html`<dt>${name}</dt><dd>${shown}</dd>`;
  });
  return html`<dl class="kv tight">${rows}</dl><details><summary>Every word of it</summary>
  <pre>${statementWords(text).replaceAll(/^ {2}/gm, "")}</pre></details>`;
}

function withPasskey(): Html {
  return html`<p class="acts" data-script hidden><button class="btn main big">${KEY}Sign with passkey</button></p>
  <p class="err" role="alert" data-said></p><noscript>
  <p class="hint">A passkey signs by a script of this page, which your browser does not run. An SSH key signs
  without one.</p></noscript>`;
}

/** A shell command with the statement, for a person who signs in a terminal. */
function bySshKey(text: string, keys: readonly string[], isOnly: boolean): Html {
  return html`<details class="panel other"${isOnly && html` open`}>
  <summary>Sign with an SSH key, in a terminal</summary><div class="body">
<p class="small">Run this with your key (${keys.join(", ")}), then paste what it prints.</p>
<pre tabindex="0">printf %s ${exact(inShell(text))} |
  ssh-keygen -Y sign -n ${SIGNATURE_NAMESPACE} -f ~/.ssh/id_ed25519</pre>
<div class="field"><label for="ssh">Signature</label>
  <textarea id="ssh" name="ssh" class="mono" autocomplete="off"></textarea></div>
<p class="acts"><button class="btn" data-plain>Send the signature</button></p></div></details>`;
}
