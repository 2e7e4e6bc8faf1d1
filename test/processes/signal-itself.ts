/**
 * Loaded into the program by NODE_OPTIONS: the process sends itself the signal SIGNAL at the moment SIGNAL_AT of its
 * creation number SIGNAL_NTH. The moments are the HTTP client's own diagnostics channels, which are published
 * synchronously.
 */
import { subscribe } from "node:diagnostics_channel";

const { SIGNAL, SIGNAL_AT = "", SIGNAL_NTH } = process.env;

let creations = 0;
subscribe(SIGNAL_AT, (message) => {
  const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
  if (request.method !== "POST" || !request.path.endsWith("/create")) return;
  creations += 1;
  if (String(creations) === SIGNAL_NTH) process.kill(process.pid, SIGNAL);
});
