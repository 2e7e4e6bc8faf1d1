CREATE TABLE absent (
 kind text not null,
 id text not null,
 last_seen_at text not null,
 asked_by_id integer not null default 0,
 primary key (kind, id)
) strict;

CREATE TABLE again (
 earlier_id text primary key references instruction (id),
 reference text not null unique,
 reason text not null,
 person text not null,
 at text not null
) strict;

CREATE TABLE approval (
 batch_id text not null references batch (id),
 person text not null,
 digest text not null,
 decided_at text not null,
 approved text not null, statement text, shown text,
 primary key (batch_id, person)
) strict;

CREATE INDEX approval_given on approval (batch_id, person, decided_at, statement);

CREATE TABLE asked (
 sender text not null,
 month text not null,
 files integer not null,
 questions integer not null,
 primary key (sender, month)
) strict;

CREATE TABLE audit (
 seq integer primary key,
 at text not null,
 person text not null,
 action text not null,
 subject text not null,
 detail text not null,
 hash text not null
) strict;

CREATE INDEX audit_approvals on audit (at) where action = 'approve';

CREATE INDEX audit_of_batches on audit (subject) where action in ('submit', 'approve');

CREATE INDEX audit_stops on audit (seq) where action in ('stop', 'go', 'roster');

CREATE TABLE balance (
 custody_account_id text not null,
 purpose text not null,
 total text not null,
 currency text not null,
 observed_at text not null,
 primary key (custody_account_id, purpose)
) strict;

CREATE TABLE batch (
 id text primary key,
 file_sha256 text not null,
 file_name text not null,
 archived_as text not null,
 submitted_by text not null,
 submitted_at text not null,
 digest text not null unique,
 row_count integer not null,
 control_totals text not null,
 reading text,
 results_of text
, layout text) strict;

CREATE INDEX batch_by_layout on batch (layout, id) where layout is not null;

CREATE INDEX batch_by_time on batch (submitted_at, id);

CREATE TABLE break_note (
 id integer primary key,
 opening integer not null,
 at text not null,
 person text not null,
 words text not null
) strict;

CREATE INDEX break_note_of on break_note (opening);

CREATE TABLE break_opening (
 seq integer primary key,
 break_id text not null,
 kind text not null,
 severity text not null,
 sentence text not null,
 reference text,
 payout_id text,
 deposit_id text,
 custody_account_id text,
 field text,
 expected text,
 found text,
 last_seen_at text,
 amount text,
 currency text,
 opened_at text not null,
 closed_at text,
 owner text,
 proposed_at text,
 settled_at text,
 settled_by text,
 settled_second text,
 reason text
) strict;

CREATE INDEX break_by_closing on break_opening (closed_at) where closed_at is not null;

CREATE INDEX break_by_id on break_opening (break_id);

CREATE UNIQUE INDEX break_present on break_opening (break_id) where closed_at is null;

CREATE TABLE change (
 id integer primary key,
 key_id text not null,
 nonce text not null,
 operation text not null,
 base_url text not null,
 subject text not null,
 custody_account_id text,
 amount text,
 currency text,
 correlation text not null,
 person text not null,
 intended_at text not null,
 outcome text,
 evidence text,
 deposit_id text,
 ended_at text
) strict;

CREATE INDEX change_by_deposit on change (deposit_id) where deposit_id is not null;

CREATE INDEX change_by_subject on change (subject);

CREATE INDEX change_open on change (outcome) where outcome is null or outcome = 'in doubt';

CREATE TABLE closed_period (
 seq integer primary key,
 month text not null,
 closed_at text not null,
 closed_by text not null,
 points text not null,
 reopened_at text,
 reopened_by text,
 reopen_reason text
) strict;

CREATE TABLE compared (
 kind text not null,
 id text not null,
 class text not null,
 amount text,
 currency text,
 accounts text not null,
 primary key (kind, id)
) strict, without rowid;

CREATE INDEX compared_set_aside on compared (id) where class = 'set aside';

CREATE TABLE compared_batch (
 batch_id text primary key
) strict, without rowid;

