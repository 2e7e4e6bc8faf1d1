/** Sends mail to a mail server (SMTP). Besides `transport.ts` the only access to the network. */

interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly tls: "starttls" | "tls" | "none";
  readonly login?: { readonly user: string; readonly password: string } | undefined;
}

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets. The same for each attempt, so that a mail program shows one message. */
  readonly messageId: string;
}

interface MailAnswer {
  readonly isTaken: boolean;
  /** The server's answer, or why there is none. */
  readonly answer: string;
  /** The failure is not about this message or its address. */
  readonly isDown: boolean;
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends one message, once, over its own connection. Never rejects. */
export async function sendMail({ host, port, tls, login }: MailServer, mail: Mail): Promise<MailAnswer> {
  // Loaded on first use, because most commands send no mail.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host,
    port,
    secure: tls === "tls",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    // Explicit, so that a forgotten NODE_TLS_REJECT_UNAUTHORIZED does not show our password to anybody.
    tls: { rejectUnauthorized: true },
    ...(login && { auth: { user: login.user, pass: login.password } }),
    ...TIMEOUTS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response } = await transport.sendMail({
      ...mail,
      messageId: `<${mail.messageId}>`,
      // Prevents automatic replies, such as absence notes (RFC 3834).
      headers: { "auto-submitted": "auto-generated" },
    });
    return { isTaken: true, answer: response, isDown: false };
  } catch (error) {
    return { isTaken: false, ...failure(error) };
  } finally {
    transport.close();
  }
}

/** nodemailer's codes for a server's refusal of one message. */
const ABOUT_THE_MESSAGE: ReadonlySet<unknown> = new Set(["EENVELOPE", "EMESSAGE"]);

function failure(error: unknown): Omit<MailAnswer, "isTaken"> {
  if (!(error instanceof Error)) return { answer: String(error), isDown: true };
  const response = "response" in error && typeof error.response === "string" ? error.response : error.message;
  const isAboutIt = "code" in error && ABOUT_THE_MESSAGE.has(error.code) && "responseCode" in error;
  return { answer: response, isDown: !isAboutIt };
}
