-- A user who can only append to the record, so that a broken-into machine cannot rewrite decisions. As the owner, in the
-- database. Run the first `paydrop track` after an upgrade with the owner's URL, because it brings new tables.
create role paydrop_run login password 'a long one';
grant usage on schema paydrop to paydrop_run;
grant select, insert, update, delete on all tables in schema paydrop to paydrop_run;
revoke update, delete, truncate on paydrop.audit, paydrop.statement from paydrop_run;
revoke insert, update, delete on paydrop.version from paydrop_run;
alter default privileges in schema paydrop grant select, insert, update, delete on tables to paydrop_run;
