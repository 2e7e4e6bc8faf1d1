/**
 * Numbered, forward-only steps of the database's layout; the database counts those applied. Never edit an old one.
 * Written for SQLite; postgres-dialect.ts translates them for PostgreSQL.
 */
import { firstLayout } from "./first-layout.ts";

export interface Migration {
  readonly layout: string;
  /** Fills the new layout with what an older database contains. PostgreSQL databases begin with `clocks`. */
  readonly contents?: string;
}

const changes = `
create table change (
  id          integer primary key,
  key_id      text not null,
  nonce       text not null,
  operation   text not null,
  base_url    text not null,
  subject     text not null,
  correlation text not null,
  person      text not null,
  intended_at text not null,
  outcome     text,
  evidence    text,
  deposit_id  text,
  ended_at    text
) strict;
create index change_by_subject on change (subject);
create index change_open on change (outcome) where outcome is null or outcome = 'in doubt';
`;

/** Monotonic instants are milliseconds of the machine's clock (context/clock.ts). */
const evidence = `
alter table submission add column sends integer not null default 1;
alter table submission add column resent_at text;
alter table submission add column ended_monotonic_ms integer;
alter table submission add column absent_after_ms integer;
alter table submission add column seen_after_ms integer;
create index submission_unseen on submission (key_id, id) where outcome = 'accepted' and seen_after_ms is null;

create table again (
  earlier_id text primary key references instruction (id),
  reference  text not null unique,
  reason     text not null,
  person     text not null,
  at         text not null
) strict;
`;

/** The id is unique in `instruction` already, and every random index costs a page of each commit. */
const fewerPages = `
drop index submission_payout;
`;

/** Destinations in comparable form (model/destination.ts). Nothing in a payment's later life touches their index. */
const destinations = {
  contents: `
update instruction set destination =
  coalesce(json_extract(fields, '$.destinationAddress'), json_extract(fields, '$.destinationAccountId'), '');
update instruction set destination = lower(destination)
  where lower(substr(destination, 1, 3)) in ('bc1', 'tb1') or lower(substr(destination, 1, 2)) = '0x'
    or lower(substr(destination, 1, 4)) = 'ltc1' or lower(substr(destination, 1, 5)) in ('bcrt1', 'tltc1')
    or lower(destination) glob '[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]-*';
`,
  layout: `
alter table instruction add column destination text not null default '';
create index instruction_by_destination on instruction (destination, amount);

create table spent_at_destination (
  day         text not null,
  destination text not null,
  currency    text not null,
  amount      text not null,
  primary key (day, destination, currency)
) strict;
`,
};

/** 'changed' if a look showed the payout differently from how it was sent. */
const echo = `
alter table submission add column echo text;
`;

/**
 * State of several machines on one database. Instants are milliseconds of the database's clock; `clock` names the
 * machine whose monotonic clock timed the key's submissions.
 */
const severalMachines = `
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
`;

const looks = `
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
`;

/** When submissions ended by the monotonic clocks of former holders of the lane, in case one of them takes it again. */
const clocks = `
create table ended_by_clock (
  submission_id integer not null references submission (id),
  clock         text not null,
  outcome       text not null,
  ended_at      text not null,
  sends         integer not null,
  monotonic_ms  integer not null,
  primary key (submission_id, clock)
) strict;
`;

/** References and callbackUrls ever shown. Without a rowid a name costs only one page of a commit. */
const payoutNames = {
  layout: `
create table payout_name (
  name      text not null,
  payout_id text not null,
  primary key (name, payout_id)
) strict, without rowid;
`,
  contents: `
insert into payout_name select distinct name, id from (
  select json_extract(raw, '$.reference') as name, id from observation where kind = 'payout'
  union all select json_extract(raw, '$.callbackUrl'), id from observation where kind = 'payout') as called
  where length(name) <= 500;
`,
};

/** The standings when the batch's result file was written; null if something has changed since. */
const resultsOf = `
alter table batch add column results_of text;
`;

/** The payout or deposit that an entry is about, as its body says. */
const entrySources = {
  layout: `
alter table entry add column source_id text not null default '';
create index entry_by_source on entry (source_id);
`,
  contents: `
update entry set source_id = json_extract(body, '$.sourceId');
`,
};