CREATE TABLE compared_sum (
 policy text primary key,
 sums text not null
) strict;

CREATE TABLE comparison (
 id text primary key,
 compared_at text,
 incomplete_since text,
 code text,
 message text
) strict;

CREATE TABLE configuration (
 machine text primary key,
 settings text not null,
 used_at text not null
) strict;

CREATE TABLE ended_by_clock (
 submission_id integer not null references submission (id),
 clock text not null,
 outcome text not null,
 ended_at text not null,
 sends integer not null,
 monotonic_ms integer not null,
 primary key (submission_id, clock)
) strict;

CREATE TABLE entry (
 seq integer primary key,
 id text not null unique,
 source_id text not null,
 body text not null,
 posted_at text not null) strict;

CREATE INDEX entry_by_source on entry (source_id);

CREATE INDEX entry_on_suspense on entry (seq) where instr(body, '"accountKey":"suspense"') > 0;

CREATE TABLE erp_answer (
 seq integer primary key,
 target text not null,
 said_of text not null,
 batch integer,
 entry integer,
 verdict text not null,
 erp_document text,
 reason text,
 trouble text,
 file text not null,
 line integer not null,
 answered_at text not null
) strict;

CREATE INDEX erp_answer_about on erp_answer (entry);

CREATE UNIQUE INDEX erp_answer_counted on erp_answer (batch, entry) where trouble is null;

CREATE UNIQUE INDEX erp_answer_troubled on erp_answer (target, said_of, verdict, trouble) where trouble is not null;

CREATE TABLE event_cursor (
 id text primary key,
 delivered integer not null,
 attempts integer not null,
 failing_since text,
 next_at text,
 answer text
) strict;

CREATE TABLE expected_file (
 id integer primary key,
 sha256 text not null unique,
 name text not null,
 archived_as text not null,
 verdict text not null,
 taken_at text not null,
 taken_by text not null,
 answer_stem text not null unique,
 reading text,
 approved_at text,
 approved_by text,
 answered text
) strict;

CREATE TABLE expected_match (
 id integer primary key,
 expectation integer not null,
 deposit_id text not null,
 receipt text not null,
 amount text not null,
 currency text not null,
 evidence text not null,
 reason text,
 matched_at text not null,
 matched_by text not null,
 taken_back_at text,
 taken_back_by text,
 taken_back_reason text
) strict;

CREATE UNIQUE INDEX expected_match_live on expected_match (expectation, deposit_id, receipt)
 where taken_back_at is null;

CREATE INDEX expected_match_of on expected_match (deposit_id) where taken_back_at is null;

CREATE TABLE expected_receipt (
 id integer primary key,
 file integer not null,
 line integer not null,
 reference text not null,
 folded text not null unique,
 customer_id text,
 custody_account_id text not null,
 amount text not null,
 currency text not null,
 due_day text,
 rate_until text,
 creates integer not null,
 deposit_id text unique,
 rate_asked text,
 answered_address text,
 address text,
 address_since text,
 trouble text,
 refused text,
 ended text,
 ended_at text,
 ended_by text,
 ended_reason text
) strict;

CREATE INDEX expected_receipt_in on expected_receipt (file, line);

CREATE INDEX expected_receipt_open on expected_receipt (id) where ended is null;

CREATE TABLE export_batch (
 id integer primary key,
 target text not null,
 number integer not null,
 issued_at text not null,
 period text,
 attempt integer not null,
 sealed_at text,
 placed_at text, excused_at text, excused_by text, excused_reason text,
 unique (target, number)
) strict;

CREATE INDEX export_batch_unplaced on export_batch (id) where placed_at is null;

CREATE TABLE exported_entry (
 id integer primary key,
 batch integer not null,
 target text not null,
 entry integer not null,
 position integer,
 freed_at text
, book_day text) strict;

CREATE INDEX exported_entry_in on exported_entry (batch, position);

CREATE UNIQUE INDEX exported_entry_live on exported_entry (target, entry) where freed_at is null;

