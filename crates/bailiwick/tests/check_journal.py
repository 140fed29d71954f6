"""Verifies an exported journal: python3 check_journal.py EXPORT_FILE [SEQ:HASH]

Written from docs/journal.md alone, without a look at the program that writes journals. SEQ:HASH is a head noted
elsewhere. Ends with 0 if everything fits; with 1 if not, and says which entry does not and why; with 2 if misused.
"""
import hashlib, json, re, sys
from datetime import datetime

MEMBERS = set("seq at actor request_id kind subject payload salt payload_hash prev_hash hash".split())
HEAD = "([1-9][0-9]{0,17}):([0-9a-f]{64})"
AT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z"

def need(fits, reason):
    if not fits:
        raise ValueError(reason)

def members(pairs):
    need(len(pairs) == len(dict(pairs)), "a member occurs twice: " + ascii([name for name, _ in pairs]))
    return dict(pairs)

def parse(text, what):
    try:
        return json.loads(text, object_pairs_hook=members, parse_constant=lambda name: need(False, "not JSON: " + name))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what}: {error}")

def unhex(entry, name, size):
    text = entry[name]
    fits = isinstance(text, str) and re.fullmatch("[0-9a-f]{%d}" % (2 * size), text)
    need(fits, f"{name} is not {size} bytes in lower-case hexadecimal")
    return bytes.fromhex(text)

def check(line, seq, prev_at, prev_hash):
    """Checks one entry against its number and the entry before; returns its `at` and its hash."""
    entry = parse(line.decode("utf-8"), "line")
    need(isinstance(entry, dict) and entry.keys() == MEMBERS, "not an object with exactly the members of an entry")
    need(type(entry["seq"]) is int and entry["seq"] == seq, f"seq is {entry['seq']!a} where {seq} belongs")
    actor, subject, at, payload = (entry[name] for name in ("actor", "subject", "at", "payload"))
    need(isinstance(actor, dict) and actor.keys() - {"name"} == {"type", "id"}, "actor is not type, id and name")
    need(isinstance(subject, dict) and subject.keys() == {"kind", "id"}, "subject is not kind and id")
    header = ["bailiwick-journal-1", str(seq), at, actor["type"], actor["id"], entry["request_id"], entry["kind"],
              subject["kind"], subject["id"]]
    need(all(isinstance(text, str) for text in header), "a field of the header is not a text")
    need(actor["type"] in ("client", "user", "operator"), f"unknown actor.type {actor['type']!a}")
    need(re.fullmatch(AT, at) and datetime.fromisoformat(at), f"at is not a UTC time in full: {at!a}")
    need(prev_at <= at, "at is earlier than that of the entry before")
    need(unhex(entry, "prev_hash", 32) == prev_hash, "prev_hash is not the hash of the entry before")
    payload_hash = unhex(entry, "payload_hash", 32)
    need((payload is None) == (entry["salt"] is None), "only one of payload and salt was erased")
    if payload is not None:
        need(isinstance(payload, str), "payload is not a text")
        digest = hashlib.sha256(unhex(entry, "salt", 16) + payload.encode("utf-8")).digest()
        need(digest == payload_hash, "payload_hash does not fit salt and payload")
        changes = parse(payload, "payload")
        need(isinstance(changes, dict), "payload is not a JSON object")
        for field, pair in changes.items():
            need(isinstance(pair, list) and len(pair) == 2, f"payload: {field!a} is not a pair of before and after")
    texts = [text.encode("utf-8") for text in header]
    digest = hashlib.sha256(prev_hash + b"".join(len(t).to_bytes(4, "big") + t for t in texts) + payload_hash).digest()
    need(digest == unhex(entry, "hash", 32), "hash does not fit the entry")
    return at, digest

def main(args):
    noted = re.fullmatch(HEAD, args[1].lower()) if len(args) == 2 else None
    if len(args) not in (1, 2) or (len(args) == 2 and not noted):
        print("usage: check_journal.py EXPORT_FILE [SEQ:HASH]", file=sys.stderr)
        return 2
    seq, at, head = 0, "", bytes(32)
    try:
        with open(args[0], "rb") as export:
            for seq, line in enumerate(export, start=1):
                at, head = check(line, seq, at, head)
                need(not noted or int(noted[1]) != seq or noted[2] == head.hex(), "hash is not that of the noted head")
        need(seq > 0, "the export has no entries")
        need(not noted or int(noted[1]) <= seq, f"the export ends here, before the noted head {args[-1]}")
    except OSError as error:
        print(f"cannot read the export: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"entry {seq}: {error}")
        return 1
    print(f"verified: {seq} entries, head {seq}:{head.hex()}")
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
