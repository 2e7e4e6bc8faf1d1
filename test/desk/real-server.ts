/** What tests of a desk need that listens by itself: a certificate, and patience until it does. */
import { execFileSync } from "node:child_process";

const KIND = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Writes a self-signed certificate for this host, and its key. */
export function writeCertificate(host: string, { key, cert }: Record<"key" | "cert", string>): void {
  const args = ["req", "-x509", ...KIND, "-subj", `/CN=${host}`, "-keyout", key, "-out", cert];
  execFileSync("openssl", args, { stdio: "ignore" });
}

/** Of a desk that is still starting, nothing; any other error is thrown. */
export function unlessNotListening(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ECONNREFUSED") throw error;
}