CREATE INDEX exported_entry_of on exported_entry (entry);

CREATE TABLE file (
 sha256 text primary key,
 name text not null,
 taken_at text not null,
 verdict text not null,
 batch_id text,
 answer_stem text
, submitted_by text, sent_before text) strict;

CREATE INDEX file_by_answer on file (answer_stem) where answer_stem is not null;

CREATE INDEX file_by_name on file (name, taken_at);

CREATE INDEX file_taken on file (taken_at);

CREATE TABLE first_name (
 name text primary key,
 kind text not null,
 id text not null
) strict, without rowid;

CREATE TABLE held (
 seq integer primary key,
 kind text not null,
 id text not null,
 reference text,
 code text not null,
 message text not null,
 fix text not null,
 next text not null,
 confirmed_at text,
 since text not null,
 until text
, settled_at text, settled_by text, settled_reason text) strict;

CREATE INDEX held_of on held (kind, id) where until is null;

CREATE VIEW history as
 select seq, kind, id, seen_at, raw from observation
 union all select 9007199254740991, kind, id, coalesce(said_at, first_seen_at), raw from observed;

CREATE TABLE instruction (
 id text primary key,
 batch_id text not null references batch (id),
 row integer not null,
 line integer not null,
 reference text not null unique,
 fields text not null,
 currency text not null,
 amount text not null,
 destination text not null,
 pay_on text,
 standing text not null,
 reason text,
 payout_id text unique,
 changed_at text not null,
 folded_reference text not null,
 payee text,
 unique (batch_id, row)
) strict;

CREATE INDEX instruction_by_destination on instruction (destination, amount, batch_id);

CREATE INDEX instruction_by_ends on instruction (
 (substr(destination, 1, 5) || substr(destination, length(destination) - 3)), destination, payee, batch_id);

CREATE INDEX instruction_by_folded_reference on instruction (folded_reference);

CREATE INDEX instruction_by_payee on instruction (payee, destination) where payee is not null;

CREATE INDEX instruction_by_standing on instruction (standing, batch_id, row, currency, pay_on,
 (cast(substr(amount, 1, instr(amount || '.', '.') - 1) as bigint)),
 (cast(substr(amount || '000000000', instr(amount || '.', '.') + 1, 9) as bigint)),
 (cast(substr(amount || '000000000000000000', instr(amount || '.', '.') + 10, 9) as bigint)));

CREATE INDEX instruction_held_back on instruction (standing, batch_id, id)
 where standing = 'approved' and reason is not null;

CREATE INDEX instruction_largest on instruction (batch_id, (-cast(amount as double precision)), row);

CREATE INDEX instruction_search on instruction (batch_id, row, amount, destination, folded_reference, payee);

CREATE INDEX instruction_undecided on instruction (destination, amount)
 where standing in ('in doubt', 'held', 'abandoned');

CREATE TABLE issued_file (
 batch integer not null,
 file integer not null,
 path text not null,
 sha256 text,
 size integer,
 primary key (batch, file)
) strict;

CREATE TABLE issued_part (
 batch integer not null,
 attempt integer not null,
 file integer not null,
 part integer not null,
 content text not null,
 primary key (batch, attempt, file, part)
) strict;

CREATE TABLE job_slot (
 seq integer primary key,
 job text not null,
 due_at text not null,
 until text,
 how text not null,
 reason text
) strict;

CREATE INDEX job_slot_by_time on job_slot (due_at);

CREATE INDEX job_slot_of on job_slot (job, seq);

CREATE INDEX job_slot_unusual on job_slot (seq) where how <> 'run';

CREATE TABLE lane (
 key_id text primary key,
 last_nonce text not null
) strict;

CREATE TABLE lane_holder (
 key_id text primary key,
 lock_file text not null,
 process text not null
) strict;

CREATE TABLE layout (
 sender text not null,
 header text not null,
 columns text not null,
 answers text not null,
 accepted_by text not null,
 accepted_at text not null,
 primary key (sender, header, accepted_by)
) strict;

