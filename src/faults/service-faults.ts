/** Failures between us and the Payment Execution Service (interface document, section Errors). */
import { entriesOf, text } from "./entry.ts";

export const serviceFaults = entriesOf("correct-usage", {
  SERVICE_UNREACHABLE: {
    message: "the service at {baseUrl} cannot be reached: {reason}",
    fix:
      "Check `service.baseUrl` (https or http, host, port), the network, and `http.proxy`. Then run the command " +
      "again; nothing was lost.",
    next: "will-retry",
  },
  DESK_NEVER_CONNECTS: {
    message: "this needs the service, to which `paydrop desk` never connects",
    fix: "Do this at the desk of `paydrop serve`, or by a command on the machine that sends.",
  },
  SERVICE_NOT_ENCRYPTED: {
    message: "requests to {baseUrl} are not encrypted: others can read the key, one-time codes and payments",
    fix:
      "Write the address with https://, or reach the service through an encrypted tunnel. Set " +
      "`service.allowPlainHttp: true` only if the network between is yours alone.",
  },
  SERVICE_TLS: {
    message: "no secure connection to {baseUrl}: {reason}",
    fix: "{how}",
    about: {
      message: "no secure connection to the service could be made",
      fix: "Follow the message: it may be the port, the certificate, its host name, or the clock of this machine.",
    },
  },
  SERVICE_TIMEOUT: {
    message: "the service did not answer within {timeoutMs} ms",
    fix: "Run the command again; raise `http.timeoutMs` if the service is slow.",
    next: "will-retry",
  },
  SERVICE_REFUSED_KEY: {
    message: "the service refused the client key or the signature ({status}): {text}",
    fix: "Check PAYDROP_KEY, PAYDROP_SIGNING_SECRET and `signing.scheme`.",
    next: "service-refused",
  },
  SERVICE_REFUSED: {
    message: "the service refused {operation} ({status}): {text}",
    fix: "Correct what it names; the service's code is {serviceCode}.",
    next: "service-refused",
  },
  SERVICE_REFUSED_SEARCH: {
    message:
      "the service refused {operation} ({status}): {text}. Page {page}, {size} elements, {items} ids, sorted by {sort}",
    fix:
      "Change the setting that it does not accept: `paging.firstPage`, `paging.size`, `paging.idsPerRequest` or " +
      "`paging.sort`. If it names a time, set this machine's clock.",
    next: "service-refused",
  },
  SERVICE_BUSY: {
    message: "the service asks for fewer requests ({operation}, {status}): {text}",
    fix: "Run the command again later; lower `http.ratePerSecond` or `http.concurrency` if it lasts.",
    next: "will-retry",
  },
  SERVICE_CONFLICT: {
    message: "the service answered {operation} with a conflict: {text}",
    fix:
      "If it names a time, compare the clocks with `paydrop doctor`; if it names a nonce, find out what else " +
      "uses the key.",
    next: "service-refused",
  },
  SERVICE_RATE_EXPIRED: {
    message: "the service did not fix a rate for this deposit: {text}",
    fix: "Request it with a nearer `--expires`, or in the account's own currency.",
    next: "service-refused",
  },
  SERVICE_VOIDS_NOT: {
    message: "the service did not void this {what}: {text}",
    fix: text(
      "It voids only what is not paid or received yet, in accounts of one Bitcoin custody kind. {accounts} If",
      "it names a nonce, something else may use the key.",
    ),
    next: "service-refused",
  },
  SERVICE_FAILED: {
    message: "the service failed at {operation} ({status}): {text}",
    fix: "Run the command again later; ask the service's operator if it lasts.",
    next: "will-retry",
  },
  SERVICE_ANSWER_UNREADABLE: {
    message: "the answer to {operation} ({status}) does not match the interface: {reason}",
    fix: "Check that no proxy or login page answers in place of `service.baseUrl`.",
    next: "service-refused",
  },
  SIGNER_FAILED: {
    message: "the request could not be signed, so it was not sent: {reason}",
    fix:
      "Correct the module of `signing.module`. Its default export must return the headers, including `key` " +
      "and `signature`.",
  },
  SIGNER_TIMEOUT: {
    message: "the request could not be signed in time, so it was not sent: {reason}",
    fix: "Check the signer, then run the command again. Raise `signing.timeoutMs` if it is only slow.",
    next: "will-retry",
  },
  INTERFACE_GAP: {
    message: "the interface does not define {what}, and `{key}` is not configured",
    fix: "Ask the service's operator, then set {keys}; docs/policies.md shows an example.",
  },
  NOT_AT_SERVICE: {
    message: "the service shows no {kind} with the id or reference {text}{but}",
    fix: "Check the spelling; `paydrop status` lists our own payments. A new one may not show yet.",
  },
  PAGING_UNSTABLE: {
    message: "the pages of {operation} stayed inconsistent: {reason}",
    fix:
      "The next run reads again. If the reason stays the same, lower `paging.idsPerRequest` and " +
      "`paging.size`, or ask the service's operator.",
    next: "will-retry",
  },
});
