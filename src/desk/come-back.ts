/**
 * Keeps the text of a form that was refused, or was sent after its person's session had ended: for some minutes, in
 * memory, for that person alone. Back on its page, the person finds it in the fields and must send it again.
 */
import type { FastifyRequest } from "fastify";
import { isProblem, orProblem } from "../faults/index.ts";
import { personKey } from "../model/index.ts";
import { exact, type Html, html } from "./html.ts";
import { type Desk, type Fields, field, fieldsOf, type Page, type Visit } from "./page.ts";
import { banner } from "./parts.ts";

interface Typed {
  readonly person: string;
  readonly fields: Fields;
  readonly why: keyof typeof WHY;
}

const WHY = { ended: "You had been signed out, so nothing was done.", refused: "Nothing was done." } as const;

/** A form with more text is not kept, because nobody types that much. */
const TEXT_MAX = 20_000;
const KEPT_MS = 30 * 60_000;

/** The hidden field by which a question page, or a page to sign, names the page where its form began. */
export const FROM = "from-page";

/** Fields that are signed, that prove a person's identity, or that say where a form began. */
const NEVER_KEPT = /^(?:statement|signature|ssh|passkey|held|code|upload|stamp|draft|sure|from-page)$/;

/** The page to sign in at, which leads the person back afterwards. */
export async function signInAgain(visit: Visit): Promise<string> {
  const { desk, token } = visit;
  const person = token === "" ? undefined : await orProblem(() => desk.sessions.formerly(token));
  const isKnown = person !== undefined && !isProblem(person);
  const to = isKnown ? withKept(visit, person, "ended") : visit.from;
  return `/sign-in?${new URLSearchParams({ to, ended: "1" }).toString()}`;
}

/** The page of a form that was refused, which shows again what was typed. */
export function backToForm(visit: Visit): string {
  return withKept(visit, visit.person, "refused");
}

function withKept({ desk, form, from }: Visit, person: string, why: Typed["why"]): string {
  const fields = typedIn(form);
  const length = Object.values(fields).flat().join("").length;
  if (length === 0 || length > TEXT_MAX) return from;
  const kept = desk.held.put({ person, fields, why } satisfies Typed, KEPT_MS);
  return `${from}${from.includes("?") ? "&" : "?"}kept=${kept}`;
}

function typedIn(form: Fields): Fields {
  return Object.fromEntries(Object.entries(form).filter(([name]) => !NEVER_KEPT.test(name)));
}

/** The page of a form that was sent: by its own word, by its browser's, or else the one above its address. */
export function pageOfForm(
  { origin }: Desk,
  { headers, url }: FastifyRequest,
  form: Fields,
  pages: readonly Page[],
): string {
  const named = [field(form, FROM), headers.referer ?? ""].map((each) =>
    each === "" ? null : URL.parse(each, origin),
  );
  const from = named.find((each) => each?.origin === origin && isPage(each.pathname, pages));
  return from ? withoutKept(`${from.pathname}${from.search}`) : sectionOf(url, pages);
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

/**
 * The page with typed text in its fields: of a form that it refuses itself, or the kept one of its person, with a
 * banner that says so.
 */
export function withTyped({ desk, query, person, form, request }: Visit, content: Html, status = 200): Html {
  if (request.method === "POST") return status < 400 ? content : filledIn(content, typedIn(form)).source;
  const name = field(query, "kept");
  const typed = name === "" ? undefined : (desk.held.take(name) as Typed | undefined);
  if (typed === undefined || personKey(typed.person) !== personKey(person)) return content;
  const { source, found } = filledIn(content, typed.fields);
  // The refusal said why; a form of hidden fields alone has nothing to lose.
  if (!found && typed.why === "refused") return content;
  const words = html`<b>${WHY[typed.why]}</b> What you typed is
    ${
      found
        ? "in its fields again; send it when it is still right"
        : "no longer asked for here: look what has changed"
    }.`;
  return html`${banner("warn", "What you typed", words)}${source}`;
}

/** Puts texts into the first form that has the same hidden fields, and visible fields of these names. */
function filledIn(content: Html, fields: Fields): { source: Html; found: boolean } {
  let found = false;
  const source = content.changed((text) =>
    text.replaceAll(/<form\b[^>]*method="post"[\s\S]*?<\/form>/g, (form) => {
      if (found || !isSameForm(form, fields)) return form;
      return form.replaceAll(
        TYPED,
        (whole, area: string, areaName: string, input: string, inputName: string, listName: string) => {
          const [value] = fieldsOf(fields, areaName ?? inputName ?? listName ?? "");
          if (value === undefined) return whole;
          found = true;
          if (area !== undefined) return `${area}${exact(value).source}</textarea>`;
          if (listName !== undefined) return chosenIn(whole, exact(value).source);
          return `${input.replace(/ value="[^"]*"/, "").replace(/>$/, "")} value="${exact(value).source}">`;
        },
      );
    }),
  );
  return { source, found };
}

const TYPED = new RegExp(
  [
    String.raw`(<textarea\b[^>]* name="([^"]*)"[^>]*>)[^<]*<\/textarea>`,
    String.raw`|(<input\b(?![^>]* type="(?!text|search|email))[^>]* name="([^"]*)"[^>]*>)`,
    String.raw`|<select\b[^>]* name="([^"]*)"[^>]*>[\s\S]*?<\/select>`,
  ].join(""),
  "g",
);

function chosenIn(list: string, value: string): string {
  return list
    .replaceAll(" selected", "")
    .replace(`<option value="${value}"`, (option) => `${option} selected`);
}

/** Several forms of a page may have the same visible fields; the hidden fields identify the form. */
function isSameForm(form: string, fields: Fields): boolean {
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return hidden.every(([, name = "", value = ""]) => {
    const kept = fieldsOf(fields, name);
    return NEVER_KEPT.test(name) || kept.some((each) => exact(each).source === value);
  });
}
