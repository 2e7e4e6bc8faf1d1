/** The desk: where people work in a browser. */
import { z } from "zod";
import { addressWithPort, refuse } from "./refinements.ts";

/** Passkeys belong to the host name of `origin`: a passkey enrolled at one name does not sign at another. */
export const desk = z.strictObject({
  listen: addressWithPort.describe("Its address and port on this machine."),
  origin: z
    .string()
    .superRefine(refuseOrigin)
    .describe(
      "What browsers show: `https://pay.example.com`, or `http://localhost:8080`; passkeys belong to it.",
    ),
  tls: z
    .strictObject({
      key: z.string().min(1).describe("The file of its private key, in PEM."),
      cert: z.string().min(1).describe("The file of its certificate, in PEM."),
    })
    .optional()
    .describe("Its own TLS; otherwise a reverse proxy's, unless the origin is localhost."),
});

function refuseOrigin(text: string, context: z.RefinementCtx): void {
  const why = whyNoOrigin(text);
  if (why !== undefined) refuse(context, [], why);
}

function whyNoOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  const host = url?.hostname ?? "";
  // Browsers, and so URL, write every spelling of an address in one of these two ways.
  if (/^(?:[\d.]+$|\[)/.test(host))
    return `${host} is an address, and browsers make passkeys only for a host name`;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && host === "localhost");
  return url?.origin === text && isSafe
    ? undefined
    : "expected https:// and a host name, or http://localhost, and at most a port after it";
}
