#!/usr/bin/env bash
# Verifies who approved a batch, without Paydrop: docs/verifying.md says what holds and what it does not prove.
# Run it in the folder that `paydrop audit evidence` wrote, under Linux, with OpenSSH, openssl and jq:
#   bash verify-approvals.sh INSTALLATION 'ROOT [ROOT...]'
# Both values come from your own records: people.installation, and the fingerprints of people.root with spaces between.
INSTALLATION=${1:?the name of the installation}
ROOT=${2:?the fingerprints of the root}
[ -d statements ] || { echo "Run it in the folder that \`paydrop audit evidence\` wrote: there is no statements here." >&2; exit 2; }

# Who signed a file. `ssh-keygen -Y check-novalidate` verifies a signature and prints the fingerprint of its key. Security keys
# and passkeys also sign that somebody touched them (1), and who it was by PIN or fingerprint (4): 1 is asked of security
# keys, both of passkeys.
set -euo pipefail
shopt -s inherit_errexit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stop() { echo "DOES NOT HOLD: $*" >&2; exit 1; }
hex() { od -An -v -tx1 | tr -d ' \n'; }
fingerprint() { ssh-keygen -lf - <<<"$1" | cut -d' ' -f2; }

# signer FILE SIGNATURE: prints the fingerprint of the key that signed FILE.
signer() {
  if [ -e "$2.json" ]; then rsa_signer "$1" "$2.json"; return; fi
  local good
  good=$(ssh-keygen -Y check-novalidate -n paydrop-approval -s "$2" <"$1") || stop "$2"
  case $good in *-SK\ key\ *) was_there "$2" ;; esac
  echo "SHA256:${good##*SHA256:}"
}

