/** Hands mail to a mail server (SMTP): with `transport.ts`, the only way to the network. */

export interface MailServer {
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

export interface MailAnswer {
  readonly isTaken: boolean;
  /** What the server said, or why there is no answer. */
  readonly answer: string;
  /** It is not for this message or its address. */
  readonly isDown: boolean;
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends one message, once, over a connection of its own. Never rejects. */
export async function sendMail({ host, port, tls, login }: MailServer, mail: Mail): Promise<MailAnswer> {
  // Loaded on first use: most commands send none.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...{ host, port, secure: tls === "tls", requireTLS: tls === "starttls", ignoreTLS: tls === "none" },
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
      // No mailbox answers a machine with an absence (RFC 3834).
      headers: { "auto-submitted": "auto-generated" },
    });
    return { isTaken: true, answer: response, isDown: false };
  } catch (error) {
    return { isTaken: false, ...failure(error) };
  } finally {
    transport.close();
  }
}

/** Codes of nodemailer for what a server says about one message. */
const ABOUT_THE_MESSAGE: ReadonlySet<unknown> = new Set(["EENVELOPE", "EMESSAGE"]);

function failure(error: unknown): Omit<MailAnswer, "isTaken"> {
  if (!(error instanceof Error)) return { answer: String(error), isDown: true };
  const response = "response" in error && typeof error.response === "string" ? error.response : error.message;
  const isAboutIt = "code" in error && ABOUT_THE_MESSAGE.has(error.code) && "responseCode" in error;
  return { answer: response, isDown: !isAboutIt };
}
