/**
 * Keeps the text of a form that was sent after its person's session had ended: for some minutes, in memory, for
 * that person alone. After signing in again, the person finds it in the page's fields and must send it again.
 */
import { isProblem, orProblem } from "../faults/index.ts";
import { personKey } from "../model/index.ts";
import { exact, type Html, html } from "./html.ts";
import { type Fields, field, fieldsOf, type Page, type Visit } from "./page.ts";
import { banner } from "./parts.ts";

interface Typed {
  readonly person: string;
  readonly fields: Fields;
}

/** A form with more text is not kept, because nobody types that much. */
const TEXT_MAX = 20_000;
const KEPT_MS = 30 * 60_000;

/** Fields that are signed, or that prove a person's identity. */
const NEVER_KEPT = /^(?:statement|signature|ssh|passkey|held|code|upload|stamp|draft)$/;

/** The page to sign in at, which leads the person back afterwards. */
export async function signInAgain(visit: Visit, pages: readonly Page[]): Promise<string> {
  const to = pageOf(visit, pages);
  const kept = await keptTyped(visit);
  const back = kept === undefined ? to : `${to}${to.includes("?") ? "&" : "?"}kept=${kept}`;
  return `/sign-in?${new URLSearchParams({ to: back, ended: "1" }).toString()}`;
}

async function keptTyped({ desk, token, form }: Visit): Promise<string | undefined> {
  const fields = Object.fromEntries(Object.entries(form).filter(([name]) => !NEVER_KEPT.test(name)));
  const length = Object.entries(fields).flat(2).join("").length;
  if (token === "" || length === 0 || length > TEXT_MAX) return undefined;
  const person = await orProblem(() => desk.sessions.formerly(token));
  if (person === undefined || isProblem(person)) return undefined;
  return desk.held.put({ person, fields } satisfies Typed, KEPT_MS);
}

/** The page of the form: the one that sent it, otherwise the one above its address. */
function pageOf({ request, desk, url }: Visit, pages: readonly Page[]): string {
  const { referer = "" } = request.headers;
  const from = URL.parse(referer);
  const isOurs = from?.origin === desk.origin && isPage(from.pathname, pages);
  return isOurs ? withoutKept(`${from.pathname}${from.search}`) : sectionOf(url, pages);
}

/** The nearest page above an address: "/batches/B-1" of "/batches/B-1/reject". */
export function sectionOf(url: string, pages: readonly Page[]): string {
  const [path = ""] = url.split("?");
  const parts = path.split("/");
  const above = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
  return above.find((each) => each !== "" && isPage(each, pages)) ?? "/";
}

/** "/files/send-in" fits "/files/:id", but it is the address of a form, not a page. */
function isPage(path: string, pages: readonly Page[]): boolean {
  const exactly = pages.filter((page) => page.path === path);
  const fitting = exactly.length > 0 ? exactly : pages.filter((page) => fits(page.path, path));
  return fitting.some(({ method, roles }) => method === "GET" && roles !== "anybody");
}

function fits(form: string, path: string): boolean {
  return new RegExp(`^${form.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
}

function withoutKept(path: string): string {
  return path.replace(/([?&])kept=[\w-]*&?/, "$1").replace(/[?&]$/, "");
}

/** The page with the kept text in its fields and a banner that says so; unchanged for another person. */
export function withTyped({ desk, query, person }: Visit, content: Html): Html {
  const name = field(query, "kept");
  const typed = name === "" ? undefined : (desk.held.take(name) as Typed | undefined);
  if (typed === undefined || personKey(typed.person) !== personKey(person)) return content;
  const { source, found } = filledIn(content, typed.fields);
  const words = html`<b>You had been signed out, so nothing was done.</b> What you typed is
    ${
      found
        ? "in its fields again; send it when it is still right"
        : "no longer asked for here: look what has changed"
    }.`;
  return html`${banner("warn", "Signed in again", words)}${source}`;
}

/** Puts texts into the first form that has the same hidden fields, and visible fields of these names. */
function filledIn(content: Html, fields: Fields): { source: Html; found: boolean } {
  let found = false;
  const source = content.changed((text) =>
    text.replaceAll(/<form\b[^>]*method="post"[\s\S]*?<\/form>/g, (form) => {
      if (found || !isSameForm(form, fields)) return form;
      const filled = form.replaceAll(
        TYPED,
        (whole, area: string, areaName: string, input: string, inputName: string) => {
          const [value] = fieldsOf(fields, areaName ?? inputName ?? "");
          if (value === undefined) return whole;
          found = true;
          if (area !== undefined) return `${area}${exact(value).source}</textarea>`;
          return `${input.replace(/ value="[^"]*"/, "").replace(/>$/, "")} value="${exact(value).source}">`;
        },
      );
      return filled;
    }),
  );
  return { source, found };
}

const TYPED = new RegExp(
  [
    String.raw`(<textarea\b[^>]* name="([^"]*)"[^>]*>)[^<]*<\/textarea>`,
    String.raw`|(<input\b(?![^>]* type="(?!text|search))[^>]* name="([^"]*)"[^>]*>)`,
  ].join(""),
  "g",
);

/** Several forms of a page may have the same visible fields; the hidden fields identify the form. */
function isSameForm(form: string, fields: Fields): boolean {
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return hidden.every(([, name = "", value = ""]) => {
    const kept = fieldsOf(fields, name);
    return NEVER_KEPT.test(name) || kept.some((each) => exact(each).source === value);
  });
}
