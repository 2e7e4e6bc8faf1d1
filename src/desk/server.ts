/** The desk's server: checks a request, finds its page, and sends the page's answer. */
import { readFileSync } from "node:fs";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Connections, networkOf, type RawRequest, type Socket } from "../daemon/connections.ts";
import { type Listener, limitedServer, listenAt, type TlsFiles } from "../daemon/listen.ts";
import { Fault, fault, isProblem, orProblem, readFailure } from "../faults/index.ts";
import { fileLimitsOf } from "../files/intake/sent-file.ts";
import { sessionsOf } from "../proof/sessions.ts";
import { introduceAll } from "../proof/trial.ts";
import { refuseAnothers } from "../workplace/bound-store.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { asset } from "./assets.ts";
import { pageOfForm, signInAgain } from "./come-back.ts";
import { codeChecks, isOurs, protectiveHeaders, signedInTokens, turns } from "./guard.ts";
import { heldIn } from "./held.ts";
import { framedPage } from "./layout.ts";
import {
  type Answer,
  type Desk,
  type Fields,
  hasRole,
  type Page,
  type PageAnswer,
  type Visit,
} from "./page.ts";
import { pages } from "./pages.ts";
import { brokenPage, faultPage, lacksRolePage, messagePage } from "./refusals.ts";
import { sentTwice } from "./sent-twice.ts";
import { largestFileText, uploadsOf } from "./uploads.ts";

export interface DeskPlace {
  readonly listen: string;
  readonly origin: string;
  /** Paths of PEM files. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
}

/** The desk's neighbours in its process. */
export interface Beside extends Partial<Pick<Desk, "hints" | "doctor">> {
  readonly tls?: TlsFiles | undefined;
  readonly connections?: Connections | undefined;
}

/** Serves the desk. Throws CONFIG_KEY_INVALID and PEOPLE_ROOT_MISSING. */
export async function startDesk(
  workplace: Workplace,
  { listen, origin, tls }: DeskPlace,
  beside: Omit<Beside, "tls"> = {},
): Promise<Listener> {
  const files = tls && { key: pem(tls.key, "desk.tls.key"), cert: pem(tls.cert, "desk.tls.cert") };
  const app = await deskServer(workplace, origin, { ...beside, tls: files });
  const { close } = await listenAt(app, listen, "desk.listen");
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

/** Large, because statements about many payments are. */
const BODY_MAX = 5_000_000;
/** For strangers: a passkey's answer has a few KB. */
const STRANGERS_BODY_MAX = 16_000;
/** Checking the largest file takes a while, during which nothing is sent. */
const SILENT_MAX_MS = 300_000;
const UPLOADS_MAX = 20;

/** As `startDesk`, without listening. */
export async function deskServer(
  workplace: Workplace,
  origin: string,
  { tls, connections = new Connections(), hints, doctor }: Beside = {},
) {
  await refuseAnothers(workplace);
  await introduceAll(workplace);
  const desk = deskOf({ workplace, origin, connections, hints, doctor });
  const headers = protectiveHeaders(origin.startsWith("https:"));
  const app = limitedServer({
    bodyLimit: STRANGERS_BODY_MAX,
    silentMaxMs: SILENT_MAX_MS,
    trustProxy: "loopback",
    tls,
    connections,
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, headers),
    frameworkErrors: (error, request, reply) =>
      void send(reply, strangersVisit(desk, request), failed(desk, error, request)),
  });
  protectAnswers(app, headers);
  app.setNotFoundHandler(async (request, reply) => {
    const text = "It may have been moved, or it is not for you to see.";
    return send(reply, await visitOf(desk, request), messagePage(404, "There is no such page", text));
  });
  app.setErrorHandler(async (error, request, reply) => {
    // The failure may be in the sign-in itself.
    const isExpected = error instanceof Fault || isOfRequest(statusOf(error));
    const known = isExpected ? await orProblem(() => visitOf(desk, request)) : undefined;
    const visit = known === undefined || isProblem(known) ? strangersVisit(desk, request) : known;
    return send(reply, visit, failed(desk, error, request));
  });
  // Fastify's own parsers would accept texts and JSON as forms.
  app.removeAllContentTypeParsers();
  await app.register(cookie);
  await app.register(formbody);
  guard(app, desk);
  app.get("/favicon.ico", (_, reply) => reply.code(204).send());
  app.get<{ Params: { name: string } }>("/assets/:name", sendAsset);
  addPages(app, desk, ({ takesFiles }) => takesFiles !== true);
  await app.register(async (scope) => {
    const { bytesMax: fileSize } = fileLimitsOf(workplace.config.files);
    const limits = { files: UPLOADS_MAX, parts: 2 * UPLOADS_MAX, fileSize, fieldSize: STRANGERS_BODY_MAX };
    await scope.register(multipart, { limits });
    addPages(scope, desk, ({ takesFiles }) => takesFiles === true);
  });
  return app;
}

function deskOf(given: Pick<Desk, "workplace" | "origin" | "connections" | "hints" | "doctor">): Desk {
  const { workplace, connections } = given;
  const { clock } = workplace.context;
  return {
    ...given,
    site: new URL(given.origin).hostname,
    sessions: sessionsOf(workplace),
    held: heldIn(workplace.context),
    checkCode: codeChecks(clock, connections),
    takeTurn: turns(clock),
    signedIn: signedInTokens(clock),
    uploads: uploadsOf(workplace),
    onceEach: sentTwice<Answer>(clock),
  };
}

/** Includes the answers that Fastify or Node give by themselves. */
function protectAnswers({ server }: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const protect = (_: RawRequest, response: FastifyReply["raw"]) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  };
  server.prependListener("request", protect);
  server.on("checkExpectation", (request: RawRequest, response: FastifyReply["raw"]) => {
    protect(request, response);
    response.writeHead(417).end();
  });
}

