/** The tables of the first database version; migrations.ts brings them up to date. */
export const firstLayout = `
create table lane (
  key_id     text primary key,
  last_nonce text not null
) strict;

create table file (
  sha256     text primary key,
  name       text not null,
  taken_at   text not null,
  verdict    text not null,
  batch_id   text
) strict;

create table batch (
  id             text primary key,
  file_sha256    text not null,
  file_name      text not null,
  archived_as    text not null,
  submitted_by   text not null,
  submitted_at   text not null,
  digest         text not null unique,
  row_count      integer not null,
  control_totals text not null
) strict;

create table instruction (
  id         text primary key,
  batch_id   text not null references batch (id),
  row        integer not null,
  reference  text not null unique,
  fields     text not null,
  currency   text not null,
  amount     text not null,
  pay_on     text,
  standing   text not null,
  reason     text,
  payout_id  text unique,
  changed_at text not null,
  unique (batch_id, row)
) strict;
create index instruction_by_standing on instruction (standing, batch_id, row);

create table approval (
  batch_id   text not null references batch (id),
  person     text not null,
  digest     text not null,
  decided_at text not null,
  primary key (batch_id, person)
) strict;

create table submission (
  id             integer primary key,
  instruction_id text not null references instruction (id),
  attempt        integer not null,
  key_id         text not null,
  nonce          text not null,
  operation      text not null,
  base_url       text not null,
  body_hash      text not null,
  intended_at    text not null,
  outcome        text,
  ended_at       text,
  http_status    integer,
  evidence       text,
  payout_id      text,
  unique (instruction_id, attempt)
) strict;
create unique index submission_live on submission (instruction_id)
  where outcome is null or outcome in ('accepted', 'in doubt');
create index submission_open on submission (outcome) where outcome is null or outcome = 'in doubt';
create unique index submission_payout on submission (payout_id) where payout_id is not null;

create table spent (
  day      text not null,
  currency text not null,
  amount   text not null,
  primary key (day, currency)
) strict;

create table observed (
  kind          text not null,
  id            text not null,
  reference     text,
  state         text not null,
  raw           text not null,
  first_seen_at text not null,
  state_seen_at text not null,
  last_seen_at  text not null,
  before_baseline integer not null default 0,
  primary key (kind, id)
) strict;

create table observation (
  seq     integer primary key,
  kind    text not null,
  id      text not null,
  seen_at text not null,
  raw     text not null
) strict;

create table balance (
  custody_account_id text not null,
  purpose            text not null,
  total              text not null,
  currency           text not null,
  observed_at        text not null,
  primary key (custody_account_id, purpose)
) strict;

create table break (
  id         text primary key,
  kind       text not null,
  body       text not null,
  opened_at  text not null,
  closed_at  text
) strict;

create table entry (
  seq          integer primary key,
  id           text not null unique,
  body         text not null,
  posted_at    text not null,
  export_batch integer
) strict;
create index entry_unexported on entry (seq) where export_batch is null;

create table export_batch (
  number    integer primary key,
  issued_at text not null,
  files     text not null
) strict;

create table run (
  id         integer primary key,
  job        text not null,
  due_at     text not null,
  started_at text not null,
  ended_at   text,
  outcome    text
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
`;
