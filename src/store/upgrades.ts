/**
 * Steps that bring a database of version 0.1.0, or one since, to the present layout (layout.ts). The database
 * counts them. A released step is never edited: each change is a new step at the end. Written for SQLite;
 * postgres-dialect.ts translates them.
 */
import { fault } from "../faults/index.ts";
import { layout, layoutOfSqlite } from "./layout.ts";

export interface Upgrade {
  readonly layout: string;
  /** Only for SQLite. */
  readonly sqlite?: string;
  /** Fills the new layout with what an older database contains. */
  readonly contents?: string;
}

/** Wrong one-time codes are no longer counted: a code cannot be guessed, and input from strangers is not stored. */
const wrongCodesGone = "drop table wrong_code;";

/**
 * Indexes for comparing a destination, whatever the number of past payments (destinations.ts): by its first five
 * and last four characters, which look-alikes share, and the payees there; the first recent batch; the latest
 * approvals.
 */
const comparisons = `
create index instruction_by_ends on instruction (
  (substr(destination, 1, 5) || substr(destination, length(destination) - 3)), destination, payee, batch_id);
create index batch_by_time on batch (submitted_at, id);
create index audit_approvals on audit (at) where action = 'approve';
`;

/**
 * Everything that changes with a standing is in one index, because a payment enters and leaves it twice while it is
 * sent. `row` comes before the columns that the sums are grouped by, so that lists of one standing come in file
 * order.
 */
const standings = `
drop index instruction_by_standing;
drop index instruction_sums;
create index instruction_by_standing on instruction (standing, batch_id, row, currency, pay_on,
  (cast(substr(amount, 1, instr(amount || '.', '.') - 1) as bigint)),
  (cast(substr(amount || '000000000', instr(amount || '.', '.') + 1, 9) as bigint)),
  (cast(substr(amount || '000000000000000000', instr(amount || '.', '.') + 10, 9) as bigint)));
-- Of two that fit alike SQLite takes the one that was made last.
drop index instruction_held_back;
create index instruction_held_back on instruction (standing, batch_id, id)
  where standing = 'approved' and reason is not null;
`;

/**
 * sent_before: for a file in which no row is new, the batch that has most of its payments. shown: what an approver
 * was shown and accepted, as JSON; null for approvals of earlier versions.
 */
const evidence = `
alter table file add column sent_before text;
alter table approval add column shown text;
`;

/**
 * The roster whose decisions the database accepts: one row, once it is known (roster-root.ts). An older database
 * with one root belongs to that root. With several roots it belongs to no trial, and the next decision determines
 * the root.
 */
const rosterRoot = {
  layout: `
-- One row: the hash of the roster's root, and whether its keys are a trial's.
create table roster_root (
  root     text primary key,
  is_trial integer not null
) strict;
-- Of few rows, which each page and each run asks for.
create index audit_stops on audit (seq) where action in ('stop', 'go', 'roster');
`,
  contents: `
insert into roster_root (root, is_trial)
  select case when count(*) = 1 then max(root) else '' end, 0
  from (select distinct root from statement where number is not null) as roots
  having count(*) > 0;
`,
};

/**
 * layout: the hash of a file's sender and header, which finds the last files like it; null for a payment that no
 * file asked for, and for batches of earlier versions.
 */
const layouts = `
alter table batch add column layout text;
create index batch_by_layout on batch (layout, id) where layout is not null;
`;

/**
 * What a comparison keeps so that it need not repeat it (compared.ts), and which elements share a transaction
 * (shared-names.ts). A policy of '' means that the names in sightings of earlier versions still have to be
 * recorded.
 */
