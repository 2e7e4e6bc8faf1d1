/** The second step of the layout: signed statements, the statements of approvals, and sessions at the desk. */
export const peopleLayout = `
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

-- statement: the hash of the one that the person signed; null of an approval by name, which earlier versions took.
alter table approval add column statement text;
-- Asked for each payment that is sent, while approved may be long.
create index approval_given on approval (batch_id, person, decided_at, statement);

-- submitted_by: null for a file that was taken in before.
alter table file add column submitted_by text;
create index file_by_name on file (name, taken_at);

-- Guesses at a person's one-time code.
create table wrong_code (
  name  text primary key,
  count integer not null,
  since text not null
) strict;

-- token: its SHA-256. statement: by which the person signed in; null of one by name, which earlier versions took.
create table session (
  token     text primary key,
  person    text not null,
  statement text unique,
  began_at  text not null,
  seen_at   text not null,
  ended_at  text
) strict;
`;
