-- One login role and one schema per service; none can see another's tables. The role delivery_worker
-- has no schema: the migrations of a service let it deliver the webhooks of that service, and read
-- nothing else. Run this file before the migrations.
--
-- Run it in the database of Gatehouse, by the owner of that database, who has CREATEROLE or is a
-- superuser (PostgreSQL 14 or newer; tested with 15 to 18). Run it as often as you like: it adds what
-- is missing, and nothing if it fails. The passwords are settings of the session:
--   gatehouse.key_service_password, gatehouse.dsync_password, gatehouse.identity_forms_password,
--   gatehouse.delivery_worker_password
-- A password that is not given is not changed. provision.sh takes them from the environment or from
-- files, and Docker Compose runs it. `npm start` uses this file too (docs/local-stack.md).
DO $provision$
DECLARE
  service record;
  may_do_all boolean := (SELECT rolsuper FROM pg_roles WHERE rolname = current_user);
  -- Since PostgreSQL 16, a role that creates another one may administer it, but not act as it.
  has_set boolean := current_setting('server_version_num')::integer >= 160000;
BEGIN
  FOR service IN
    SELECT role_name, schema_name, nullif(current_setting(setting, true), '') AS password
    FROM (VALUES
      ('key_service',     'keys',  'gatehouse.key_service_password'),
      ('dsync',           'dsync', 'gatehouse.dsync_password'),
      ('identity_forms',  'forms', 'gatehouse.identity_forms_password'),
      ('delivery_worker', NULL,   'gatehouse.delivery_worker_password')
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