const compared = {
  layout: `
create table compared (
  kind     text not null,
  id       text not null,
  class    text not null,
  amount   text,
  currency text,
  accounts text not null,
  primary key (kind, id)
) strict, without rowid;
create index compared_set_aside on compared (id) where class = 'set aside';
create table uncompared (
  kind text not null,
  id   text not null,
  seq  integer not null,
  primary key (kind, id)
) strict, without rowid;
-- One row.
create table compared_sum (
  policy text primary key,
  sums   text not null
) strict;
create table compared_batch (
  batch_id text primary key
) strict, without rowid;
create table first_name (
  name text primary key,
  kind text not null,
  id   text not null
) strict, without rowid;
create table shared_name (
  name text not null,
  kind text not null,
  id   text not null,
  primary key (name, kind, id)
) strict, without rowid;
create index shared_name_of on shared_name (kind, id);
`,
  contents: `
insert into compared_sum (policy, sums) select '', '' where exists (select 1 from observed);
`,
};

/** Batches of earlier versions have no kept texts and no counted questions. */
const askedQuestions = `
-- What stood beside a payment in columns that are not read: a list, in the order of the columns of its batch's reading.
create table text_beside (
  batch_id text not null references batch (id),
  row      integer not null,
  texts    text not null,
  primary key (batch_id, row)
) strict;

-- How much is asked about the accepted files of a sender; month: "2026-11".
create table asked (
  sender    text not null,
  month     text not null,
  files     integer not null,
  questions integer not null,
  primary key (sender, month)
) strict;
`;

/**
 * observed.mark: recognises an element of an answer before it is parsed; null if the element must be read in full.
 * Missing elements are stored, instead of when each element was last seen. `last_seen_at` is the time of looks that
 * wrote something.
 */
const absence = `
alter table observed add column mark text;
create index observed_by_mark on observed (kind, mark, id, last_seen_at, state_seen_at);
drop index observed_by_state;
create index observed_by_state on observed (kind, state, state_seen_at);

-- When the last sweep of each kind began: it has shown all that is not absent.
create table sweep (
  kind text primary key,
  at   text not null
) strict;

-- What the last sweep did not show. asked_by_id: nor did the service show it when it was asked for it by id.
create table absent (
  kind         text not null,
  id           text not null,
  last_seen_at text not null,
  asked_by_id  integer not null default 0,
  primary key (kind, id)
) strict;

create view sighting as select observed.kind, observed.id, reference, state, raw, first_seen_at, state_seen_at,
    coalesce(absent.last_seen_at, case when at > observed.last_seen_at then at
      else observed.last_seen_at end) as last_seen_at,
    before_baseline
  from observed left join absent on absent.kind = observed.kind and absent.id = observed.id
    left join sweep on sweep.kind = observed.kind;
`;

/**
 * `observed` alone has the present text of each element, since `said_at`; `observation` has the former ones. A
 * first sighting writes its text once.
 */
const saidOnce = {
  layout: `
alter table observed add column said_at text;
create view history as
  select seq, kind, id, seen_at, raw from observation
  union all select 9007199254740991, kind, id, coalesce(said_at, first_seen_at), raw from observed;
`,
  contents: `
update observed set said_at = (select seen_at from observation
  where observation.kind = observed.kind and observation.id = observed.id order by seq desc limit 1);
delete from observation where seq in (select max(seq) from observation group by kind, id);
`,
};

/**
 * Breaks as a register, one row per opening; earlier versions had one row per break. A settled break that has
 * changed since becomes two openings, the first closed when it was settled. A break that was settled before it was
 * found becomes an opening that the next comparison completes. One step, because the old tables are dropped.
 */