CREATE TABLE layout_largest (
 sender text not null,
 header text not null,
 currency text not null,
 largest_row text not null,
 largest_sum text not null,
 primary key (sender, header, currency)
) strict;

CREATE TABLE lease (
 key_id text primary key,
 epoch integer not null,
 holder text not null,
 clock text not null,
 until_ms integer not null,
 free_ms integer not null
) strict;

CREATE TABLE ledger_sum (
 code text not null,
 name text not null,
 custody_account text not null,
 currency text not null,
 debit text not null,
 credit text not null,
 quantity text not null,
 primary key (code, name, custody_account, currency)
) strict, without rowid;

CREATE TABLE look (
 id integer primary key,
 submission_id integer not null,
 saw text not null,
 not_sent text,
 first_at text not null,
 last_at text not null,
 times integer not null
) strict;

CREATE INDEX look_by_submission on look (submission_id);

CREATE TABLE night (
 seq integer primary key,
 day text not null,
 compared_at text not null,
 is_complete integer not null,
 alarms integer not null,
 warnings integer not null,
 notes integer not null,
 document text not null
) strict;

CREATE INDEX night_by_day on night (day, seq);

CREATE TABLE not_booked (
 kind text not null,
 id text not null,
 place integer not null,
 state text not null,
 reference text,
 reason text not null,
 primary key (kind, id, place)
) strict, without rowid;

CREATE TABLE notice_message (
 seq integer primary key,
 key text not null unique,
 event text not null,
 about text not null,
 channel text not null,
 recipient text not null,
 subject text not null,
 body text not null,
 written_at text not null,
 attempts integer not null,
 next_at text,
 ended_at text,
 outcome text,
 answer text
) strict;

CREATE INDEX notice_message_due on notice_message (next_at) where next_at is not null;

CREATE INDEX notice_message_given_up on notice_message (ended_at) where outcome = 'given up';

CREATE TABLE notice_told (
 event text not null,
 item text not null,
 since text not null,
 told_at text,
 primary key (event, item)
) strict;

CREATE TABLE observation (
 seq integer primary key,
 kind text not null,
 id text not null,
 seen_at text not null,
 raw text not null
) strict;

CREATE INDEX observation_by_id on observation (kind, id);

CREATE TABLE observed (
 kind text not null,
 id text not null,
 reference text,
 state text not null,
 raw text not null,
 first_seen_at text not null,
 state_seen_at text not null,
 last_seen_at text not null,
 before_baseline integer not null default 0, mark text, said_at text,
 primary key (kind, id)
) strict;

CREATE INDEX observed_by_mark on observed (kind, mark, id, last_seen_at, state_seen_at);

CREATE INDEX observed_by_state on observed (kind, state, state_seen_at);

CREATE INDEX observed_said_later on observed (kind, said_at) where said_at > state_seen_at;

CREATE TABLE own_transfer (
 payout_id text primary key
) strict, without rowid;

CREATE TABLE payout_name (
 name text not null,
 payout_id text not null,
 primary key (name, payout_id)
) strict, without rowid;

CREATE TABLE posted_so_far (
 policy text primary key,
 posted_at text not null
) strict;

CREATE TABLE receiving_address (
 deposit_id text primary key,
 address text not null,
 custody_account_id text not null
) strict, without rowid;

CREATE INDEX receiving_address_by_address on receiving_address (address, deposit_id);

CREATE TABLE removal (
 kind text not null,
 name text not null,
 about text not null,
 sha256 text not null,
 bytes integer not null,
 dated_at text not null,
 removed_at text not null,
 recorded integer,
 primary key (kind, name)
) strict;

CREATE INDEX removal_about on removal (kind, about);

CREATE INDEX removal_unrecorded on removal (kind) where recorded is null;

CREATE TABLE roster_root (
 root text primary key,
 is_trial integer not null
) strict;

CREATE TABLE run (
 id integer primary key,
 job text not null,
 due_at text not null,
 started_at text not null,
 ended_at text,
 outcome text
) strict;

CREATE INDEX run_by_job on run (job, id);

