-- One login role and one schema per service; none can see another's tables. The role delivery_worker
-- has no schema: the migrations of a service let it deliver the webhooks of that service, and read
-- nothing else. Run this file before the migrations.
--
-- Run in the database of Gatehouse by a role that may create roles, as often as you like: what is
-- there stays as it is. The passwords come as settings of the session, so that none stands here:
--   gatehouse.key_service_password, gatehouse.dsync_password, gatehouse.identity_forms_password,
--   gatehouse.delivery_worker_password
-- A password that is not given is not changed. `npm start`, Docker Compose and Kubernetes all use
-- this file; docs/local-stack.md says how the first does.
DO $provision$
DECLARE
  service record;
  may_do_all boolean := (SELECT rolsuper FROM pg_roles WHERE rolname = current_user);
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
    IF service.schema_name IS NULL THEN
      EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), service.role_name);
      CONTINUE;
    END IF;
    -- Giving a schema to a role takes membership in it, unless one is a superuser.
    IF NOT may_do_all AND NOT pg_has_role(current_user, service.role_name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', service.role_name);
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