const openings = `
-- One row by opening of a break, never overwritten. break_id: the break, the same at each of its openings.
-- expected, found: both values of the field. closed_at: when it was no longer found, or said something else after
-- it was settled. proposed_at: settled_by proposed to settle it for this reason; settled_at is set once that holds.
create table break_opening (
  seq                integer primary key,
  break_id           text not null,
  kind               text not null,
  severity           text not null,
  sentence           text not null,
  reference          text,
  payout_id          text,
  deposit_id         text,
  custody_account_id text,
  field              text,
  expected           text,
  found              text,
  last_seen_at       text,
  amount             text,
  currency           text,
  opened_at          text not null,
  closed_at          text,
  owner              text,
  proposed_at        text,
  settled_at         text,
  settled_by         text,
  settled_second     text,
  reason             text
) strict;
create unique index break_present on break_opening (break_id) where closed_at is null;
create index break_by_id on break_opening (break_id);
create index break_by_closing on break_opening (closed_at) where closed_at is not null;

-- opening: the seq of a break_opening.
create table break_note (
  id      integer primary key,
  opening integer not null,
  at      text not null,
  person  text not null,
  words   text not null
) strict;
create index break_note_of on break_note (opening);

create table settled_break as
  select break_id, settled_at, person, reason, said,
    case when said <> '' then json_extract(said, '$[0]') end as severity,
    case when said <> '' then json_extract(said, '$[1]') end as field,
    case when said <> '' then json_extract(said, '$[2]') end as expected,
    case when said <> '' then json_extract(said, '$[3]') end as found
  from break_settlement;

insert into break_opening (break_id, kind, severity, sentence, reference, payout_id, deposit_id, custody_account_id,
    field, expected, found, opened_at, closed_at, settled_at, settled_by, reason)
  select id, kind, coalesce(severity, json_extract(body, '$.severity')), json_extract(body, '$.sentence'),
    json_extract(body, '$.reference'), json_extract(body, '$.payoutId'), json_extract(body, '$.depositId'),
    json_extract(body, '$.custodyAccountId'), field, expected, found,
    case when opened_at < settled_at then opened_at else settled_at end, settled_at, settled_at, person, reason
  from break join settled_break on break_id = id
  where said = '' or severity is distinct from json_extract(body, '$.severity')
    or field is distinct from json_extract(body, '$.field')
    or expected is distinct from json_extract(body, '$.expected')
    or found is distinct from json_extract(body, '$.found')
  order by opened_at, id;

insert into break_opening (break_id, kind, severity, sentence, reference, payout_id, deposit_id, custody_account_id,
    field, expected, found, last_seen_at, opened_at, closed_at, settled_at, settled_by, reason)
  select id, kind, json_extract(body, '$.severity'), json_extract(body, '$.sentence'),
    json_extract(body, '$.reference'), json_extract(body, '$.payoutId'), json_extract(body, '$.depositId'),
    json_extract(body, '$.custodyAccountId'), json_extract(body, '$.field'), json_extract(body, '$.expected'),
    json_extract(body, '$.found'), json_extract(body, '$.lastSeenAt'), opened_at, closed_at, settled_at, person, reason
  from break left join settled_break on break_id = id and said <> ''
    and severity is not distinct from json_extract(body, '$.severity')
    and field is not distinct from json_extract(body, '$.field')
    and expected is not distinct from json_extract(body, '$.expected')
    and found is not distinct from json_extract(body, '$.found')
  order by opened_at, id;

insert into break_opening (break_id, kind, severity, sentence, payout_id, field, expected, found,
    opened_at, settled_at, settled_by, reason)
  select break_id, substr(break_id, 1, instr(break_id, ':') - 1), severity, reason,
    case when break_id like '%:payout:%' then substr(break_id, instr(break_id, ':payout:') + 8) end,
    field, expected, found, settled_at, settled_at, person, reason
  from settled_break where said <> '' and not exists (select 1 from break where id = break_id)
  order by settled_at, break_id;

drop table settled_break;
drop table break_settlement;
drop table break;
`;

/** The report of each night, as it was given then. */
const nights = `
-- One row by complete or incomplete comparison that came to its end. day: in the company's time zone. alarms,
-- warnings, notes: the breaks that were open then. document: JSON.
create table night (
  seq            integer primary key,
  day            text not null,
  compared_at    text not null,
  is_complete    integer not null,
  alarms         integer not null,
  warnings       integer not null,
  notes          integer not null,
  document       text not null
) strict;
create index night_by_day on night (day, seq);

-- What was seen to change since the last night. state_before: absent if it was not known.
create table seen_change (
  seq          integer primary key,
  kind         text not null,
  id           text not null,
  state_before text
) strict;
create index seen_change_of on seen_change (kind, id);
`;