CREATE TABLE seen_change (
 seq integer primary key,
 kind text not null,
 id text not null,
 state_before text
) strict;

CREATE INDEX seen_change_of on seen_change (kind, id);

CREATE TABLE server (
 id text primary key,
 is_replicated integer not null
) strict;

CREATE TABLE session (
 token text primary key,
 person text not null,
 statement text unique,
 began_at text not null,
 seen_at text not null,
 ended_at text
) strict;

CREATE TABLE shared_name (
 name text not null,
 kind text not null,
 id text not null,
 primary key (name, kind, id)
) strict, without rowid;

CREATE INDEX shared_name_of on shared_name (kind, id);

CREATE VIEW sighting as select observed.kind, observed.id, reference, state, raw, first_seen_at, state_seen_at,
 coalesce(absent.last_seen_at, case when at > observed.last_seen_at then at
 else observed.last_seen_at end) as last_seen_at,
 before_baseline, case when absent.id is null then 0 else 1 end as is_missing
 from observed left join absent on absent.kind = observed.kind and absent.id = observed.id
 left join sweep on sweep.kind = observed.kind;

CREATE TABLE spent (
 day text not null,
 currency text not null,
 amount text not null,
 primary key (day, currency)
) strict;

CREATE TABLE spent_at_destination (
 day text not null,
 destination text not null,
 currency text not null,
 amount text not null,
 primary key (day, destination, currency)
) strict;

CREATE TABLE statement (
 seq integer primary key,
 hash text not null unique,
 root text not null,
 number integer,
 roster integer,
 decision text not null,
 subject text not null,
 person text not null,
 at text not null,
 body text not null,
 signature text not null,
 possession text
) strict;

CREATE INDEX statement_by_roster on statement (root, roster) where roster is not null;

CREATE INDEX statement_by_subject on statement (subject, decision);

CREATE INDEX statement_newest_change on statement (seq) where number is not null;

CREATE UNIQUE INDEX statement_of_roster on statement (root, number) where number is not null;

CREATE TABLE stop_order (
 reason text not null
) strict;

CREATE TABLE submission (
 id integer primary key,
 instruction_id text not null references instruction (id),
 attempt integer not null,
 key_id text not null,
 nonce text not null,
 operation text not null,
 base_url text not null,
 body_hash text not null,
 intended_at text not null,
 sends integer not null default 1,
 resent_at text,
 outcome text,
 ended_at text,
 ended_monotonic_ms integer,
 absent_after_ms integer,
 seen_after_ms integer,
 echo text,
 http_status integer,
 evidence text,
 payout_id text,
 unique (instruction_id, attempt)
) strict;

CREATE INDEX submission_absent on submission (key_id, absent_after_ms) where absent_after_ms is not null;

CREATE UNIQUE INDEX submission_live on submission (instruction_id)
 where outcome is null or outcome in ('accepted', 'in doubt');

CREATE INDEX submission_open on submission (outcome) where outcome is null or outcome = 'in doubt';

CREATE INDEX submission_resent on submission (key_id, resent_at) where resent_at is not null;

CREATE INDEX submission_unseen on submission (key_id, id) where outcome = 'accepted' and seen_after_ms is null;

CREATE TABLE sweep (
 kind text primary key,
 at text not null
, looked_at text, newest text, beyond integer, full_at text) strict;

CREATE TABLE system_event (
 number integer primary key,
 kind text not null,
 subject text not null,
 at text not null,
 body text not null,
 unique (kind, subject)
) strict;

CREATE TABLE text_beside (
 batch_id text not null references batch (id),
 row integer not null,
 texts text not null,
 primary key (batch_id, row)
) strict;

CREATE TABLE uncompared (
 kind text not null,
 id text not null,
 seq integer not null,
 primary key (kind, id)
) strict, without rowid;

CREATE TABLE unowned_payout (
 payout_id text primary key
) strict, without rowid;

CREATE TABLE unposted (
 kind text not null,
 id text not null,
 seq integer not null,
 primary key (kind, id)
) strict, without rowid;
