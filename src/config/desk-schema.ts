/** The desk: where people work in a browser. */
import { isIP } from "node:net";
import { z } from "zod";
import { addressWithPort, refuse } from "./refinements.ts";

/** Passkeys belong to the host name of `origin`: what people enrol at one name does not sign at another. */
export const desk = z.strictObject({
  /** The address and port of this machine where the desk listens. */
  listen: addressWithPort,
  /** Where people find it, as their browsers show it: "https://pay.example.com", or "http://localhost:8080". */
  origin: z.string().superRefine(refuseOrigin),
  /** Files of a certificate, in PEM; without them a reverse proxy has it, unless the origin is localhost. */
  tls: z.strictObject({ key: z.string().min(1), cert: z.string().min(1) }).optional(),
});

function refuseOrigin(text: string, context: z.RefinementCtx): void {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  if (isIP(host) > 0)
    return refuse(context, [], `${host} is an address, and browsers make passkeys only for a host name`);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && host === "localhost");
  if (url?.origin !== text || !isSafe)
    refuse(context, [], "expected https:// and a host name, or http://localhost, with a port or without, and nothing behind it");
}