/** The elements that posting can skip, and the running sums of the journal (unposted.ts, ledger-sums.ts). */
const posting = `
-- Payouts and deposits that must be posted: new or changed ones, and what is held or still under way. seq: how
-- often it was marked.
create table unposted (
  kind text not null,
  id   text not null,
  seq  integer not null,
  primary key (kind, id)
) strict, without rowid;

-- One row, once posting has begun. policy: all that decides what is booked, beside what was seen. posted_at: of no
-- entry is it later.
create table posted_so_far (
  policy    text primary key,
  posted_at text not null
) strict;

-- By ledger account, custody account of a treasury line and cryptocurrency ('' without): sums over all entries.
create table ledger_sum (
  code            text not null,
  name            text not null,
  custody_account text not null,
  currency        text not null,
  debit           text not null,
  credit          text not null,
  quantity        text not null,
  primary key (code, name, custody_account, currency)
) strict, without rowid;

-- Movements that are understood but deliberately not booked.
create table not_booked (
  kind      text not null,
  id        text not null,
  place     integer not null,
  state     text not null,
  reference text,
  reason    text not null,
  primary key (kind, id, place)
) strict, without rowid;

-- The payouts that transfer between own accounts, as they were booked, and those that no instruction had when they
-- were.
create table own_transfer (
  payout_id text primary key
) strict, without rowid;
create table unowned_payout (
  payout_id text primary key
) strict, without rowid;

-- The address at which each deposit is received, in comparable form: its custody account, no payout shows.
create table receiving_address (
  deposit_id         text primary key,
  address            text not null,
  custody_account_id text not null
) strict, without rowid;
create index receiving_address_by_address on receiving_address (address, deposit_id);
`;

/** The data that a short night builds on. Until the next full sweep is complete, no night is short. */
const shortNights = `
-- The last look at all there is, or at what is new. newest: the latest creation that it showed. beyond: by how many
-- the service counted more than it showed. full_at: when the last complete sweep began; absent once another one has
-- begun.
alter table sweep add column looked_at text;
alter table sweep add column newest text;
alter table sweep add column beyond integer;
alter table sweep add column full_at text;
-- Few rows: mostly nothing changes after the last state is reached.
create index observed_said_later on observed (kind, said_at) where said_at > state_seen_at;

drop view sighting;
create view sighting as select observed.kind, observed.id, reference, state, raw, first_seen_at, state_seen_at,
    coalesce(absent.last_seen_at, case when at > observed.last_seen_at then at
      else observed.last_seen_at end) as last_seen_at,
    before_baseline, case when absent.id is null then 0 else 1 end as is_missing
  from observed left join absent on absent.kind = observed.kind and absent.id = observed.id
    left join sweep on sweep.kind = observed.kind;
`;

/**
 * Export batches by target, with the bytes of their files. A batch of an earlier version becomes one for each
 * target whose files it had; their bytes were not kept. One step, because the old table is dropped.
 */
const exportTargets = `
alter table export_batch rename to former_batch;

-- number: counts within the target. period: the month to which it is limited. attempt: of whoever renders it.
-- sealed_at: since when it never changes; placed_at: since when all its files have their names.
create table export_batch (
  id        integer primary key,
  target    text not null,
  number    integer not null,
  issued_at text not null,
  period    text,
  attempt   integer not null,
  sealed_at text,
  placed_at text,
  unique (target, number)
) strict;
create index export_batch_unplaced on export_batch (id) where placed_at is null;

-- file: the position in its batch. sha256, size: null for batches whose bytes were not kept.
create table issued_file (
  batch  integer not null,
  file   integer not null,
  path   text not null,
  sha256 text,
  size   integer,
  primary key (batch, file)
) strict;

-- content: base64 of deflated bytes.
create table issued_part (
  batch   integer not null,
  attempt integer not null,
  file    integer not null,
  part    integer not null,
  content text not null,
  primary key (batch, attempt, file, part)
) strict;

-- entry: the seq of an entry. position: in the journal of its batch, from 1; null for batches of an earlier version.
-- freed_at: when the ERP refused it, so that it is due again.
create table exported_entry (
  id       integer primary key,
  batch    integer not null,
  target   text not null,
  entry    integer not null,
  position integer,
  freed_at text
) strict;
create unique index exported_entry_live on exported_entry (target, entry) where freed_at is null;
create index exported_entry_of on exported_entry (entry);
create index exported_entry_in on exported_entry (batch, position);

create table former_file as
  select number, path, substr(name, instr(name, '-') + 1) as rest from (
    select number, path, replace(path, rtrim(path, replace(path, '/', '')), '') as name from (
      select number, value as path from former_batch, json_each(files)) as listed) as named;
alter table former_file add column target text;
update former_file set target = case
  when rest in ('journal.csv', 'journal.hledger', 'trial-balance.csv', 'exceptions.csv') then 'journal'
  else substr(rest, 1, instr(rest, '.') - 1) end;

insert into export_batch (target, number, issued_at, attempt, sealed_at, placed_at)
  select distinct target, former_batch.number, issued_at, 0, written_at, written_at
  from former_batch join former_file on former_file.number = former_batch.number
  order by former_batch.number, target;
insert into issued_file (batch, file, path)
  select export_batch.id, row_number() over (partition by export_batch.id order by path) - 1, path
  from former_file join export_batch
    on export_batch.number = former_file.number and export_batch.target = former_file.target;
insert into exported_entry (batch, target, entry)
  select export_batch.id, target, seq from entry join export_batch on number = entry.export_batch;

drop table former_file;
drop table former_batch;
drop index entry_unexported;
alter table entry drop column export_batch;
`;