/** `said`: what the break said when it was settled. If it says something else, it is open again. */
const settlements = `
create table break_settlement (
  break_id   text primary key,
  said       text not null,
  settled_at text not null,
  person     text not null,
  reason     text not null
) strict;
`;

/** Per machine on a shared database: the settings that must match the others', as last used. */
const configurations = `
create table configuration (
  machine  text primary key,
  settings text not null,
  used_at  text not null
) strict;
`;

/** One row: the server that has the shared database (engines/known-server.ts). */
const server = `
create table server (
  id            text primary key,
  is_replicated integer not null
) strict;
`;

const runsByJob = `
create index run_by_job on run (job, id);
`;

/** `written_at`: absent while the batch's files are being written, or if the process died doing so. */
const exportsWritten = {
  layout: `
alter table export_batch add column written_at text;
`,
  contents: `
update export_batch set written_at = issued_at;
`,
};

/** What needs somebody. `count`: how many cases were reported, 0 before the first notice. */
const notices = `
create table notice (
  about   text primary key,
  count   integer not null,
  since   text not null,
  told_at text
) strict;
`;

/** So that what is open, and the history of one payout, is found without reading all that has ended. */
const openAlone = `
create index observed_by_state on observed (kind, state);
create index observation_by_id on observation (kind, id);
create index submission_resent on submission (key_id, resent_at) where resent_at is not null;
`;

/** Few rows: mostly the first look shows a payout. */
const lags = `
create index submission_absent on submission (key_id, absent_after_ms) where absent_after_ms is not null;
`;

/** What a deposit was asked for with; its reference is the change's subject. */
const requestedDeposits = `
alter table change add column custody_account_id text;
alter table change add column amount text;
alter table change add column currency text;
create index change_by_deposit on change (deposit_id) where deposit_id is not null;
`;

/** Two entries of a batch, among those of each of its payments. */
const recordOfBatches = `
create index audit_of_batches on audit (subject) where action in ('submit', 'approve');
`;

/** What may repeat a payment: the recent ones, and few others. */
const repeats = `
drop index instruction_by_destination;
create index instruction_by_destination on instruction (destination, amount, batch_id);
create index instruction_undecided on instruction (destination, amount) where standing in ('in doubt', 'held', 'abandoned');
`;

/** How files were read, as answers and approvers need it later. */
const fileReadings = `
alter table batch add column reading text;
alter table instruction add column line integer not null default 0;
alter table file add column answer_stem text;
create index file_by_answer on file (answer_stem) where answer_stem is not null;

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
`;
/** On one machine: who holds a lane, by which lock file (engines/lane-lock.ts). */
const laneHolders = `
create table lane_holder (
  key_id    text primary key,
  lock_file text not null,
  process   text not null
) strict;
`;

/** The latest one. `incomplete_since`: since when none has been complete; `code` and `message` say why. */
const comparison = {
  layout: `
create table comparison (
  id               text primary key,
  compared_at      text,
  incomplete_since text,
  code             text,
  message          text
) strict;
`,
  contents: `
insert into comparison (id, compared_at) select 'latest', max(at) from (
  select observed_at as at from balance where purpose = 'latest' union all select opened_at from break) as told
  having max(at) is not null;
`,
};
/** The text of what was approved (model/approved.ts). */
const whatIsApproved = `
alter table approval add column approved text;
`;

export const migrations: readonly Migration[] = [
  { layout: firstLayout },
  { layout: changes },
  { layout: evidence },
  { layout: fewerPages },
  destinations,
  { layout: echo },
  { layout: severalMachines },
  { layout: looks },
  { layout: clocks },
  payoutNames,
  { layout: resultsOf },
  entrySources,
  { layout: settlements },
  { layout: configurations },
  { layout: server },
  { layout: runsByJob },
  exportsWritten,
  { layout: notices },
  { layout: openAlone },
  { layout: lags },
  { layout: requestedDeposits },
  { layout: recordOfBatches },
  { layout: repeats },
  { layout: fileReadings },
  { layout: laneHolders },
  comparison,
  { layout: whatIsApproved },
];
