#!/usr/bin/env python3
"""Verifies an archive of `paydrop evidence` without Paydrop: docs/evidence.md says what is bound by what.

Needs Python 3.9 or later, ssh-keygen (OpenSSH 8.9 or later) and openssl, and no other package. Stops at the first
thing that does not hold, with exit code 1.
"""
import argparse
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from decimal import Decimal, InvalidOperation

README, MANIFEST, SEAL = "README.txt", "manifest.json", "record/seal.jsonl"
USER_PRESENT, USER_VERIFIED = 1, 4


class DoesNotHold(Exception):
    pass


def require(holds, what):
    if not holds:
        raise DoesNotHold(what)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def compact(value):
    """JSON as Paydrop writes it: no spaces, no escapes that JSON does not ask for."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(value):
    """As `compact`, with the members of each object sorted by UTF-16, as JavaScript sorts them."""
    if isinstance(value, dict):
        ordered = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{compact(name)}:{canonical(value[name])}" for name in ordered) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return compact(value)


def lines_of(archive, name):
    with archive.open(name) as file:
        for line in file:
            yield line.decode("utf-8")


def json_lines(archive, name):
    return (json.loads(line) for line in lines_of(archive, name))


# Files -------------------------------------------------------------------------------------------------------------


def check_files(archive):
    """Every file but the README is in the manifest with its size and hash. Returns the manifest's own hash."""
    names = archive.namelist()
    require(len(names) == len(set(names)), "a name occurs twice in the archive")
    text = archive.read(MANIFEST)
    manifest = json.loads(text)
    require(manifest["evidence"] == "paydrop evidence v1", f"{MANIFEST} is of another version")
    listed = {file["name"]: file for file in manifest["files"]}
    require(len(listed) == len(manifest["files"]), f"{MANIFEST} lists a name twice")
    others = set(names) - {README, MANIFEST, SEAL}
    require(others == set(listed), f"not as listed in {MANIFEST}: {sorted(others ^ set(listed))}")
    for name, file in listed.items():
        digest, size = hashlib.sha256(), 0
        with archive.open(name) as content:
            while chunk := content.read(1 << 20):
                digest.update(chunk)
                size += len(chunk)
        require(size == file["size"] and digest.hexdigest() == file["sha256"], f"{name} was changed")
    print(f"files: {len(listed)} as the manifest has them")
    return manifest["batch"], sha256(text)


# Record ------------------------------------------------------------------------------------------------------------


class Record:
    """The entries about the batch, and how many of the roster's changes were recorded before each."""

    def __init__(self, archive, batch, manifest, head, known):
        self.entries = [tuple(entry) for entry in json_lines(archive, "record/entries.jsonl")]
        self.about = set(self.entries)
        self.rosters = []
        self.path_subjects = []
        path = lines_of(archive, "record/path.jsonl")
        before = json.loads(next(path))["before"]
        seen, found, hashes = [], None, {}
        for line in path:
            found, before = self.follow(found, before, json.loads(line))
            hashes[before] = found[0]
            if found in self.about:
                seen.append(found)
            else:
                self.path_subjects.append((found[0], found[4]))
            if found[3] == "roster":
                self.rosters.append((found[0], json.loads(found[5])["statement"]))
        require(seen == self.entries, "record/entries.jsonl has entries that are not on the path, or in another order")
        for line in lines_of(archive, SEAL):
            found, before = self.follow(found, before, json.loads(line))
            hashes[before] = found[0]
        seq, _, person, action, subject, detail, _ = found
        require(action == "evidence" and subject == batch, f"{SEAL} does not end with the evidence of {batch}")
        require(json.loads(detail)["manifest"] == manifest, f"{MANIFEST} is not the one that was recorded")
        require(before == head, f"the head is {before}, not the one that you gave")
        for each in known:
            require(each in hashes, f"{each} was never a head on the way: the record before it was changed")
        print(f"record: {counted(len(self.entries), 'entry', 'entries')} about {batch}; the head is entry {seq}, given to {person}")

    @staticmethod
    def follow(last, before, entry):
        seq, at, person, action, subject, detail, stated = entry
        require(last is None or seq == last[0] + 1, f"entry {seq} of the record does not follow {last and last[0]}")
        found = sha256(compact([before, seq, at, person, action, subject, detail]).encode())
        require(found == stated, f"entry {seq} of the record was changed")
        return tuple(entry), found

    def having(self, action, **detail):
        for entry in self.entries:
            said = json.loads(entry[5])
            if entry[3] == action and all(said.get(name) == value for name, value in detail.items()):
                yield entry

    def check_complete(self, names):
        """No entry on the way is about the batch and left out."""
        for seq, subject in self.path_subjects:
            require(subject not in names, f"entry {seq} is about {subject} and not in record/entries.jsonl")