/** What ERPs answered about the entries that they got. */
const erpAnswers = `
-- said_of: as the answer names it. batch, entry: what it is about; null where that is unknown. trouble: why it
-- changed nothing.
create table erp_answer (
  seq          integer primary key,
  target       text not null,
  said_of      text not null,
  batch        integer,
  entry        integer,
  verdict      text not null,
  erp_document text,
  reason       text,
  trouble      text,
  file         text not null,
  line         integer not null,
  answered_at  text not null
) strict;
create unique index erp_answer_counted on erp_answer (batch, entry) where trouble is null;
create unique index erp_answer_troubled on erp_answer (target, said_of, verdict, trouble) where trouble is not null;
create index erp_answer_about on erp_answer (entry);
`;

/** Movements that posting holds back and since when, and the closed months (held.ts, periods.ts). */
const periods = `
-- What is not booked, or not as it should be, and why. confirmed_at: when its first movement was confirmed. until:
-- when that was over, or became something else.
create table held (
  seq          integer primary key,
  kind         text not null,
  id           text not null,
  reference    text,
  code         text not null,
  message      text not null,
  fix          text not null,
  next         text not null,
  confirmed_at text,
  since        text not null,
  until        text
) strict;
create index held_of on held (kind, id) where until is null;

-- A month and who closed it; reopened_at: it was opened again. points: the checklist that was signed, JSON.
create table closed_period (
  seq           integer primary key,
  month         text not null,
  closed_at     text not null,
  closed_by     text not null,
  points        text not null,
  reopened_at   text,
  reopened_by   text,
  reopen_reason text
) strict;
`;

/**
 * A controller's decisions to settle held movements and to excuse a batch that the ERP does not answer. book_day:
 * the day under which a target gets a refused entry again, once the entry's own day is closed.
 */
const settledHeld = `
alter table exported_entry add column book_day text;
alter table held add column settled_at text;
alter table held add column settled_by text;
alter table held add column settled_reason text;
alter table export_batch add column excused_at text;
alter table export_batch add column excused_by text;
alter table export_batch add column excused_reason text;
`;

/** The entries with a line on suspense: few among all entries (ledger-entries.ts). */
const onSuspense = `
create index entry_on_suspense on entry (seq) where instr(body, '"accountKey":"suspense"') > 0;
`;

