import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigFault, readSecrets, withoutSecrets } from "../../src/config/index.ts";
import { Fault } from "../../src/faults/index.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ALL = { PAYDROP_KEY: "k", PAYDROP_SIGNING_SECRET: "s", PAYDROP_OTP_SECRET: "O" };

const TOTP = { signing: { scheme: "hmac-sha256" }, otp: { source: "totp" } } as const;
const COMMAND = { ...TOTP, otp: { source: "command" } } as const;

describe("secrets", () => {
  test("come from the environment", () => {
    expect(readSecrets(ALL, TOTP)).toEqual({ key: "k", signingSecret: "s", otpSecret: "O" });
  });

  test("come from files as container platforms mount them, and the file counts where both are set", () => {
    const path = join(folder, "key");
    writeFileSync(path, "from-the-file\n");
    expect(readSecrets({ ...ALL, PAYDROP_KEY_FILE: path }, TOTP).key).toBe("from-the-file");
  });

  test.each(["PAYDROP_KEY", "PAYDROP_SIGNING_SECRET", "PAYDROP_OTP_SECRET"] as const)(
    "%s missing or empty is said by its name",
    (name) => {
      for (const value of [undefined, ""])
        expect(() => readSecrets({ ...ALL, [name]: value }, TOTP)).toThrow(`the secret ${name} is not set`);
    },
  );

  test("a seed is the same one in groups and small letters, as services show it", () => {
    const { otpSecret } = readSecrets({ ...ALL, PAYDROP_OTP_SECRET: " jbsw y3dp-EHPK 3pxp " }, TOTP);
    expect(otpSecret).toBe("JBSWY3DPEHPK3PXP");
  });

  test.each(["canary\nkey", "canary\u200bkey"])(
    "a key that no header can carry is named, not sent",
    (key) => {
      expect(() => readSecrets({ ...ALL, PAYDROP_KEY: key }, TOTP)).toThrow(/^SECRET_UNUSABLE: (?!.*canary)/);
    },
  );

  test("missing ones are all reported together", () => {
    const told = () => {
      try {
        return readSecrets({}, TOTP);
      } catch (error) {
        return error instanceof ConfigFault
          ? [error.problem, ...error.otherProblems].map(({ key }) => key)
          : error;
      }
    };
    expect(told()).toEqual(["PAYDROP_KEY", "PAYDROP_SIGNING_SECRET", "PAYDROP_OTP_SECRET"]);
  });

  test("a one-time code secret is required only if codes are made from it", () => {
    expect(readSecrets({ ...ALL, PAYDROP_OTP_SECRET: undefined }, COMMAND)).not.toHaveProperty("otpSecret");
  });

  test("a signing secret is required only if we sign", () => {
    const byModule = { ...COMMAND, signing: { scheme: "module" } } as const;
    expect(readSecrets({ PAYDROP_KEY: "k" }, byModule)).toEqual({ key: "k" });
    expect(readSecrets(ALL, byModule)).toEqual({ key: "k", signingSecret: "s" });
  });

  test("a file that cannot be read is named with its variable", () => {
    const missing = join(folder, "nowhere");
    const byPowerShell = join(folder, "utf-16");
    writeFileSync(byPowerShell, "\ufeffsecret\r\n", "utf16le");
    const withoutMark = join(folder, "utf-16-without-mark");
    writeFileSync(withoutMark, "secret\r\n", "utf16le");
    for (const [path, reason] of [
      [missing, "it does not exist"],
      [folder, "it is a folder"],
      [byPowerShell, "it is not in UTF-8"],
      [withoutMark, "it is not in UTF-8"],
    ]) {
      try {
        readSecrets({ ...ALL, PAYDROP_KEY_FILE: path }, TOTP);
        expect.unreachable();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        expect(error.problem).toMatchObject({ code: "SECRET_UNREADABLE", key: "PAYDROP_KEY_FILE" });
        expect(error.problem.message).toContain(reason);
      }
    }
  });
});

test("another program gets everything but our secrets, by whichever name they came", () => {
  const secrets = [
    "PAYDROP_KEY",
    "PAYDROP_KEY_PAYROLL",
    "PAYDROP_SIGNING_SECRET_FILE",
    "PAYDROP_OTP_SECRET",
    "PAYDROP_PROXY_CREDENTIALS",
    "PAYDROP_NOTICES_URL",
    "PAYDROP_NOTICES_PASSWORD_FILE",
    "PAYDROP_EVENTS_URL",
    "PAYDROP_EVENTS_SECRET",
    "DATABASE_URL",
    "DATABASE_URL_FILE",
    "PGPASSWORD",
  ];
  const others = { PATH: "/bin", HOME: "/root", PAYDROP_CONFIG: "paydrop.yaml", OATH_SEED_FILE: "/etc/seed" };
  const environment = { ...Object.fromEntries(secrets.map((name) => [name, "canary"])), ...others };
  expect(withoutSecrets(environment)).toEqual(others);
});
