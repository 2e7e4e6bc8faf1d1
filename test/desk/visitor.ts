/** A person at the desk without a browser: sends forms as one would, keeps its cookies, and follows redirects. */
import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { deskServer } from "../../src/desk/index.ts";
import type { Workplace } from "../../src/index.ts";
import { proveDecision } from "../../src/proof/prove.ts";
import { type Key, signBy } from "../people/keys.ts";

export const ORIGIN = "http://localhost:8080";

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

export type Form = Readonly<Record<string, string | readonly string[]>>;

export interface Visitor {
  /** By name, as they are. */
  readonly cookies: Map<string, string>;
  get(path: string): Promise<Answered>;
  /** `headers`: besides those of our own form. */
  post(path: string, form?: Form, headers?: Readonly<Record<string, string>>): Promise<Answered>;
}

export async function deskOf(workplace: Workplace, origin = ORIGIN): Promise<FastifyInstance> {
  const app = await deskServer(workplace, origin);
  onTestFinished(() => app.close());
  return app;
}

/** Somebody new. */
export function visitor(app: FastifyInstance, remoteAddress = "127.0.0.1"): Visitor {
  const cookies = new Map<string, string>();
  const send = async (method: "GET" | "POST", url: string, payload?: string, headers: object = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = { ...(cookie !== "" && { cookie }), ...headers };
    const response = await app.inject({
      method,
      url,
      headers: sent,
      remoteAddress,
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value } of response.cookies) {
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const { statusCode: status, body: text } = response;
    return { status, text, location: response.headers.location, headers: response.headers };
  };
  return {
    cookies,
    get: (path) => send("GET", path),
    post: (path, form = {}, headers = {}) =>
      send("POST", path, formText(form), {
        "content-type": "application/x-www-form-urlencoded",
        origin: ORIGIN,
        "sec-fetch-site": "same-origin",
        ...headers,
      }),
  };
}

export function formText(form: Form): string {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

/** Somebody who is signed in in a trial. */
export async function trialVisitor(app: FastifyInstance, name: string): Promise<Visitor> {
  const person = visitor(app);
  await person.get("/sign-in");
  await person.post("/sign-in", { name });
  return person;
}

/** Somebody of `openProvenDesk` who is signed in by their SSH key. */
export async function provenVisitor(
  app: FastifyInstance,
  workplace: Workplace,
  name: string,
): Promise<Visitor> {
  const person = visitor(app);
  const code = codeOn((await person.get("/sign-in")).text);
  await proveDecision(workplace, { decision: "sign in", person: name, subject: code });
  await person.post("/sign-in/signed");
  return person;
}

/** The code that the page to sign in shows. */
export function codeOn(page: string): string {
  return /desk sign-in (\S+)/.exec(page)?.[1] ?? "";
}

/** Decides something: sends a form, signs what the page shows with this key, and sends it again. */
export async function decideBy(person: Visitor, key: Key, path: string, form: Form): Promise<Answered> {
  const { text } = await person.post(path, form);
  const fields = hiddenFieldsOf(text, path);
  return person.post(path, { ...fields, ...form, ssh: signBy(key, fields["statement"] ?? "") });
}

/** The hidden fields of a page's form that is sent to `action`, as they would be sent. */
export function hiddenFieldsOf(page: string, action: string): Record<string, string> {
  const form = page.split("<form").find((part) => part.includes(`action="${action}"`)) ?? "";
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

export function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
