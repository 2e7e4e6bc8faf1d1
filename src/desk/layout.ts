/**
 * The frame around every page: navigation by role with counts, the signed-in person, and notices that concern every
 * page.
 */
import { isProblem, orProblem, type Problem } from "../faults/index.ts";
import { ROLES } from "../model/index.ts";
import { type Attention, attentionOf } from "../views/figures.ts";
import { type WhyNothingIsSent, whyNothingIsSent } from "../views/why-nothing-is-sent.ts";
import { isTrial } from "../workplace/root.ts";
import { assetUrl } from "./assets.ts";
import { backToForm, sectionOf, withTyped } from "./come-back.ts";
import { type Html, html, type Part } from "./html.ts";
import { BRAND, icon, SEARCH } from "./icons.ts";
import { hasRole, type Page, type PageAnswer, seesAll, type Visit } from "./page.ts";
import { banner, formatted, time } from "./parts.ts";
import { fixOf, plain, said } from "./plain-words.ts";

/** The page in its frame, as text. */
export async function framedPage(visit: Visit, page: PageAnswer, pages: readonly Page[]): Promise<string> {
  const { title, isBare, status } = page;
  const content =
    typeof page.content === "function"
      ? page.content(backFrom(visit, pages))
      : withTyped(visit, page.content, status);
  const trial = isTrial(visit.workplace.config) && TRIAL;
  if (isBare === true || visit.person === "") {
    const main = html`<main class="login" id="main"><p class="brand">${BRAND}Paydrop</p>${trial}${content}</main>`;
    return document(title, main);
  }
  const around = await orProblem(() => surroundings(visit));
  const { banners, counts } = isProblem(around) ? unknown(visit, around) : around;
  const frame = html`<a class="skip" href="#main">Skip to content</a>
<div class="frame">
<header class="top">
<a class="brand" href="/">${BRAND}Paydrop</a>
${seesAll(visit) && SEARCH_FORM}
<p class="where">${whereText(visit)}</p>
<button class="btn menu" type="button" popovertarget="nav">Menu</button>
</header>
${navigation(visit, pages, counts)}
<main class="page" id="main" tabindex="-1">
${trial}${banners}${content}
</main>
</div>`;
  return document(title, frame);
}

/**
 * The link back from a refusal: to the page of the form, which keeps what was typed, or to the nearest page above the
 * requested address, never to the refused page.
 */
function backFrom(visit: Visit, pages: readonly Page[]): Html {
  const { person, url, request } = visit;
  const above = () => sectionOf(url.replace(/\?.*/, "").replace(/\/[^/]*$/, ""), pages);
  const href = person === "" ? "/" : request.method === "GET" ? above() : backToForm(visit);
  const [path = ""] = href.split("?");
  const begin = `/${path.split("/")[1] ?? ""}`;
  const label = pages.find(({ path: at, nav }) => nav !== undefined && at === begin)?.nav?.label;
  const name = label === undefined || path === "/" ? "today" : path === begin ? label : "where you were";
  return html`<a href="${href}">Back to ${name}</a>`;
}

const TRIAL_WORDS = html`<b>Trial: this desk signs for everybody.</b> Anybody who opens this page can act as any person.
  Payments go to the sandbox only.`;
const TRIAL = banner("warn", "Trial", TRIAL_WORDS);

function unknown(visit: Visit, problem: Problem): Surroundings {
  const text = html`<b>What waits and what stops sending is not
    known.</b> ${said(visit, problem.message)} ${fixOf(visit, problem)}`;
  return { banners: banner("bad", "Not known", text), counts: new Map() };
}

const SEARCH_FORM = html`<form class="find" role="search" action="/payments">
  <label class="vh" for="q">Find a payment</label>${SEARCH}
  <input id="q" name="q" type="search" placeholder="Reference, payee, file, amount or hash" autocomplete="off"></form>`;

/** htmx's own styles would violate the content security policy. */
const HTMX = `{"includeIndicatorCSS":false}`;

