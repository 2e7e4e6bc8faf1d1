/** The desk behind nginx, by the example of deploy/nginx.conf. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { startDesk } from "../../src/desk/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { temporaryFolder } from "../store/stored-batch.ts";
import { unlessNotListening, writeCertificate } from "./real-server.ts";
import { freePort } from "./trial.ts";

const ORIGIN = "https://pay.example.com";

/** nginx with the example, on a free port; the paths of its machine are those of a new folder. */
async function openProxy(desk: number): Promise<number> {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const [key, cert] = [join(folder, "pay.example.com.key"), join(folder, "pay.example.com.pem")];
  writeCertificate("pay.example.com", { key, cert });
  const server = readFileSync("deploy/nginx.conf", "utf8")
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replaceAll("/etc/ssl", folder)
    .replace("127.0.0.1:8080", `127.0.0.1:${desk}`);
  const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `daemon off; worker_processes 1; user ${userInfo().username}; pid ${folder}/pid; error_log ${folder}/log;
    events {} http { access_log off; ${bodies.join(" ")} ${server} }`;
  writeFileSync(join(folder, "nginx.conf"), configuration);
  const nginx = spawn("nginx", ["-c", join(folder, "nginx.conf"), "-e", join(folder, "log")], {
    stdio: "inherit",
  });
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    await once(nginx, "exit");
  });
  return port;
}

test("people sign in and send a large file in through it, and another site's form is refused", async () => {
  const { workplace } = await openSite();
  const listen = await freePort();
  const desk = await startDesk(workplace, { listen: `127.0.0.1:${listen}`, origin: ORIGIN });
  onTestFinished(() => desk.close());
  const port = await openProxy(listen);
  const send = async (method: string, path: string, headers: Readonly<Record<string, string>>, body = "") => {
    const options = {
      method,
      port,
      path,
      headers: { host: "pay.example.com", ...headers },
      rejectUnauthorized: false,
    };
    const [response] = await once(request({ host: "127.0.0.1", ...options }).end(body), "response");
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  };
  const asked = () => send("GET", "/sign-in", {}).catch(unlessNotListening);
  await expect.poll(asked).toMatchObject({ status: 200, text: expect.stringContaining("Who are you?") });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const foreign = await send("POST", "/sign-in", { ...form, origin: "https://example.com" }, "name=ann");
  expect(foreign.status).toBe(403);
  const signedIn = await send("POST", "/sign-in", { ...form, origin: ORIGIN }, "name=ann");
  expect(signedIn).toMatchObject({ status: 303, headers: { location: "/" } });
  const cookie = (signedIn.headers["set-cookie"] ?? []).map((each: string) => each.split(";")[0]).join("; ");
  expect((await send("GET", "/", { cookie })).text).toContain("Waits for you");

  const rows = Array.from({ length: 10_000 }, (_, row) => `P-${row},x,${ADDRESS},${"filler ".repeat(140)}\n`);
  const file = `reference,amount,destinationAddress,note\n${rows.join("")}`;
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="large.csv"\r\n\r\n';
  const upload = { cookie, origin: ORIGIN, "content-type": "multipart/form-data; boundary=b" };
  const sent = await send("POST", "/files", upload, `${head}${file}\r\n--b--\r\n`);
  expect(sent.status).toBe(303);
  expect((await send("GET", "/files", { cookie })).text).toContain("large.csv");
});