/** Expected receipts, their deposits, and what controllers matched to them (expected.ts). */
const expectedReceipts = `
-- answer_stem: the beginning of its answer's name. reading: JSON, by which its answer is written again.
-- approved_at: absent while it waits, and for files that need no approval. answered: the hash of what its answer
-- says.
create table expected_file (
  id          integer primary key,
  sha256      text not null unique,
  name        text not null,
  archived_as text not null,
  verdict     text not null,
  taken_at    text not null,
  taken_by    text not null,
  answer_stem text not null unique,
  reading     text,
  approved_at text,
  approved_by text,
  answered    text
) strict;

-- file: the id of its file. folded: its reference, as references are compared. rate_until: until when the file
-- wants the rate fixed; rate_asked: until when it was asked for; absent without one. answered_address: what the
-- creation's own answer said; address: what was looked up and found right, since address_since. trouble: why no
-- address is shown, JSON. refused: why none is created, JSON.
create table expected_receipt (
  id                 integer primary key,
  file               integer not null,
  line               integer not null,
  reference          text not null,
  folded             text not null unique,
  customer_id        text,
  custody_account_id text not null,
  amount             text not null,
  currency           text not null,
  due_day            text,
  rate_until         text,
  creates            integer not null,
  deposit_id         text unique,
  rate_asked         text,
  answered_address   text,
  address            text,
  address_since      text,
  trouble            text,
  refused            text,
  ended              text,
  ended_at           text,
  ended_by           text,
  ended_reason       text
) strict;
create index expected_receipt_in on expected_receipt (file, line);
create index expected_receipt_open on expected_receipt (id) where ended is null;

-- receipt: its key within the deposit. amount: how much of the receipt, in its own currency. taken_back_at: it
-- counts no more.
create table expected_match (
  id                integer primary key,
  expectation       integer not null,
  deposit_id        text not null,
  receipt           text not null,
  amount            text not null,
  currency          text not null,
  evidence          text not null,
  reason            text,
  matched_at        text not null,
  matched_by        text not null,
  taken_back_at     text,
  taken_back_by     text,
  taken_back_reason text
) strict;
create index expected_match_of on expected_match (deposit_id) where taken_back_at is null;
create unique index expected_match_live on expected_match (expectation, deposit_id, receipt)
  where taken_back_at is null;
`;

/**
 * Notices that were sent, and the messages to people (notices.ts). Notices that an earlier version recorded only by
 * count are sent once more.
 */
const noticeMessages = `
drop table notice;

-- item: what lasts, such as a payment in doubt. told_at: when a message of it was written.
create table notice_told (
  event   text not null,
  item    text not null,
  since   text not null,
  told_at text,
  primary key (event, item)
) strict;

-- key: hash of event, matter and recipient. next_at: when it is tried next; null once it has ended.
create table notice_message (
  seq        integer primary key,
  key        text not null unique,
  event      text not null,
  about      text not null,
  channel    text not null,
  recipient  text not null,
  subject    text not null,
  body       text not null,
  written_at text not null,
  attempts   integer not null,
  next_at    text,
  ended_at   text,
  outcome    text,
  answer     text
) strict;
create index notice_message_due on notice_message (next_at) where next_at is not null;
create index notice_message_given_up on notice_message (ended_at) where outcome = 'given up';
create index file_taken on file (taken_at);

-- For systems: what happened, once each, numbered without gaps. body: JSON.
create table system_event (
  number  integer primary key,
  kind    text not null,
  subject text not null,
  at      text not null,
  body    text not null,
  unique (kind, subject)
) strict;

-- How far the receiver has them; failing_since: since when it takes none.
create table event_cursor (
  id            text primary key,
  delivered     integer not null,
  attempts      integer not null,
  failing_since text,
  next_at       text,
  answer        text
) strict;
`;

/** The slots of scheduled jobs (slots.ts). */
const jobSlots = `
-- until: of several slots that were skipped for the same reason, until when. how: run, caught up or skipped.
create table job_slot (
  seq    integer primary key,
  job    text not null,
  due_at text not null,
  until  text,
  how    text not null,
  reason text
) strict;
create index job_slot_of on job_slot (job, seq);
create index job_slot_unusual on job_slot (seq) where how <> 'run';
create index job_slot_by_time on job_slot (due_at);
`;

