/** Failures between us and the Payment Execution Service (interface document, section Errors). */
import { entriesOf } from "./entry.ts";

export const serviceFaults = entriesOf("correct-usage", {
  SERVICE_UNREACHABLE: {
    message: "the service at {baseUrl} cannot be reached: {reason}",
    fix: "Check `service.baseUrl` (https or http, host, port), the network, and `http.proxy` if a proxy is the only way out; then run the command again; nothing was lost.",
    next: "will-retry",
  },
  DESK_NEVER_CONNECTS: {
    message: "the desk was asked to connect to the service, which `paydrop desk` never does",
    fix: "Do this at the desk of `paydrop serve`, or by a command on the machine that sends.",
  },
  SERVICE_NOT_ENCRYPTED: {
    message:
      "requests to {baseUrl} are not encrypted: anybody in between can read the key, the signature, the one-time code and every payment",
    fix: "Write the address with https://, or reach the service through an encrypted tunnel that ends on this machine. Only if the network between is yours alone, set `service.allowPlainHttp: true`.",
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
    message: "the service refused {operation} ({status}): {text}",
    fix: "Change the setting that it does not accept, as the service's operator says: it was asked for page {page} (`paging.firstPage`) of {size} elements (`paging.size`), with {items} ids or references in one filter (`paging.idsPerRequest`), sorted by {sort} (`paging.sort`). If it names a time, set this machine's clock.",
    next: "service-refused",
  },
  SERVICE_BUSY: {
    message: "the service asks for fewer requests ({operation}, {status}): {text}",
    fix: "Run the command again later; lower `http.ratePerSecond` or `http.concurrency` if it lasts.",
    next: "will-retry",
  },
  SERVICE_CONFLICT: {
    message: "the service answered {operation} with a conflict: {text}",
    fix: "Look at what it names: a time means that this machine's clock is not the service's (`paydrop doctor` compares them), a nonce that something else may use the same key.",
    next: "service-refused",
  },
  SERVICE_RATE_EXPIRED: {
    message: "the service fixes no rate for this deposit: {text}",
    fix: "Ask again for a rate that is fixed for another time (`--expires`, later than now and not too far ahead), or in the account's own currency, for which no rate is fixed.",
    next: "service-refused",
  },
  SERVICE_VOIDS_NOT: {
    message: "the service does not void this {what}: {text}",
    fix: "It voids only what has not been paid or received yet, and only in accounts of one Bitcoin custody kind. {accounts} Its operator knows the kind of each. If it names a nonce, something else may use the same key.",
    next: "service-refused",
  },
  SERVICE_FAILED: {
    message: "the service failed at {operation} ({status}): {text}",
    fix: "Run the command again later; ask the service's operator if it lasts.",
    next: "will-retry",
  },
  SERVICE_ANSWER_UNREADABLE: {
    message: "the answer to {operation} ({status}) does not match the interface: {reason}",
    fix: "Check that `service.baseUrl` is the service itself, and that no proxy or login page answers in its place.",
    next: "service-refused",
  },
  SIGNER_FAILED: {
    message: "the request could not be signed, so it was not sent: {reason}",
    fix: "Correct the module that `signing.module` names: its default export returns the headers, `key` and `signature` among them.",
  },
  SIGNER_TIMEOUT: {
    message: "the request could not be signed in time, so it was not sent: {reason}",
    fix: "Check the signer (its device, its network), then run the command again; raise `signing.timeoutMs` if it is only slow.",
    next: "will-retry",
  },
  INTERFACE_GAP: {
    message: "the interface does not define {what}, and `{key}` is not configured",
    fix: "Ask the service's operator, then set {keys}; docs/policies.md shows an example.",
  },
  NOT_AT_SERVICE: {
    message: "the service shows no {kind} with the id or reference {text}{but}",
    fix: "Check the spelling; `paydrop status` lists our own payments, and what was just created may not show yet.",
  },
  PAGING_UNSTABLE: {
    message: "the pages of {operation} stayed inconsistent: {reason}",
    fix: "What was read is kept; the next run reads again. If the reason stays the same, the service shortens or compares the filters in its own way: lower `paging.idsPerRequest` and `paging.size`, or ask its operator.",
    next: "will-retry",
  },
});