# Signatures --------------------------------------------------------------------------------------------------------


def fingerprint(key):
    """As `ssh-keygen -lf` prints it. One line, one key: what follows could be another one to ssh-keygen."""
    require(re.fullmatch(r"[\w@.-]+ [A-Za-z0-9+/]+={0,2}", key, re.ASCII), f"{key!r} is not one public key")
    blob = base64.b64decode(key.split(" ")[1], validate=True)
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def wire_fields(data):
    """The fields of OpenSSH's binary form from the beginning of some bytes, each with its length before it."""
    while len(data) >= 4:
        length = int.from_bytes(data[:4], "big")
        yield data[4 : 4 + length], data[4 + length :]
        data = data[4 + length :]


def armor(data):
    text = base64.b64encode(data)
    lines = b"\n".join(text[at : at + 70] for at in range(0, len(text), 70))
    return b"-----BEGIN SSH SIGNATURE-----\n" + lines + b"\n-----END SSH SIGNATURE-----\n"


def wire_string(data):
    return len(data).to_bytes(4, "big") + data


def unpadded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Signatures:
    def __init__(self, archive, namespace, folder):
        self.archive, self.namespace, self.folder = archive, namespace, folder
        self.names = set(archive.namelist())

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def run(self, *command, data=None):
        done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.stdout if done.returncode == 0 else None

    def signer(self, name, signature, sites):
        """The fingerprint of the key that signed a file. `sites`: of RSA passkeys, by key."""
        text = self.archive.read(name)
        if f"{signature}.json" in self.names:
            return self.rsa_signer(text, f"{signature}.json", sites)
        require(signature in self.names, f"{name} is not signed")
        armored = self.archive.read(signature)
        body = base64.b64decode(b"".join(armored.split(b"\n")[1:-2]))
        require(armor(body) == armored, f"{signature} is not written as ssh-keygen writes it")
        fields = wire_fields(body[10:])
        blob, _ = next(fields)
        signed_for, _ = next(fields)
        require(signed_for.decode() == self.namespace, f"{signature} is for another purpose: {signed_for.decode()}")
        next(fields)
        next(fields)
        made, _ = next(fields)
        kind = next(wire_fields(blob))[0].decode()
        key = f"{kind} {base64.b64encode(blob).decode()}"
        found = fingerprint(key)
        self.was_there(signature, kind, blob, made)
        allowed = self.write("allowed", f'signer namespaces="{self.namespace}" {key}\n'.encode())
        signed = self.write("signature", armored)
        verify = ["ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "signer", "-n", self.namespace, "-s", signed]
        require(self.run(*verify, data=text) is not None, f"{signature} is no signature of {name}")
        return found

    @staticmethod
    def was_there(signature, kind, blob, made):
        """Somebody touched a security key; of a passkey, its owner was verified as well."""
        if not kind.startswith("sk-"):
            return
        application = [field for field, _ in wire_fields(blob)][-1]
        fields = wire_fields(made)
        made_as, _ = next(fields)
        _, rest = next(fields)
        is_passkey = not application.startswith(b"ssh:")
        require(made_as.startswith(b"webauthn-") == is_passkey, f"{signature}: a passkey that no browser asked")
        needed = USER_PRESENT | USER_VERIFIED if is_passkey else USER_PRESENT
        require(rest[0] & needed == needed, f"{signature}: nobody was there, or nobody was verified")

    def rsa_signer(self, text, signature, sites):
        """SSH signatures have no form for RSA passkeys. Their challenge is what an SSH key signs."""
        made = json.loads(self.archive.read(signature))
        key = made["key"]
        found = fingerprint(key)
        data, client = from_unpadded(made["authenticatorData"]), from_unpadded(made["clientDataJSON"])
        parts = [self.namespace.encode(), b"", b"sha512", hashlib.sha512(text).digest()]
        challenge = unpadded(b"SSHSIG" + b"".join(map(wire_string, parts)))
        begins = '{"type":"webauthn.get","challenge":"' + challenge + '","origin":"'
        require(client.decode().startswith(begins), f"{signature}: it signs another text")
        site = sites.get(key, "")
        require(data[:32] == hashlib.sha256(site.encode()).digest(), f"{signature}: it was made for another site")
        needed = USER_PRESENT | USER_VERIFIED
        require(data[32] & needed == needed, f"{signature}: nobody was there, or nobody was verified")
        pem = self.run("ssh-keygen", "-e", "-m", "PKCS8", "-f", self.write("key.pub", f"{key}\n".encode()))
        require(pem is not None, f"{signature}: its key cannot be read")
        signed = self.write("signed", data + hashlib.sha256(client).digest())
        by = [self.write("key.pem", pem), "-signature", self.write("signature", from_unpadded(made["signature"]))]
        holds = self.run("openssl", "dgst", "-sha256", "-verify", *by, signed)
        require(holds is not None, f"{signature}: it is no signature of this text")
        return found

    def statement(self, name):
        text = self.archive.read(name).decode("utf-8")
        statement = json.loads(text)
        require(canonical(statement) == text, f"{name} is not canonical JSON")
        return statement, sha256(text.encode())


# Roster ------------------------------------------------------------------------------------------------------------


class Roster:
    """Who was who after each change, from the root that the auditor names."""

    def __init__(self, signatures, folder, installation, root, is_trial):
        self.signatures, self.folder, self.installation = signatures, folder, installation
        self.fingerprints = sorted(root)
        named = {"installation": installation, "root": self.fingerprints}
        self.root = sha256(canonical({**named, "trial": True} if is_trial else named).encode())
        self.states = [{"hash": self.root, "at": "", "people": {}, "revoked": set()}]
        self.sites = {}
        changes = sorted(name for name in signatures.names if re.fullmatch(rf"{folder}/statements/\d+\.json", name))
        statements = [signatures.statement(name) for name in changes]
        for change, _ in statements:
            passkey = change.get("credential", {}).get("passkey")
            if passkey:
                self.sites[change["credential"]["key"]] = passkey["rp"]
        for name, (change, digest) in zip(changes, statements):
            self.add(name, change, digest)

    def add(self, name, change, digest):
        last, number = self.states[-1], len(self.states)
        new = fingerprint(change["credential"]["key"]) if "credential" in change else None
        signed_by = self.signatures.signer(name, f"{name}.sig", self.sites)
        follows = (
            change["statement"] == "paydrop roster v1"
            and change["installation"] == self.installation
            and change["root"] == self.root
            and change["number"] == number
            and change["before"] == last["hash"]
            and change["at"] >= last["at"]
        )
        require(follows, f"{name} does not follow from the root and the changes before it")
        person = last["people"].get(change["name"])
        require(change["change"] == "add" or person is not None, f"{name}: there is no {change['name']}")
        require(new is None or self.is_free(last, change["name"], new), f"{name}: its key is somebody else's or revoked")
        if change["change"] == "enroll":
            possession = self.signatures.signer(name, f"{name}.possession.sig", self.sites)
            allowed = self.by_code(change, person, signed_by, new, possession)
        else:
            allowed = self.by_admin(last, change, signed_by) or self.by_root(last, change, signed_by, new)
        require(allowed, f"{name}: who signed it may not make this change")
        self.states.append(self.after(last, change, digest, new))

    @staticmethod
    def is_free(state, name, key):
        owners = [other for other, person in state["people"].items() if key in person["keys"]]
        return key not in state["revoked"] and all(owner == name for owner in owners)

    @staticmethod
    def by_code(change, person, signed_by, new, possession):
        code, until = person["invitation"] or (None, "")
        is_own = change["person"] == change["name"] and new is not None and possession == new
        return is_own and signed_by == code and change["at"] <= until

    @staticmethod
    def by_admin(state, change, signed_by):
        admin = state["people"].get(change["person"])
        return admin is not None and "admin" in admin["roles"] and signed_by in admin["keys"]

    def by_root(self, state, change, signed_by, new):
        is_own = change["change"] == "add" and change["name"] == change["person"] and new == signed_by
        is_root = signed_by in self.fingerprints and signed_by not in state["revoked"]
        return is_own and is_root and "admin" in change.get("roles", [])

    @staticmethod
    def after(last, change, digest, new):
        people, revoked = dict(last["people"]), set(last["revoked"])
        name = change["name"]
        person = people.get(name, {"roles": [], "keys": set(), "invitation": None})
        keys = set(person["keys"]) | ({new} if new else set())
        if change["change"] == "add":
            invited = change.get("invitation")
            invitation = (fingerprint(invited["key"]), invited["until"]) if invited else person["invitation"]
            people[name] = {"roles": change.get("roles", []), "keys": keys, "invitation": invitation}
        elif change["change"] == "enroll":
            people[name] = {"roles": person["roles"], "keys": keys, "invitation": None}
        elif "key" in change:
            revoked.add(change["key"])
            people[name] = {**person, "keys": keys - {change["key"]}}
        else:
            revoked |= keys
            del people[name]
        return {"hash": digest, "at": change["at"], "people": people, "revoked": revoked}

    def recorded_before(self, record, seq):
        """The number of changes that the record has before an entry."""
        numbers = {state["hash"]: number for number, state in enumerate(self.states)}
        later = [numbers[digest] for at, digest in record.rosters if at > seq and digest in numbers]
        return min(later) - 1 if later else len(self.states) - 1

    def held(self, number, person, key, roles):
        found = self.states[number]["people"].get(person)
        return found is not None and key in found["keys"] and (roles is None or bool(set(roles) & set(found["roles"])))

    def decision(self, record, name, actions, roles):
        """A decision that its person signed, by a key and with a role that they had then and when it was recorded."""
        statement, digest = self.signatures.statement(name)
        signed_by = self.signatures.signer(name, f"{name}.sig", self.sites)
        known = statement["roster"]
        is_ours = (
            statement["statement"] == "paydrop decision v1"
            and statement["installation"] == self.installation
            and known["root"] == self.root
            and 0 < known["number"] < len(self.states)
            and known["hash"] == self.states[known["number"]]["hash"]
        )
        require(is_ours, f"{name} was given for another installation or roster")
        recorded = next((entry for action in actions for entry in record.having(action, statement=digest)), None)
        require(recorded is not None, f"{name} is not in the record")
        for number in (known["number"], self.recorded_before(record, recorded[0])):
            holds = self.held(number, statement["person"], signed_by, roles)
            require(holds, f"{name}: {statement['person']} had no such key or role")
        return statement, signed_by


# What was approved and sent ----------------------------------------------------------------------------------------


class Rows:
    def __init__(self, archive, batch):
        digest, self.rows, last, sums = hashlib.sha256(), {}, 0, {}
        for row in json_lines(archive, "file/rows.jsonl"):
            require(row["row"] > last, "file/rows.jsonl is not in its order")
            last = row["row"]
            digest.update(f"{row['row']}\n{row['fields']}\n".encode())
            fields = json.loads(row["fields"])
            count, total = sums.get(fields["currency"], (0, Decimal(0)))
            sums[fields["currency"]] = (count + 1, total + Decimal(fields["amount"]))
            self.rows[row["row"]] = (row["id"], fields, row.get("payoutId"))
        self.digest, self.sums = digest.hexdigest(), sums
        require(self.digest == batch["digest"], "file/rows.jsonl does not have the digest of the batch")
        require(len(self.rows) == batch["rowCount"], "file/rows.jsonl does not have all rows")

    def names(self):
        for _, fields, payout in self.rows.values():
            yield fields["reference"]
            if payout:
                yield payout

    def has_sums(self, text):
        stated = {name: (int(count), Decimal(sum)) for count, name, sum in re.findall(r"(\d+) x (\S+) ([\d.]+)", text)}
        return stated == self.sums


def check_sent_file(archive, batch, record):
    submitted = list(record.having("submit", digest=batch["digest"]))
    require(len(submitted) == 1 and submitted[0][4] == batch["id"], "the record does not have who sent the batch in")
    stated = json.loads(submitted[0][5]).get("sha256", batch["fileSha256"])
    require(stated == batch["fileSha256"], "the record has another file for this batch")
    if batch["sentFile"] == "not kept":
        print("sent file: not kept; its hash is in the record")
        return
    require(sha256(archive.read(batch["sentFile"])) == stated, "the sent file is not the one in the record")
    print(f"sent file: {batch['fileName']}, sent in by {batch['submittedBy']}, as the record has it")


def check_approval(name, statement, batch, rows, record):
    detail = statement["detail"]
    approved = detail["approved"]
    require(statement["decision"] == "approve" and statement["subject"] == batch["id"], f"{name} is about another batch")
    require(statement["person"] != detail["submittedBy"], f"{name}: {statement['person']} sent the file in")
    require(approved["rows"] == rows.digest, f"{name} approves other rows")
    require(approved["rowCount"] == len(rows.rows) and rows.has_sums(approved["sums"]), f"{name} approves other sums")
    require(detail["sha256"] == batch["fileSha256"], f"{name} approves another file")
    digest = sha256(canonical(approved).encode())
    recorded = [entry for entry in record.having("approve", approved=digest) if entry[2] == statement["person"]]
    require(recorded != [], f"{name}: the record has another approval of {statement['person']}")


SENT_AS = {
    "username": "username",
    "reference": "reference",
    "customerId": "customerId",
    "destinationAddress": "destinationAddress",
    "destinationAccountId": "destinationAccountId",
    "feePolicy": "feePolicy",
    "verifyBalance": "verifyBalance",
    "subtractFee": "subtractFee",
    "useCoinConsolidation": "useCoinConsolidation",
    "orderCodeName": "orderCodeName",
    "generalLedgerName": "generalLedgerName",
    "generalLedgerProject": "generalLedgerProject",
    "generalLedgerDistribution": "generalLedgerDistribution",
    "batchingAllowed": "batchingAllowed",
    "accountId": "custodyAccountId",
    "customFeeRate": "customFeeRateSatPerVbyte",
}


def check_submission(sent, rows, approvals):
    """A request has the fields of its approved row, under an approved key, and goes where it was approved to go."""
    name = f"submission {sent['attempt']} of {sent['reference']}"
    require(sent["row"] in rows.rows, f"{name} is of no approved row")
    instruction, fields, _ = rows.rows[sent["row"]]
    require(sent["instructionId"] == instruction, f"{name} is of another payment")
    require("body" in sent and sha256(sent["body"].encode()) == sent["bodyHash"], f"{name}: its body was changed")
    body = json.loads(sent["body"], parse_float=Decimal)
    plain = {there: fields[ours] for there, ours in SENT_AS.items() if ours in fields}
    amount = body.pop("requestedAmount")
    callback = fields["callbackUrl"].rstrip("/") + "/" + instruction
    require(body.pop("callbackUrl") == callback, f"{name}: its callbackUrl is another one")
    authorize = body.pop("authorize", False)
    same_amount = amount["currency"] == fields["currency"] and Decimal(amount["amount"]) == Decimal(fields["amount"])
    require(same_amount and len(amount) == 2, f"{name}: it asks for {amount}")
    same = set(body) == set(plain) and all(equal(body[each], plain[each]) for each in plain)
    require(same, f"{name}: it is not what was approved")
    how = {"operation": sent["operation"], "keyId": sent["keyId"], "authorize": authorize}
    for statement in approvals:
        approved = statement["detail"]["approved"]
        calls = [call for call in approved["calls"] if call["custodyAccountId"] == fields["custodyAccountId"]]
        if approved["baseUrl"] == sent["baseUrl"] and sent["intendedAt"] < statement["expires"]:
            if len(calls) == 1 and all(calls[0][each] == value for each, value in how.items()):
                return
    raise DoesNotHold(f"{name}: nobody approved that it is sent so: {how}")


def counted(number, one, many=None):
    return f"{number} {one if number == 1 else many or one + 's'}"


def equal(one, other):
    if isinstance(one, (int, Decimal)) and isinstance(other, (int, float, Decimal)) and not isinstance(one, bool):
        return Decimal(str(one)) == Decimal(str(other))
    return one == other


def check_submissions(archive, rows, approvals, record):
    accepted = {}
    for entry in record.entries:
        payout = json.loads(entry[5]).get("payoutId")
        if payout:
            accepted.setdefault(entry[4], set()).add(payout)
    count, made = 0, set()
    for sent in json_lines(archive, "service/submissions.jsonl"):
        count += 1
        check_submission(sent, rows, approvals)
        if sent.get("outcome") == "accepted":
            known = accepted.get(sent["reference"], set())
            require(sent["payoutId"] in known, f"the record has no payout {sent['payoutId']} of {sent['reference']}")
            made.add((sent["row"], sent["payoutId"]))
    paid = {(number, payout) for number, (_, _, payout) in rows.rows.items() if payout}
    require(paid <= made, "not every payout of the rows has its submission")
    return count


def check_followers(archive, rows):
    """States, changes and entries are about payouts of the batch."""
    payouts = {payout for _, _, payout in rows.rows.values() if payout}
    states = 0
    for seen in json_lines(archive, "service/states.jsonl"):
        states += 1
        require(seen["payoutId"] in payouts, f"{seen['payoutId']} is no payout of the batch")
        require(json.loads(seen["raw"]).get("payoutId", seen["payoutId"]) == seen["payoutId"], "a state of another payout")
    for change in json_lines(archive, "service/changes.jsonl"):
        require(change["subject"] in payouts, f"{change['subject']} is no payout of the batch")
    entries = 0
    exports = {(each["target"], each["number"]) for each in json.loads(archive.read("books/exports.json"))}
    for entry in json_lines(archive, "books/entries.jsonl"):
        entries += 1
        require(json.loads(entry["body"])["sourceId"] in payouts, f"entry {entry['id']} is of another payout")
        for each in entry["handedOut"]:
            require((each["target"], each["number"]) in exports, f"books/exports.json lacks {each}")
    return states, entries


def check_signed(archive, signatures, args, batch, rows, record):
    approvals, people = [], set()
    for number, name in enumerate(batch["roots"], 1):
        folder = f"signed/{number}"
        rosters = [Roster(signatures, folder, args.installation, root.split(), args.trial) for root in args.root
                   if root_name(args, root) == name]
        require(len(rosters) == 1, f"{folder} follows from a root that you did not give: {name}")
        roster = rosters[0]
        print(f"roster: {counted(len(roster.states) - 1, 'change')} from the root; its head is {roster.states[-1]['hash']}")
        for name in numbered(signatures, f"{folder}/submissions"):
            statement, _ = roster.decision(record, name, ["sign", "submit"], ["submitter"])
            holds = statement["decision"] == "submit" and statement["subject"] == batch["fileSha256"]
            require(holds, f"{name} is about another file")
            print(f"sent in by {statement['person']} at {statement['at']}")
        for name in numbered(signatures, f"{folder}/approvals"):
            statement, key = roster.decision(record, name, ["approve"], args.approver_role or ["approver"])
            check_approval(name, statement, batch, rows, record)
            approvals.append(statement)
            people.add(statement["person"].casefold())
            print(f"approved by {statement['person']} at {statement['at']}, by {key}")
        for name in numbered(signatures, f"{folder}/decisions"):
            statement, key = roster.decision(record, name, ["sign"], None)
            print(f"{statement['decision']} about {statement['subject']} by {statement['person']} at {statement['at']}")
    return approvals, people


def root_name(args, root):
    named = {"installation": args.installation, "root": sorted(root.split())}
    return sha256(canonical({**named, "trial": True} if args.trial else named).encode())


def numbered(signatures, folder):
    found = [name for name in signatures.names if re.fullmatch(rf"{folder}/\d+\.json", name)]
    return sorted(found, key=lambda name: int(re.findall(r"\d+", name)[-1]))


def verify(args, folder):
    with zipfile.ZipFile(args.archive) as archive:
        name, manifest = check_files(archive)
        batch = json.loads(archive.read("batch.json"))
        require(batch["id"] == name, "batch.json is of another batch")
        record = Record(archive, name, manifest, args.head, args.known_head or [])
        rows = Rows(archive, batch)
        print(f"rows: {len(rows.rows)} with the digest {rows.digest}")
        record.check_complete({name, *rows.names()})
        check_sent_file(archive, batch, record)
        signatures = Signatures(archive, "paydrop-trial" if args.trial else "paydrop-approval", folder)
        approvals, people = check_signed(archive, signatures, args, batch, rows, record)
        sent = check_submissions(archive, rows, approvals, record)
        require(sent == 0 or len(people) >= args.approvals, f"{len(people)} approved, not {args.approvals}")
        states, entries = check_followers(archive, rows)
        print(f"service: {counted(sent, 'submission')}, each as approved; {counted(states, 'state')} of its payouts")
        print(f"books: {counted(entries, 'entry', 'entries')} of its payouts")


def main():
    parser = argparse.ArgumentParser(description="Verifies an archive of `paydrop evidence`.")
    parser.add_argument("archive")
    parser.add_argument("--installation", required=True, help="people.installation, from your own notes")
    parser.add_argument("--root", required=True, action="append",
                        help="the fingerprints of people.root, with spaces between them; again for a former root")
    parser.add_argument("--head", required=True, help="the head that was printed when the archive was made")
    parser.add_argument("--known-head", action="append", help="a head of the record that you wrote down earlier")
    parser.add_argument("--approvals", type=int, default=1, help="how many people had to approve (default: 1)")
    parser.add_argument("--approver-role", action="append", help="who may approve (default: approver)")
    parser.add_argument("--trial", action="store_true", help="accept the keys of a trial, which prove nobody")
    args = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            verify(args, folder)
    except DoesNotHold as error:
        sys.exit(f"DOES NOT HOLD: {error}")
    except BrokenPipeError:
        sys.exit("Not verified: what reads this output ended before it.")
    except (zipfile.BadZipFile, KeyError, IndexError, ValueError, TypeError, AttributeError, StopIteration,
            UnicodeError, InvalidOperation, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        sys.exit(f"DOES NOT HOLD: the archive cannot be read as evidence: {type(error).__name__}: {error}")
    print("All of it holds." + (" It is of a trial: nobody has proven who they are." if args.trial else ""))


if __name__ == "__main__":
    main()