/** What retention removed, so that a person who looks for it learns when (retention.ts). */
const removals = `
-- name: within its folder, or of an export file. about: the hash of the sent file, the number of the night or the
-- id of the export batch. recorded: the entry of the record that has it; null until the run that removed it has
-- ended.
create table removal (
  kind       text not null,
  name       text not null,
  about      text not null,
  sha256     text not null,
  bytes      integer not null,
  dated_at   text not null,
  removed_at text not null,
  recorded   integer,
  primary key (kind, name)
) strict;
create index removal_about on removal (kind, about);
create index removal_unrecorded on removal (kind) where recorded is null;
`;

/**
 * How the payouts of accepted payments ended, stored with the payments, so that a batch is counted in one index. Of
 * an older database, the payouts that are shown without a reference or with the payment's own.
 */
const payoutEnds = {
  layout: `
alter table instruction add column payout_end text;
drop index instruction_by_standing;
create index instruction_by_standing on instruction (standing, batch_id, row, currency, pay_on,
  (cast(substr(amount, 1, instr(amount || '.', '.') - 1) as bigint)),
  (cast(substr(amount || '000000000', instr(amount || '.', '.') + 1, 9) as bigint)),
  (cast(substr(amount || '000000000000000000', instr(amount || '.', '.') + 10, 9) as bigint)),
  payout_end);
-- Of two that fit alike SQLite takes the one that was made last.
drop index instruction_held_back;
create index instruction_held_back on instruction (standing, batch_id, id)
  where standing = 'approved' and reason is not null;
create index instruction_failed on instruction (batch_id, row) where payout_end = 'failed';
`,
  contents: `
update instruction set payout_end = (
    select case when state = 'COMPLETED' then 'arrived'
      when state in ('CREATE_FAILED', 'CANCELLED', 'SEND_FAILED') then 'failed' end
    from observed where kind = 'payout' and observed.id = payout_id
      and coalesce(observed.reference, instruction.reference) = instruction.reference)
  where standing = 'accepted';
`,
};

/** What a sweep shows is written in order, without an index that would rewrite a page for each element. */
const writtenInOrder = `
create table unsorted_payout_name (
  seq       integer primary key,
  name      text not null,
  payout_id text not null
) strict;
create table unsorted_name (
  seq  integer primary key,
  name text not null,
  kind text not null,
  id   text not null
) strict;
drop index seen_change_of;
`;

/** The first export of a target finds out where its search for missing entries begins. */
const exportedUntil = `
create table exported_until (
  target text primary key,
  entry  integer not null
) strict;
`;

export const upgrades: readonly Upgrade[] = [
  { layout: wrongCodesGone },
  { layout: comparisons },
  { layout: standings },
  { layout: evidence },
  rosterRoot,
  { layout: layouts },
  compared,
  { layout: askedQuestions },
  { layout: absence },
  saidOnce,
  { layout: openings },
  { layout: nights },
  { layout: posting },
  { layout: shortNights },
  { layout: exportTargets },
  { layout: erpAnswers },
  { layout: periods },
  { layout: settledHeld },
  { layout: onSuspense },
  { layout: expectedReceipts },
  { layout: noticeMessages },
  { layout: jobSlots },
  { layout: removals },
  payoutEnds,
  { layout: writtenInOrder },
  { layout: exportedUntil },
];

/** The number that version 0.1.0 gave its databases. */
const OLDEST = 3;

/** How many steps lead to the layout of layout.ts. Tests add further steps, as a later version will. */
const STEPS_TO_LAYOUT = upgrades.length;

/** The number of the present layout. */
export function presentVersion(): number {
  return OLDEST + upgrades.length;
}

/** Throws DATABASE_LAYOUT_UNKNOWN if the database at `path` is older than the oldest one that can be upgraded. */
export function refuseTooOld(path: string, found: number): void {
  if (found === 0 || found >= OLDEST) return;
  throw fault("DATABASE_LAYOUT_UNKNOWN", { path, found, reason: "it is older than version 0.1.0" });
}

/** The steps from a version to the present one. For a new database, version 0, the whole layout is one step. */
export function stepsFrom(version: number): readonly Upgrade[] {
  if (version > 0) return upgrades.slice(version - OLDEST);
  return [{ layout, sqlite: layoutOfSqlite }, ...upgrades.slice(STEPS_TO_LAYOUT)];
}
