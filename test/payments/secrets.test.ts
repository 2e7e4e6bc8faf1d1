/** No secret is ever written to the database, its log files or our logs, even if the service repeats it. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { CREATE, errorBody, startOddService } from "../gateway/odd-service.ts";
import { testWithFile } from "../postgres.ts";
import { OTP_SECRET, openLane } from "./lane.ts";

testWithFile(
  "no byte of the key, the signature, the seed or a one-time code is kept, whatever the service answers",
  async () => {
    const sent: { code: string; signature: string }[] = [];
    const service = await startOddService(({ path, body, headers, response, answer }) => {
      if (path !== CREATE) return false;
      const { otpCode } = JSON.parse(body);
      sent.push({ code: otpCode, signature: String(headers["signature"]) });
      const echo = `the code ${otpCode} was refused`;
      if (sent.length === 3) answer(500, `<html>${echo}</html>`);
      else if (sent.length === 4) response.destroy();
      // Last, because a refused code ends the run.
      else if (sent.length === 5) answer(400, errorBody("OTP", echo));
      else return false;
      return true;
    });
    const logged: unknown[] = [];
    const keep = (...entry: unknown[]) => void logged.push(entry);
    const lane = openLane(service.url, { log: { info: keep, warn: keep, error: keep } });
    await lane.approve(5);
    const report = await lane.pay();
    expect(sent).toHaveLength(5);
    expect(report).toMatchObject({ accepted: 2, refused: 1, inDoubt: 2 });

    const folder = dirname(lane.path);
    const files = readdirSync(folder);
    expect(files.some((name) => name.endsWith("-wal"))).toBe(true);
    const written = [
      ...files.map((name) => readFileSync(join(folder, name), "latin1")),
      JSON.stringify(logged),
      JSON.stringify(report, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ].join("\n");
    expect(written).toContain("the code (one-time code) was refused");
    const secrets = [
      "demo-key",
      "demo-signing-secret-0001",
      OTP_SECRET,
      ...sent.map(({ signature }) => signature),
    ];
    for (const secret of secrets) expect(written).not.toContain(secret);
    // Six digits may occur in a UUID or an instant by chance, but not as a separate word.
    for (const { code } of sent) expect(written).not.toMatch(new RegExp(`(?<![\\w.:-])${code}(?![\\w.:-])`));
  },
);