/** Answers a request that is not HTTP, or did not arrive whole in time. */
function refuseUnreadable(error: Error, socket: Socket, headers: Readonly<Record<string, string>>): void {
  const code = "code" in error ? error.code : "";
  const [status, text] = UNREADABLE.get(code) ?? ["400 Bad Request", "This request cannot be read"];
  const head = Object.entries({
    ...headers,
    connection: "close",
    "content-type": "text/plain; charset=utf-8",
  });
  const lines = [`HTTP/1.1 ${status}`, ...head.map((each) => each.join(": "))];
  if (!socket.writable) socket.destroy();
  else socket.end(`${lines.join("\r\n")}\r\n\r\n${text}. Nothing was done.\n`);
}

const UNREADABLE: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    ["431 Request Header Fields Too Large", "This request's address or headers are too long"],
  ],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "This request has not come whole"]],
] as const);

function addPages(app: FastifyInstance, desk: Desk, isWanted: (page: Page) => boolean): void {
  for (const page of pages.filter(isWanted)) {
    const bodyLimit = page.roles === "anybody" ? STRANGERS_BODY_MAX : BODY_MAX;
    app[page.method === "GET" ? "get" : "post"](page.path, { bodyLimit }, (request, reply) =>
      handled(desk, page, request, reply),
    );
  }
}

/** Checks each request before anything else looks at it. */
function guard(app: FastifyInstance, desk: Desk): void {
  app.addHook("onRequest", async (request, reply) => {
    const token = request.cookies[TOKEN] ?? "";
    if (!desk.signedIn.has(token)) await desk.takeTurn(networkOf(request.ip), request.raw.socket);
    else if (!desk.signedIn.isAllowed(token)) return refuseOften(reply);
    if (request.headers.host === undefined && request.raw.httpVersion !== "1.0")
      return send(reply, strangersVisit(desk, request), UNREADABLE_PAGE);
    if (!isOurs(request, desk.origin)) return refuseForeign(request, reply, desk);
    if (isLarge(request)) return refuseUnlessSignedIn(desk, request, reply);
  });
}

/** Whether the body may be larger than what strangers may send. Pages for anybody have their own limit. */
function isLarge({ method, headers, routeOptions: { bodyLimit = 0 } }: FastifyRequest): boolean {
  if (method === "GET" || method === "HEAD" || bodyLimit <= STRANGERS_BODY_MAX) return false;
  return !(Number(headers["content-length"]) <= STRANGERS_BODY_MAX);
}

async function refuseUnlessSignedIn(desk: Desk, request: FastifyRequest, reply: FastifyReply) {
  const visit = await visitOf(desk, request);
  if (visit.person === "") return send(reply, visit, SIGNED_OUT);
  desk.connections.admit(request.raw);
}

const SIGNED_OUT = messagePage(
  401,
  "You are signed out",
  "Nothing was done. After half an hour without a click, or ten hours, people sign in again.",
);

function refuseForeign(request: FastifyRequest, reply: FastifyReply, desk: Desk) {
  const text = "Nothing was done. Open the desk in your browser, and do it there.";
  const page = messagePage(403, "This did not come from a page of the desk", text);
  return send(reply, strangersVisit(desk, request), page);
}

