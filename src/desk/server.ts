/** The desk's server: what is checked before a page, and what becomes of its answer. */
import { readFileSync } from "node:fs";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Listener, limitedServer, listenAt, type TlsFiles } from "../daemon/listen.ts";
import { Fault, fault, isProblem, orProblem, readFailure } from "../faults/index.ts";
import { fileLimitsOf } from "../pipeline/files/sent-file.ts";
import { sessionsOf } from "../pipeline/people/sessions.ts";
import { introduceAll } from "../pipeline/people/trial.ts";
import { refuseAnothers } from "../pipeline/workplace/bound-store.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { asset } from "./assets.ts";
import { allowance, isOurs, protectiveHeaders } from "./guard.ts";
import { heldIn } from "./held.ts";
import { framedPage } from "./layout.ts";
import { type Answer, type Desk, hasRole, type Page, type PageAnswer, type Visit } from "./page.ts";
import { pages } from "./pages.ts";
import { brokenPage, faultPage, lacksRolePage, messagePage } from "./refusals.ts";

export interface DeskPlace {
  readonly listen: string;
  readonly origin: string;
  /** Paths of PEM files. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

/** Serves the desk. Throws CONFIG_KEY_INVALID and PEOPLE_ROOT_MISSING. */
export async function startDesk(workplace: Workplace, { listen, origin, tls }: DeskPlace): Promise<Listener> {
  const files = tls && { key: pem(tls.key, "desk.tls.key"), cert: pem(tls.cert, "desk.tls.cert") };
  const { close } = await listenAt(await deskServer(workplace, origin, files), listen, "desk.listen");
  return { url: origin, close };
}

function pem(path: string, key: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const reason = `${path} cannot be read: ${readFailure(cause)}`;
    throw fault("CONFIG_KEY_INVALID", { path: key, reason, hint: "" }, { key }, { cause });
  }
}

/** Statements about many payments are large, and a large file over a slow line takes a while. */
const LIMITS = { bodyLimit: 5_000_000, requestMaxMs: 120_000 };
const UPLOADS_MAX = 20;

/** As `startDesk`, without listening. */
export async function deskServer(workplace: Workplace, origin: string, tls?: TlsFiles) {
  const { context, config } = workplace;
  await refuseAnothers(workplace);
  await introduceAll(workplace);
  const site = new URL(origin).hostname;
  const desk = { workplace, origin, site, sessions: sessionsOf(workplace), held: heldIn(context) };
  const app = limitedServer({ ...LIMITS, trustProxy: "loopback", tls });
  await app.register(cookie);
  await app.register(formbody);
  const { bytesMax: fileSize } = fileLimitsOf(config.files);
  await app.register(multipart, { limits: { files: UPLOADS_MAX, parts: 2 * UPLOADS_MAX, fileSize } });
  guard(app, desk);
  app.get("/favicon.ico", (_, reply) => reply.code(204).send());
  app.get<{ Params: { name: string } }>("/assets/:name", sendAsset);
  for (const page of pages)
    app[page.method === "GET" ? "get" : "post"](page.path, (request, reply) =>
      handled(desk, page, request, reply),
    );
  app.setNotFoundHandler(async (request, reply) => {
    const text = "It may have been moved, or it is not for you to see.";
    return send(reply, await visitOf(desk, request), messagePage(404, "There is no such page", text));
  });
  app.setErrorHandler(async (error, request, reply) => {
    // What is broken may be what says who asks.
    const known = error instanceof Fault ? await orProblem(() => visitOf(desk, request)) : undefined;
    const visit = known === undefined || isProblem(known) ? strangersVisit(desk, request) : known;
    return send(reply, visit, failed(desk, error, request));
  });
  return app;
}

/** Before anything is looked at. */
function guard(app: FastifyInstance, desk: Desk): void {
  const { clock } = desk.workplace.context;
  const ofAddress = allowance(clock, 300, 30);
  const ofSession = allowance(clock, 120, 10);
  const ofStrangers = allowance(clock, 20, 0.2);
  app.addHook("onRequest", async (request, reply) => {
    protectiveHeaders(reply, desk.origin.startsWith("https:"));
    const token = request.cookies[TOKEN];
    const isStrange = request.method === "POST" && OPEN_TO_STRANGERS.test(request.url);
    const isOften = !ofAddress(request.ip) || (token !== undefined && !ofSession(token));
    if (isOften || (isStrange && !ofStrangers(request.ip))) return refuseOften(reply);
    if (!isOurs(request, desk.origin)) return refuseForeign(request, reply, desk);
  });
}

