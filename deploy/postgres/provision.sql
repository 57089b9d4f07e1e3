-- One login role and one schema per service; none can see another's tables. The role delivery_worker
-- has no schema: the migrations of a service let it deliver the webhooks of that service, and read
-- nothing else. Run this file before the migrations.
--
-- Run it in the database of Gatehouse, by the owner of that database, who has CREATEROLE or is a
-- superuser (PostgreSQL 14 or newer; tested with 15 to 18). Run it as often as you like: it adds what
-- is missing, and nothing if it fails. The passwords are settings of the session:
--   gatehouse.key_service_password, gatehouse.dsync_password, gatehouse.identity_forms_password,
--   gatehouse.delivery_worker_password, gatehouse.console_password
-- A password that is not given is not changed. provision.sh takes them from the environment or from
-- files, and Docker Compose runs it. `npm start` uses this file too (docs/local-stack.md).
DO $provision$
DECLARE
  service record;
  owned record;
  may_do_all boolean := (SELECT rolsuper FROM pg_roles WHERE rolname = current_user);
  -- Since PostgreSQL 16, a role that creates another one may administer it, but not act as it.
  has_set boolean := current_setting('server_version_num')::integer >= 160000;
BEGIN
  FOR service IN
    SELECT role_name, schema_name, nullif(current_setting(setting, true), '') AS password
    FROM (VALUES
      ('delivery_worker', NULL,      'gatehouse.delivery_worker_password'),
      ('key_service',     'keys',    'gatehouse.key_service_password'),
      ('dsync',           'dsync',   'gatehouse.dsync_password'),
      ('identity_forms',  'forms',   'gatehouse.identity_forms_password'),
      ('console',         'console', 'gatehouse.console_password')
    ) AS services (role_name, schema_name, setting)
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service.role_name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOCREATEDB NOCREATEROLE NOINHERIT', service.role_name);
    END IF;
    IF service.password IS NOT NULL THEN
      EXECUTE format('ALTER ROLE %I PASSWORD %L', service.role_name, service.password);
    END IF;
    -- Behind a pooler, a service cannot set these for its sessions; migrations set their own.
    BEGIN
      EXECUTE format($$ALTER ROLE %I SET statement_timeout = '15s'$$, service.role_name);
      EXECUTE format($$ALTER ROLE %I SET idle_in_transaction_session_timeout = '15s'$$,
                     service.role_name);
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE NOTICE 'the limits of role % are not set: it was created by another one',
        service.role_name;
    END;
    IF service.schema_name IS NULL THEN
      EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), service.role_name);
      CONTINUE;
    END IF;
    -- To give a schema to a role, one has to be able to act as it.
    IF NOT may_do_all AND NOT pg_has_role(
      current_user, service.role_name, CASE WHEN has_set THEN 'SET' ELSE 'MEMBER' END
    ) THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', service.role_name)
        || CASE WHEN has_set THEN ' WITH INHERIT FALSE, SET TRUE' ELSE '' END;
    END IF;
    EXECUTE format('CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I',
                   service.schema_name, service.role_name);
    -- The small layout owns what it has created (docs/small.md). It is handed over, and the worker gets
    -- the rights that migrations give it where it exists.
    IF service.schema_name <> 'dsync' AND EXISTS (SELECT FROM pg_tables
      WHERE schemaname = service.schema_name AND tablename = 'endpoints' AND tableowner = current_user)
    THEN
      EXECUTE replace($$
        GRANT USAGE ON SCHEMA service TO delivery_worker;
        GRANT SELECT, INSERT ON service.events TO delivery_worker;
        GRANT SELECT, INSERT, UPDATE ON service.endpoints TO delivery_worker;
        GRANT INSERT ON service.delivery_attempts TO delivery_worker;
        GRANT SELECT, INSERT, UPDATE, DELETE ON service.parked_events, service.replays
          TO delivery_worker;
        GRANT SELECT, UPDATE ON service.dispatch TO delivery_worker;
        GRANT SELECT, USAGE ON SEQUENCE service.event_sequence, service.attempt_sequence
          TO delivery_worker;
      $$, 'service', quote_ident(service.schema_name));
    END IF;
    IF (SELECT nspowner = current_user::regrole FROM pg_namespace
        WHERE nspname = service.schema_name) THEN
      EXECUTE format('GRANT USAGE, CREATE ON SCHEMA %I TO %I',
                     service.schema_name, service.role_name);
    END IF;
    FOR owned IN
      SELECT format('ALTER TABLE %s OWNER TO %I', c.oid::regclass, service.role_name) AS change
      FROM pg_class c
      WHERE c.relnamespace = service.schema_name::regnamespace
        AND c.relowner = current_user::regrole AND c.relkind IN ('r', 'p', 'S', 'v')
        -- The sequence of a column follows its table.
        AND NOT (c.relkind = 'S' AND EXISTS (SELECT FROM pg_depend d
          WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')))
      UNION ALL
      SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, service.role_name)
      FROM pg_proc p
      WHERE p.pronamespace = service.schema_name::regnamespace
        AND p.proowner = current_user::regrole
      UNION ALL
      -- Last: without the schema, the names in it cannot be used.
      SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, service.role_name)
      FROM pg_namespace
      WHERE nspname = service.schema_name AND nspowner = current_user::regrole
    LOOP
      EXECUTE owned.change;
    END LOOP;
    IF (SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = service.schema_name)
       <> service.role_name THEN
      RAISE EXCEPTION 'schema % belongs to another role than %',
        service.schema_name, service.role_name;
    END IF;
    -- Migrations say CREATE SCHEMA IF NOT EXISTS, which asks for this right first.
    EXECUTE format('GRANT CONNECT, CREATE ON DATABASE %I TO %I',
                   current_database(), service.role_name);
  END LOOP;

  IF may_do_all THEN
    -- The default since PostgreSQL 15.
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  END IF;
END
$provision$;
