/**
 * The layout of a new database. Written for SQLite; postgres-dialect.ts translates it. A change comes here and, as
 * a step for older databases, into upgrades.ts; a test compares a new database with an upgraded one.
 *
 * Instants are ISO 8601 in UTC, amounts decimal text. Columns that end in `_ms` are milliseconds: of the machine's
 * monotonic clock in `submission` and `ended_by_clock`, of the database's own clock in `lease`.
 */
export const layout = `
-- == Files, batches, payments, and their approvals ==

-- What became of each file. answer_stem: the beginning of the names of its answers. submitted_by: null for a
-- file that version 0.1.0 took in. sent_before: for a file in which no row is new, the batch that has most of
-- its payments.
create table file (
  sha256       text primary key,
  name         text not null,
  taken_at     text not null,
  verdict      text not null,
  batch_id     text,
  answer_stem  text,
  submitted_by text,
  sent_before  text
) strict;
create index file_by_answer on file (answer_stem) where answer_stem is not null;
create index file_by_name on file (name, taken_at);
create index file_taken on file (taken_at);

-- reading: how the file was read, for its answers and approvers. results_of: the standings when its result file
-- was written; null if something has changed since. layout: the hash of a file's sender and header, which finds
-- the last files like it; null for a payment that no file asked for, and for batches of version 0.1.0.
create table batch (
  id             text primary key,
  file_sha256    text not null,
  file_name      text not null,
  archived_as    text not null,
  submitted_by   text not null,
  submitted_at   text not null,
  digest         text not null unique,
  row_count      integer not null,
  control_totals text not null,
  reading        text,
  results_of     text,
  layout         text
) strict;
create index batch_by_time on batch (submitted_at, id);
create index batch_by_layout on batch (layout, id) where layout is not null;

-- destination, folded_reference, payee: as they are compared (model). line: of the file. payout_end: of an accepted
-- payment, 'arrived' or 'failed' once its payout has ended so; null before, and for a payout that is another's.
create table instruction (
  id               text primary key,
  batch_id         text not null references batch (id),
  row              integer not null,
  line             integer not null,
  reference        text not null unique,
  fields           text not null,
  currency         text not null,
  amount           text not null,
  destination      text not null,
  pay_on           text,
  standing         text not null,
  reason           text,
  payout_id        text unique,
  changed_at       text not null,
  folded_reference text not null,
  payee            text,
  payout_end       text,
  unique (batch_id, row)
) strict;
create index instruction_by_folded_reference on instruction (folded_reference);
create index instruction_by_payee on instruction (payee, destination) where payee is not null;
-- What may repeat a payment: the recent ones, and the few undecided ones.
create index instruction_by_destination on instruction (destination, amount, batch_id);
create index instruction_undecided on instruction (destination, amount)
  where standing in ('in doubt', 'held', 'abandoned');
-- Finds destinations by their first five and last four characters, which look-alikes share, and the payees
-- there.
create index instruction_by_ends on instruction (
  (substr(destination, 1, 5) || substr(destination, length(destination) - 3)), destination, payee, batch_id);
-- Everything that changes with a standing is in one index, because a payment enters and leaves it twice while
-- it is sent. The row comes before the columns by which sums are grouped, so that lists of one standing come in
-- file order. The sums are those of standing-counts.ts.
create index instruction_by_standing on instruction (standing, batch_id, row, currency, pay_on,
  (cast(substr(amount, 1, instr(amount || '.', '.') - 1) as bigint)),
  (cast(substr(amount || '000000000', instr(amount || '.', '.') + 1, 9) as bigint)),
  (cast(substr(amount || '000000000000000000', instr(amount || '.', '.') + 10, 9) as bigint)),
  payout_end);
-- Of two indexes that fit equally well, SQLite takes the one that was made last.
create index instruction_held_back on instruction (standing, batch_id, id)
  where standing = 'approved' and reason is not null;
-- Few rows, among very many that arrived.
create index instruction_failed on instruction (batch_id, row) where payout_end = 'failed';

-- approved: the text of what was approved (model/approved.ts). statement: the hash of the one that the person
-- signed; null for an approval by name, which version 0.1.0 took. shown: what an approver was shown and
-- accepted, as JSON; null for approvals of version 0.1.0.
create table approval (
  batch_id   text not null references batch (id),
  person     text not null,
  digest     text not null,
  decided_at text not null,
  approved   text not null,
  statement  text,
  shown      text,
  primary key (batch_id, person)
) strict;
-- For each payment that is sent, because approved may be long.
create index approval_given on approval (batch_id, person, decided_at, statement);

-- The texts beside a payment in columns that are not read, in the order of the columns of its batch's reading.
create table text_beside (
  batch_id text not null references batch (id),
  row      integer not null,
  texts    text not null,
  primary key (batch_id, row)
) strict;

-- How many questions the accepted files of a sender raised; month: "2026-11".
create table asked (
  sender    text not null,
  month     text not null,
  files     integer not null,
  questions integer not null,
  primary key (sender, month)
) strict;

-- What people have accepted about senders' tables.
create table layout (
  sender      text not null,
  header      text not null,
  columns     text not null,
  answers     text not null,
  accepted_by text not null,
  accepted_at text not null,
  primary key (sender, header, accepted_by)
) strict;

create table layout_largest (
  sender      text not null,
  header      text not null,
  currency    text not null,
  largest_row text not null,
  largest_sum text not null,
  primary key (sender, header, currency)
) strict;

-- Payments that a person has made again under another reference.
create table again (
  earlier_id text primary key references instruction (id),
  reference  text not null unique,
  reason     text not null,
  person     text not null,
  at         text not null
) strict;

-- == Sending ==

-- What was sent. echo: 'changed' if a look showed the payout differently from how it was sent. payout_id has no
-- index: it is unique in instruction already, and every random index costs a page of each commit.
create table submission (
  id                 integer primary key,
  instruction_id     text not null references instruction (id),
  attempt            integer not null,
  key_id             text not null,
  nonce              text not null,
  operation          text not null,
  base_url           text not null,
  body_hash          text not null,
  intended_at        text not null,
  sends              integer not null default 1,
  resent_at          text,
  outcome            text,
  ended_at           text,
  ended_monotonic_ms integer,
  absent_after_ms    integer,
  seen_after_ms      integer,
  echo               text,
  http_status        integer,
  evidence           text,
  payout_id          text,
  unique (instruction_id, attempt)
) strict;
create unique index submission_live on submission (instruction_id)
  where outcome is null or outcome in ('accepted', 'in doubt');
create index submission_open on submission (outcome) where outcome is null or outcome = 'in doubt';
create index submission_unseen on submission (key_id, id) where outcome = 'accepted' and seen_after_ms is null;
create index submission_resent on submission (key_id, resent_at) where resent_at is not null;
-- Few rows: mostly the first look shows a payout.
create index submission_absent on submission (key_id, absent_after_ms) where absent_after_ms is not null;

-- When submissions ended by the clocks of former holders of the lane, in case one of them takes it again.
create table ended_by_clock (
  submission_id integer not null references submission (id),
  clock         text not null,
  outcome       text not null,
  ended_at      text not null,
  sends         integer not null,
  monotonic_ms  integer not null,
  primary key (submission_id, clock)
) strict;

create table look (
  id            integer primary key,
  submission_id integer not null,
  saw           text not null,
  not_sent      text,
  first_at      text not null,
  last_at       text not null,
  times         integer not null
) strict;
create index look_by_submission on look (submission_id);

create table spent (
  day      text not null,
  currency text not null,
  amount   text not null,
  primary key (day, currency)
) strict;

create table spent_at_destination (
  day         text not null,
  destination text not null,
  currency    text not null,
  amount      text not null,
  primary key (day, destination, currency)
) strict;

-- Requests other than payouts. custody_account_id, amount, currency: what a deposit was asked for with; its
-- reference is the subject.
create table change (
  id                 integer primary key,
  key_id             text not null,
  nonce              text not null,
  operation          text not null,
  base_url           text not null,
  subject            text not null,
  custody_account_id text,
  amount             text,
  currency           text,
  correlation        text not null,
  person             text not null,
  intended_at        text not null,
  outcome            text,
  evidence           text,
  deposit_id         text,
  ended_at           text
) strict;
create index change_by_subject on change (subject);
create index change_open on change (outcome) where outcome is null or outcome = 'in doubt';
create index change_by_deposit on change (deposit_id) where deposit_id is not null;

-- Who sends, and as what.
create table lane (
  key_id     text primary key,
  last_nonce text not null
) strict;

-- On one machine: who holds a lane, by which lock file (engines/lane-lock.ts).
create table lane_holder (
  key_id    text primary key,
  lock_file text not null,
  process   text not null
) strict;

-- On a shared database: who holds a lane (engines/lane-lease.ts). clock: of the machine that timed its
-- submissions.
create table lease (
  key_id   text primary key,
  epoch    integer not null,
  holder   text not null,
  clock    text not null,
  until_ms integer not null,
  free_ms  integer not null
) strict;

create table stop_order (
  reason text not null
) strict;

-- Per machine on a shared database: the settings that must match the others', as last used.
create table configuration (
  machine  text primary key,
  settings text not null,
  used_at  text not null
) strict;

-- One row: the server that has the shared database (engines/known-server.ts).
create table server (
  id            text primary key,
  is_replicated integer not null
) strict;

-- == People and the record ==

-- number: of a change of the roster, under its root; null for a decision. roster: of the newest change that a
-- decision knew.
create table statement (
  seq        integer primary key,
  hash       text not null unique,
  root       text not null,
  number     integer,
  roster     integer,
  decision   text not null,
  subject    text not null,
  person     text not null,
  at         text not null,
  body       text not null,
  signature  text not null,
  possession text
) strict;
create unique index statement_of_roster on statement (root, number) where number is not null;
create index statement_newest_change on statement (seq) where number is not null;
create index statement_by_roster on statement (root, roster) where roster is not null;
create index statement_by_subject on statement (subject, decision);

-- The roster whose decisions the database accepts (roster-root.ts). One row, once it is known: the hash of the
-- roster's root, and whether its keys are a trial's.
create table roster_root (
  root     text primary key,
  is_trial integer not null
) strict;

-- token: its SHA-256. statement: by which the person signed in; null of one by name, which earlier versions
-- took.
create table session (
  token     text primary key,
  person    text not null,
  statement text unique,
  began_at  text not null,
  seen_at   text not null,
  ended_at  text
) strict;

create table audit (
  seq     integer primary key,
  at      text not null,
  person  text not null,
  action  text not null,
  subject text not null,
  detail  text not null,
  hash    text not null
) strict;
create index audit_of_batches on audit (subject) where action in ('submit', 'approve');
create index audit_approvals on audit (at) where action = 'approve';
-- Few rows, which each page and each run reads.
create index audit_stops on audit (seq) where action in ('stop', 'go', 'roster');

-- == What the service showed ==

-- The payouts and deposits as last seen; said_at: since when they show this. mark: recognises an element of an
-- answer before it is parsed; null if the element must be read in full. last_seen_at: the time of the last look
-- that wrote something; what is missing stands in absent.
create table observed (
  kind            text not null,
  id              text not null,
  reference       text,
  state           text not null,
  raw             text not null,
  first_seen_at   text not null,
  state_seen_at   text not null,
  last_seen_at    text not null,
  before_baseline integer not null default 0,
  mark            text,
  said_at         text,
  primary key (kind, id)
) strict;
create index observed_by_mark on observed (kind, mark, id, last_seen_at, state_seen_at);
create index observed_by_state on observed (kind, state, state_seen_at);
-- Few rows: an element rarely changes after its last state.
create index observed_said_later on observed (kind, said_at) where said_at > state_seen_at;

-- Former texts of payouts and deposits.
create table observation (
  seq     integer primary key,
  kind    text not null,
  id      text not null,
  seen_at text not null,
  raw     text not null
) strict;
create index observation_by_id on observation (kind, id);

-- When the last sweep of each kind began: it has shown everything that is not absent. looked_at: the last look
-- at everything, or at new elements. newest: the latest creation that it showed. beyond: by how many the
-- service's count exceeded what it showed. full_at: when the last complete sweep began; null once another one
-- has begun.
create table sweep (
  kind      text primary key,
  at        text not null,
  looked_at text,
  newest    text,
  beyond    integer,
  full_at   text
) strict;

-- What the last sweep did not show. asked_by_id: nor did the service show it when it was asked for it by id.
create table absent (
  kind         text not null,
  id           text not null,
  last_seen_at text not null,
  asked_by_id  integer not null default 0,
  primary key (kind, id)
) strict;

-- References and callbackUrls ever shown. Without a rowid a name costs only one page of a commit.
create table payout_name (
  name      text not null,
  payout_id text not null,
  primary key (name, payout_id)
) strict, without rowid;

-- Names of a sweep, until they are sorted into payout_name together: each index entry alone would rewrite a page.
create table unsorted_payout_name (
  seq       integer primary key,
  name      text not null,
  payout_id text not null
) strict;

create table balance (
  custody_account_id text not null,
  purpose            text not null,
  total              text not null,
  currency           text not null,
  observed_at        text not null,
  primary key (custody_account_id, purpose)
) strict;

-- All texts that an element ever had.
create view history as
  select seq, kind, id, seen_at, raw from observation
  union all select 9007199254740991, kind, id, coalesce(said_at, first_seen_at), raw from observed;
-- Each element with the time at which the service last showed it.
create view sighting as select observed.kind, observed.id, reference, state, raw, first_seen_at, state_seen_at,
    coalesce(absent.last_seen_at, case when at > observed.last_seen_at then at
      else observed.last_seen_at end) as last_seen_at,
    before_baseline, case when absent.id is null then 0 else 1 end as is_missing
  from observed left join absent on absent.kind = observed.kind and absent.id = observed.id
    left join sweep on sweep.kind = observed.kind;

-- == Nights ==

-- The latest one. incomplete_since: since when none has been complete; code and message say why.
create table comparison (
  id               text primary key,
  compared_at      text,
  incomplete_since text,
  code             text,
  message          text
) strict;

-- What a comparison keeps so that it need not repeat it (compared.ts).
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

-- One row. A policy of '' means that the names in sightings of version 0.1.0 still have to be recorded.
create table compared_sum (
  policy text primary key,
  sums   text not null
) strict;

create table compared_batch (
  batch_id text primary key
) strict, without rowid;

-- Which elements share a transaction (shared-names.ts): the first one with each name, and all of those that
-- share one.
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

-- Names seen before the first comparison and the first posting, which sort them into first_name.
create table unsorted_name (
  seq  integer primary key,
  name text not null,
  kind text not null,
  id   text not null
) strict;

-- One row by opening of a break, never overwritten. break_id: the break, the same at each of its openings.
-- expected, found: both values of the field. closed_at: when it was no longer found, or said something else
-- after it was settled. proposed_at: settled_by proposed to settle it for this reason; settled_at is set once
-- that holds.
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

-- One row by complete or incomplete comparison that came to its end. day: in the company's time zone. alarms,
-- warnings, notes: the breaks that were open then. document: JSON.
create table night (
  seq         integer primary key,
  day         text not null,
  compared_at text not null,
  is_complete integer not null,
  alarms      integer not null,
  warnings    integer not null,
  notes       integer not null,
  document    text not null
) strict;
create index night_by_day on night (day, seq);

-- What was seen to change since the last night. state_before: absent if it was not known.
create table seen_change (
  seq          integer primary key,
  kind         text not null,
  id           text not null,
  state_before text
) strict;

-- == Books ==

-- The journal. source_id: the payout or deposit that an entry is about.
create table entry (
  seq       integer primary key,
  id        text not null unique,
  source_id text not null,
  body      text not null,
  posted_at text not null
) strict;
create index entry_by_source on entry (source_id);
-- Few among all entries.
create index entry_on_suspense on entry (seq) where instr(body, '"accountKey":"suspense"') > 0;

-- Payouts and deposits to post (unposted.ts): new or changed ones, and those that are held or still under way.
-- seq: how often it was marked.
create table unposted (
  kind text not null,
  id   text not null,
  seq  integer not null,
  primary key (kind, id)
) strict, without rowid;

-- One row, once posting has begun. policy: everything that decides what is booked, except what was seen.
-- posted_at: no entry has a later one.
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

-- Payouts that move money between own accounts, as they were booked.
create table own_transfer (
  payout_id text primary key
) strict, without rowid;

-- Payouts that had no instruction when they were booked.
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

-- Movements that are not booked, or not as they should be, and why. confirmed_at: when the first one was
-- confirmed. until: when that was over, or became something else. settled_at, settled_by, settled_reason: a
-- controller's decision.
create table held (
  seq            integer primary key,
  kind           text not null,
  id             text not null,
  reference      text,
  code           text not null,
  message        text not null,
  fix            text not null,
  next           text not null,
  confirmed_at   text,
  since          text not null,
  until          text,
  settled_at     text,
  settled_by     text,
  settled_reason text
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

-- number: counts within the target. period: the month to which it is limited. attempt: of the process that
-- renders it. sealed_at: since when it never changes; placed_at: since when all its files have their names.
-- excused_at, excused_by, excused_reason: a controller's decision that the ERP need not answer.
create table export_batch (
  id             integer primary key,
  target         text not null,
  number         integer not null,
  issued_at      text not null,
  period         text,
  attempt        integer not null,
  sealed_at      text,
  placed_at      text,
  excused_at     text,
  excused_by     text,
  excused_reason text,
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

-- entry: the seq of an entry. position: in the journal of its batch, from 1; null for batches of version 0.1.0.
-- freed_at: when the ERP refused it, so that it is due again. book_day: the day under which a target gets a
-- refused entry again, once the entry's own day is closed.
create table exported_entry (
  id       integer primary key,
  batch    integer not null,
  target   text not null,
  entry    integer not null,
  position integer,
  freed_at text,
  book_day text
) strict;
create unique index exported_entry_live on exported_entry (target, entry) where freed_at is null;
create index exported_entry_of on exported_entry (entry);
create index exported_entry_in on exported_entry (batch, position);

-- entry: the target has this entry and all earlier ones. Without a row nothing is known.
create table exported_until (
  target text primary key,
  entry  integer not null
) strict;

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

-- == Expected receipts ==

-- answer_stem: the beginning of its answer's name. reading: JSON, by which its answer is written again.
-- approved_at: absent while it waits, and for files that need no approval. answered: the hash of what its
-- answer says.
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

-- == Jobs, notices, retention ==

-- The runs of jobs.
create table run (
  id         integer primary key,
  job        text not null,
  due_at     text not null,
  started_at text not null,
  ended_at   text,
  outcome    text
) strict;
create index run_by_job on run (job, id);

-- The slots of scheduled jobs (slots.ts). how: run, caught up or skipped. until: for several slots that were
-- skipped for the same reason, the last one.
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

-- item: the lasting case, such as a payment in doubt. told_at: when a message about it was written.
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

-- For other programs: each event once, numbered without gaps. body: JSON.
create table system_event (
  number  integer primary key,
  kind    text not null,
  subject text not null,
  at      text not null,
  body    text not null,
  unique (kind, subject)
) strict;

-- How many the receiver has; failing_since: since when it accepts none.
create table event_cursor (
  id            text primary key,
  delivered     integer not null,
  attempts      integer not null,
  failing_since text,
  next_at       text,
  answer        text
) strict;

-- What retention removed (retention.ts). name: within its folder, or of an export file. about: the hash of the
-- sent file, the number of the night or the id of the export batch. recorded: its entry in the record; null
-- until the run that removed it has ended.
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

/** SQLite only: PostgreSQL refuses index entries as long as a reference and a payee may be together. */
export const layoutOfSqlite = `
create index instruction_search on instruction (batch_id, row, amount, destination, folded_reference, payee);
create index instruction_largest on instruction (batch_id, (-cast(amount as double precision)), row);
`;
