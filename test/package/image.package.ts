import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../desk/trial.ts";
import { type Image, imageOf, quoted } from "./dockerfile.ts";

/** Mounts exist in the script's own namespace only, and end with it. */
function scriptOf(image: Image, port: number): string {
  const [uid = "", gid = ""] = image.user.split(":");
  const command = (args: readonly string[]) => args.map(quoted).join(" ");
  return `
set -euo pipefail
stages=$(mktemp -d)
mount -t tmpfs none "$stages"
clone=$PWD

stage() {
  mkdir "$stages/$1" "$stages/$1.upper" "$stages/$1.work"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$stages/$1.upper,workdir=$stages/$1.work" "$stages/$1"
  mount --rbind /dev "$stages/$1/dev"
  mount -t proc proc "$stages/$1/proc"
  for hidden in "$clone" /tmp; do mount -t tmpfs none "$stages/$1$hidden"; done
  chmod 1777 "$stages/$1/tmp"
  cp ${quoted(process.execPath)} "$stages/$1/usr/local/bin/node"
}
inside() {
  local stage=$1
  shift
  chroot "$stages/$stage" env -i "HOME=$HOME" LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
${image.build}

data=$stages/data
mkdir "$data" && chown ${uid}:${gid} "$data"
mount --bind "$data" "$stages/image${image.folder}"
for secret in key:demo-key signing:demo-signing-secret-0001 otp:JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP; do
  echo "\${secret#*:}" >"$data/\${secret%%:*}"
done
chown ${uid}:${gid} "$data"/* && chmod 0400 "$data"/*
mount -o remount,ro "$stages/image"

running() {
  inside image env -C ${image.folder} ${command(image.environment)} PAYDROP_SERVICE_BASE_URL=http://127.0.0.1:${port} \\
    PAYDROP_KEY_FILE=key PAYDROP_SIGNING_SECRET_FILE=signing PAYDROP_OTP_SECRET_FILE=otp \\
    setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
}
running sh -c 'touch /anywhere /opt/paydrop/here 2>&1' >"$stages/refused" && exit 99 || true
echo "root: $(cat "$stages/refused" | tr '\\n' ' ')"
running paydrop init --sandbox >/dev/null
running paydrop sandbox --port ${port} >/dev/null & sandbox=$!
running ${command(image.command)} >"$stages/said" & daemon=$!
for attempt in $(seq 100); do
  running ${command(image.healthCheck)} >/dev/null 2>&1 && break
  sleep 0.2
done
running ${command(image.healthCheck)}
echo "health: good"
echo "user: $(stat -c %u "$data/paydrop.sqlite")"
kill -TERM $(pgrep -f "bin/paydrop [s]erve") && wait $daemon && exit 99 || echo "daemon: $?"
kill -TERM $(pgrep -f "bin/paydrop [s]andbox --port ${port}") && wait $sandbox && exit 99 || echo "sandbox: $?"
`;
}

test("the image's steps make a daemon that runs without rights on a read-only root and answers its check", async () => {
  expect(execFileSync("id", ["-u"], { encoding: "utf8" })).toBe("0\n");
  const image = imageOf("Dockerfile", ".dockerignore");
  expect([image.user, image.command]).toEqual(["10001:10001", ["paydrop", "serve"]]);
  const script = scriptOf(image, await freePort());
  const folder = mkdtempSync(join(tmpdir(), "image-"));
  const { stdout, stderr } = spawnSync(
    "unshare",
    ["--mount", "--pid", "--fork", "--mount-proc", "bash", "-c", script],
    {
      encoding: "utf8",
      env: { ...process.env, TMPDIR: folder },
      maxBuffer: 64 * 1024 ** 2,
    },
  );
  const said = stdout.split("\n").filter((line) => /^(?:root|health|user|daemon|sandbox): /.test(line));
  expect(said, stderr).toEqual([
    expect.stringMatching(/^root: .*\/anywhere.*Read-only file system.*\/here.*Read-only file system/),
    "health: good",
    "user: 10001",
    "daemon: 143",
    "sandbox: 143",
  ]);
});