const OPEN_TO_STRANGERS = /^\/(?:sign-in|enrol)\b/;

function refuseForeign(request: FastifyRequest, reply: FastifyReply, desk: Desk) {
  const text = "Nothing was done. Open the desk in your browser, and do it there.";
  const page = messagePage(403, "This did not come from a page of the desk", text);
  return send(reply, strangersVisit(desk, request), page);
}

/** Without a page: it must cost nothing. */
function refuseOften(reply: FastifyReply) {
  const text = "Too many requests. Nothing was done; wait for some seconds, and try again.\n";
  return reply.code(429).header("retry-after", "10").type("text/plain; charset=utf-8").send(text);
}

function sendAsset({ params }: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
  const found = asset(params.name);
  if (found === undefined) return reply.callNotFound();
  reply.header("cache-control", "public, max-age=31536000, immutable");
  return reply.type(found.type).send(found.bytes);
}

async function handled(desk: Desk, page: Page, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(desk, request);
  const { roles } = page;
  if (roles !== "anybody" && visit.person === "") return send(reply, visit, signedOut(visit, page));
  if (roles !== "anybody" && !hasRole(visit, ...roles))
    return send(reply, visit, lacksRolePage(visit, roles));
  return send(reply, visit, await page.handle(visit));
}

function signedOut({ url }: Visit, { method }: Page): Answer {
  if (method === "GET") return { goTo: `/sign-in?to=${encodeURIComponent(url)}` };
  const text = "Nothing was done. After half an hour without a click, or ten hours, people sign in again.";
  return messagePage(401, "You are signed out", text);
}

const TOKEN = "__Host-session";
const KNOCK = "__Host-knock";

/** What `refuse` and errors have of a visit before it is known who makes it. */
function strangersVisit(desk: Desk, request: FastifyRequest): Visit {
  const { url, cookies, params, query, body } = request;
  return {
    ...{ desk, workplace: desk.workplace, person: "", roles: [], url, request },
    params: (params ?? {}) as Visit["params"],
    query: (query ?? {}) as Visit["query"],
    form: (request.isMultipart?.() ? {} : (body ?? {})) as Visit["form"],
    token: cookies?.[TOKEN] ?? "",
    knock: cookies?.[KNOCK] ?? "",
  };
}

async function visitOf(desk: Desk, request: FastifyRequest): Promise<Visit> {
  const visit = strangersVisit(desk, request);
  const isPolled = request.headers["hx-request"] === "true" && request.method === "GET";
  const signedIn = visit.token === "" ? undefined : await desk.sessions.find(visit.token, !isPolled);
  return signedIn === undefined ? visit : { ...visit, ...signedIn };
}

async function send(reply: FastifyReply, visit: Visit, answer: Answer): Promise<FastifyReply> {
  if ("bytes" in answer) {
    const name = encodeURIComponent(answer.fileName);
    reply.header("content-disposition", `attachment; filename*=UTF-8''${name}`);
    return reply.type(answer.type).send(answer.bytes);
  }
  setCookie(reply, TOKEN, answer.token);
  setCookie(reply, KNOCK, answer.knock);
  if ("goTo" in answer) return reply.redirect(answer.goTo, 303);
  reply.code(answer.status ?? 200).type("text/html; charset=utf-8");
  return reply.send(await framedPage(visit, answer as PageAnswer, pages));
}

/** `value`: undefined leaves the cookie as it is, an empty one takes it away. */
function setCookie(reply: FastifyReply, name: string, value: string | undefined): void {
  if (value === undefined) return;
  const options = { path: "/", secure: true, httpOnly: true, sameSite: "strict" } as const;
  if (value === "") reply.clearCookie(name, options);
  else reply.setCookie(name, value, options);
}

/** A fault says what is to be done; anything else is for the operator, whose log has the number that the page shows. */
function failed(desk: Desk, error: unknown, request: FastifyRequest): PageAnswer {
  if (error instanceof Fault) return faultPage(error.problem);
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status === 413)
    return messagePage(413, "That is too large", "Nothing was taken in. Send less at a time.");
  if (status >= 400 && status < 500)
    return messagePage(status, "This request cannot be read", "Nothing was done. Go back, and try again.");
  const { random, log } = desk.workplace.context;
  const code = `E-${random.uuid().slice(-8).toUpperCase()}`;
  const message = error instanceof Error ? error.message : String(error);
  const operation = `${request.method} ${request.routeOptions.url ?? ""}`;
  log.error("a page of the desk could not be made", { code, operation, message });
  return brokenPage(code);
}