function document(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="htmx-config" content="${HTMX}">
<title>${title} · Paydrop</title>
<link rel="stylesheet" href="${assetUrl("desk.css")}">
<script src="${assetUrl("htmx.js")}" defer></script>
<script src="${assetUrl("webauthn.js")}" defer></script>
<script src="${assetUrl("passkey.js")}" type="module"></script>
</head>
<body>
${content}
</body>
</html>
`.source;
}

function whereText(visit: Visit): string {
  const { config, context } = visit.workplace;
  const date = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const now = formatted(visit, context.clock.now(), { ...date, hour: "2-digit", minute: "2-digit" });
  return `${now} ${config.ledger.timeZone.split("/").at(-1)?.replaceAll("_", " ")}`;
}

/** `isTheirs`: whether it waits for this person. */
type Count = Readonly<{ count: number; isTheirs: boolean; spoken: string }>;

interface Surroundings {
  readonly banners: Part;
  /** By the names of pages. */
  readonly counts: ReadonlyMap<string, Count>;
}

async function surroundings(visit: Visit): Promise<Surroundings> {
  if (!seesAll(visit)) return { banners: [], counts: new Map() };
  const figures = await attentionOf(visit.workplace);
  const stops = stopBanners(visit, await whyNothingIsSent(visit.workplace));
  return { banners: [stops, oldBanner(visit, figures)], counts: countsOf(visit, figures) };
}

function countsOf(visit: Visit, { unsure, changesInDoubt, openBreaks }: Attention): Map<string, Count> {
  const doubts = unsure + changesInDoubt;
  const breaks = openBreaks.filter(({ severity }) => severity !== "note").length;
  return new Map([
    ["Doubts", { count: doubts, isTheirs: hasRole(visit, "operator"), spoken: "open" }],
    ["Nights", { count: breaks, isTheirs: hasRole(visit, "controller"), spoken: "open breaks" }],
  ]);
}

function stopBanners(visit: Visit, { stopOrder, restored, machines }: WhyNothingIsSent): Part[] {
  const go = hasRole(visit, "operator") ? html`<a class="btn" href="/jobs">Look, and go on</a>` : undefined;
  const stopped = html`<b>Sending is stopped.</b> ${said(visit, stopOrder ?? "")} What was sent is still followed.`;
  const old =
    restored && html`<b>Nothing is sent.</b> ${said(visit, restored.message)} ${fixOf(visit, restored)}`;
  const { machine, what } = machines.binding ?? {};
  const differs = html`<b>This machine sends nothing:</b> its configuration is not that of ${machine}:
    ${plain(visit, what ?? "")}`;
  return [
    stopOrder !== undefined && banner("bad", "Stopped", stopped, go),
    old !== undefined && banner("bad", "Database restored", old),
    machines.binding !== undefined && banner("bad", "Machines differ", differs),
  ];
}

function oldBanner(visit: Visit, { incompleteComparison: incomplete }: Attention): Part {
  if (incomplete === undefined) return undefined;
  const text = html`<b>No comparison has been complete since
    ${time(visit, incomplete.since)}.</b> ${said(visit, incomplete.message)} Figures about the service may be older.`;
  return banner("warn", "Old figures", text);
}

const GROUPS = ["Work", "Proof", "Run"] as const;

function navigation(visit: Visit, pages: readonly Page[], counts: ReadonlyMap<string, Count>): Html {
  const open = pages.flatMap(({ nav, path, roles }) =>
    nav !== undefined && (roles === "anybody" || hasRole(visit, ...roles)) ? [{ ...nav, path }] : [],
  );
  const groups = GROUPS.map((group) => ({ group, entries: open.filter((nav) => nav.group === group) }));
  return html`<nav class="nav" id="nav" popover aria-label="Main">
<button class="btn quiet close" type="button" popovertarget="nav" popovertargetaction="hide">Close</button>
${groups.map(
  ({ group, entries }) =>
    entries.length > 0 &&
    html`<div><h2>${group}</h2>
<ul>${entries.map(({ label, path }) => navItem(visit, label, path, counts.get(label)))}</ul></div>`,
)}
<div class="me"><span class="disc" aria-hidden="true">${visit.person.slice(0, 1)}</span>
<p>${visit.person}<small>${visit.roles.length === ROLES.length ? "every role" : visit.roles.join(", ")}</small></p>
<form method="post" action="/sign-out"><button class="btn quiet">Sign out</button></form></div>
</nav>`;
}

function navItem({ url }: Visit, label: string, path: string, count?: Count): Html {
  const [here = ""] = url.split("?");
  const isHere = path === "/" ? here === "/" : here === path || here.startsWith(`${path}/`);
  const mark = html`${
    count &&
    count.count > 0 &&
    html`<span class="n${!count.isTheirs && " still"}">${count.count}
    <span class="vh"> ${count.spoken}</span></span>`
  }`;
  return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${icon(label)}${label}${mark}</a></li>`;
}