/** Answers without a page, so that the answer costs nothing. */
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
  if ([visit.params, visit.query, visit.form].some(hasNul)) return send(reply, visit, NO_TEXT);
  if (roles !== "anybody") {
    if (visit.person === "") return send(reply, visit, await signedOut(visit));
    if (!hasRole(visit, ...roles)) return send(reply, visit, lacksRolePage(visit, roles));
  }
  const handle = () => page.handle(visit);
  return send(reply, visit, await (isForm(page) ? desk.onceEach(visit, handle) : handle()));
}

/** Whether the page does something for a signed-in person. A form with files is not read before it is handled. */
function isForm({ method, roles, takesFiles }: Page): boolean {
  return method === "POST" && roles !== "anybody" && takesFiles !== true;
}

/** No real text has this character, and databases and file systems reject it. */
function hasNul(fields: Fields): boolean {
  return Object.entries(fields)
    .flat(2)
    .some((text) => text.includes("\0"));
}

async function signedOut(visit: Visit): Promise<Answer> {
  const isForm = visit.request.method === "POST";
  return { goTo: isForm ? await signInAgain(visit) : `/sign-in?to=${encodeURIComponent(visit.url)}` };
}

const NO_TEXT = messagePage(
  400,
  "This request cannot be read",
  "It holds a NUL character, which no text has. Nothing was done.",
);

const TOKEN = "__Host-session";
const KNOCK = "__Host-knock";

/** The visit as if nobody were signed in: for refusals and errors before the visitor is known. */
function strangersVisit(desk: Desk, request: FastifyRequest): Visit {
  const { url, cookies, params, query, body } = request;
  const form = (request.isMultipart?.() ? {} : (body ?? {})) as Visit["form"];
  return {
    desk,
    workplace: desk.workplace,
    person: "",
    roles: [],
    url,
    request,
    form,
    params: (params ?? {}) as Visit["params"],
    query: (query ?? {}) as Visit["query"],
    from: request.method === "POST" ? pageOfForm(desk, request, form, pages) : url,
    token: cookies?.[TOKEN] ?? "",
    knock: cookies?.[KNOCK] ?? "",
  };
}

async function visitOf(desk: Desk, request: FastifyRequest): Promise<Visit> {
  const visit = strangersVisit(desk, request);
  const isPolled = request.headers["hx-request"] === "true" && request.method === "GET";
  const signedIn = visit.token === "" ? undefined : await desk.sessions.find(visit.token, !isPolled);
  if (signedIn === undefined) return visit;
  desk.signedIn.know(visit.token);
  return { ...visit, ...signedIn };
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

/** `value`: undefined leaves the cookie unchanged, an empty one deletes it. */
function setCookie(reply: FastifyReply, name: string, value: string | undefined): void {
  if (value === undefined) return;
  const options = { path: "/", secure: true, httpOnly: true, sameSite: "strict" } as const;
  if (value === "") reply.clearCookie(name, options);
  else reply.setCookie(name, value, options);
}

function statusOf(error: unknown): number {
  return error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
}

function isOfRequest(status: number): boolean {
  return status >= 400 && status < 500;
}

function tooLarge({ workplace }: Desk, error: unknown, request: FastifyRequest): string {
  const isOfFile = error instanceof Error && "code" in error && error.code === "FST_REQ_FILE_TOO_LARGE";
  const why =
    request.isMultipart?.() !== true
      ? "That form is too long."
      : isOfFile
        ? `A file may have at most ${largestFileText(workplace.config)}.`
        : `At most ${UPLOADS_MAX} files are sent in at once.`;
  return `${why} Nothing was taken in.`;
}

const UNREADABLE_PAGE = messagePage(
  400,
  "This request cannot be read",
  "Nothing was done. Go back, and try again.",
);

/** A fault says what to do. Other errors concern the operator, who finds the page's number in the log. */
function failed(desk: Desk, error: unknown, request: FastifyRequest): PageAnswer {
  if (error instanceof Fault) return faultPage(desk, error.problem);
  const status = statusOf(error);
  if (status === 413) return messagePage(413, "That is too large", tooLarge(desk, error, request));
  if (isOfRequest(status)) return { ...UNREADABLE_PAGE, status };
  const { random, log } = desk.workplace.context;
  const code = `E-${random.uuid().slice(-8).toUpperCase()}`;
  const message = error instanceof Error ? error.message : String(error);
  const operation = `${request.method} ${request.routeOptions.url ?? ""}`;
  log.error("a page of the desk could not be made", { code, operation, message });
  return brokenPage(code);
}
