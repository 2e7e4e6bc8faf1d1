/** Classifies why no TLS connection could be made. */

/** The defect to fix. */
export type TlsFailure =
  | "not TLS"
  | "certificate untrusted"
  | "certificate of another host"
  | "certificate expired";

const FAILURES: ReadonlyMap<string, TlsFailure> = new Map([
  ["EPROTO", "not TLS"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "not TLS"],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "not TLS"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate untrusted"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate untrusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "certificate untrusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate untrusted"],
  ["CERT_UNTRUSTED", "certificate untrusted"],
  ["CERT_REVOKED", "certificate untrusted"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate of another host"],
  ["CERT_HAS_EXPIRED", "certificate expired"],
  ["CERT_NOT_YET_VALID", "certificate expired"],
]);

const WORDS: Readonly<Record<TlsFailure, string>> = {
  "not TLS": "what answers there does not speak TLS",
  "certificate untrusted": "its certificate is not signed by an authority that this machine trusts",
  "certificate of another host": "its certificate is for another name",
  "certificate expired": "its certificate is not valid at this time",
};

/** Undefined for any other error. */
export function tlsFailureOf(
  error: Error,
): { readonly tls: TlsFailure; readonly reason: string } | undefined {
  const code = "code" in error ? String(error.code) : "";
  const tls = FAILURES.get(code);
  return tls === undefined ? undefined : { tls, reason: `${WORDS[tls]} (${code})` };
}