was_there() {
  local bytes passkey rest needed=1 length
  bytes=$(sed '1d;$d' "$1" | base64 -d | hex)
  passkey=$(printf webauthn-sk-ecdsa-sha2-nistp256@openssh.com | hex)
  case $bytes in
    *$passkey*) needed=5 rest=${bytes#*"$passkey"} ;;
    *"$(printf ssh: | hex)"*) rest=${bytes##*"$(printf @openssh.com | hex)"} ;;
    *) stop "$1: a passkey that was not asked by a browser" ;;
  esac
  length=$((16#${rest:0:8}))
  (((16#${rest:8 + 2 * length:2} & needed) == needed)) || stop "$1: nobody was there, or nobody was verified"
}

# SSH signatures have no form for RSA passkeys, so openssl verifies these. Their challenge is the hash of the bytes that an
# SSH key signs.
part() { jq -r --arg name "$2" '.[$name]' "$1" | tr -- '-_' '+/' | awk '{ while (length($0) % 4) $0 = $0 "="; print }' | base64 -d; }

rsa_signer() {
  local site challenge key
  jq -r .key "$2" >"$work/key.pub"
  key=$(cat "$work/key.pub")
  site=$(jq -r --arg key "$key" '.credential | select(.key? == $key) | .passkey.rp' statements/????.json | sort -u)
  part "$2" authenticatorData >"$work/data"
  part "$2" clientDataJSON >"$work/client"
  part "$2" signature >"$work/signature"
  challenge=$({
    printf 'SSHSIG\0\0\0\020paydrop-approval\0\0\0\0\0\0\0\006sha512\0\0\0\100'
    openssl dgst -sha512 -binary "$1"
  } | base64 -w0 | tr '+/' '-_' | tr -d =)
  case $(cat "$work/client") in
    '{"type":"webauthn.get","challenge":"'"$challenge"'","origin":"'*) ;;
    *) stop "$2: it signs another text" ;;
  esac
  [ "$(head -c 32 "$work/data" | hex)" = "$(printf %s "$site" | openssl dgst -sha256 -binary | hex)" ] || stop "$2: another site"
  (((16#$(hex <"$work/data" | cut -c65-66) & 5) == 5)) || stop "$2: nobody was there, or nobody was verified"
  ssh-keygen -e -m PKCS8 -f "$work/key.pub" >"$work/key.pem"
  { cat "$work/data"; openssl dgst -sha256 -binary "$work/client"; } |
    openssl dgst -sha256 -verify "$work/key.pem" -signature "$work/signature" >/dev/null || stop "$2"
  fingerprint "$key"
}

# Who was who. Each change of the roster names the hash of the change before it, the first one that of the root. A key of
# the root may only add its own person, as an admin; an admin signs everything else, except that an invited person enrols
# their own key, by the one-time code and by the new key. A revoked key never comes back.
hash_of() { sha256sum <"$1" | cut -d' ' -f1; }
# Members sorted and named once, so that nobody can read it in another way.
canonical() { [ "$(jq -cS . "$1")" = "$(cat "$1")" ] || stop "$1 is not canonical JSON"; }

# change FILE: writes the roster after change NUMBER, if it follows from the roster before.
change() {
  local was=roster/$((number - 1)).json kind key code new='' invited='' possession='' signed_by
  canonical "$1"
  IFS=$'\t' read -r kind key code < <(jq -r '[.change, .credential.key // "-", .invitation.key // "-"] | @tsv' "$1")
  if [ "$key" != - ]; then new=$(fingerprint "$key"); fi
  if [ "$code" != - ]; then invited=$(fingerprint "$code"); fi
  if [ "$kind" = enroll ]; then possession=$(signer "$1" "$1.possession.sig"); fi
  signed_by=$(signer "$1" "$1.sig")
  jq -e --slurpfile was "$was" --arg installation "$INSTALLATION" --arg roots "$ROOT" --arg root "$root" --argjson number "$number" \
    --arg by "$signed_by" --arg new "$new" --arg possession "$possession" --arg code "$invited" --arg hash "$(hash_of "$1")" '
    . as $change | $was[0] as $roster | $roster.people[.name] as $person | $roster.people[.person] as $signer
    | def follows: .statement == "paydrop roster v1" and .installation == $installation and .root == $root
      and .number == $number and .before == $roster.hash and .at >= ($roster.at // "") and (.change == "add" or $person != null);
    def new_key_is_free: $new == "" or (all($roster.revoked[]; . != $new)
      and all($roster.people | to_entries[] | select(.key != $change.name) | .value.keys[]; .fingerprint != $new));
    def by_admin: any($signer.keys[]?; .fingerprint == $by) and any($signer.roles[]; . == "admin");
    def by_root: any($roots | split(" ")[]; . == $by) and all($roster.revoked[]; . != $by)
      and .change == "add" and any(.roles[]; . == "admin") and .name == .person and $new == $by;
    def by_code: .person == .name and $by == $person.invitation.code and .at <= $person.invitation.until
      and $new != "" and $possession == $new;
    def keys: ($person.keys // []) + [$change.credential // empty | . + {fingerprint: $new}];
    if (follows and new_key_is_free and (if .change == "enroll" then by_code else by_admin or by_root end)) | not then empty
    else $roster | .hash = $hash | .at = $change.at | if $change.change == "add" then
        .people[$change.name] = {roles: $change.roles, keys: keys,
          invitation: (if $change.invitation then {$code, until: $change.invitation.until} else $person.invitation end)}
      elif $change.change == "enroll" then .people[$change.name] = {roles: $person.roles, keys: keys}
      elif $change.change == "mail" then .
      elif $change.key then .revoked += [$change.key]
        | .people[$change.name] = {roles: $person.roles, keys: [$person.keys[] | select(.fingerprint != $change.key)]}
      else .revoked += [$person.keys[].fingerprint] | del(.people[$change.name]) end
    end' "$1" >"roster/$number.json" || stop "$1"
}

root=$(jq -cjn --arg installation "$INSTALLATION" --arg root "$ROOT" '{$installation, root: ($root | split(" ") | sort)}' | sha256sum | cut -d' ' -f1)
rm -rf roster
mkdir roster
jq -n --arg hash "$root" '{$hash, people: {}, revoked: []}' >roster/0.json
number=0
for file in statements/????.json; do
  number=$((number + 1))
  change "$file"
done
echo "the roster after $number changes, $(jq -r .hash "roster/$number.json"):"
jq -r '.people | to_entries[] | "  \(.key): \(.value.roles | join(", ")); \(.value.keys | map(.fingerprint) | join(", "))"' "roster/$number.json"

# Who approved what. A decision names the newest change of the roster that its person knew. It holds if it is signed by a
# key that they had then and still have, if they had and have the role, and if somebody else submitted the file.
# decision FILE DECISION ROLE
decision() {
  local known now=roster/$number.json signed_by
  canonical "$1"
  known=roster/$(jq .roster.number "$1").json
  [ -e "$known" ] || stop "$1: it knew a later roster"
  signed_by=$(signer "$1" "$1.sig")
  jq -er --slurpfile known "$known" --slurpfile now "$now" --arg installation "$INSTALLATION" --arg root "$root" --arg by "$signed_by" --arg decision "$2" --arg role "$3" '
    def held($roster; $name): any($roster.people[$name].keys[]?; .fingerprint == $by) and any($roster.people[$name].roles[]; . == $role);
    select(.statement == "paydrop decision v1" and .decision == $decision and .installation == $installation
      and .roster.root == $root and .roster.hash == $known[0].hash and .person != .detail.submittedBy
      and held($known[0]; .person) and held($now[0]; .person))
    | "\(.subject): \(.decision) by \(.person) at \(.at), until \(.expires)\n\({by: $by} + .detail | tojson)"' "$1" || stop "$1"
}

shopt -s nullglob
for file in submissions/*[0-9].json; do decision "$file" submit submitter; done
for file in approvals/*[0-9].json; do decision "$file" approve approver; done

# The same by `ssh-keygen -Y verify`, for all but RSA passkeys; it does not ask whether anybody was there.
jq -r '.people | to_entries[] | .key as $name | .value.keys[] | select(.key | startswith("ssh-rsa") | not)
  | "\"\($name)\" namespaces=\"paydrop-approval\" \(.key)"' "roster/$number.json" >allowed_signers
for file in approvals/*[0-9].json; do
  if [ -e "$file.sig" ]; then ssh-keygen -Y verify -n paydrop-approval -f allowed_signers -I "$(jq -r .person "$file")" -s "$file.sig" <"$file"; fi
done
